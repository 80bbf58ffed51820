#include "cli/fit_classes.h"

#include "base/clock.h"
#include "base/text.h"
#include "cli/common/settings.h"
#include "cli/common/wait.h"
#include "cli/fit/result.h"
#include "cli/print/json.h"
#include "cli/print/messages.h"
#include "cli/print/report.h"
#include "cli/print/table.h"
#include "run/model_size.h"
#include "tamis/bags.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

tm_status fit_take_class(tm_dataset **data, const char *label, bool test, tm_error *err)
{
    tm_dataset *one;
    tm_status status = tm_dataset_one_vs_rest(&one, *data, label, test, err);
    if (status == TM_OK) {
        tm_dataset_unref(*data);
        *data = one;
    }
    return status;
}

/* ---- bags ---------------------------------------------------------------------------------- */

tm_status fit_take_bags(tm_dataset **data, tm_dataset **concepts, const char *bags,
                        const char *sigma, tm_error *err)
{
    double width;
    tm_bags found;
    tm_dataset *rest = NULL, *embedded;
    if (!text_to_real(sigma, &width) || !(width > 0) || !isfinite(width))
        return tm_fail(err, TM_EUSAGE, "option '--bags-sigma': '%.60s'; expected a number above 0",
                       sigma);
    bool file = access(bags, R_OK) == 0;
    tm_status status = file ? tm_bags_read(&found, bags, tm_dataset_rows(*data), err)
                            : tm_bags_from_column(&found, &rest, *data, bags, err);
    if (status != TM_OK)
        return status;
    tm_dataset *instances = rest ? rest : tm_dataset_ref(*data);
    if (!*concepts)
        *concepts = tm_dataset_ref(instances);
    status = tm_dataset_miles(&embedded, instances, &found, *concepts, width, err);
    tm_bags_clear(&found);
    tm_dataset_unref(instances);
    if (status != TM_OK)
        return status;
    tm_dataset_unref(*data);
    *data = embedded;
    return TM_OK;
}

/* ---- running ------------------------------------------------------------------------------- */

static void tell_progress(const void *payload, char *text, size_t size)
{
    const tm_ovr *ovr = payload;
    size_t ended = 0;
    for (size_t k = 0; k < tm_ovr_count(ovr); k++)
        ended += tm_job_ended(tm_ovr_job(ovr, k));
    snprintf(text, size, "%s: %zu of %zu classes, %.0f %%",
             tm_method_id(tm_job_method(tm_ovr_job(ovr, 0))), ended, tm_ovr_count(ovr),
             100 * tm_ovr_progress(ovr));
}

static bool all_ended(const void *payload)
{
    return tm_ovr_ended(payload);
}

static void cancel_all(void *payload)
{
    tm_ovr_cancel(payload);
}

/* ---- what was found ------------------------------------------------------------------------ */

static const tm_solution *solution_of(const tm_ovr *ovr, size_t k)
{
    const tm_point *points;
    size_t count = tm_job_points(tm_ovr_job(ovr, k), &points);
    return count > 0 ? &points[count - 1].solution : NULL;
}

static const char *status_of(const tm_ovr *ovr, size_t k)
{
    const tm_solution *s = solution_of(ovr, k);
    if (!s || tm_job_get_state(tm_ovr_job(ovr, k)) != TM_JOB_DONE)
        return tm_job_state_name(tm_job_get_state(tm_ovr_job(ovr, k)));
    return tm_outcome_name(s->outcome);
}

/* The columns of the page's table; JSON has every metric. */
static const char *const shown[] = {"precision", "recall", "f1", "rec@2p", "prbep", "auc"};
enum { SHOWN = sizeof shown / sizeof shown[0], TABLE_COLUMNS = 3 + SHOWN + 3 };

static double value_of(const tm_ovr_scores *scores, const double *row, const char *name)
{
    for (size_t m = 0; m < scores->metrics; m++)
        if (strcmp(scores->scorers[m].name, name) == 0)
            return row[m];
    return NAN;
}

static bool has_levels(const cli_table *table)
{
    return table->columns > TABLE_COLUMNS;
}

