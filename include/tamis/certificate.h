/* The certificate: the duality gap of a solution, from the data, w and b alone.
 *
 * No solver owns this routine and none of a solver's state enters it: the predictions are computed
 * from scratch, in double precision, and the dual point is made feasible for all p features. The
 * gap it gives is the one that is printed. */
#ifndef TAMIS_CERTIFICATE_H
#define TAMIS_CERTIFICATE_H

#include "tamis/dataset.h"
#include "tamis/group_penalty.h"

/* min over w, b of  sum_i s_i l(y_i, o_i + x_i'w + b) + lambda sum_j (f_j |w_j| + g_j w_j^2 / 2)
 * with lower_j <= w_j <= upper_j, losses summed; the weights s_i and offsets o_i are the data
 * set's. With groups the penalty is lambda sum_g f_g |(f_j v_j) for the members of g|_2, all f_j >
 * 0, and there are no ridge and no limits. */
typedef struct tm_problem {
    const char *loss; /* "squared", "logistic", "squared_hinge" */
    double lambda;    /* at least 0; with 0 every feature is as one with factor 0 */
    bool intercept;   /* whether b is free; b must be 0 otherwise */
    const double
        *factors;        /* p penalty factors f_j: 0 unpenalised, INFINITY w_j must be 0; NULL: 1 */
    const double *ridge; /* p factors g_j >= 0 of the squared penalty (elastic net); NULL: 0 */
    const double *lower, *upper;    /* p limits, lower_j <= 0 <= upper_j, or infinite; NULL: none */
    const tm_group_penalty *groups; /* or NULL */
} tm_problem;

typedef struct tm_certificate {
    double primal; /* objective at (w, b), as given */
    double dual;   /* objective of a dual feasible point: a lower bound on the optimum */
    double gap;    /* primal - dual; may be slightly negative through rounding, reported as it is */
} tm_certificate;

/* w has p values within the limits; with groups tm_group_penalty_members of them. Costs p column
 * products. TM_EUSAGE for an unknown loss; with free features (factor 0) errors as of a fit of them
 * alone: TM_EDATA when they separate the classes. */
tm_status tm_certify(tm_certificate *out, const tm_dataset *data, const tm_problem *problem,
                     const double *w, double b, tm_error *err);

/* The exact lambda from which on no penalised feature has a weight, and the objective of that null
 * model, which has the intercept and the free features. 0 when it fits perfectly. */
tm_status tm_lambda_max(double *lambda_max, double *null_objective, const tm_dataset *data,
                        const tm_problem *problem, tm_error *err);

/* min over w, b of  1/2 sum_j (f_j w_j)^2 + C sum_i s_i l(y_i, o_i + x_i'w + b)  over some of the
 * features, the others having no weight; s_i and o_i are the data's weights and offsets. */
typedef struct tm_ridge_problem {
    const char *loss;
    double C; /* > 0 */
    bool intercept;
    const size_t *features; /* count of them */
    size_t count;
    const double *factors; /* p of them > 0, or NULL for all 1 */
} tm_ridge_problem;

/* The certificate of that problem: w has `count` values. Costs `count` column products. */
tm_status tm_certify_ridge(tm_certificate *out, const tm_dataset *data,
                           const tm_ridge_problem *problem, const double *w, double b,
                           tm_error *err);

#endif
