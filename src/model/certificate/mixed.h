/* The certificate of UFO-MKL's problem,
 *
 *     min over w of  sum_i l(y_i, x_i'w) + lambda R(w),
 *
 * where R is a mixed norm (model/penalty/mixed_norm.h). A method hands over its weights and a dual
 * point a, never a bound: the dual value is sum_i -l*(y_i, -a_i) - (lambda R)*(X'a), or 0, that of
 * a = 0, if that is greater. */
#ifndef MODEL_CERTIFICATE_MIXED_H
#define MODEL_CERTIFICATE_MIXED_H

#include "model/certificate/dual_products.h"
#include "model/loss/margin.h"
#include "model/penalty/mixed_norm.h"

#include "tamis/certificate.h"

typedef struct mixed_problem {
    margin_loss loss;
    double lambda; /* > 0 */
    mixed_norm *penalty;
} mixed_problem;

/* w has p values; `dual` has n, which are made feasible. Costs two passes over the columns.
 * TM_ECANCELLED when the run must stop. */
tm_status certificate_mixed(tm_certificate *out, const mixed_problem *problem, const double *w,
                            const double *dual, const data_pass *pass, tm_error *err);

#endif
