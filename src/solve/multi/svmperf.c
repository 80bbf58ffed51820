/* SVMperf: all features form one group (001 section 2). */
#include "solve/multi/multi.h"
#include "solve/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void column_dots(const void *owner, size_t from, size_t count, const double *v, double *out)
{
    tm_matrix_dot_range(owner, from, count, v, out);
}

static void column_axpy(const void *owner, size_t k, double a, double *z)
{
    tm_matrix_axpy(owner, k, a, z);
}

static void svmperf_finish(void *work)
{
    multi_free(work);
    free(work);
}

static tm_status svmperf_init(void **work, const tm_dataset *data, const tm_params *params,
                              solve_progress *progress, tm_error *err)
{
    bundle_columns columns = {tm_dataset_x(data), column_dots, column_axpy};
    multi *m = calloc(1, sizeof *m);
    if (!m)
        return tm_fail_memory(err, "the solver");
    tm_status status = multi_init(m, data, params, &columns, err);
    if (status == TM_OK)
        status = bundle_set_columns(&m->bundle, m->p, progress, err);
    if (status == TM_OK)
        status = bundle_add_group(&m->bundle, NULL, m->p, err);
    return method_made(work, m, svmperf_finish, status);
}

static tm_status svmperf_update(void *work, const tm_params *params, tm_error *err)
{
    (void)err;
    multi_update(work, params);
    return TM_OK;
}

static tm_status svmperf_solve(void *work, solve_progress *progress, double target,
                               solve_answer *answer, tm_error *err)
{
    multi *m = work;
    tm_status status = multi_start(m, progress, err);
    if (status == TM_OK)
        status = bundle_solve(&m->bundle, target, NULL, progress, err);
    if (status == TM_OK)
        status = bundle_take_witness(&m->bundle, &m->witness, err);
    if (status != TM_OK)
        return status;
    memcpy(m->weights, m->bundle.best.weights, m->p * sizeof *m->weights);
    bool met = m->bundle.upper - m->bundle.lower <= target;
    *answer = (solve_answer){.converged = met,
                             .stalled = !met,
                             .stop = multi_stop(m),
                             .weights = m->weights,
                             .problem = {.lambda = NAN},
                             .C = m->problem.C,
                             .active = m->p};
    return TM_OK;
}

const method_ops svmperf_ops = {
    .init = svmperf_init,
    .update = svmperf_update,
    .warm = multi_warm,
    .begin = multi_begin,
    .solve = svmperf_solve,
    .certify = multi_certify,
    .null_objective = multi_null_objective,
    .finish = svmperf_finish,
};
