/* The certificate of support vector machines with hinge loss,
 *
 *     min over w, b of  1/2 |w|^2 + C sum_i s_i max(0, 1 - y_i (o_i + w'phi(x_i) + b)),
 *
 * where phi is the map of the kernel. A method hands over its answer and a dual point, never a
 * bound:
 *
 *     max over 0 <= theta_i <= C s_i of  sum_i (1 - y_i o_i) theta_i - 1/2 |sum_i theta_i y_i
 * phi(x_i)|^2
 *
 * with sum_i y_i theta_i = 0 when b is free. A regularised b has b^2 / 2 in the objective, which is
 * equivalent to a constant feature of 1. */
#ifndef MODEL_CERTIFICATE_HINGE_H
#define MODEL_CERTIFICATE_HINGE_H

#include "base/threads/team.h"
#include "model/kernel/kernel_rows.h"
#include "model/loss/hinge.h"
#include "tamis/cancel.h"
#include "tamis/certificate.h"

typedef enum hinge_intercept { HINGE_NONE, HINGE_REGULARISED, HINGE_FREE } hinge_intercept;

typedef struct hinge_problem {
    hinge_rows of; /* u_i = C s_i, c_i = 1 - y_i o_i */
    hinge_intercept intercept;
    kernel kernel;
} hinge_problem;

typedef struct hinge_claim {
    const double *w; /* p, for the linear kernel; NULL: sum_i dual_i y_i phi(x_i) */
    double b;
    const double *dual; /* n; made feasible */
} hinge_claim;

/* How the pass is made, and what it costs. */
typedef struct hinge_pass {
    uint64_t columns;        /* column products, added to */
    thread_team *team;       /* or NULL */
    const tm_cancel *cancel; /* or NULL */
} hinge_pass;

/* TM_ECANCELLED when the run must stop. */
tm_status certificate_hinge(tm_certificate *out, const tm_dataset *data,
                            const hinge_problem *problem, const hinge_claim *claim,
                            hinge_pass *pass, tm_error *err);

/* Makes dual variables feasible: clamped to 0 .. u_i and, when b is free, with the class of greater
 * sum scaled down so that sum_i y_i theta_i = 0. `out` may be `dual`. */
void hinge_feasible(const hinge_problem *problem, const double *dual, double *out);

#endif
