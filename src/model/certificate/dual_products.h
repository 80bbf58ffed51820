/* Products of all features with vectors of dual variables, and the greatest of them: the pass over
 * the data that a certificate needs. */
#ifndef MODEL_CERTIFICATE_DUAL_PRODUCTS_H
#define MODEL_CERTIFICATE_DUAL_PRODUCTS_H

#include "base/threads/team.h"
#include "model/certificate/product_bounds.h"
#include "model/penalty/penalty.h"

#include "tamis/cancel.h"

/* A vector whose products with all features are wanted, and the results. */
typedef struct scan {
    feature_penalty penalty;
    bool intercept;
    const double *u; /* n, with (nearly) zero sum when there is an intercept */
    double left;     /* the remaining sum */
    double *all;     /* p, or NULL */
    double greatest; /* max |x_j'u| / f_j over the features that are not unpenalised and the signs
                      * that the limits allow */
    double skipped;  /* upper bound of |x_j'u| / f_j over unvisited features; 0: all were visited */
} scan;

/* A pass over the data: shared by the team without changing a bit of the result. `cancel` (or
 * NULL) is checked in every block: a pass that is cancelled and takes longer than a moment
 * (base/cancel_grace.h) ends with TM_ECANCELLED. */
typedef struct data_pass {
    const tm_dataset *data;
    thread_team *team;
    const tm_cancel *cancel;
} data_pass;

/* Computes all products in one pass for all `count` scans (at most MAX_SCANS): each block of
 * columns is read from memory once. */
enum { MAX_SCANS = 16 };
tm_status scan_all(scan *scans, size_t count, const data_pass *pass, tm_error *err);

/* The same for one scan whose `all` is not NULL; `past` tells which features need not be visited:
 * those whose |x_j'u| / f_j is certainly below `exact_from`. They get an estimate, and `greatest`
 * is at least `exact_from`. A feature with a weight in `held` (p values, or NULL) is always
 * visited. When many have to be visited, all are, and the vector is added to `past`. *visited is
 * set to their number, with the products of a copy in bytes as so many columns as they read. */
tm_status scan_by_past(scan *q, product_bounds *past, double exact_from, const double *held,
                       size_t *visited, const data_pass *pass, tm_error *err);

#endif
