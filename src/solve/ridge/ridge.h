/* l2-regularised problems on some of the features, by Newton's method:
 *
 *     min over w, b of  1/2 sum_j (f_j w_j)^2 + C sum_i s_i l(y_i, o_i + x_i'w + b)
 *
 * Used by other methods for retraining, and a method of its own with all features. */
#ifndef SOLVE_RIDGE_RIDGE_H
#define SOLVE_RIDGE_RIDGE_H

#include "solve/common/progress.h"

#include "tamis/certificate.h"

typedef struct ridge ridge;

/* When a solve ends: at an absolute gap of at most `target`, or after max_iter Newton steps. */
typedef struct ridge_limits {
    double target;
    long max_iter;
} ridge_limits;

typedef struct ridge_end {
    bool converged, stalled; /* the gap is at most the target; rounding ended it above the target */
    double gap;
    long iterations; /* Newton steps */
} ridge_end;

/* A workspace for problems on this data set with at most `most` features. TM_EDATA when the loss
 * needs two classes. */
tm_status ridge_new(ridge **out, const tm_dataset *data, const char *loss, bool intercept,
                    size_t most, tm_error *err);
void ridge_free(ridge *r);

/* Starts from the given w (count values) and b, which receive the answer. `problem` has the loss
 * and intercept that ridge_new was given. */
void ridge_solve(ridge *r, const tm_ridge_problem *problem, const ridge_limits *limits, double *w,
                 double *b, solve_progress *progress, ridge_end *end);

const char *ridge_loss(const ridge *r);
/* The objective without features: C times its loss. */
double ridge_null_objective(const ridge *r, double C);
/* The dual variables at the answer, n values; they sum to zero with an intercept. */
const double *ridge_dual_variables(const ridge *r);

#endif
