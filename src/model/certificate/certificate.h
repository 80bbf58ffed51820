/* The certificate, for callers that use its intermediate results. */
#ifndef MODEL_CERTIFICATE_CERTIFICATE_H
#define MODEL_CERTIFICATE_CERTIFICATE_H

#include "model/certificate/dual_products.h"

#include "tamis/cancel.h"
#include "tamis/certificate.h"

/* One of several answers that are certified together. */
typedef struct certificate_item {
    tm_problem problem;
    const double *w; /* p; for groups one for each member */
    double b;
    double *products;    /* p, or NULL: receives x_j'r, where r is the residual, centred with an
                          * intercept */
    double *dual;        /* n, or NULL: receives that residual: the unscaled dual variables */
    double *predictions; /* n, or NULL: receives the predictions */
    tm_certificate certificate; /* receives the result */
    double scale; /* receives the factor that turns the residual into the dual point */
} certificate_item;

/* tm_certify for `count` answers on the same data in one pass over the matrix: each block of
 * columns is read from memory once. The values are bitwise those of separate calls. A solver may
 * start its next step from the products. At most MAX_CERTIFICATES items. */
enum { MAX_CERTIFICATES = MAX_SCANS };
tm_status certificate_many(certificate_item *items, size_t count, const data_pass *pass,
                           tm_error *err);

/* The same for one answer with `products`, using products with earlier vectors (product_bounds.h):
 * only features that may have |x_j'r| >= exact_from * f_j are visited, *visited of them, and the
 * products of the others are estimates. The dual value is still a lower bound of the optimum,
 * because unvisited features are assumed to have their greatest possible product. With groups, or
 * limits other than 0, all features are visited. */
tm_status certificate_by_past(certificate_item *item, product_bounds *past, double exact_from,
                              size_t *visited, const data_pass *pass, tm_error *err);

#endif
