/* Small structured problems, with a dense matrix of few columns, and larger ones whose terms are
 * local, by a primal-dual interior point method:
 *
 *     min over c, b of  sum_i s_i l(y_i, o_i + (A c)_i + b) + sum_k bound_k |d_k'c| + linear'c.
 *
 * With d_k'c = above_k - below_k, both at least 0, and multipliers u_k the optimum is where
 * D'u = A'a - linear, (bound_k - u_k) above_k = 0 and (bound_k + u_k) below_k = 0. Steps are
 * Newton's on those equations with the products going to zero together. */
#ifndef SOLVE_STRUCTURE_DENSE_H
#define SOLVE_STRUCTURE_DENSE_H

#include "model/loss/samples.h"
#include "solve/common/progress.h"
#include "solve/structure/wide.h"

/* Sparse rows: term k has columns cols[starts[k] .. starts[k + 1] - 1]. */
typedef struct dense_terms {
    size_t count;
    const size_t *starts;
    const uint32_t *cols;
    const double *values;
    const double *bound; /* positive */
} dense_terms;

typedef struct dense_problem {
    const samples *of;
    const double *columns; /* n x width, column-major; not used with `wide` */
    wide_system *wide;     /* the columns of many features, or NULL */
    size_t width;
    bool intercept;
    dense_terms terms;
    const double *linear; /* width; NULL: zeros */
    double target;        /* for the duality gap */
} dense_problem;

/* c (width) is the starting point and receives the answer; *b is the intercept, u (one for each
 * term) the multipliers. TM_ENOMEM; when rounding or the progress ends the solve, the point reached
 * is the answer. */
tm_status dense_solve(const dense_problem *q, double *c, double *b, double *u,
                      solve_progress *progress, tm_error *err);

#endif
