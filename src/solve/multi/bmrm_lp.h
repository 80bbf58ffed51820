/* The small problem of `bmrm`: K labelings on J features,
 *
 *     min over w of  |w|_1 + C max(0, max_k b_k - a_k'w),
 *     max over alpha >= 0, sum alpha <= C of  b'alpha
 *     with |sum_k alpha_k a_k| <= 1 on every feature,
 *
 * a linear program and its dual, solved by a primal-dual interior point method. It may stop early,
 * at a requested gap: then both solutions lie near the central path, away from the vertices between
 * which cutting planes for an l1 norm would oscillate. Derivation: docs/multi.md. */
#ifndef SOLVE_MULTI_BMRM_LP_H
#define SOLVE_MULTI_BMRM_LP_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct bmrm_lp {
    size_t count;           /* K >= 1 */
    size_t features;        /* J >= 1 */
    const double *const *a; /* K rows of J values */
    const double *b;        /* K, the greatest is positive */
    double C;               /* > 0 */
} bmrm_lp;

/* Both bounds are exact at the point returned. */
typedef struct bmrm_lp_result {
    double upper; /* of the primal problem at w */
    double lower; /* of the dual at alpha, scaled until it is feasible */
} bmrm_lp_result;

/* Solves to upper - lower <= target, or as far as rounding allows. Writes alpha (K; not scaled), w
 * (J) and chosen (J): the weights that do not converge to zero. TM_ENOMEM. */
tm_status bmrm_lp_solve(const bmrm_lp *problem, double target, double *alpha, double *w,
                        bool *chosen, bmrm_lp_result *result, tm_error *err);

#endif
