/* The certificate, for callers that can use what it computes on the way. */
#ifndef MODEL_CERTIFICATE_H
#define MODEL_CERTIFICATE_H

#include "tamis/certificate.h"

/* tm_certify, which also leaves x_j'r for every feature in products[0..p-1], r being the residual,
 * centred with an intercept; a solver may start its next step from them. NULL: not wanted. */
tm_status certificate_with_products(tm_certificate *out, const tm_dataset *data,
                                    const tm_problem *problem, const double *w, double b,
                                    double *products, tm_error *err);

#endif