/* sizes: features or vectors, and levels. */
static void add_average(cli_table *table, const tm_ovr_scores *scores, const char *name,
                        const double *row, const double sizes[2])
{
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%s", "");
    cli_table_add_real(table, 4, sizes[0]);
    if (has_levels(table))
        cli_table_add_real(table, 4, sizes[1]);
    for (size_t m = 0; m < SHOWN; m++)
        cli_table_add_real(table, 4, value_of(scores, row, shown[m]));
    for (int empty = 0; empty < 3; empty++)
        cli_table_add(table, "%s", "");
}

static void add_class(cli_table *table, const tm_ovr *ovr, const tm_ovr_scores *scores, size_t k)
{
    const tm_solution *s = solution_of(ovr, k);
    const tm_confusion *t = &scores->tables[k];
    cli_table_add(table, "%.40s", tm_ovr_label(ovr, k));
    cli_table_add_count(table, s ? (int64_t)(t->tp + t->fn) : -1);
    cli_table_add_count(table, s ? (int64_t)model_size(s->model) : -1);
    if (has_levels(table))
        cli_table_add_count(table, s ? (int64_t)tm_model_levels(s->model) : -1);
    for (size_t m = 0; m < SHOWN; m++)
        cli_table_add_real(table, 4,
                           value_of(scores, scores->values + k * scores->metrics, shown[m]));
    cli_table_add_real(table, 2, s ? s->gap : NAN);
    cli_table_add_real(table, 3, s ? tm_job_seconds(tm_ovr_job(ovr, k)) : NAN);
    cli_table_add(table, "%s", status_of(ovr, k));
}

static void find_mean_sizes(const tm_ovr *ovr, double sizes[2])
{
    double count = 0;
    sizes[0] = sizes[1] = 0;
    for (size_t k = 0; k < tm_ovr_count(ovr); k++) {
        const tm_solution *s = solution_of(ovr, k);
        if (!s)
            continue;
        sizes[0] += (double)model_size(s->model);
        sizes[1] += (double)tm_model_levels(s->model);
        count++;
    }
    sizes[0] = count > 0 ? sizes[0] / count : NAN;
    sizes[1] = count > 0 ? sizes[1] / count : NAN;
}

