/* Methods that fit all features with an l2 penalty: ridge, logistic, svm_l2. */
#include "model/loss/losses.h"
#include "solve/registry.h"
#include "solve/ridge/subset.h"

static tm_status init_with(void **work, const tm_dataset *data, const tm_params *params,
                           const loss *l, tm_error *err)
{
    subset *s;
    tm_status status = subset_init(&s, data, params, l->id, err);
    *work = s;
    for (size_t j = 0; status == TM_OK && j < s->p; j++)
        s->chosen[j] = j;
    if (status == TM_OK)
        s->count = s->p;
    return status;
}

static tm_status init_squared(void **work, const tm_dataset *data, const tm_params *params,
                              solve_progress *progress, tm_error *err)
{
    (void)progress;
    return init_with(work, data, params, &loss_squared, err);
}

static tm_status init_logistic(void **work, const tm_dataset *data, const tm_params *params,
                               solve_progress *progress, tm_error *err)
{
    (void)progress;
    return init_with(work, data, params, &loss_logistic, err);
}

static tm_status init_hinge(void **work, const tm_dataset *data, const tm_params *params,
                            solve_progress *progress, tm_error *err)
{
    (void)progress;
    return init_with(work, data, params, &loss_squared_hinge, err);
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    subset *s = work;
    ridge_end end;
    (void)err;
    subset_train(s, progress, target, &end);
    subset_answer(s, progress, &end, answer);
    return TM_OK;
}

const method_ops ridge_ops = {.init = init_squared, .solve = solve, SUBSET_OPS};
const method_ops logistic_ops = {.init = init_logistic, .solve = solve, SUBSET_OPS};
const method_ops svm_l2_ops = {.init = init_hinge, .solve = solve, SUBSET_OPS};
