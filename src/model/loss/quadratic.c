#include "model/loss/quadratic.h"

#include "base/numeric/many.h"
#include "model/loss/residual.h"

double quadratic_dual(double y, double a)
{
    return y * a - a * a / 2;
}

double quadratic_dual_slope(double y, double a)
{
    return y - a;
}

PER_MACHINE
void quadratic_duals(const double *y, const double *a, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = y[i] * a[i] - a[i] * a[i] / 2;
}

double quadratic_scale(const double *y, const double *a, size_t n, double most)
{
    double ya = 0, aa = 0;
    for (size_t i = 0; i < n; i++) {
        ya += y[i] * a[i];
        aa += a[i] * a[i];
    }
    return aa > 0 ? fmin(fmax(ya / aa, -most), most) : 0;
}

double quadratic_multiple(const double *y, const double *a, size_t n, double penalty)
{
    double linear = 0, squares = residual_squares(a, n) + penalty;
    for (size_t i = 0; i < n; i++)
        linear += y[i] * a[i];
    return squares > 0 ? fmax(linear / squares, 0) : 0;
}

double quadratic_ascend(double y, double z, double a, double weight, double q)
{
    return a + (y - z - a / weight) / (1 / weight + q);
}
