/* The Cholesky factor of the Gram matrix of a support, scaled to a unit diagonal. Features leave
 * and join it at a cost of n^2 instead of n^3 / 3, so that it can be kept from one problem to the
 * next whose Gram matrix has the same features in the same places. */
#ifndef SOLVE_L1_GRAM_GRAM_FACTOR_H
#define SOLVE_L1_GRAM_GRAM_FACTOR_H

#include "solve/l1/gram/gram_set.h"

#include <math.h>

/* |x_j| of place a of the support, with the ridge. */
static inline double gram_factor_norm(const set_problem *q, size_t a)
{
    return sqrt(gram_set_square(q, q->factor->support[a]));
}

/* An empty factor, NULL without memory; of no use to a problem whose places have other features, or
 * whose ridge is another. */
gram_factor *gram_factor_open(void);
void gram_factor_free(gram_factor *factor);
/* The places have other features now. */
void gram_factor_forget(gram_factor *factor);
/* Makes space for `most` features. TM_ENOMEM. */
tm_status gram_factor_reserve(gram_factor *factor, size_t most, tm_error *err);

/* Factorises G_SS of the first `count` features of the support. When some are combinations of
 * others, the support is reordered: its first `rank` features are independent. Returns the rank.
 * Pivoting, which such columns need, is tried second unless they are expected. */
size_t gram_factor_new(set_problem *q, size_t count, bool expect_dependent);

/* Solves G_RR v = q->right for the features of the factor, in place. */
bool gram_factor_solve(set_problem *q);

/* Removes place `gone` of the support from the factor: its row goes, and rotations restore the
 * triangle at a cost of 3 (count - gone)^2. */
void gram_factor_remove(set_problem *q, size_t gone);

/* The features at the places count .. count + more - 1 of the support join the factor, at a cost of
 * more count^2 / 2. False, with the factor as it was, when they are combinations of others. */
bool gram_factor_append(set_problem *q, size_t more);

#endif
