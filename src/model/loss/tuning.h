/* Where the searches of the losses end, and what counts as rounding error in them. None affects the
 * time of a fit: only rounding leads to these limits. They are exercised by the bench parts
 * "classify" and "fgm"; scripts/bench tuning measures the effect of halving and doubling each
 * (docs/benchmarks.md). */
#ifndef MODEL_LOSS_TUNING_H
#define MODEL_LOSS_TUNING_H

/* Steps of the search for the optimal intercept, and the derivative, for each sample and unit of
 * curvature, that counts as zero. A threshold below the rounding error of a sum would never be
 * reached. */
enum { MAX_SHIFT_STEPS = 400 };
static const double SHIFT_SLOPE = 1e-15;
/* The logistic loss, one dual variable: greatest number of steps, and the relative width of the
 * bracket at which the search ends. */
enum { MAX_ASCENT_STEPS = 120 };
static const double ASCENT_WIDTH = 1e-15;
/* The logistic loss, the best multiple of all dual variables: greatest number of steps, and the
 * relative change at which the search ends. The dual value is flat there: more digits would not
 * affect it. */
enum { MAX_MULTIPLE_STEPS = 30 };
static const double MULTIPLE_CHANGE = 1e-12;
/* The fraction of the dual variables' total size that may lie outside their domain because of
 * rounding. More: an infeasible point could pass as feasible; less: answers are rejected because of
 * rounding. */
static const double OUTSIDE = 1e-9;
/* The squared hinge: how far beyond its corner, in predictions, a row counts as being there: their
 * rounding error. */
static const double CORNER_WIDTH = 1e-12;

#endif
