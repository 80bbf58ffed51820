#include "cli/print/sweep.h"

#include "base/text.h"
#include "cli/print/json.h"
#include "cli/print/report.h"
#include "cli/print/runs.h"
#include "cli/print/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the list ------------------------------------------------------------------------------ */

/* The selection of sweeps for a list. */
typedef struct selection {
    const tm_store_filter *filter; /* its name, tag and note */
    void *list;
} selection;

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        if (strcspn(at, " ") == length && memcmp(at, word, length) == 0)
            return true;
        at += strcspn(at, " ");
    }
    return false;
}

static bool fits(const tm_stored_sweep *sweep, const tm_store_filter *filter)
{
    const char *note = sweep->label.note ? sweep->label.note : "";
    return (!filter->name || strstr(sweep->name, filter->name)) &&
           (!filter->tag || has_word(sweep->label.tags, filter->tag)) &&
           (!filter->note || strstr(note, filter->note));
}

static tm_status add_row(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    const selection *of = payload;
    cli_table *table = of->list;
    char when[32] = "";
    time_t begun = (time_t)sweep->begun;
    struct tm parts;
    (void)err;
    if (!fits(sweep, of->filter))
        return TM_OK;
    if (localtime_r(&begun, &parts))
        strftime(when, sizeof when, "%F %H:%M", &parts);
    cli_table_add(table, "s%lld", (long long)sweep->id);
    cli_table_add(table, "%s", when);
    cli_table_add(table, "%s", sweep->name);
    cli_table_add(table, "%s", sweep->method ? sweep->method : "several");
    cli_table_add(table, "%s", sweep->status);
    cli_table_add(table, "%s", sweep->label.tags);
    cli_table_add_count(table, sweep->tasks);
    cli_table_add_count(table, sweep->done);
    cli_table_add_count(table, sweep->failed);
    cli_table_add_count(table, sweep->unconverged);
    return TM_OK;
}

