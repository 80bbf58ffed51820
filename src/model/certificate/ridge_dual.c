#include "model/certificate/ridge_dual.h"

#include <math.h>

static double dual_at(const samples *of, const double *a, double C, double squares, double t)
{
    return C * samples_dual(of, a, t) - t * t * C * C * squares / 2;
}

/* Both parts are quadratic in t, and 0 at t = 0. */
static double best_quadratic(const samples *of, const double *a, double C, double squares)
{
    double half = samples_dual(of, a, 0.5), one = samples_dual(of, a, 1);
    double square = 2 * (2 * half - one), linear = one + square;
    double curvature = 2 * square + C * squares;
    double t = curvature > 0 ? fmax(linear / curvature, 0) : 1;
    return fmax(dual_at(of, a, C, squares, t), dual_at(of, a, C, squares, 1));
}

/* Golden section over 0 .. 1, where the concave function is defined. */
static double best_by_search(const samples *of, const double *a, double C, double squares)
{
    static const double share = 0.6180339887498949;
    double low = 0, high = 1;
    double best = dual_at(of, a, C, squares, 1);
    for (int step = 0; step < 50; step++) {
        double left = high - share * (high - low), right = low + share * (high - low);
        double at_left = dual_at(of, a, C, squares, left);
        double at_right = dual_at(of, a, C, squares, right);
        best = fmax(best, fmax(at_left, at_right));
        if (at_left > at_right)
            high = right;
        else
            low = left;
    }
    return best;
}

double ridge_dual(const samples *of, const double *a, double C, double squares)
{
    return of->loss->dual_quadratic ? best_quadratic(of, a, C, squares)
                                    : best_by_search(of, a, C, squares);
}
