/* The small problem of the inner bundle (001 eq. 16):
 *
 *     max over alpha >= 0, sum alpha <= C of   q'alpha - max_t 1/2 alpha'Q_t alpha
 *
 * with K variables and T positive semidefinite matrices. Its dual (001 eq. 15) gives the weights
 * mu_t of the groups, which sum to one. Solved by a primal-dual interior point method; the gap is
 * computed from alpha and mu alone. Derivation: docs/multi.md. */
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
    double sum;       /* estimate of sum alpha, or 0: unknown */
} qcqp;

typedef struct qcqp_result {
    double value; /* the objective at alpha: a lower bound on the optimum of (15) */
    double upper; /* objective of (15) at the weights that alpha and mu give */
} qcqp_result;

/* Writes K values to alpha and T to mu. The gap is at most 5e-10 of the objective as far as
 * rounding allows: the margins q_k - sum_t mu_t (Q_t alpha)_k have an error of some roundings of
 * sum_t mu_t sum_i |Q_t,ki| alpha_i, and the upper bound contains C times the greatest. When
 * rounding errors of the entries make Q_t indefinite by more than the objective tolerates, the
 * bounds are those for diagonals increased by at most K rounding errors. TM_ENOMEM. */
tm_status qcqp_solve(const qcqp *problem, double *alpha, double *mu, qcqp_result *result,
                     tm_error *err);

#endif