tm_status sweep_print_list(tm_store *store, const tm_store_filter *filter, tm_error *err)
{
    static const char *const titles[] = {"id",   "when",  "name", "method", "status",
                                         "tags", "tasks", "done", "failed", "unconverged"};
    enum { COLUMNS = sizeof titles / sizeof *titles };
    cli_table table = {.columns = COLUMNS, .right = 1U << 6 | 1U << 7 | 1U << 8 | 1U << 9};
    for (size_t c = 0; c < COLUMNS; c++)
        cli_table_add(&table, "%s", titles[c]);
    tm_status status = tm_store_each_sweep(store, 0, add_row, &(selection){filter, &table}, err);
    if (status == TM_OK)
        return cli_table_print(&table, err);
    cli_table_clear(&table);
    return status;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static cli_object sweep_json(const tm_stored_sweep *sweep)
{
    cli_object object = cli_object_new();
    cli_set_count(&object, "id", (uint64_t)sweep->id);
    cli_set_text(&object, "name", sweep->name);
    cli_set_text(&object, "method", sweep->method);
    cli_set_text(&object, "status", sweep->status);
    cli_set_text(&object, "key", sweep->key);
    cli_set_text(&object, "version", sweep->version);
    cli_set_count(&object, "tasks", (uint64_t)sweep->tasks);
    cli_set_count(&object, "done", (uint64_t)sweep->done);
    cli_set_count(&object, "failed", (uint64_t)sweep->failed);
    cli_set_count(&object, "unconverged", (uint64_t)sweep->unconverged);
    cli_set_real(&object, "begun", sweep->begun);
    cli_set_real(&object, "ended", sweep->ended);
    runs_set_label(&object, &sweep->label);
    return object;
}

static tm_status gather(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    const selection *of = payload;
    (void)err;
    if (fits(sweep, of->filter))
        cli_list_add(of->list, sweep_json(sweep));
    return TM_OK;
}

tm_status sweep_print_list_json(tm_store *store, const tm_store_filter *filter, tm_error *err)
{
    cli_list all = {cli_object_new(), json_array()};
    cli_set_text(&all.object, "store", tm_store_path(store));
    tm_status status = tm_store_each_sweep(store, 0, gather, &(selection){filter, &all}, err);
    return cli_list_write(&all, "sweeps", status, err);
}

static tm_status take_sweep(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    cli_object *object = payload;
    json_t *description;
    *object = sweep_json(sweep);
    tm_status status = cli_read_json(&description, sweep->description, err);
    cli_set(object, "description", description);
    return status;
}

static void set_cell(cli_object *object, const tm_sweep_table *t, size_t config, size_t split)
{
    const tm_sweep_cell *cell = tm_sweep_table_cell(t, config, split);
    cli_set_count(object, "config", config + 1);
    cli_set_count(object, "split", split + 1);
    cli_set_text(object, "status", tm_cell_status_name(cell->status));
    cli_set_text(object, "error", cell->error);
    for (size_t m = 0; m < tm_sweep_table_metrics(t); m++)
        cli_set_real(object, tm_sweep_table_metric(t, m), cell->scores[m]);
    cli_set_real(object, "lambda", cell->lambda);
    cli_set_real(object, "primal", cell->primal);
    cli_set_real(object, "dual", cell->dual);
    cli_set_real(object, "gap", cell->gap);
    cli_set_real(object, "nnz", cell->nnz);
    cli_set_real(object, "seconds", cell->seconds);
    cli_set_real(object, "columns", cell->columns);
    cli_set_real(object, "updates", cell->updates);
}

tm_status sweep_print_json(tm_store *store, int64_t id, tm_error *err)
{
    tm_sweep_table *t;
    cli_object object = {NULL, false};
    tm_status status = tm_store_sweep_table(store, id, &t, err);
    if (status == TM_OK)
        status = tm_store_each_sweep(store, id, take_sweep, &object, err);
    if (status != TM_OK) {
        json_decref(object.json);
        return status;
    }
    json_t *cells = json_array();
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        for (size_t s = 0; s < tm_sweep_table_splits(t); s++) {
            cli_object cell = cli_object_new();
            if (tm_sweep_table_cell(t, c, s)->status == TM_CELL_OPEN) {
                json_decref(cell.json);
                continue;
            }
            set_cell(&cell, t, c, s);
            cli_append(&object, cells, cli_object_take(&object, cell));
        }
    cli_set(&object, "cells", cells);
    tm_sweep_table_free(t);
    return cli_write_json(object, stdout, err);
}

/* ---- the page ------------------------------------------------------------------------------ */

/* Means of one configuration: the axes, the metrics with their errors, features, seconds. */
static void add_config(cli_table *table, const tm_sweep_table *t, size_t config, bool unconverged)
{
    tm_sweep_mean mean = {0};
    cli_table_add_count(table, (int64_t)config + 1);
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        char shown[TEXT_SHOWN];
        cli_table_add(table, "%s", text_shown(tm_sweep_table_value(t, config, a), "-", shown));
    }
    for (size_t m = 0; m < tm_sweep_table_metrics(t); m++) {
        mean.mean = mean.se = NAN;
        tm_sweep_summary(t, tm_sweep_table_metric(t, m), config, &mean, NULL);
        cli_table_add_real(table, 5, mean.mean);
        cli_table_add_real(table, 2, mean.count > 1 ? mean.se : NAN);
    }
    tm_sweep_summary(t, "nnz", config, &mean, NULL);
    cli_table_add_real(table, 4, mean.mean);
    tm_sweep_summary(t, "seconds", config, &mean, NULL);
    cli_table_add_real(table, 3, mean.mean);
    cli_table_add_count(table, (int64_t)mean.count);
    if (unconverged)
        cli_table_add_count(table, (int64_t)tm_sweep_unconverged(t, config));
}

tm_status sweep_print_configs(const tm_sweep_table *t, tm_error *err)
{
    size_t axes = tm_sweep_table_axes(t), metrics = tm_sweep_table_metrics(t);
    bool unconverged = false;
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        unconverged = unconverged || tm_sweep_unconverged(t, c) > 0;
    cli_table table = {.columns = 1 + axes + 2 * metrics + 3 + unconverged, .right = ~0U};
    cli_table_add(&table, "config");
    for (size_t a = 0; a < axes; a++)
        cli_table_add(&table, "%s", tm_sweep_table_axis(t, a));
    for (size_t m = 0; m < metrics; m++) {
        cli_table_add(&table, "%s", tm_sweep_table_metric(t, m));
        cli_table_add(&table, "se");
    }
    cli_table_add(&table, "nnz");
    cli_table_add(&table, "seconds");
    cli_table_add(&table, "splits");
    if (unconverged)
        cli_table_add(&table, "unconverged");
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        add_config(&table, t, c, unconverged);
    return cli_table_print(&table, err);
}

static tm_status print_head(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    const cli_terminal *terminal = payload;
    char text[64];
    (void)err;
    snprintf(text, sizeof text, "sweep s%lld", (long long)sweep->id);
    report_heading(terminal, text);
    report_line("name", "%s", sweep->name);
    report_line("method", "%s", sweep->method ? sweep->method : "several");
    report_line("status", "%s", sweep->status);
    runs_print_label(&sweep->label);
    report_line("tasks", "%lld of %lld done", (long long)sweep->done, (long long)sweep->tasks);
    if (sweep->failed > 0)
        report_line("failed", "%lld cells", (long long)sweep->failed);
    if (sweep->unconverged > 0)
        report_line("unconverged", "%lld cells", (long long)sweep->unconverged);
    report_line("tamis", "%s", sweep->version);
    return TM_OK;
}

