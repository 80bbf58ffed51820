/* What the methods for multivariate measures share: their parameters, labeler, bundle and
 * certificate. */
#ifndef SOLVE_MULTI_MULTI_H
#define SOLVE_MULTI_MULTI_H

#include "solve/common/method.h"
#include "solve/multi/bundle.h"

/* The first member of what a method works on. */
typedef struct multi {
    const tm_dataset *data; /* the solver's */
    size_t n, p;
    multi_problem problem; /* B is p where the method has none */
    labeler *labeler;
    bundle bundle;
    bundle_witness witness; /* of the best lower bound */
    double greatest_loss;   /* of one labelling */
    double null_objective;
    double *weights; /* p */
    size_t max_iter;
    bool warm;
    bool start; /* the weights are a start to take a first plane from */
} multi;

/* TM_EDATA unless the response has two classes; TM_EUSAGE for an unknown measure. After a failure
 * multi_free frees what there is. */
tm_status multi_init(multi *m, const tm_dataset *data, const tm_params *params,
                     const bundle_columns *columns, tm_error *err);
void multi_free(multi *m);
/* Reads what may change between solves: C, max_iter, warm. */
void multi_update(multi *m, const tm_params *params);
/* Operations of method_ops for methods whose work begins with a `multi`. Certify is of its weights;
 * begin forgets the planes unless the solve is warm. */
tm_status multi_certify(void *work, solve_progress *progress, const solve_answer *answer,
                        tm_certificate *certificate, tm_error *err);
void multi_begin(void *work);
void multi_warm(void *work, const tm_model *model);
double multi_null_objective(const void *work);
/* What ended a solve, where it is the limit of labelings. */
tm_stop multi_stop(const multi *m);
/* Adds the labeling that is worst at a warm start's weights, where there is one. */
tm_status multi_start(multi *m, solve_progress *progress, tm_error *err);

#endif
