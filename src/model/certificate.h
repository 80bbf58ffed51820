/* The certificate, for callers that can use what it computes on the way. */
#ifndef MODEL_CERTIFICATE_H
#define MODEL_CERTIFICATE_H

#include "tamis/cancel.h"
#include "tamis/certificate.h"

/* One answer of several that are certified together. */
typedef struct certificate_item {
    tm_problem problem;
    const double *w; /* p; with groups one for each member */
    double b;
    double
        *products; /* p, or NULL: receives x_j'r, r being the residual, centred with an intercept */
    tm_certificate certificate; /* receives the result */
} certificate_item;

/* tm_certify for `count` answers on the same data in one pass over the matrix: each block of columns
 * is read from memory once. The values are those of single calls, bit for bit. A solver may start
 * its next step from the products. At most CERTIFICATES_MOST items; `threads` share the pass, which changes
 * no bit of the result. `cancel` (or NULL) is looked at in every block: a pass that is cancelled and takes
 * longer than a moment (model/patience.h) is given up with TM_ECANCELLED. */
enum { CERTIFICATES_MOST = 16 };
tm_status certificate_many(certificate_item *items, size_t count, const tm_dataset *data,
                           int threads, const tm_cancel *cancel, tm_error *err);

#endif
