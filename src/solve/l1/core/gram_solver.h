/* The l1 problem on a small set of features, in the space of their Gram matrix:
 *
 *     min over w of  constant/2 - linear'w + w'Gw/2
 *                 + lambda sum_k f_k |w_k| + sum_k ridge_k w_k^2 / 2
 *     with lower_k <= w_k <= upper_k
 *
 * For the lasso G = X'X, linear = X'y, constant = y'y. A factor of 0 leaves a weight to the limits.
 * Coordinate minimisation on the products, and Newton steps with fixed signs (pivoted Cholesky;
 * dependent columns leave along the null space), which make the answer exact as soon as the signs
 * are right. */
#ifndef SOLVE_L1_CORE_GRAM_SOLVER_H
#define SOLVE_L1_CORE_GRAM_SOLVER_H

#include "solve/l1/core/gram_problem.h"

/* Solves until the gap, read as that of least squares, is at most `goal` (-INFINITY: as far as
 * rounding allows), the objective decreases no more, or it is stopped. */
tm_status gram_problem_solve(gram_problem *problem, double goal, tm_error *err);

#endif
