/* The l1 problem on a small set of features, solved with their Gram matrix:
 *
 *     min over w of  constant/2 - linear'w + w'Gw/2
 *                 + lambda sum_k f_k |w_k| + sum_k ridge_k w_k^2 / 2
 *     with lower_k <= w_k <= upper_k
 *
 * For the lasso G = X'X, linear = X'y, constant = y'y. A weight with factor 0 is subject only to
 * its limits. Alternates coordinate minimisation on the products with Newton steps for fixed signs
 * (pivoted Cholesky; weights of dependent columns are moved to zero along the null space), which
 * give the exact solution once the signs are right. With the factor of a problem nearby, Newton
 * steps come first, and only features that violate their constraint are minimised over. */
#ifndef SOLVE_L1_GRAM_GRAM_SOLVER_H
#define SOLVE_L1_GRAM_GRAM_SOLVER_H

#include "solve/l1/gram/gram_problem.h"

/* Solves until the gap, computed as for least squares, is at most `goal` (-INFINITY: as far as
 * rounding allows), until the objective decreases no more, or until the run must stop. */
tm_status gram_problem_solve(gram_problem *problem, double goal, tm_error *err);

#endif
