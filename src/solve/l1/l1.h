/* The l1 methods' common operations (see method_ops); their workspace is an l1_state. */
#ifndef SOLVE_L1_L1_H
#define SOLVE_L1_L1_H

#include "model/loss/loss.h"
#include "solve/common/method.h"

/* The differences between the l1 methods. */
typedef struct l1_method {
    const loss *loss;
} l1_method;

tm_status l1_init(void **work, const tm_dataset *data, const tm_params *params,
                  const l1_method *method, solve_progress *progress, tm_error *err);
tm_status l1_update(void *work, const tm_params *params, tm_error *err);
void l1_set_lambda(void *work, double lambda);
void l1_warm(void *work, const tm_model *model);
void l1_begin(void *work);
tm_status l1_solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                   tm_error *err);
void l1_certified(void *work, const double *products, double gap);
extern const method_batch l1_batch;
double l1_lambda_max(const void *work);
double l1_null_objective(const void *work);
void l1_finish(void *work);

/* All of a method's operations except init. */
#define L1_OPS                                                                                     \
    .update = l1_update, .set_lambda = l1_set_lambda, .warm = l1_warm, .begin = l1_begin,          \
    .solve = l1_solve, .batch = &l1_batch, .lambda_max = l1_lambda_max,                            \
    .null_objective = l1_null_objective, .finish = l1_finish

#endif