static tm_status print_page(const tm_ovr *ovr, const tm_job_spec *spec, double seconds,
                            const tm_ovr_scores *scores, const cli_terminal *terminal,
                            tm_error *err)
{
    char title[320];
    double sizes[2];
    const tm_solution *first = solution_of(ovr, 0);
    bool levels = first && tm_model_levels(first->model) != TM_NO_LEVELS;
    cli_table table = {.columns = TABLE_COLUMNS + levels, .right = levels ? 0xffe : 0x7fe};
    snprintf(title, sizeof title, "%s, one against the rest, on %.120s, %zu x %zu",
             tm_method_id(tm_job_method(tm_ovr_job(ovr, 0))), tm_dataset_name(spec->train),
             tm_dataset_rows(spec->train), tm_dataset_cols(spec->train));
    report_heading(terminal, title);
    report_line("classes", "%zu in %.1f s", tm_ovr_count(ovr), seconds);
    report_line("scored on", "%.120s", tm_dataset_name(spec->test ? spec->test : spec->train));
    if (isfinite(scores->accuracy))
        report_line("accuracy", "%.4g (each row to the class of greatest score)", scores->accuracy);
    putchar('\n');
    cli_table_add(&table, "class");
    cli_table_add(&table, "rows");
    cli_table_add(&table, first && model_is_of_vectors(first->model) ? "vectors" : "features");
    if (levels)
        cli_table_add(&table, "levels");
    for (size_t m = 0; m < SHOWN; m++)
        cli_table_add(&table, "%s", shown[m]);
    cli_table_add(&table, "gap");
    cli_table_add(&table, "seconds");
    cli_table_add(&table, "status");
    for (size_t k = 0; k < tm_ovr_count(ovr); k++)
        add_class(&table, ovr, scores, k);
    find_mean_sizes(ovr, sizes);
    add_average(&table, scores, "macro average", scores->macro, sizes);
    add_average(&table, scores, "micro average", scores->micro, (double[2]){NAN, NAN});
    return cli_table_print(&table, err);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static cli_object metrics_json(const tm_ovr_scores *scores, const double *row)
{
    cli_object object = cli_object_new();
    for (size_t m = 0; m < scores->metrics; m++)
        if (!isnan(row[m]))
            cli_set_real(&object, scores->scorers[m].name, row[m]);
    return object;
}

static cli_object class_json(const tm_ovr *ovr, size_t k, const tm_ovr_scores *scores)
{
    cli_object object = cli_object_new();
    const tm_solution *s = solution_of(ovr, k);
    cli_set_text(&object, "class", tm_ovr_label(ovr, k));
    cli_set_text(&object, "status", status_of(ovr, k));
    if (!s)
        return object;
    const tm_confusion *t = &scores->tables[k];
    cli_set_count(&object, "rows", t->tp + t->fn);
    if (model_is_of_vectors(s->model))
        cli_set_count(&object, "support_vectors", tm_model_support_vectors(s->model));
    fit_set_answer(&object, tm_ovr_job(ovr, k), s);
    cli_set_real(&object, "seconds", tm_job_seconds(tm_ovr_job(ovr, k)));
    cli_set_object(&object, "score", metrics_json(scores, scores->values + k * scores->metrics));
    return object;
}

static tm_status print_json(const tm_ovr *ovr, const tm_job_spec *spec, double seconds,
                            const tm_ovr_scores *scores, tm_error *err)
{
    cli_object object = cli_object_new();
    json_t *classes = json_array();
    cli_set_text(&object, "method", tm_method_id(tm_job_method(tm_ovr_job(ovr, 0))));
    cli_set_text(&object, "scored_on", spec->test ? "test" : "train");
    cli_set_real(&object, "seconds", seconds);
    for (size_t k = 0; k < tm_ovr_count(ovr); k++) {
        cli_object one = class_json(ovr, k, scores);
        cli_append(&object, classes, cli_object_take(&object, one));
    }
    cli_set(&object, "classes", classes);
    cli_set_object(&object, "macro", metrics_json(scores, scores->macro));
    cli_set_object(&object, "micro", metrics_json(scores, scores->micro));
    if (isfinite(scores->accuracy))
        cli_set_real(&object, "accuracy", scores->accuracy);
    return cli_write_json(object, stdout, err);
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* The pool and recorder of the runs. */
typedef struct workers {
    cli_events events;
    tm_pool *pool;
    cli_record *record;
} workers;

static tm_status run_all(workers *with, const tm_job_spec *spec, bool json,
                         const cli_context *context, int *interrupted, tm_error *err)
{
    tm_ovr *ovr;
    tm_ovr_scores scores;
    double began = clock_now();
    tm_status status = tm_ovr_start(&ovr, with->pool, spec, err);
    if (status != TM_OK)
        return status;
    for (size_t k = 0; k < tm_ovr_count(ovr); k++)
        cli_record_begin(with->record, tm_ovr_job(ovr, k));
    if (tm_job_remark(tm_ovr_job(ovr, 0)))
        cli_remark(context, "%s", tm_job_remark(tm_ovr_job(ovr, 0)));
    const cli_waited what = {ovr, all_ended, cancel_all, tell_progress};
    *interrupted = cli_wait(&what, &with->events, with->pool, with->record, context);
    double seconds = clock_now() - began;
    status = tm_ovr_score(&scores, ovr, spec->test != NULL, err);
    if (status == TM_OK) {
        cli_terminal terminal = cli_terminal_find(context);
        status = json ? print_json(ovr, spec, seconds, &scores, err)
                      : print_page(ovr, spec, seconds, &scores, &terminal, err);
        tm_ovr_scores_clear(&scores);
    }
    tm_ovr_free(ovr);
    return status;
}

int fit_all_classes(const tm_job_spec *spec, bool json, cli_record *record,
                    const cli_context *context)
{
    workers with = {.record = record};
    tm_error err;
    int interrupted = 0;
    if (cli_events_open(&with.events, false, &err) != TM_OK)
        return cli_fail("fit", &err);
    tm_status status =
        tm_pool_new(&with.pool, cli_jobs(context), cli_events_wake, &with.events, &err);
    if (status == TM_OK)
        status = run_all(&with, spec, json, context, &interrupted, &err);
    if (with.pool)
        tm_pool_free(with.pool);
    cli_events_close(&with.events);
    if (status != TM_OK)
        return cli_fail("fit", &err);
    if (interrupted)
        fprintf(stderr, "tamis fit: interrupted; the result is what was reached until then\n");
    return cli_finish("fit", interrupted ? 128 + interrupted : CLI_DONE);
}
