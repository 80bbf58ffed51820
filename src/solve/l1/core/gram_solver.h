/* The l1 problem on a small set of features, solved with their Gram matrix:
 *
 *     min over w of  constant/2 - linear'w + w'Gw/2
 *                 + lambda sum_k f_k |w_k| + sum_k ridge_k w_k^2 / 2
 *     with lower_k <= w_k <= upper_k
 *
 * For the lasso G = X'X, linear = X'y, constant = y'y. A weight with factor 0 is subject only to
 * its limits. Alternates coordinate minimisation on the products with Newton steps for fixed signs
 * (pivoted Cholesky; weights of dependent columns are moved to zero along the null space), which
 * give the exact solution once the signs are right. */
#ifndef SOLVE_L1_CORE_GRAM_SOLVER_H
#define SOLVE_L1_CORE_GRAM_SOLVER_H

#include "solve/common/progress.h"

typedef struct gram_problem {
    size_t count, capacity; /* G is count x count, column-major with leading dimension capacity */
    const double *products; /* the Gram matrix G */
    const double *linear, *factors;      /* count */
    const double *ridge, *lower, *upper; /* count; NULL: none */
    double constant, lambda;
    const size_t *set; /* places of the features that may be nonzero, among 0 .. count-1 */
    size_t set_count;
    double *w; /* count: the start, then the answer; 0 outside the set */
    solve_progress *progress;
    long epochs, max_epochs; /* incremented; its limit */
    long rounds;             /* at most this many rounds of epochs and Newton steps; 0: no limit */
    double work;             /* multiply-adds of Newton steps; their budget; 0: no limit */
    bool exceeded;           /* ended because of the budget */
} gram_problem;

/* Solves until the gap, computed as for least squares, is at most `goal` (-INFINITY: as far as
 * rounding allows), until the objective decreases no more, or until the run must stop. */
tm_status gram_problem_solve(gram_problem *problem, double goal, tm_error *err);

#endif
