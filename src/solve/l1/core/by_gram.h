/* The squared loss's problem on the active set, in the space of its Gram matrix. */
#ifndef SOLVE_L1_CORE_BY_GRAM_H
#define SOLVE_L1_CORE_BY_GRAM_H

#include "solve/gram/gram.h"
#include "solve/l1/core/state.h"

/* Solves to a gap on the set of at most `goal`, as gram_problem_solve does, through the products
 * that the cache keeps from set to set, and writes the weights back; the residual stays as it is.
 * *exceeded: ill-conditioned columns made it exceed its budget of work before that.
 * TM_ENOMEM, TM_ECANCELLED. */
tm_status l1_by_gram(l1_state *s, gram *cache, double goal, bool *exceeded,
                     solve_progress *progress, tm_error *err);

/* An empty cache of the problem's features; *out stays when there is one. TM_ENOMEM. */
tm_status l1_gram_open(gram **out, const l1_state *s, tm_error *err);

#endif
