#include "tamis/debias.h"

#include "base/memory.h"
#include "model/loss/losses.h"
#include "model/model.h"
#include "solve/debias.h"
#include "solve/ridge/ridge.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW(id, bit, formula, response) {#id, response},
const tm_choice tm_debias_losses[] = {LOSSES(ROW){NULL, NULL}};
#undef ROW

/* The retraining problem: a matrix that contains the chosen features, and which of its columns they
 * are. */
typedef struct chosen {
    tm_dataset *data;
    size_t *columns; /* count */
    uint64_t *features;
    size_t count;
} chosen;

static void chosen_clear(chosen *q)
{
    tm_dataset_unref(q->data);
    free(q->columns);
    free(q->features);
}

/* For a feature map, a matrix of the chosen features is computed. */
static tm_status make_columns(chosen *q, const tm_model *model, const tm_dataset *data,
                              tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    tm_dataset_parts parts = {.name = tm_dataset_name(data), .response.numeric = true};
    tm_dataset *made = NULL;
    double *values = mem_array(n * q->count, sizeof *values);
    parts.response.y = mem_array(n, sizeof *parts.response.y);
    tm_status status =
        values && parts.response.y ? TM_OK : tm_fail_memory(err, "the chosen features");
    for (size_t k = 0; status == TM_OK && k < q->count; k++)
        status = tm_map_column(tm_model_map(model), tm_dataset_x(data), q->features[k],
                               values + k * n, err);
    if (status != TM_OK)
        goto done;
    memcpy(parts.response.y, tm_dataset_y(data), n * sizeof *parts.response.y);
    status = tm_matrix_new_dense(&parts.x, n, q->count, values, err);
    values = NULL; /* ownership passed on */
    if (status != TM_OK)
        goto done;
    parts.response.numeric = !tm_dataset_is_binary(data);
    status = tm_dataset_new(&made, &parts, err);
    parts.response.y = NULL;
    if (status == TM_OK)
        status = tm_dataset_weigh(&q->data, made, tm_dataset_weights(data), tm_dataset_offset(data),
                                  err);
done:
    free(values);
    free(parts.response.y);
    tm_dataset_unref(made);
    return status;
}

static tm_status chosen_make(chosen *q, const tm_model *model, const tm_dataset *data,
                             tm_error *err)
{
    *q = (chosen){.count = tm_model_nnz(model)};
    q->columns = mem_array(q->count, sizeof *q->columns);
    q->features = mem_array(q->count, sizeof *q->features);
    if (!q->columns || !q->features)
        return tm_fail_memory(err, "the chosen features");
    bool mapped = tm_model_map(model) && q->count > 0;
    for (size_t k = 0; k < q->count; k++) {
        q->features[k] = tm_model_features(model)[k];
        q->columns[k] = mapped ? k : tm_model_features(model)[k];
    }
    if (mapped)
        return make_columns(q, model, data, err);
    q->data = tm_dataset_ref(data);
    return TM_OK;
}

static tm_status check(const tm_model *model, const tm_dataset *data,
                       const tm_debias_options *options, tm_error *err)
{
    if (tm_model_is_selection(model))
        return tm_fail(err, TM_EUSAGE,
                       "the weights of a selection cannot be retrained: use refit for a model that "
                       "predicts from its features");
    if (tm_model_kernel(model))
        return tm_fail(err, TM_EUSAGE, "a model of support vectors has no weights to retrain");
    if (tm_dataset_cols(data) != tm_model_cols(model))
        return tm_fail(err, TM_EUSAGE, "debias: the data have %zu features, the model %zu",
                       tm_dataset_cols(data), tm_model_cols(model));
    if (!(options->C > 0) || !isfinite(options->C))
        return tm_fail(err, TM_EUSAGE, "debias: C is %g; expected a number above 0", options->C);
    if (!(options->tol > 0))
        return tm_fail(err, TM_EUSAGE, "debias: tol is %g; expected a number above 0",
                       options->tol);
    return TM_OK;
}

/* Minimises `problem` over the weights and the intercept, which hold the start and receive the
 * answer. */
static tm_status train(const chosen *q, const tm_ridge_problem *problem, double tol, double *w,
                       double *b, solve_progress *progress, tm_error *err)
{
    ridge *r;
    ridge_end end;
    tm_status status = ridge_new(&r, q->data, problem->loss, problem->intercept, q->count, err);
    if (status != TM_OK)
        return status;
    ridge_limits limits = {tol * ridge_null_objective(r, problem->C), MAX_DEBIAS_STEPS};
    ridge_solve(r, problem, &limits, w, b, progress, &end);
    ridge_free(r);
    progress->columns += q->count;
    return progress->cancelled ? tm_fail(err, TM_ECANCELLED, "cancelled while de-biasing") : TM_OK;
}

tm_status debias_with(tm_model **out, tm_certificate *certificate, const tm_model *model,
                      const tm_dataset *data, const tm_debias_options *options,
                      solve_progress *progress, tm_error *err)
{
    chosen q;
    *out = NULL;
    const char *loss_id =
        options->loss ? options->loss : loss_usual(tm_dataset_is_binary(data))->id;
    tm_status status = check(model, data, options, err);
    if (status != TM_OK)
        return status;
    status = chosen_make(&q, model, data, err);
    tm_ridge_problem problem = {.loss = loss_id,
                                .C = options->C,
                                .intercept = options->intercept,
                                .features = q.columns,
                                .count = q.count};
    /* The model's weights are a good start unless they were shrunk strongly. */
    double b = tm_model_intercept(model);
    double *w = status == TM_OK ? mem_array(q.count, sizeof *w) : NULL;
    if (status == TM_OK && !w)
        status = tm_fail_memory(err, "the chosen features");
    if (status == TM_OK && q.count)
        memcpy(w, tm_model_weights(model), q.count * sizeof *w);
    if (status == TM_OK)
        status = train(&q, &problem, options->tol, w, &b, progress, err);
    if (status == TM_OK)
        status = tm_certify_ridge(certificate, q.data, &problem, w, b, err);
    tm_model_parts parts = {.map = tm_model_map(model),
                            .method = tm_model_method(model),
                            .lambda = tm_model_lambda(model),
                            .count = q.count,
                            .features = q.features,
                            .weights = w,
                            .intercept = b};
    if (status == TM_OK)
        status = tm_model_new_features(out, data, &parts, err);
    if (status == TM_OK && !model_set_loss(*out, loss_id))
        status = tm_fail_memory(err, "a model");
    free(w);
    chosen_clear(&q);
    return status;
}

tm_status tm_debias(tm_model **out, tm_certificate *certificate, const tm_model *model,
                    const tm_dataset *data, const tm_debias_options *options, tm_error *err)
{
    tm_monitor monitor = TM_MONITOR_INIT;
    solve_progress progress;
    tm_certificate own;
    monitor.cancel = options->cancel;
    progress_begin(&progress, &monitor);
    return debias_with(out, certificate ? certificate : &own, model, data, options, &progress, err);
}
