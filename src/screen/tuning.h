/* Bounds of rounding errors in the tests of features. They are not trade-offs of speed: a smaller
 * one could certify a feature of the optimum as inactive, a larger one keeps features needlessly.
 * scripts/bench tuning shows the effect of half and twice each value (docs/benchmarks.md). */
#ifndef SCREEN_TUNING_H
#define SCREEN_TUNING_H

/* The maximum rounding error of a product as a share of the norms of both vectors (up to some
 * 10^5 rows). Bounds are widened by it, so that a feature exactly at its constraint is never
 * discarded. */
static const double PRODUCT_LOST = 1e-12;
/* The further error of sqrt(|x|^2 - (x'g)^2) as a share of |x|, where x and g are nearly parallel
 * and half of the digits cancel. */
static const double ACROSS_LOST = 1e-13;
/* The error of a squared radius as a share of the squares of which it is the difference, where they
 * cancel. */
static const double RADIUS_LOST = 1e-14;
/* The error of a difference of dual values as a share of the null objective, and the addition for
 * each row. */
static const double VALUE_LOST = 1e-14, VALUE_LOST_A_ROW = 1e-16;

#endif
