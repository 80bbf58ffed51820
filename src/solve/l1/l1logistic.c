/* Logistic regression with an l1 penalty. */
#include "model/loss/losses.h"
#include "solve/l1/l1.h"
#include "solve/registry.h"

static const l1_method method = {&loss_logistic};

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    return l1_init(work, data, params, &method, progress, err);
}

const method_ops l1logistic_ops = {.init = init, L1_OPS};
