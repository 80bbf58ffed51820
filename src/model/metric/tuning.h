/* Where Platt's fit ends, and what counts as rounding in the losses of labelings: limits, none of
 * which decides how long a fit takes. scripts/bench tuning tells what half and twice of each moves
 * (docs/benchmarks.md). */
#ifndef MODEL_METRIC_TUNING_H
#define MODEL_METRIC_TUNING_H

/* Newton's steps of the fit of a sigmoid, and halvings of one. */
enum { MAX_STEPS = 100, MAX_HALVINGS = 60 };
/* Where the gradient's length, relative to the number of rows, counts as zero; what is added to the
 * Hessian's diagonal where scores are constant; Armijo's share of the predicted decrease. */
static const double FLAT = 1e-12, RIDGE = 1e-12, ARMIJO = 1e-4;

/* A labeling that is handed over is accepted when its loss and its numbers of pairs are those
 * recomputed, up to these shares of them, which rounding may take. */
static const double LOSS_LOST = 1e-12, PAIRS_LOST = 1e-9;

/* A class is rare with less than one row in so many: predicting the other alone is right for nine
 * rows in ten then, and accuracy hardly tells a model from that. A choice, which no time depends
 * on. */
enum { RARE_ROWS = 10 };

#endif
