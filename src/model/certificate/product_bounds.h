/* Bounds on the products of all features with a vector, from products with earlier vectors.
 *
 * Residuals along a path lie near a low-dimensional subspace. For earlier vectors q_1 .. q_K all
 * products x_j'q_k are stored; for a new vector u = sum_k c_k q_k + v they give
 *
 *     | x_j'u - sum_k c_k x_j'q_k |  <=  |x_j| |v|,
 *
 * so that a feature whose bound is below the threshold of interest need not be visited. With an
 * intercept x_j is always the centred column. The bounds hold for the computed numbers: bounds on
 * the rounding errors of the stored products, of c and of v are added (docs/screening.md, section
 * 15). */
#ifndef MODEL_CERTIFICATE_PRODUCT_BOUNDS_H
#define MODEL_CERTIFICATE_PRODUCT_BOUNDS_H

#include "data/bytes/byte_copy.h"

#include "tamis/dataset.h"

typedef struct product_bounds product_bounds;

/* Whether using a few earlier vectors costs much less than a pass over the data, and single columns
 * can be visited. */
bool product_bounds_pay(const tm_dataset *data);

/* Keeps a reference to the data. Freed by product_bounds_free (NULL is allowed). */
tm_status product_bounds_new(product_bounds **out, const tm_dataset *data, bool centred,
                             tm_error *err);
void product_bounds_free(product_bounds *past);
bool product_bounds_centred(const product_bounds *past);

/* Before any other vector: adds u, whose products with all features are known, up to the rounding
 * errors of sums over the rows. */
void product_bounds_add_known(product_bounds *past, const double *u, const double *products);
/* Splits u (n values) into its component in the span of the earlier vectors and the remainder.
 * False when there is no earlier vector, and hence no bound. */
bool product_bounds_split(product_bounds *past, const double *u);
/* For the last vector split and features from .. from + count - 1: estimates of the products, and
 * their error bounds. */
void product_bounds_bound(const product_bounds *past, size_t from, size_t count, double *estimates,
                          double *errors);
/* Whether the last vector split should be added: enough of it is not in the span yet. */
bool product_bounds_is_new(const product_bounds *past);
/* The vector (n values) to scan in order to add the last vector split; its products go into
 * *products (p, as a scan leaves them). product_bounds_add_vector then adds it, after which the
 * bounds of that vector contain only rounding errors. */
const double *product_bounds_next_vector(product_bounds *past, double **products);
void product_bounds_add_vector(product_bounds *past);

/* ---- products with a copy of the data in bytes (data/bytes/byte_copy.h) ---- */

/* That so many certificates at further lambdas will follow, for which a copy pays sooner. */
void product_bounds_expect(product_bounds *past, size_t certificates);
/* The copy that the next pass over the data is to make, column by column, or NULL: without memory,
 * where it does not fit, and before several passes have been needed, none is made, nor where the
 * data have one. product_bounds_end_copy takes it, for the data to keep; one that is not complete
 * is freed. */
byte_copy *product_bounds_begin_copy(product_bounds *past);
void product_bounds_end_copy(product_bounds *past, byte_copy *copy, bool complete);
bool product_bounds_has_copy(const product_bounds *past);
/* Rounds the remainder of the last vector split, which the calls below multiply with columns. */
void product_bounds_round_rest(product_bounds *past);
void product_bounds_prefetch(const product_bounds *past, size_t j);
/* Adds the remainder's product with column j to an estimate, and sets its error bound. */
void product_bounds_refine(const product_bounds *past, size_t j, double *estimate, double *error);
/* Whether the rounded remainder should be added as a vector, rather than refining the estimates of
 * `listed` features that may have to be visited: product_bounds_multiply computes its
 * products with columns from .. from + count - 1, and after all of them product_bounds_add_rounded
 * adds it. Vectors have to be split again. When there is no room for a further vector, those with
 * rounded columns have to be dropped before. */
bool product_bounds_wants_rounded(product_bounds *past, size_t listed);
void product_bounds_multiply(product_bounds *past, size_t from, size_t count);
void product_bounds_add_rounded(product_bounds *past);
/* Whether there are such vectors; removes them, upon which vectors have to be split again. They
 * come after all others, so that none of those can be added before that. */
bool product_bounds_is_full(const product_bounds *past);
bool product_bounds_has_rounded(const product_bounds *past);
void product_bounds_drop_rounded(product_bounds *past);

/* A buffer of p indices for the caller's use. */
size_t *product_bounds_room(product_bounds *past);

#endif
