/* The certificate: the duality gap of a solution, from the data, w and b alone.
 *
 * No solver owns this routine and none of a solver's state enters it: the predictions are computed
 * anew, in double precision, and the dual point is made feasible for all p features. The gap it
 * gives is the one that is printed. */
#ifndef TAMIS_CERTIFICATE_H
#define TAMIS_CERTIFICATE_H

#include "tamis/dataset.h"
#include "tamis/group_penalty.h"

/* min over w, b of  sum_i l(y_i, x_i'w + b) + lambda sum_j f_j |w_j|,  losses summed; with groups
 * lambda sum_g f_g |(f_j v_j) for the members of g|_2. */
typedef struct tm_problem {
    const char *loss;               /* "squared", "logistic", "squared_hinge" */
    double lambda;                  /* > 0 */
    bool intercept;                 /* whether b is free; b must be 0 otherwise */
    const double *factors;          /* p penalty factors f_j > 0, or NULL for all 1 */
    const tm_group_penalty *groups; /* or NULL */
} tm_problem;

typedef struct tm_certificate {
    double primal; /* objective at (w, b), as given */
    double dual;   /* objective of a dual feasible point: a lower bound on the optimum */
    double gap;    /* primal - dual; may be slightly negative through rounding, reported as it is */
} tm_certificate;

/* w has p values; with groups tm_group_penalty_members of them. Costs p column products. TM_EUSAGE for an unknown loss. */
tm_status tm_certify(tm_certificate *out, const tm_dataset *data, const tm_problem *problem,
                     const double *w, double b, tm_error *err);

/* The exact lambda above which w = 0 is optimal, and the objective of that null model. */
tm_status tm_lambda_max(double *lambda_max, double *null_objective, const tm_dataset *data,
                        const tm_problem *problem, tm_error *err);

#endif
