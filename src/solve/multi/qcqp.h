/* The small problem of the inner bundle (001 eq. 16):
 *
 *     max over alpha >= 0, sum alpha <= C of   q'alpha - max_t 1/2 alpha'Q_t alpha
 *
 * K variables, T positive semidefinite matrices. Its dual (001 eq. 15) gives the weights mu_t of
 * the groups, which sum to one. Solved by a primal-dual interior point method; the gap is computed
 * from alpha and mu alone. Derivation: docs/multi.md. */
#ifndef SOLVE_MULTI_QCQP_H
#define SOLVE_MULTI_QCQP_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct qcqp {
    size_t count;     /* K >= 1 */
    size_t groups;    /* T >= 1 */
    size_t stride;    /* leading dimension of the matrices, at least K */
    const double **Q; /* T matrices, K x K, symmetric, both triangles filled */
    const double *q;  /* K */
    double C;         /* > 0 */
    double sum;       /* about what sum alpha will be, or 0: unknown */
} qcqp;

typedef struct qcqp_result {
    double value; /* of the objective at alpha: a lower bound on the optimum of (15) */
    double upper; /* objective of (15) at the weights that alpha and mu give */
} qcqp_result;

/* alpha: K values, mu: T values, written. The gap is at most 5e-10 of the objective as far as
 * rounding allows: margins q_k - sum_t mu_t (Q_t alpha)_k are known to some roundings of
 * sum_t mu_t sum_i |Q_t,ki| alpha_i, and the upper bound has C times the greatest. Where roundings
 * of the entries leave Q_t indefinite by more than the objective feels, the bounds are those of
 * diagonals increased by at most K roundings. TM_ENOMEM. */
tm_status qcqp_solve(const qcqp *problem, double *alpha, double *mu, qcqp_result *result,
                     tm_error *err);

#endif
