#include "model/certificate/ridge_dual.h"

#include "base/numeric/golden_section.h"

#include <math.h>

static double dual_at(const dual_residual *left, double C, double squares, double t)
{
    return C * dual_residual_value(left, t) - t * t * C * C * squares / 2;
}

/* Both parts are quadratic in t, and 0 at t = 0. */
static double best_quadratic(const dual_residual *left, double C, double squares)
{
    double half = dual_residual_value(left, 0.5), one = dual_residual_value(left, 1);
    double square = 2 * (2 * half - one), linear = one + square;
    double curvature = 2 * square + C * squares;
    double t = curvature > 0 ? fmax(linear / curvature, 0) : 1;
    return fmax(dual_at(left, C, squares, t), dual_at(left, C, squares, 1));
}

typedef struct dual_ray {
    const dual_residual *left;
    double C, squares;
} dual_ray;

static double value_on_ray(double t, void *payload)
{
    const dual_ray *d = payload;
    return dual_at(d->left, d->C, d->squares, t);
}

/* Searches 0 .. 1, where the concave function is defined. */
static double best_by_search(const dual_residual *left, double C, double squares)
{
    dual_ray ray = {left, C, squares};
    double best = dual_at(left, C, squares, 1);
    golden_section_search(
        &(golden_section){.value = value_on_ray, .payload = &ray, .high = 1, .steps = 50}, &best);
    return best;
}

double ridge_dual(const dual_residual *left, double C, double squares)
{
    return left->of->loss->dual_quadratic ? best_quadratic(left, C, squares)
                                          : best_by_search(left, C, squares);
}
