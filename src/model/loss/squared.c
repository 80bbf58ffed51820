/* The squared loss: (y - z)^2 / 2. */
#include "base/numeric/many.h"
#include "model/loss/losses.h"
#include "model/loss/quadratic.h"

static double squared_value(double y, double z)
{
    return (y - z) * (y - z) / 2;
}

static double squared_slope(double y, double z)
{
    return z - y;
}

static double squared_curvature(double y, double z)
{
    (void)y;
    (void)z;
    return 1;
}

PER_MACHINE
static void squared_values(const double *y, const double *z, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (y[i] - z[i]) * (y[i] - z[i]) / 2;
}

PER_MACHINE
static void squared_slopes(const double *y, const double *z, size_t n, double *slopes,
                           double *curvatures)
{
    for (size_t i = 0; i < n; i++) {
        slopes[i] = z[i] - y[i];
        curvatures[i] = 1;
    }
}

const loss loss_squared = {
    .id = "squared",
    .binary = false,
    .quadratic = true,
    .dual_quadratic = true,
    .smoothness = 1,
    .dual_most = INFINITY,
    .value = squared_value,
    .slope = squared_slope,
    .curvature = squared_curvature,
    .dual = quadratic_dual,
    .dual_slope = quadratic_dual_slope,
    .scale = quadratic_scale,
    .multiple = quadratic_multiple,
    .ascend = quadratic_ascend,
    .values = squared_values,
    .slopes = squared_slopes,
    .duals = quadratic_duals,
};
