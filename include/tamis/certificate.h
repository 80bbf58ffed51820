/* The certificate: the duality gap of a solution, computed from the data, w and b alone.
 *
 * The routine is independent of all solvers and uses none of their state: predictions are computed
 * from scratch, in double precision, and the dual point is made feasible for all p features. This
 * is the gap that is reported. */
#ifndef TAMIS_CERTIFICATE_H
#define TAMIS_CERTIFICATE_H

#include "tamis/dataset.h"
#include "tamis/group_penalty.h"

/* min over w, b of  sum_i s_i l(y_i, o_i + x_i'w + b) + lambda sum_j (f_j |w_j| + g_j w_j^2 / 2)
 * with lower_j <= w_j <= upper_j; the loss is a sum, with the data set's weights s_i and offsets
 * o_i. With groups the penalty is lambda sum_g f_g |(f_j v_j) for the members of g|_2, all f_j are
 * positive, and there are no ridge term and no limits. */
typedef struct tm_problem {
    const char *loss;      /* "squared", "logistic", "squared_hinge" */
    double lambda;         /* at least 0; with 0 every feature is treated as if its factor were 0 */
    bool intercept;        /* whether b is fitted; otherwise b must be 0 */
    const double *factors; /* p penalty factors f_j: 0: unpenalised, INFINITY: w_j must be 0; NULL:
                            * 1 */
    const double *ridge;   /* p factors g_j >= 0 of the squared penalty (elastic net); NULL: 0 */
    const double *lower, *upper;    /* p limits, lower_j <= 0 <= upper_j, or infinite; NULL: none */
    const tm_group_penalty *groups; /* or NULL */
} tm_problem;

typedef struct tm_certificate {
    double primal; /* objective at the given (w, b) */
    double dual;   /* objective of a dual feasible point: a lower bound on the optimum */
    double gap;    /* primal - dual; may be slightly negative because of rounding, which is not
                    * corrected */
} tm_certificate;

/* w has p values within the limits; with groups, tm_group_penalty_members values. Costs p column
 * products. TM_EUSAGE for an unknown loss; with unpenalised features (factor 0) the errors of
 * fitting them alone: TM_EDATA when they separate the classes. */
tm_status tm_certify(tm_certificate *out, const tm_dataset *data, const tm_problem *problem,
                     const double *w, double b, tm_error *err);

/* The exact lambda at and above which no penalised feature has a weight, and the objective of
 * that null model, which contains the intercept and the unpenalised features. 0 when it fits
 * perfectly. */
tm_status tm_lambda_max(double *lambda_max, double *null_objective, const tm_dataset *data,
                        const tm_problem *problem, tm_error *err);

/* min over w, b of  1/2 sum_j (f_j w_j)^2 + C sum_i s_i l(y_i, o_i + x_i'w + b)  over the listed
 * features, with zero weights for the others; s_i and o_i are the data's weights and offsets. */
typedef struct tm_ridge_problem {
    const char *loss;
    double C; /* > 0 */
    bool intercept;
    const size_t *features; /* count of them */
    size_t count;
    const double *factors; /* p of them, positive, or NULL for all 1 */
} tm_ridge_problem;

/* The certificate of that problem: w has `count` values. Costs `count` column products. */
tm_status tm_certify_ridge(tm_certificate *out, const tm_dataset *data,
                           const tm_ridge_problem *problem, const double *w, double b,
                           tm_error *err);

#endif
