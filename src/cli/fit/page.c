#include "cli/fit/result.h"

#include "base/memory.h"
#include "cli/print/report.h"
#include "run/model_size.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_FEATURES = 12, BAR_CELLS = 16 };

/* ---- the page ------------------------------------------------------------------------------ */

/* The state of printing scores, which fill a line and continue below it. */
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
                              bool sums, tm_error *err)
{
    score_lines lines = {0};
    tm_confusion t;
    if (!tm_model_predicts(model))
        return TM_OK;
    report_label(label);
    tm_status status = fit_each_score(model, data, sums, score_into_line, &lines, &t, err);
    putchar('\n');
    if (status == TM_OK && tm_model_is_binary(model))
        report_line("", "found %zu of %zu (class %.60s), and %zu of %zu (class %.60s) by mistake",
                    t.tp, t.tp + t.fn, tm_model_label(model, 1), t.fp, t.fp + t.tn,
                    tm_model_label(model, -1));
    return status;
}

/* Shares are meaningless for a response without variance, whose scales are 0. */
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
    bool bounds = fit_has_bounds(s, params);
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

/* Where features are generated, screening reduces their number rather than the work on each. */
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
    double weight, size; /* size: |weight| times the column's standard deviation, which the bar
                          * shows */
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

/* Of the column "nnz" or "vectors". */
static int size_width(const tm_model *model)
{
    return model_is_of_vectors(model) ? 7 : 6;
}

static void print_row(const tm_point *point, bool test)
{
    const tm_solution *s = &point->solution;
    if (isfinite(s->lambda))
        printf("  %12.6g", s->lambda);
    if (isfinite(s->B))
        printf("  %6.6g", s->B);
    if (isfinite(s->C))
        printf("  %12.6g", s->C);
    printf(" %*zu", size_width(s->model), model_size(s->model));
    if (tm_model_levels(s->model) != TM_NO_LEVELS)
        printf(" %6zu", tm_model_levels(s->model));
    printf(" %12.6g %9.2g %8.4g", s->primal, s->gap, point->train_score);
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
    snprintf(heading, sizeof heading, "%s %*s%s %12s %9s %8s%s %9s %9s %9s", setting,
             size_width(first->model), model_is_of_vectors(first->model) ? "vectors" : "nnz",
             tm_model_levels(first->model) != TM_NO_LEVELS ? " levels" : "", "primal", "gap",
             "train", test ? "     test" : "", "seconds", "columns", "screened");
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
             result->whole.n ? result->whole.n : tm_dataset_rows(train), tm_dataset_cols(train),
             result->whole.n ? "rows of all processes" : tm_matrix_kind(tm_dataset_x(train)));
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
    const tm_solution *last = fit_last_solution(result);
    print_top(result, terminal);
    if (!last) {
        printf("  nothing was reached\n");
        return TM_OK;
    }
    fit_cost cost = fit_total_cost(result);
    print_setting(last);
    print_certificate(last, tm_job_params(result->job));
    const tm_map *map = tm_model_map(last->model);
    report_model_kind(last->model);
    if (!model_is_of_vectors(last->model))
        report_line("features", "%zu of %llu", tm_model_nnz(last->model),
                    map ? (unsigned long long)tm_map_features(map)
                        : (unsigned long long)tm_dataset_cols(train));
    if (tm_model_levels(last->model) != TM_NO_LEVELS)
        report_line("levels", "%zu (joined features of one weight)", tm_model_levels(last->model));
    if (!tm_model_is_selection(last->model))
        report_line("intercept", "%.8g", tm_model_intercept(last->model));
    print_screening(last, tm_job_method(result->job), train);
    report_line("cost", "%.3g s, %llu columns (%.4g passes), %llu updates", cost.seconds,
                (unsigned long long)cost.columns, cost.passes, (unsigned long long)cost.updates);
    tm_status status = print_scores("train", last->model, train, result->whole.condensed, err);
    if (status == TM_OK && test)
        status = print_scores("test", last->model, test, false, err);
    if (status == TM_OK && result->path)
        print_path(result, terminal);
    if (status == TM_OK)
        status = print_features(last->model, train, terminal, err);
    return status;
}
