/* A small problem of structured kernel selection by an interior point method:
 *
 *     min over a >= 0 of  sum_m max(0, 1 - c_m'a) + lambda sum_i a_i + 1/2 a'Q a
 *
 * Each step factorises Q plus a diagonal matrix, which has the bandwidth of Q, and an n x n matrix.
 */
#ifndef SOLVE_KERNEL_INTERIOR_H
#define SOLVE_KERNEL_INTERIOR_H

#include "solve/common/progress.h"

typedef struct interior_problem {
    size_t n, width;
    const double *columns; /* n x width, about 1 */
    double lambda;
    const double *band; /* Q: row i - j + 1 of column j holds Q_ij for j <= i <= j + below */
    size_t below;
} interior_problem;

/* Weights that should be zero are positive in the interior: `a` has zeros in their place, `flow`
 * has them as they are. Q flow, unlike Q a, satisfies the dual constraints but for rounding. */
typedef struct interior_answer {
    double *a, *flow; /* width each */
    double *alpha;    /* n, within 0..1 */
} interior_answer;

/* Solves to a gap of about `target`, or until rounding, the token or the deadline ends it.
 * TM_ENOMEM. */
tm_status interior_solve(const interior_problem *q, double target, interior_answer *answer,
                         solve_progress *progress, tm_error *err);

#endif
