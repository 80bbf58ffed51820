/* The squared loss's problem on the active set, in the space of its Gram matrix. */
#ifndef SOLVE_L1_CORE_BY_GRAM_H
#define SOLVE_L1_CORE_BY_GRAM_H

#include "solve/l1/core/state.h"

/* Solves to a gap on the set of at most `goal`, as gram_problem_solve does, through the products
 * that s->gram keeps from set to set, and writes the weights back; the residual is not made anew.
 * TM_ENOMEM, TM_ECANCELLED. */
tm_status l1_by_gram(l1_state *s, solve_progress *progress, double goal, tm_error *err);

#endif
