/* The result of `tamis fit` as JSON; and code that its two forms share. */
#include "cli/fit/result.h"

#include "base/memory.h"
#include "cli/print/json.h"
#include "model/metric/judged.h"
#include "model/metric/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

fit_cost fit_total_cost(const fit_result *result)
{
    fit_cost cost = {0};
    for (size_t i = 0; i < result->point_count; i++) {
        const tm_solution *s = &result->points[i].solution;
        cost.seconds += s->seconds;
        cost.passes += s->passes;
        cost.columns += s->columns;
        cost.updates += s->updates;
        cost.epochs += s->epochs;
    }
    return cost;
}

const tm_solution *fit_last_solution(const fit_result *result)
{
    return result->point_count ? &result->points[result->point_count - 1].solution : NULL;
}

tm_status fit_each_score(const tm_model *model, const tm_dataset *data, bool sums,
                         void (*use)(const char *name, double value, void *payload), void *payload,
                         tm_confusion *confusion, tm_error *err)
{
    size_t count;
    const tm_metric *metrics = tm_metrics(&count);
    judged rows;
    tm_status status = judge_all(&rows, model, data, err);
    for (size_t i = 0; status == TM_OK && i < count; i++) {
        if (metrics[i].binary != tm_model_is_binary(model) ||
            (sums && !metric_uses_sums(&metrics[i])))
            continue;
        tm_scorer scorer = tm_scorer_usual(&metrics[i]);
        double value;
        status = metric_value(&scorer, rows.y, rows.z, rows.n, &value, err);
        if (status == TM_OK && !isnan(value))
            use(scorer.name, value, payload);
    }
    if (status == TM_OK && tm_model_is_binary(model))
        *confusion = tm_confusion_of(rows.y, rows.z, rows.n);
    free(rows.y);
    return status;
}

static void score_into_json(const char *name, double value, void *payload)
{
    cli_set_real(payload, name, value);
}

static tm_status scores_json(cli_object *out, const tm_model *model, const tm_dataset *data,
                             bool sums, tm_error *err)
{
    tm_confusion t;
    *out = cli_object_new();
    tm_status status = fit_each_score(model, data, sums, score_into_json, out, &t, err);
    if (status == TM_OK && tm_model_is_binary(model)) {
        cli_object table = cli_object_new();
        cli_set_count(&table, "tp", t.tp);
        cli_set_count(&table, "fp", t.fp);
        cli_set_count(&table, "fn", t.fn);
        cli_set_count(&table, "tn", t.tn);
        cli_set_object(out, "confusion", table);
    }
    return status;
}

static tm_status set_scores(cli_object *object, const fit_result *result, const tm_model *model,
                            tm_error *err)
{
    const tm_dataset *data[] = {tm_job_train(result->job), tm_job_test(result->job)};
    static const char *const names[] = {"train", "test"};
    if (!tm_model_predicts(model))
        return TM_OK;
    cli_object score = cli_object_new();
    tm_status status = TM_OK;
    for (size_t i = 0; i < 2 && status == TM_OK && data[i]; i++) {
        cli_object one;
        status = scores_json(&one, model, data[i], result->whole.condensed, err);
        cli_set_object(&score, names[i], one);
    }
    cli_set_object(object, "score", score);
    return status;
}

static json_t *feature_json(const tm_dataset *data, size_t j)
{
    const char *name = tm_dataset_feature_name(data, j);
    return name ? cli_json_text(name) : json_integer((json_int_t)j + 1);
}

/* A feature of a map is named by its label, "X3*X7". */
static json_t *model_feature_json(const tm_dataset *data, const tm_model *model, size_t k)
{
    size_t j = tm_model_features(model)[k];
    char label[NAME_BYTES];
    if (!tm_model_map(model))
        return feature_json(data, j);
    return cli_json_text(tm_model_feature_label(model, j, label, sizeof label));
}

static void set_coef(cli_object *object, const tm_dataset *data, const tm_model *model)
{
    json_t *coef = json_array();
    for (size_t k = 0; k < tm_model_nnz(model); k++) {
        json_t *pair = json_array();
        cli_append(object, pair, model_feature_json(data, model, k));
        cli_append(object, pair, cli_json_real(tm_model_weights(model)[k]));
        cli_append(object, coef, pair);
    }
    cli_set(object, "coef", coef);
}

static cli_object data_json(const tm_dataset *data, const shard_size *whole)
{
    cli_object object = cli_object_new();
    cli_set_count(&object, "n", whole->n ? whole->n : tm_dataset_rows(data));
    cli_set_count(&object, "p", tm_dataset_cols(data));
    cli_set_count(&object, "nnz", whole->n ? whole->nnz : tm_matrix_nnz(tm_dataset_x(data)));
    cli_set_text(&object, "sha256", tm_dataset_sha256(data));
    return object;
}

static void set_cost(cli_object *object, const fit_cost *cost)
{
    cli_set_real(object, "seconds", cost->seconds);
    cli_set_count(object, "columns", cost->columns);
    cli_set_count(object, "updates", cost->updates);
    cli_set_real(object, "passes", cost->passes);
    if (cost->epochs)
        cli_set_count(object, "epochs", cost->epochs);
}

