/* The Hessian of a loss on the active features, X_S' H X_S with H = diag(l''), recomputed at each
 * Newton step.
 *
 * A sparse matrix is transposed to row-major form once for each active set: computed row by row the
 * Hessian costs sum_i nnz_i^2 / 2 multiply-adds, where nnz_i is the number of active features in
 * row i, which is often less than a few epochs of coordinate minimisation over the same columns.
 * Rows whose weight did not change since the last step are skipped: for the squared hinge most of
 * them. Dense rows are multiplied with BLAS. */
#ifndef SOLVE_GRAM_HESSIAN_H
#define SOLVE_GRAM_HESSIAN_H

#include "base/threads/team.h"
#include "tamis/matrix.h"

#include <stdbool.h>

typedef struct hessian hessian;

/* TM_ENOMEM. */
tm_status hessian_new(hessian **out, size_t n, tm_error *err);
void hessian_free(hessian *h);

/* Sets h up for the given features of x, in their order; products of earlier features are kept
 * unless these are many more than the set. `centred`: hessian_at will be given means. TM_ENOMEM. */
tm_status hessian_begin(hessian *h, const tm_matrix *x, const size_t *features, size_t count,
                        bool centred, tm_error *err);

/* Whether columns are centred before they are multiplied: then the diagonal is as accurate as sums
 * over single columns. */
bool hessian_is_centred(const hessian *h);

/* Multiply-adds of one Hessian on the present set, and of one epoch over its columns. */
double hessian_work(const hessian *h);
double hessian_epoch_work(const hessian *h);

/* Replaces those of the new weights that differ little from the ones of the last Hessian on this
 * set by the old ones: a row whose weight is unchanged costs nothing, and Newton steps tolerate a
 * slightly outdated Hessian. */
void hessian_keep(const hessian *h, double *weights);

/* count x count, symmetric, filled completely, with leading dimension `capacity`. */
typedef struct hessian_products {
    const double *values;
    size_t capacity;
} hessian_products;

/* The Hessian for the given weights (n values >= 0), of columns minus their weighted means (p
 * values, read at the features; NULL: uncentred columns). Owned by h, valid until h is used again.
 * Threads share the products of sparse rows; the result does not depend on their number. */
hessian_products hessian_at(hessian *h, const double *weights, const double *means,
                            thread_team *team);

#endif
