/* The end of Platt's fit, and what counts as rounding error in the losses of labelings: limits that
 * do not affect the time of a fit. scripts/bench tuning measures the effect of halving and doubling
 * each (docs/benchmarks.md). */
#ifndef MODEL_METRIC_TUNING_H
#define MODEL_METRIC_TUNING_H

/* Newton steps of the fit of a sigmoid, and halvings of one step. */
enum { MAX_STEPS = 100, MAX_HALVINGS = 60 };
/* The norm of the gradient, relative to the number of rows, that counts as zero; what is added
 * to the Hessian's diagonal in case scores are constant; Armijo's fraction of the predicted
 * decrease. */
static const double FLAT = 1e-12, RIDGE = 1e-12, ARMIJO = 1e-4;

/* A labeling that is handed over is accepted when its loss and its numbers of pairs agree with the
 * recomputed ones up to these relative rounding errors. */
static const double LOSS_LOST = 1e-12, PAIRS_LOST = 1e-9;

/* A class is rare when it has less than one row in this many: always predicting the other class is
 * then right for nine rows in ten, and accuracy hardly distinguishes a model from that. A choice
 * that affects no time. */
enum { RARE_ROWS = 10 };

#endif
