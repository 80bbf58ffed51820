/* The Hessian screening rule's guess and warm start (Larsson and Wallin, 2022). */
#ifndef SOLVE_L1_STRATEGY_HESSIAN_H
#define SOLVE_L1_STRATEGY_HESSIAN_H

#include "solve/gram/gram.h"
#include "solve/l1/core/state.h"

/* The active set is the support of the answer at s->it.solved_lambda; *cache, made when it is NULL,
 * keeps the Gram matrix. Moves the weights along the
 * path's tangent to s->penalty.lambda and activates the features that the same step expects near
 * their constraint. Costs one pass and the Gram matrix of the support. Where there is no tangent
 * (no answer yet, dependent columns, a support beyond the Gram cache) the strong rule's guess takes
 * its place. */
tm_status l1_hessian_begin(l1_state *s, gram **cache, solve_progress *progress, tm_error *err);

/* The strong rule's guess: activates what it expects. */
void l1_strong_begin(l1_state *s);

#endif
