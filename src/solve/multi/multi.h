/* Shared by the methods for multivariate measures: parameters, labeler, bundle and certificate. */
#ifndef SOLVE_MULTI_MULTI_H
#define SOLVE_MULTI_MULTI_H

#include "solve/common/method.h"
#include "solve/multi/bundle.h"

/* The first member of these methods' workspaces. */
typedef struct multi {
    const tm_dataset *data; /* the solver's data */
    size_t n, p;
    multi_problem problem; /* B is p for methods without B */
    labeler *labeler;
    bundle bundle;
    bundle_witness witness; /* of the best lower bound */
    double greatest_loss;   /* greatest loss of any labeling */
    double null_objective;
    double *weights; /* p */
    size_t max_iter;
    bool warm;
    bool start; /* the weights are an initial point at which to take a first plane */
} multi;

/* TM_EDATA unless the response has two classes; TM_EUSAGE for an unknown measure. After a failure
 * the caller still calls multi_free. */
tm_status multi_init(multi *m, const tm_dataset *data, const tm_params *params,
                     const bundle_columns *columns, tm_error *err);
void multi_free(multi *m);
/* Reads the parameters that may change between solves: C, max_iter, warm. */
void multi_update(multi *m, const tm_params *params);
/* Operations of method_ops for methods whose workspace begins with a `multi`. multi_certify
 * certifies its weights; multi_begin removes the planes unless the solve is warm. */
tm_status multi_certify(void *work, solve_progress *progress, const solve_answer *answer,
                        tm_certificate *certificate, tm_error *err);
void multi_begin(void *work);
void multi_warm(void *work, const tm_model *model);
double multi_null_objective(const void *work);
/* The reason for the end of a solve, if it is the limit on labelings. */
tm_stop multi_stop(const multi *m);
/* At a warm start from given weights, adds the worst labeling there. */
tm_status multi_start(multi *m, solve_progress *progress, tm_error *err);

#endif
