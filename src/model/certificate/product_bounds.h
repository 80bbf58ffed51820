/* Bounds on the products of all features with a vector, from products with earlier vectors.
 *
 * Residuals along a path lie near a space of few dimensions. Of vectors q_1 .. q_K met before all
 * products x_j'q_k are kept; of a new vector u = sum_k c_k q_k + v they then give
 *
 *     | x_j'u - sum_k c_k x_j'q_k |  <=  |x_j| |v|,
 *
 * so that a feature whose bound stays below what matters need not be visited. With an intercept x_j
 * is the column less its mean throughout. The bounds hold for the numbers in the machine: what
 * rounding can have done to the products kept, to c and to v is counted and added
 * (docs/screening.md, section 15). */
#ifndef MODEL_CERTIFICATE_PRODUCT_BOUNDS_H
#define MODEL_CERTIFICATE_PRODUCT_BOUNDS_H

#include "tamis/dataset.h"

typedef struct product_bounds product_bounds;

/* Whether a few earlier vectors cost much less than a pass over the data, and single columns can be
 * visited. */
bool product_bounds_pay(const tm_dataset *data);

/* Holds on to the data. Freed by product_bounds_free (NULL is fine). */
tm_status product_bounds_new(product_bounds **out, const tm_dataset *data, bool centred,
                             tm_error *err);
void product_bounds_free(product_bounds *past);
bool product_bounds_centred(const product_bounds *past);

/* Splits u (n values) into its part along the earlier vectors and the rest. False when there is no
 * earlier vector: then nothing can be said. */
bool product_bounds_split(product_bounds *past, const double *u);
/* Of the vector last split, for features from .. from + count - 1: estimates of the products, and
 * how far off they can be. */
void product_bounds_bound(const product_bounds *past, size_t from, size_t count, double *estimates,
                          double *errors);
/* Whether a new vector would make it known: most of it is not yet. */
bool product_bounds_is_new(const product_bounds *past);
/* The vector (n values) whose products, to be put into *products (p, as a scan leaves them), make
 * the vector last split known. It is taken in by product_bounds_learn, after which bounds say all
 * there is to say. */
const double *product_bounds_lesson(product_bounds *past, double **products);
void product_bounds_learn(product_bounds *past);

/* Room for p features, the caller's to use. */
size_t *product_bounds_room(product_bounds *past);

#endif
