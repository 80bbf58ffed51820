/* What bounds rounding in the tests of features. None is a trade: a smaller one could certify a
 * feature of the optimum inactive, a larger one costs features that stay without need.
 * scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef SCREEN_TUNING_H
#define SCREEN_TUNING_H

/* Share of the lengths of both vectors that a product loses at most (up to some 10^5 rows). Bounds
 * are widened by it, so that a feature exactly at its constraint is never discarded. */
static const double PRODUCT_LOST = 1e-12;
/* Share of |x| that sqrt(|x|^2 - (x'g)^2) loses beside that, where x and g are nearly parallel and
 * half of the digits go. */
static const double ACROSS_LOST = 1e-13;
/* Share of the squares whose difference is a radius, where its terms cancel. */
static const double RADIUS_LOST = 1e-14;
/* Share of the null objective that a difference of dual values loses, and more for each row. */
static const double VALUE_LOST = 1e-14, VALUE_LOST_A_ROW = 1e-16;

#endif
