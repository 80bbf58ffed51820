/* What the methods for multivariate measures share: their parameters, labeler, bundle and
 * certificate. */
#ifndef SOLVE_MULTI_MULTI_H
#define SOLVE_MULTI_MULTI_H

#include "solve/common/method.h"
#include "solve/multi/bundle.h"

typedef struct multi {
    const tm_dataset *data; /* the solver's */
    size_t n, p;
    multi_problem problem; /* B is p where the method has none */
    labeler *labeler;
    bundle bundle;
    bundle_witness witness; /* of the best lower bound */
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
/* method_ops.certify, of m->weights. */
tm_status multi_certify(const multi *m, solve_progress *progress, tm_certificate *certificate,
                        tm_error *err);
/* Before a solve: forgets the planes unless the solve is warm. */
void multi_begin(multi *m);
/* method_ops.warm. */
void multi_warm(multi *m, const tm_model *model);
/* Adds the labeling that is worst at a warm start's weights, where there is one. */
tm_status multi_start(multi *m, solve_progress *progress, tm_error *err);

#endif