static void set_screening(cli_object *object, const tm_solution *s)
{
    cli_set_count(object, "screened", s->screening.screened);
    cli_set_real(object, "rejection", s->screening.rejection);
    if (s->screening.support > 0)
        cli_set_count(object, "support", s->screening.support);
    if (isfinite(s->screening.power))
        cli_set_real(object, "power", s->screening.power);
}

bool fit_has_bounds(const tm_solution *s, const tm_params *params)
{
    return isfinite(s->B) || tm_params_find(params, "measure", NULL);
}

/* Sets the parameters for which a point was solved. */
static void set_setting(cli_object *object, const tm_solution *s, const tm_params *params)
{
    cli_set_real(object, "lambda", s->lambda);
    cli_set_real(object, "B", s->B);
    cli_set_real(object, "C", s->C);
    if (fit_has_bounds(s, params)) {
        cli_set_real(object, "upper", s->primal);
        cli_set_real(object, "lower", s->dual);
    }
}

static void set_certificate(cli_object *object, const tm_solution *s)
{
    cli_set_real(object, "primal", s->primal);
    cli_set_real(object, "dual", s->dual);
    cli_set_real(object, "gap", s->gap);
    cli_set_count(object, "nnz", tm_model_nnz(s->model));
    if (tm_model_levels(s->model) != TM_NO_LEVELS)
        cli_set_count(object, "levels", tm_model_levels(s->model));
}

void fit_set_answer(cli_object *object, const tm_job *job, const tm_solution *s)
{
    cli_set_real(object, "lambda_max", tm_job_lambda_max(job));
    set_setting(object, s, tm_job_params(job));
    set_certificate(object, s);
    cli_set_real(object, "intercept", tm_model_intercept(s->model));
    set_coef(object, tm_job_train(job), s->model);
}

static void set_debias(cli_object *object, const tm_solution *s)
{
    if (!isfinite(s->retrained.C))
        return;
    cli_object second = cli_object_new();
    cli_set_real(&second, "C", s->retrained.C);
    cli_set_real(&second, "primal", s->retrained.certificate.primal);
    cli_set_real(&second, "dual", s->retrained.certificate.dual);
    cli_set_real(&second, "gap", s->retrained.certificate.gap);
    cli_set_object(object, "debias", second);
}

static tm_status point_json(cli_object *out, const fit_result *result, const tm_point *point,
                            tm_error *err)
{
    const tm_solution *s = &point->solution;
    fit_cost cost = {s->seconds, s->passes, s->columns, s->updates, s->epochs};
    *out = cli_object_new();
    set_setting(out, s, tm_job_params(result->job));
    cli_set_text(out, "status", tm_outcome_name(s->outcome));
    cli_set_text(out, "stopped_by", tm_stop_name(s->stop));
    set_certificate(out, s);
    set_debias(out, s);
    cli_set_real(out, "intercept", tm_model_intercept(s->model));
    set_cost(out, &cost);
    set_screening(out, s);
    return set_scores(out, result, s->model, err);
}

static tm_status set_path(cli_object *object, const fit_result *result, tm_error *err)
{
    json_t *path = json_array();
    tm_status status = TM_OK;
    for (size_t i = 0; i < result->point_count && status == TM_OK; i++) {
        cli_object point;
        status = point_json(&point, result, &result->points[i], err);
        cli_append(object, path, cli_object_take(object, point));
    }
    cli_set(object, "path", path);
    return status;
}

tm_status fit_print_json(const fit_result *result, tm_error *err)
{
    const tm_dataset *train = tm_job_train(result->job);
    const tm_solution *last = fit_last_solution(result);
    fit_cost cost = fit_total_cost(result);
    cli_object object = cli_object_new();
    tm_status status = TM_OK;
    cli_set_text(&object, "method", tm_method_id(tm_job_method(result->job)));
    cli_set_text(&object, "status", tm_outcome_name(result->outcome));
    cli_set_text(&object, "stopped_by", tm_stop_name(result->stop));
    cli_set_object(&object, "data", data_json(train, &result->whole));
    cli_set_object(&object, "params", cli_json_params(tm_job_params(result->job)));
    cli_set_real(&object, "lambda_max", tm_job_lambda_max(result->job));
    if (last) {
        set_setting(&object, last, tm_job_params(result->job));
        set_certificate(&object, last);
        set_debias(&object, last);
        cli_set_real(&object, "intercept", tm_model_intercept(last->model));
        set_cost(&object, &cost);
        set_screening(&object, last);
        set_coef(&object, train, last->model);
        status = set_scores(&object, result, last->model, err);
    }
    cli_set_text(&object, "early", tm_job_early(result->job));
    if (status == TM_OK && result->path)
        status = set_path(&object, result, err);
    if (status != TM_OK) {
        json_decref(object.json);
        return status;
    }
    return cli_write_json(object, stdout, err);
}
