/* The prediction and the warm start of the Hessian screening rule (Larsson and Wallin, 2022). */
#ifndef SOLVE_L1_STRATEGY_HESSIAN_H
#define SOLVE_L1_STRATEGY_HESSIAN_H

#include "solve/gram/gram.h"
#include "solve/l1/core/state.h"

/* The active set is the support of the answer at s->it.solved_lambda; *cache, allocated when it is
 * NULL, keeps the Gram matrix. Moves the weights along the path's tangent to s->penalty.lambda and
 * activates the features that the same step predicts near their constraint. Costs one pass and the
 * Gram matrix of the support. When there is no tangent (no answer yet, dependent columns, a support
 * too large for the Gram cache) the strong rule is used instead. */
tm_status l1_hessian_begin(l1_state *s, gram **cache, solve_progress *progress, tm_error *err);

/* Activates the features that the strong rule selects. */
void l1_strong_begin(l1_state *s);

#endif
