/* The Cholesky factor of the Gram matrix of a support, scaled to a unit diagonal: it is kept in
 * q->matrix, in the order of q->support. */
#ifndef SOLVE_L1_CORE_GRAM_FACTOR_H
#define SOLVE_L1_CORE_GRAM_FACTOR_H

#include "solve/l1/core/gram_set.h"

#include <math.h>

/* |x_j| of place a of the support, with the ridge. */
static inline double gram_factor_norm(const set_problem *q, size_t a)
{
    return sqrt(gram_set_square(q, q->support[a]));
}

/* Factorises G_SS of the first `count` features of the support. When some are combinations of
 * others, the support is reordered: its first `rank` features are independent. Returns the rank;
 * the leading dimension is `count`. Pivoting, which such columns need, is tried second unless they
 * are expected. */
size_t gram_factor_new(set_problem *q, size_t count, bool expect_dependent);

/* Solves G_RR v = q->right for the first `rank` features of the support, in place. */
bool gram_factor_solve(set_problem *q, size_t leading, size_t rank);

/* Removes place `gone` of the support from the factor of its first `count` features: its row goes,
 * and rotations restore the triangle at a cost of 3 (count - gone)^2 instead of count^3 / 3. */
void gram_factor_remove(set_problem *q, size_t leading, size_t count, size_t gone);

#endif
