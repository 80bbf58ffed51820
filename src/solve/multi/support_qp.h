/* The small problem of fsmulti's bundle over all sets of B columns, independent of the groups
 * found:
 *
 *     max over alpha >= 0, sum alpha <= C of  q'alpha - 1/2 (sum of the B greatest c_j^2),
 *     c = sum_k alpha_k a_k,
 *
 * K labelings on J > B columns. Its dual gives the shares 0 <= m_j <= 1, sum m = B, for which the
 * weights are w_j = m_j c_j and 1/2 sum_j m_j c_j^2 is at least 1/2 |w|^2_(B). Solved by a
 * primal-dual interior point method to a requested gap. Derivation: docs/multi.md. */
#ifndef SOLVE_MULTI_SUPPORT_QP_H
#define SOLVE_MULTI_SUPPORT_QP_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct support_qp {
    size_t count;           /* K >= 1 */
    size_t columns;         /* J */
    size_t B;               /* below J */
    const double *const *a; /* K rows of J values */
    const double *q;        /* K, the greatest is positive */
    double C;               /* > 0 */
    double sum;             /* estimate of sum alpha, or 0: unknown */
} support_qp;

/* A primal-dual point: the pairs alpha_k with lambda_k, rest = C - sum alpha with nu, shares m_j
 * with t_j, 1 - m_j with s_j. `begun` is set to start from the solution of the previous problem;
 * then labelings that are new have lambda 0, and new columns have t 0. */
typedef struct support_qp_point {
    double *alpha, *lambda; /* K */
    double *shares, *t, *s; /* J */
    double rest, nu, theta;
    bool begun;
    double gap; /* at alpha and the shares */
} support_qp_point;

/* Solves until the gap is at most `target`, or as far as rounding allows. TM_ENOMEM. */
tm_status support_qp_solve(const support_qp *problem, double target, support_qp_point *point,
                           tm_error *err);

#endif
