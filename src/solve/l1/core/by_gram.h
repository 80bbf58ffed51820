/* The squared loss's problem on the active set, solved with its Gram matrix. */
#ifndef SOLVE_L1_CORE_BY_GRAM_H
#define SOLVE_L1_CORE_BY_GRAM_H

#include "solve/gram/gram.h"
#include "solve/l1/core/state.h"
#include "solve/l1/gram/gram_problem.h"

/* Solves to a gap on the set of at most `goal`, as gram_problem_solve does, with the products that
 * the cache and the factor keep between sets, and writes the weights back; the residual is not
 * updated. *exceeded: ill-conditioned columns exhausted its work budget first. TM_ENOMEM,
 * TM_ECANCELLED. */
tm_status l1_by_gram(l1_state *s, gram *cache, gram_factor *factor, double goal, bool *exceeded,
                     solve_progress *progress, tm_error *err);

/* Makes an empty cache of the problem's features unless *out exists already. TM_ENOMEM. */
tm_status l1_gram_open(gram **out, const l1_state *s, tm_error *err);

#endif