static void print_nested(const tm_sweep_table *t)
{
    tm_sweep_outer *outer;
    size_t count;
    if (tm_sweep_nested(t, NULL, false, &outer, &count, NULL) != TM_OK)
        return;
    tm_sweep_mean mean = tm_sweep_outer_mean(outer, count);
    free(outer);
    if (mean.count > 0)
        report_line("nested", "%s %.5g, sd %.3g over %zu outer folds", tm_sweep_table_metric(t, 0),
                    mean.mean, mean.sd, mean.count);
}

static void print_best(const tm_sweep_table *t)
{
    for (int one_se = 0; one_se < 2; one_se++) {
        size_t config;
        if (tm_sweep_best(t, NULL, one_se, &config, NULL) != TM_OK)
            return;
        report_label(one_se ? "best, 1 se" : "best");
        for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
            char shown[TEXT_SHOWN];
            printf("%s=%s ", tm_sweep_table_axis(t, a),
                   text_shown(tm_sweep_table_value(t, config, a), "-", shown));
        }
        tm_sweep_mean mean = {0};
        tm_sweep_summary(t, tm_sweep_table_metric(t, 0), config, &mean, NULL);
        printf("%s %.5g", tm_sweep_table_metric(t, 0), mean.mean);
        size_t unconverged = tm_sweep_unconverged(t, config);
        if (unconverged > 0)
            printf(" (%zu of %zu runs did not converge)", unconverged, mean.count);
        putchar('\n');
    }
}

tm_status sweep_print_page(tm_store *store, int64_t id, const cli_terminal *terminal, tm_error *err)
{
    tm_sweep_table *t;
    cli_terminal own = *terminal;
    tm_status status = tm_store_sweep_table(store, id, &t, err);
    if (status != TM_OK)
        return status;
    status = tm_store_each_sweep(store, id, print_head, &own, err);
    if (status == TM_OK) {
        print_best(t);
        print_nested(t);
        printf("\nconfigurations\n");
        status = sweep_print_configs(t, err);
    }
    tm_sweep_table_free(t);
    return status;
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_text(const char *text)
{
    bool quoted = text && strpbrk(text, ",\"\r\n");
    putchar(',');
    if (quoted)
        putchar('"');
    for (const char *c = text; c && *c; c++) {
        if (quoted && *c == '"')
            putchar('"');
        putchar(*c);
    }
    if (quoted)
        putchar('"');
}

tm_status sweep_print_csv(tm_store *store, int64_t id, tm_error *err)
{
    tm_sweep_table *t;
    tm_status status = tm_store_sweep_table(store, id, &t, err);
    if (status != TM_OK)
        return status;
    size_t axes = tm_sweep_table_axes(t), metrics = tm_sweep_table_metrics(t);
    printf("config,repeat,outer,inner");
    for (size_t a = 0; a < axes; a++)
        csv_text(tm_sweep_table_axis(t, a));
    printf(",status");
    for (size_t m = 0; m < metrics; m++)
        csv_text(tm_sweep_table_metric(t, m));
    printf(",lambda,primal,dual,gap,nnz,seconds,columns,updates,error\n");
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        for (size_t s = 0; s < tm_sweep_table_splits(t); s++) {
            const tm_sweep_cell *cell = tm_sweep_table_cell(t, c, s);
            const tm_sweep_split *split = tm_sweep_table_split(t, s);
            if (cell->status == TM_CELL_OPEN)
                continue;
            printf("%zu,%d,%d,%d", c + 1, split->repeat, split->outer, split->inner);
            for (size_t a = 0; a < axes; a++)
                csv_text(tm_sweep_table_value(t, c, a));
            csv_text(tm_cell_status_name(cell->status));
            for (size_t m = 0; m < metrics; m++)
                report_csv_real(stdout, cell->scores[m]);
            report_csv_real(stdout, cell->lambda);
            report_csv_real(stdout, cell->primal);
            report_csv_real(stdout, cell->dual);
            report_csv_real(stdout, cell->gap);
            report_csv_real(stdout, cell->nnz);
            report_csv_real(stdout, cell->seconds);
            report_csv_real(stdout, cell->columns);
            report_csv_real(stdout, cell->updates);
            csv_text(cell->error);
            putchar('\n');
        }
    tm_sweep_table_free(t);
    return TM_OK;
}
