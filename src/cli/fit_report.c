#include "cli/fit.h"

#include "base/memory.h"
#include "cli/print/json.h"
#include "cli/print/report.h"
#include "model/metric/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_FEATURES = 12, BAR_CELLS = 16, NAME_BYTES = 512 };

/* ---- what the page and the JSON need
 * ------------------------------------------------------------------ */

/* Sums over the points: what the whole run cost. */
typedef struct fit_cost {
    double seconds, passes;
    uint64_t columns, updates, epochs;
} fit_cost;

static fit_cost total_cost(const fit_result *result)
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

static const tm_solution *last_solution(const fit_result *result)
{
    return result->point_count ? &result->points[result->point_count - 1].solution : NULL;
}

/* Calls `use` for every metric that applies to the model and is defined on the data; *confusion is
 * left alone when the response is a number. */
static tm_status each_score(const tm_model *model, const tm_dataset *data,
                            void (*use)(const char *name, double value, void *payload),
                            void *payload, tm_confusion *confusion, tm_error *err)
{
    size_t count, n = tm_dataset_rows(data);
    const tm_metric *metrics = tm_metrics(&count);
    double *y = mem_array(2 * n, sizeof *y);
    tm_status status =
        y ? tm_model_judge(model, data, y, y + n, err) : tm_fail_memory(err, "scores");
    for (size_t i = 0; status == TM_OK && i < count; i++) {
        if (metrics[i].binary != tm_model_is_binary(model))
            continue;
        tm_scorer scorer = tm_scorer_usual(&metrics[i]);
        double value;
        status = metric_value(&scorer, y, y + n, n, &value, err);
        if (status == TM_OK && isfinite(value))
            use(scorer.name, value, payload);
    }
    if (status == TM_OK && tm_model_is_binary(model))
        *confusion = tm_confusion_of(y, y + n, n);
    free(y);
    return status;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void score_into_json(const char *name, double value, void *payload)
{
    cli_set_real(payload, name, value);
}

static tm_status scores_json(cli_object *out, const tm_model *model, const tm_dataset *data,
                             tm_error *err)
{
    tm_confusion t;
    *out = cli_object_new();
    tm_status status = each_score(model, data, score_into_json, out, &t, err);
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
        status = scores_json(&one, model, data[i], err);
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

/* A feature of a map goes by its label, "X3*X7". */
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

static cli_object data_json(const tm_dataset *data)
{
    cli_object object = cli_object_new();
    cli_set_count(&object, "n", tm_dataset_rows(data));
    cli_set_count(&object, "p", tm_dataset_cols(data));
    cli_set_count(&object, "nnz", tm_matrix_nnz(tm_dataset_x(data)));
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

/* Whether a cutting plane found the bounds: then they are called upper and lower. */
static bool has_bounds(const tm_solution *s, const tm_params *params)
{
    return isfinite(s->B) || tm_params_find(params, "measure", NULL);
}

/* What a point was solved for. */
static void set_setting(cli_object *object, const tm_solution *s, const tm_params *params)
{
    cli_set_real(object, "lambda", s->lambda);
    cli_set_real(object, "B", s->B);
    cli_set_real(object, "C", s->C);
    if (has_bounds(s, params)) {
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
    const tm_solution *last = last_solution(result);
    fit_cost cost = total_cost(result);
    cli_object object = cli_object_new();
    tm_status status = TM_OK;
    cli_set_text(&object, "method", tm_method_id(tm_job_method(result->job)));
    cli_set_text(&object, "status", tm_outcome_name(result->outcome));
    cli_set_text(&object, "stopped_by", tm_stop_name(result->stop));
    cli_set_object(&object, "data", data_json(train));
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

/* ---- the page ------------------------------------------------------------------------------ */

/* Scores fill a line and go on below it. */
typedef struct score_lines {
    size_t on_line;
} score_lines;

enum { SCORES_A_LINE = 5 };

static void score_into_line(const char *name, double value, void *payload)
{
    score_lines *lines = payload;
    if (lines->on_line == SCORES_A_LINE) {
        putchar('\n');
        report_label("");
        lines->on_line = 0;
    }
    printf("%s%s %.4g", lines->on_line ? "   " : "", name, value);
    lines->on_line++;
}

static tm_status print_scores(const char *label, const tm_model *model, const tm_dataset *data,
                              tm_error *err)
{
    score_lines lines = {0};
    tm_confusion t;
    if (!tm_model_predicts(model))
        return TM_OK;
    report_label(label);
    tm_status status = each_score(model, data, score_into_line, &lines, &t, err);
    putchar('\n');
    if (status == TM_OK && tm_model_is_binary(model))
        report_line("", "found %zu of %zu (class %.60s), and %zu of %zu (class %.60s) by mistake",
                    t.tp, t.tp + t.fn, tm_model_label(model, 1), t.fp, t.fp + t.tn,
                    tm_model_label(model, -1));
    return status;
}

/* The shares have no meaning for a response without variance, whose scales are 0. */
static void print_setting(const tm_solution *s)
{
    char share[120] = "";
    if (isfinite(s->B))
        report_line("B", "%.6g", s->B);
    if (isfinite(s->C))
        report_line("C", "%.6g", s->C);
    if (!isfinite(s->lambda))
        return;
    if (s->lambda_max > 0)
        snprintf(share, sizeof share, "   (%.4g of lambda_max %.6g)", s->lambda / s->lambda_max,
                 s->lambda_max);
    else if (s->lambda_max == 0)
        snprintf(share, sizeof share, "   (lambda_max 0)");
    report_line("lambda", "%.6g%s", s->lambda, share);
}

static void print_certificate(const tm_solution *s, const tm_params *params)
{
    char share[120] = "";
    bool bounds = has_bounds(s, params);
    report_line(bounds ? "upper" : "primal", "%.10g", s->primal);
    report_line(bounds ? "lower" : "dual", "%.10g", s->dual);
    if (s->null_objective > 0)
        snprintf(share, sizeof share, "   (%.3g of the null model's objective %.6g; tol %.3g)",
                 s->gap / s->null_objective, s->null_objective, tm_params_real(params, "tol"));
    report_line("gap", "%.3g%s", s->gap, share);
    if (isfinite(s->retrained.C))
        report_line("de-biased", "C %.6g, primal %.10g, gap %.3g", s->retrained.C,
                    s->retrained.certificate.primal, s->retrained.certificate.gap);
}

/* Where features are generated it is their number that was kept down, not the work on each. */
static void print_screening(const tm_solution *s, const tm_method *method, const tm_dataset *data)
{
    bool samples = tm_method_item(method) == TM_ITEM_SAMPLE;
    size_t p = samples ? tm_dataset_rows(data) : tm_dataset_cols(data);
    if (isfinite(s->B)) {
        report_line("generated", "%llu of %llu", (unsigned long long)s->active,
                    (unsigned long long)(s->active + s->screening.screened));
        return;
    }
    if (samples)
        report_line("screened", "%llu of %zu samples (%.1f %%); %llu support vectors",
                    (unsigned long long)s->screening.screened, p, 100 * s->screening.rejection,
                    (unsigned long long)s->screening.support);
    else if (isfinite(s->screening.power) && tm_model_nnz(s->model) < p)
        report_line("screened", "%llu of %zu features (%.1f %%), %.1f %% of those with zero weight",
                    (unsigned long long)s->screening.screened, p, 100 * s->screening.rejection,
                    100 * s->screening.power);
    else
        report_line("screened", "%llu of %zu features (%.1f %%)",
                    (unsigned long long)s->screening.screened, p, 100 * s->screening.rejection);
}

/* ---- features ------------------------------------------------------------------------------ */

typedef struct ranked {
    size_t feature;
    double weight, size; /* size: |weight| times the column's deviation, what the bar shows */
} ranked;

static int by_size(const void *a, const void *b)
{
    double x = ((const ranked *)a)->size, y = ((const ranked *)b)->size;
    return (x < y) - (x > y);
}

/* Names longer than this are cut in the list. */
enum { NAME_COLUMNS = 44, NAME_LEAST = 20 };

static int name_columns(const tm_model *model, const ranked *ranks, size_t shown)
{
    int widest = NAME_LEAST;
    for (size_t k = 0; k < shown; k++) {
        char label[NAME_BYTES];
        tm_model_feature_label(model, ranks[k].feature, label, sizeof label);
        int columns = report_columns(label);
        widest = columns > widest ? columns : widest;
    }
    return widest < NAME_COLUMNS ? widest : NAME_COLUMNS;
}

static tm_status print_features(const tm_model *model, const tm_dataset *data,
                                const cli_terminal *terminal, tm_error *err)
{
    size_t nnz = tm_model_nnz(model), shown = nnz < TOP_FEATURES ? nnz : TOP_FEATURES;
    double rows = (double)tm_dataset_rows(data);
    if (nnz == 0)
        return TM_OK;
    ranked *ranks = mem_array(nnz, sizeof *ranks);
    if (!ranks)
        return tm_fail_memory(err, "the list of features");
    for (size_t k = 0; k < nnz; k++) {
        size_t j = tm_model_features(model)[k];
        double weight = tm_model_weights(model)[k];
        double deviation = tm_model_map(model) ? 1 : sqrt(tm_dataset_deviations(data)[j] / rows);
        ranks[k] = (ranked){j, weight, fabs(weight) * deviation};
    }
    qsort(ranks, nnz, sizeof *ranks, by_size);
    putchar('\n');
    int columns = name_columns(model, ranks, shown);
    char heading[160];
    snprintf(heading, sizeof heading, "  %-*s %14s%s", columns, "feature", "weight",
             tm_model_map(model) ? "" : "   weight x its column's deviation");
    report_heading(terminal, heading);
    for (size_t k = 0; k < shown; k++) {
        char label[NAME_BYTES];
        tm_model_feature_label(model, ranks[k].feature, label, sizeof label);
        printf("  ");
        report_padded(label, columns);
        printf(" %+14.6g   ", ranks[k].weight);
        report_bar(terminal, ranks[0].size > 0 ? ranks[k].size / ranks[0].size : 0, BAR_CELLS,
                   ranks[k].weight < 0);
        putchar('\n');
    }
    if (shown < nnz)
        printf("  and %zu more\n", nnz - shown);
    free(ranks);
    return TM_OK;
}

/* ---- a path's table ------------------------------------------------------------------------ */

static void print_row(const tm_point *point, bool test)
{
    const tm_solution *s = &point->solution;
    if (isfinite(s->lambda))
        printf("  %12.6g", s->lambda);
    if (isfinite(s->B))
        printf("  %6.6g", s->B);
    if (isfinite(s->C))
        printf("  %12.6g", s->C);
    printf(" %6zu %12.6g %9.2g %8.4g", tm_model_nnz(s->model), s->primal, s->gap,
           point->train_score);
    if (test)
        printf(" %8.4g", point->test_score);
    printf(" %9.3g %9llu %9llu%s%s\n", s->seconds, (unsigned long long)s->columns,
           (unsigned long long)s->screening.screened, s->outcome == TM_CONVERGED ? "" : "  ",
           s->outcome == TM_CONVERGED ? "" : tm_outcome_name(s->outcome));
}

static void print_path(const fit_result *result, const cli_terminal *terminal)
{
    bool test = tm_job_test(result->job) != NULL;
    const tm_solution *first = &result->points[0].solution;
    char heading[160], setting[64] = "";
    size_t used = 0;
    if (isfinite(first->lambda))
        used += (size_t)snprintf(setting + used, sizeof setting - used, "  %12s", "lambda");
    if (isfinite(first->B))
        used += (size_t)snprintf(setting + used, sizeof setting - used, "  %6s", "B");
    if (isfinite(first->C))
        snprintf(setting + used, sizeof setting - used, "  %12s", "C");
    snprintf(heading, sizeof heading, "%s %6s %12s %9s %8s%s %9s %9s %9s", setting, "nnz", "primal",
             "gap", "train", test ? "     test" : "", "seconds", "columns", "screened");
    printf("\n");
    report_heading(terminal, heading);
    for (size_t i = 0; i < result->point_count; i++)
        print_row(&result->points[i], test);
    const tm_metric *metric = tm_metric_default(tm_dataset_is_binary(tm_job_train(result->job)));
    printf("  (train%s: %s)\n", test ? " and test" : "", metric->id);
}

static void print_top(const fit_result *result, const cli_terminal *terminal)
{
    const tm_dataset *train = tm_job_train(result->job);
    char title[256];
    snprintf(title, sizeof title, "%s on %.120s, %zu x %zu %s",
             tm_method_id(tm_job_method(result->job)), tm_dataset_name(train),
             tm_dataset_rows(train), tm_dataset_cols(train), tm_matrix_kind(tm_dataset_x(train)));
    report_heading(terminal, title);
    if (tm_dataset_is_binary(train) && tm_dataset_label(train, 1))
        report_line("classes", "%.60s (-1), %.60s (+1)", tm_dataset_label(train, -1),
                    tm_dataset_label(train, 1));
    const char *stop = tm_stop_name(result->stop);
    report_line("status", "%s%s%s%s", tm_outcome_name(result->outcome), stop ? " (stopped by " : "",
                stop ? stop : "", stop ? ")" : "");
}

tm_status fit_print_page(const fit_result *result, const cli_terminal *terminal, tm_error *err)
{
    const tm_dataset *train = tm_job_train(result->job), *test = tm_job_test(result->job);
    const tm_solution *last = last_solution(result);
    print_top(result, terminal);
    if (!last) {
        printf("  nothing was reached\n");
        return TM_OK;
    }
    fit_cost cost = total_cost(result);
    print_setting(last);
    print_certificate(last, tm_job_params(result->job));
    const tm_map *map = tm_model_map(last->model);
    report_model_kind(last->model);
    report_line("features", "%zu of %llu", tm_model_nnz(last->model),
                map ? (unsigned long long)tm_map_features(map)
                    : (unsigned long long)tm_dataset_cols(train));
    if (!tm_model_is_selection(last->model))
        report_line("intercept", "%.8g", tm_model_intercept(last->model));
    print_screening(last, tm_job_method(result->job), train);
    report_line("cost", "%.3g s, %llu columns (%.4g passes), %llu updates", cost.seconds,
                (unsigned long long)cost.columns, cost.passes, (unsigned long long)cost.updates);
    tm_status status = print_scores("train", last->model, train, err);
    if (status == TM_OK && test)
        status = print_scores("test", last->model, test, err);
    if (status == TM_OK && result->path)
        print_path(result, terminal);
    if (status == TM_OK)
        status = print_features(last->model, train, terminal, err);
    return status;
}
