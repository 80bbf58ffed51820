/* The squared hinge: max(0, 1 - y z)^2 / 2. */
#include "base/numeric/many.h"
#include "model/loss/losses.h"
#include "model/loss/quadratic.h"
#include "model/loss/tuning.h"

static double squared_hinge_value(double y, double z)
{
    double slack = fmax(0, 1 - y * z);
    return slack * slack / 2;
}

static double squared_hinge_slope(double y, double z)
{
    return -y * fmax(0, 1 - y * z);
}

/* A row at the corner counts as one with a loss: steps may lead it there, where a model without it
 * would have most of them halved to nothing, when unpenalised features take it back each time. */
static double squared_hinge_curvature(double y, double z)
{
    return 1 - y * z >= -CORNER_WIDTH ? 1 : 0;
}

static double squared_hinge_scale(const double *y, const double *a, size_t n, double most)
{
    return fmax(quadratic_scale(y, a, n, most), 0);
}

static double squared_hinge_ascend(double y, double z, double a, double weight, double q)
{
    return y * fmax(0, y * quadratic_ascend(y, z, a, weight, q));
}

PER_MACHINE
static void squared_hinge_values(const double *y, const double *z, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        double slack = 1 - y[i] * z[i];
        slack = slack > 0 ? slack : 0;
        out[i] = slack * slack / 2;
    }
}

PER_MACHINE
static void squared_hinge_slopes(const double *y, const double *z, size_t n, double *slopes,
                                 double *curvatures)
{
    for (size_t i = 0; i < n; i++) {
        double slack = 1 - y[i] * z[i];
        slopes[i] = -y[i] * (slack > 0 ? slack : 0);
        curvatures[i] = slack >= -CORNER_WIDTH ? 1 : 0;
    }
}

const loss loss_squared_hinge = {
    .id = "squared_hinge",
    .binary = true,
    .quadratic = false,
    .dual_quadratic = true,
    .smoothness = 1,
    .dual_most = INFINITY,
    .value = squared_hinge_value,
    .slope = squared_hinge_slope,
    .curvature = squared_hinge_curvature,
    .dual = quadratic_dual,
    .dual_slope = quadratic_dual_slope,
    .scale = squared_hinge_scale,
    .multiple = quadratic_multiple,
    .ascend = squared_hinge_ascend,
    .values = squared_hinge_values,
    .slopes = squared_hinge_slopes,
    .duals = quadratic_duals,
};
