/* Where the searches of losses end, and what counts as rounding in them. None decides how long a
 * fit takes: each is a limit that rounding alone leads to. They are exercised by the bench parts
 * "classify" and "fgm"; scripts/bench tuning tells what half and twice of each moves
 * (docs/benchmarks.md). */
#ifndef MODEL_LOSS_TUNING_H
#define MODEL_LOSS_TUNING_H

/* Steps of the search for the intercept of least loss, and the slope, a sample and unit of
 * curvature, that is zero. Less than the rounding of a sum would never be reached. */
enum { MAX_SHIFT_STEPS = 400 };
static const double SHIFT_SLOPE = 1e-15;
/* The logistic loss, one dual variable: steps, and the width of the bracket, as a share, that is
 * near enough. */
enum { MAX_ASCENT_STEPS = 120 };
static const double ASCENT_WIDTH = 1e-15;
/* The logistic loss, the best multiple of all dual variables: steps, and the change, as a share,
 * that is near enough. The dual value is flat there: more digits would not show in it. */
enum { MAX_MULTIPLE_STEPS = 30 };
static const double MULTIPLE_CHANGE = 1e-12;
/* Share of the dual variables' sizes that may lie outside of their domain and is rounding. More: a
 * point that is not feasible could be taken for one; less: answers are refused for rounding. */
static const double OUTSIDE = 1e-9;

#endif
