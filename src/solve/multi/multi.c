#include "solve/multi/multi.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static tm_status make_labeler(multi *m, const tm_dataset *data, const tm_params *params,
                              tm_error *err)
{
    if (!tm_dataset_is_binary(data))
        return tm_fail(err, TM_EDATA,
                       "%s: the response is a number; measures of classification need two classes "
                       "(of several classes choose one against the rest with class, or each with "
                       "one-vs-rest)",
                       tm_dataset_name(data));
    tm_status status = measure_find(&m->problem.measure, tm_params_text(params, "measure"), err);
    return status == TM_OK ? labeler_new(&m->labeler, &m->problem.measure, tm_dataset_y(data), m->n,
                                         tm_dataset_name(data), err)
                           : status;
}

tm_status multi_init(multi *m, const tm_dataset *data, const tm_params *params,
                     const bundle_columns *columns, tm_error *err)
{
    *m = (multi){.data = data, .n = tm_dataset_rows(data), .p = tm_dataset_cols(data)};
    m->problem.B = m->p;
    m->weights = mem_zeros(m->p, sizeof *m->weights);
    tm_status status = m->weights ? TM_OK : tm_fail_memory(err, "the weights");
    if (tm_params_has(params, "C") && tm_params_given(params, "C_per_row"))
        status = tm_fail(err, TM_EUSAGE, "C and C_per_row say the same thing: give one of them");
    if (status == TM_OK)
        status = make_labeler(m, data, params, err);
    if (status == TM_OK)
        status = bundle_init(&m->bundle, m->labeler, m->n, columns, err);
    if (status == TM_OK && isnan(m->greatest_loss = labeler_greatest_loss(m->labeler)))
        status = tm_fail_memory(err, "the measure");
    if (status == TM_OK)
        multi_update(m, params);
    return status;
}

void multi_free(multi *m)
{
    bundle_free(&m->bundle);
    bundle_witness_free(&m->witness);
    labeler_free(m->labeler);
    free(m->weights);
}

void multi_update(multi *m, const tm_params *params)
{
    double rows = (double)m->n;
    size_t count;
    /* On a path the list holds only the value of the present point. */
    m->problem.C = tm_params_has(params, "C") ? tm_params_reals(params, "C", &count)[0]
                                              : rows * tm_params_real(params, "C_per_row");
    m->bundle.C = m->problem.C;
    m->null_objective = m->problem.C * m->greatest_loss / rows;
    m->max_iter = (size_t)tm_params_int(params, "max_iter");
    m->warm = tm_params_bool(params, "warm");
}

void multi_begin(void *work)
{
    multi *m = work;
    m->bundle.planes_most = m->max_iter;
    if (!m->warm)
        bundle_forget(&m->bundle);
}

void multi_warm(void *work, const tm_model *model)
{
    multi *m = work;
    for (size_t j = 0; j < m->p; j++)
        m->weights[j] = tm_model_weight(model, j);
    m->start = true;
}

tm_status multi_start(multi *m, solve_progress *progress, tm_error *err)
{
    double risk;
    const tm_matrix *x = tm_dataset_x(m->data);
    if (!m->start)
        return TM_OK;
    m->start = false;
    for (size_t i = 0; i < m->n; i++)
        m->bundle.v[i] = 0;
    for (size_t j = 0; j < m->p; j++)
        if (m->weights[j] != 0)
            tm_matrix_axpy(x, j, m->weights[j], m->bundle.v);
    return bundle_add_worst(&m->bundle, &risk, progress, err);
}

tm_status multi_certify(void *work, solve_progress *progress, const solve_answer *answer,
                        tm_certificate *certificate, tm_error *err)
{
    const multi *m = work;
    (void)answer;
    multi_witness witness = {m->witness.count, m->witness.labelings, m->witness.alpha};
    progress->columns += m->p;
    return certificate_multi(certificate, m->data, &m->problem, m->weights, &witness,
                             progress->team, err);
}

double multi_null_objective(const void *work)
{
    return ((const multi *)work)->null_objective;
}

tm_stop multi_stop(const multi *m)
{
    return m->bundle.planes_most == 0 ? TM_STOP_ITER : TM_STOP_NONE;
}
