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

/* Solves to a gap of about `target`, into a (width) and alpha (n, within 0..1); sets *reached to
 * false when rounding, the token or the deadline ended it earlier. TM_ENOMEM. */
tm_status interior_solve(const interior_problem *q, double target, double *a, double *alpha,
                         bool *reached, solve_progress *progress, tm_error *err);

#endif
