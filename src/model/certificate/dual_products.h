/* Products of all features with vectors of dual variables, and the greatest of them: the pass over
 * the data that a certificate needs. */
#ifndef MODEL_CERTIFICATE_DUAL_PRODUCTS_H
#define MODEL_CERTIFICATE_DUAL_PRODUCTS_H

#include "model/certificate/product_bounds.h"
#include "model/penalty/penalty.h"

#include "tamis/cancel.h"

/* A vector whose products with all features are wanted, and what has been found of them. */
typedef struct scan {
    feature_penalty penalty;
    bool intercept;
    const double *u; /* n, with (nearly) zero sum when there is an intercept */
    double left;     /* what is left of that sum */
    double *all;     /* p, or NULL */
    double greatest; /* max |x_j'u| / f_j, free features left out, on the sides the limits allow */
    double skipped;  /* no feature that was not visited has |x_j'u| / f_j above it; 0: all were */
} scan;

/* A pass over the data: `threads` share it and change no bit. `cancel` (or NULL) is looked at in
 * every block: a pass that is cancelled and takes longer than a moment (base/cancel_grace.h) ends
 * with TM_ECANCELLED. */
typedef struct data_pass {
    const tm_dataset *data;
    int threads;
    const tm_cancel *cancel;
} data_pass;

/* Every product, in one pass for all `count` scans (at most MAX_SCANS): each block of columns is
 * read from memory once. */
enum { MAX_SCANS = 16 };
tm_status scan_all(scan *scans, size_t count, const data_pass *pass, tm_error *err);

/* The same for one scan whose `all` is not NULL, with `past` to say which features need not be
 * visited: those that certainly have |x_j'u| / f_j below `exact_from`; they get an estimate, and
 * `greatest` is at least `exact_from`. A feature with a weight in `held` (p values, or NULL) is
 * visited all the same. When many have to be visited all are, and `past` learns the vector.
 * *visited is how many were. */
tm_status scan_by_past(scan *q, product_bounds *past, double exact_from, const double *held,
                       size_t *visited, const data_pass *pass, tm_error *err);

#endif
