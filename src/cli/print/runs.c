#include "cli/print/runs.h"

#include "base/text.h"
#include "cli/print/json.h"
#include "cli/print/report.h"
#include "cli/print/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A time as text, by strftime's format; "" if it is not known. */
static const char *moment(double seconds, bool utc, const char *format, char *buffer, size_t size)
{
    struct tm parts;
    buffer[0] = '\0';
    if (!isfinite(seconds) || fabs(seconds) > 1e11)
        return buffer;
    time_t whole = (time_t)floor(seconds);
    if (utc ? gmtime_r(&whole, &parts) != NULL : localtime_r(&whole, &parts) != NULL)
        if (strftime(buffer, size, format, &parts) == 0)
            buffer[0] = '\0';
    return buffer;
}

/* ---- the list ------------------------------------------------------------------------------ */

static tm_status add_row(const tm_stored_run *run, void *payload, tm_error *err)
{
    cli_table *table = payload;
    char when[32];
    (void)err;
    cli_table_add_count(table, run->id);
    cli_table_add(table, "%s", moment(run->begun, false, "%F %H:%M", when, sizeof when));
    cli_table_add(table, "%s", run->name);
    cli_table_add(table, "%s", run->method);
    cli_table_add(table, "%s", run->data);
    cli_table_add(table, "%s", run->status);
    cli_table_add(table, "%s", run->label.tags);
    cli_table_add_real(table, 5, run->answer.lambda);
    cli_table_add_real(table, 2, run->answer.gap);
    cli_table_add_count(table, run->answer.nnz);
    cli_table_add_real(table, 3, run->seconds);
    return TM_OK;
}

static tm_status count_sweep(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    (void)sweep;
    (void)err;
    ++*(size_t *)payload;
    return TM_OK;
}

/* Printed instead of a table without rows. */
static tm_status say_none(tm_store *store, const tm_store_filter *filter, tm_error *err)
{
    size_t sweeps = 0;
    bool any = filter->method || filter->status || filter->before > 0 || filter->name ||
               filter->tag || filter->note;
    tm_status status = tm_store_each_sweep(store, 0, count_sweep, &sweeps, err);
    if (status != TM_OK)
        return status;
    printf("%s", any ? "no run is like that" : "no runs");
    if (sweeps > 0)
        printf("; %zu sweep%s: tamis runs sweeps", sweeps, sweeps == 1 ? "" : "s");
    printf("\n");
    return TM_OK;
}

tm_status runs_print_table(tm_store *store, const tm_store_filter *filter, tm_error *err)
{
    static const char *const titles[] = {"id",   "when",   "name", "method", "data",   "status",
                                         "tags", "lambda", "gap",  "nnz",    "seconds"};
    enum { COLUMNS = sizeof titles / sizeof *titles };
    cli_table table = {.columns = COLUMNS, .right = 1U | 1U << 7 | 1U << 8 | 1U << 9 | 1U << 10};
    for (size_t c = 0; c < COLUMNS; c++)
        cli_table_add(&table, "%s", titles[c]);
    tm_status status = tm_store_each_run(store, filter, add_row, &table, err);
    if (status == TM_OK && table.count > COLUMNS)
        return cli_table_print(&table, err);
    if (status == TM_OK && table.failed)
        status = tm_fail_memory(err, "a table");
    cli_table_clear(&table);
    return status == TM_OK ? say_none(store, filter, err) : status;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void set_moment(cli_object *object, const char *key, double seconds)
{
    char text[32];
    if (moment(seconds, true, "%FT%TZ", text, sizeof text)[0])
        cli_set_text(object, key, text);
}

static void set_count(cli_object *object, const char *key, int64_t count)
{
    if (count >= 0)
        cli_set_count(object, key, (uint64_t)count);
}

static void set_params(cli_object *object, const char *text)
{
    json_t *params;
    if (cli_read_json(&params, text, NULL) != TM_OK)
        object->failed = true;
    if (params)
        cli_set(object, "params", params);
}

static cli_object data_json(const char *name, const char *sha256)
{
    cli_object data = cli_object_new();
    cli_set_text(&data, "name", name);
    cli_set_text(&data, "sha256", sha256);
    return data;
}

void runs_set_label(cli_object *object, const tm_stored_label *label)
{
    json_t *tags = json_array();
    for (const char *at = label->tags; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (json_array_append_new(tags, json_stringn(at, length)) != 0)
            object->failed = true;
        at += length;
    }
    cli_set(object, "tags", tags);
    cli_set_text(object, "note", label->note);
}

static void line(const char *label, const char *text)
{
    report_label(label);
    report_padded(text, report_columns(text));
    putchar('\n');
}

void runs_print_label(const tm_stored_label *label)
{
    if (label->tags[0])
        line("tags", label->tags);
    if (label->note)
        line("note", label->note);
}

static cli_object run_json(const tm_stored_run *run)
{
    cli_object object = cli_object_new(), data = data_json(run->data, run->sha256);
    set_count(&object, "id", run->id);
    cli_set_text(&object, "name", run->name);
    cli_set_text(&object, "method", run->method);
    cli_set_text(&object, "status", run->status);
    cli_set_text(&object, "error", run->error);
    runs_set_label(&object, &run->label);
    set_count(&data, "n", run->n);
    set_count(&data, "p", run->p);
    cli_set_object(&object, "data", data);
    if (run->test)
        cli_set_object(&object, "test", data_json(run->test, run->test_sha256));
    set_params(&object, run->params);
    set_count(&object, "seed", run->seed);
    cli_set_text(&object, "version", run->version);
    set_moment(&object, "begun", run->begun);
    set_moment(&object, "ended", run->ended);
    cli_set_real(&object, "seconds", run->seconds);
    cli_set_real(&object, "lambda", run->answer.lambda);
    cli_set_real(&object, "lambda_max", run->answer.lambda_max);
    cli_set_real(&object, "primal", run->answer.primal);
    cli_set_real(&object, "dual", run->answer.dual);
    cli_set_real(&object, "gap", run->answer.gap);
    set_count(&object, "nnz", run->answer.nnz);
    cli_set_real(&object, "train_score", run->answer.train_score);
    cli_set_real(&object, "test_score", run->answer.test_score);
    return object;
}

static tm_status gather_run(const tm_stored_run *run, void *payload, tm_error *err)
{
    cli_list *all = payload;
    cli_object one = run_json(run);
    (void)err;
    set_count(&one, "points", run->points);
    cli_list_add(all, one);
    return TM_OK;
}

tm_status runs_print_json(tm_store *store, const tm_store_filter *filter, tm_error *err)
{
    cli_list all = {cli_object_new(), json_array()};
    cli_set_text(&all.object, "store", tm_store_path(store));
    tm_status status = tm_store_each_run(store, filter, gather_run, &all, err);
    return cli_list_write(&all, "runs", status, err);
}

static tm_status take_run(const tm_stored_run *run, void *payload, tm_error *err)
{
    (void)err;
    *(cli_object *)payload = run_json(run);
    return TM_OK;
}

static tm_status gather_point(const tm_stored_point *point, void *payload, tm_error *err)
{
    cli_list *all = payload;
    cli_object one = cli_object_new();
    (void)err;
    cli_set_real(&one, "lambda", point->lambda);
    cli_set_real(&one, "B", point->B);
    cli_set_real(&one, "C", point->C);
    cli_set_text(&one, "status", point->status);
    cli_set_real(&one, "primal", point->primal);
    cli_set_real(&one, "dual", point->dual);
    cli_set_real(&one, "gap", point->gap);
    set_count(&one, "nnz", point->nnz);
    cli_set_real(&one, "intercept", point->intercept);
    cli_set_real(&one, "train_score", point->train_score);
    cli_set_real(&one, "test_score", point->test_score);
    cli_set_real(&one, "seconds", point->seconds);
    set_count(&one, "columns", point->columns);
    set_count(&one, "updates", point->updates);
    set_count(&one, "screened", point->screened);
    cli_list_add(all, one);
    return TM_OK;
}

tm_status runs_print_run_json(tm_store *store, int64_t id, tm_error *err)
{
    cli_list all = {{NULL, false}, NULL};
    tm_status status = tm_store_get(store, id, take_run, &all.object, err);
    if (status != TM_OK) {
        json_decref(all.object.json);
        return status;
    }
    all.items = json_array();
    status = tm_store_each_point(store, id, gather_point, &all, err);
    return cli_list_write(&all, "points", status, err);
}

/* ---- the page ------------------------------------------------------------------------------ */

static void real_line(const char *label, double value)
{
    if (!isnan(value))
        report_line(label, "%.10g", value);
}

static void data_line(const char *label, const char *name, const char *sha256)
{
    report_label(label);
    report_padded(name, report_columns(name));
    printf("   sha256 %.12s...\n", sha256);
}

/* A value as it could be typed, with the fewest digits that distinguish it from other doubles. */
static void print_value(const json_t *value)
{
    char text[64];
    if (json_is_string(value)) {
        report_padded(json_string_value(value), report_columns(json_string_value(value)));
    } else if (json_is_number(value)) {
        text_from_real(json_number_value(value), text, sizeof text);
        fputs(text, stdout);
    } else if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            fputs(i ? "," : "", stdout);
            print_value(json_array_get(value, i));
        }
    } else {
        fputs(json_is_true(value) ? "true" : "false", stdout);
    }
}

static tm_status print_params(const char *text, tm_error *err)
{
    json_t *params, *value;
    const char *key;
    tm_status status = cli_read_json(&params, text, err);
    printf("\nparameters\n");
    json_object_foreach(params, key, value)
    {
        printf("  %-18s  ", key);
        print_value(value);
        putchar('\n');
    }
    json_decref(params);
    return status;
}

static tm_status print_run(const tm_stored_run *run, void *payload, tm_error *err)
{
    const cli_terminal *terminal = payload;
    char text[64];
    snprintf(text, sizeof text, "run %lld", (long long)run->id);
    report_heading(terminal, text);
    line("name", run->name);
    line("method", run->method);
    line("status", run->status);
    if (run->error)
        line("error", run->error);
    runs_print_label(&run->label);
    data_line("data", run->data, run->sha256);
    report_line("", "%lld x %lld", (long long)run->n, (long long)run->p);
    if (run->test)
        data_line("test", run->test, run->test_sha256 ? run->test_sha256 : "");
    line("begun", moment(run->begun, false, "%F %T", text, sizeof text));
    if (isfinite(run->ended))
        line("ended", moment(run->ended, false, "%F %T", text, sizeof text));
    line("tamis", run->version);
    real_line("seconds", run->seconds);
    real_line("lambda_max", run->answer.lambda_max);
    real_line("lambda", run->answer.lambda);
    real_line("primal", run->answer.primal);
    real_line("dual", run->answer.dual);
    real_line("gap", run->answer.gap);
    if (run->answer.nnz >= 0)
        report_line("nnz", "%lld", (long long)run->answer.nnz);
    return print_params(run->params, err);
}

/* The quantities that distinguish a run's points. */
typedef struct places {
    bool lambda, B, C;
} places;

static tm_status find_places(const tm_stored_point *point, void *payload, tm_error *err)
{
    places *found = payload;
    (void)err;
    found->lambda = found->lambda || isfinite(point->lambda);
    found->B = found->B || isfinite(point->B);
    found->C = found->C || isfinite(point->C);
    return TM_OK;
}

typedef struct point_table {
    cli_table table;
    places has;
} point_table;

static tm_status add_point(const tm_stored_point *point, void *payload, tm_error *err)
{
    point_table *points = payload;
    cli_table *table = &points->table;
    (void)err;
    cli_table_add(table, "%zu", table->count / table->columns);
    if (points->has.lambda)
        cli_table_add_real(table, 6, point->lambda);
    if (points->has.B)
        cli_table_add_real(table, 6, point->B);
    if (points->has.C)
        cli_table_add_real(table, 6, point->C);
    cli_table_add(table, "%s", point->status);
    cli_table_add_count(table, point->nnz);
    cli_table_add_real(table, 8, point->primal);
    cli_table_add_real(table, 2, point->gap);
    cli_table_add_real(table, 4, point->train_score);
    cli_table_add_real(table, 4, point->test_score);
    cli_table_add_real(table, 3, point->seconds);
    return TM_OK;
}

static tm_status print_points(tm_store *store, int64_t id, tm_error *err)
{
    static const char *const rest[] = {"status",      "nnz",        "primal", "gap",
                                       "train_score", "test_score", "seconds"};
    point_table points = {.table = {.columns = 1 + sizeof rest / sizeof *rest}};
    tm_status status = tm_store_each_point(store, id, find_places, &points.has, err);
    if (status != TM_OK)
        return status;
    const char *const along[] = {points.has.lambda ? "lambda" : NULL, points.has.B ? "B" : NULL,
                                 points.has.C ? "C" : NULL};
    cli_table *table = &points.table;
    size_t left = 1;
    for (size_t c = 0; c < 3; c++)
        left += along[c] != NULL;
    table->columns += left - 1;
    table->right = ((1U << table->columns) - 1) & ~(1U << left);
    cli_table_add(table, "%s", "point");
    for (size_t c = 0; c < 3; c++)
        if (along[c])
            cli_table_add(table, "%s", along[c]);
    for (size_t c = 0; c < sizeof rest / sizeof *rest; c++)
        cli_table_add(table, "%s", rest[c]);
    status = tm_store_each_point(store, id, add_point, &points, err);
    if (status != TM_OK || (!table->failed && table->count == table->columns)) {
        cli_table_clear(table);
        return status;
    }
    printf("\npoints\n");
    return cli_table_print(table, err);
}

tm_status runs_print_page(tm_store *store, int64_t id, const cli_terminal *terminal, tm_error *err)
{
    cli_terminal own = *terminal;
    tm_status status = tm_store_get(store, id, print_run, &own, err);
    return status == TM_OK ? print_points(store, id, err) : status;
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static tm_status print_csv_row(const tm_stored_point *point, void *payload, tm_error *err)
{
    size_t *number = payload;
    (void)err;
    printf("%zu", ++*number);
    report_csv_real(stdout, point->lambda);
    printf(",%s", point->status);
    report_csv_real(stdout, point->primal);
    report_csv_real(stdout, point->dual);
    report_csv_real(stdout, point->gap);
    printf(",%lld", (long long)point->nnz);
    report_csv_real(stdout, point->intercept);
    report_csv_real(stdout, point->train_score);
    report_csv_real(stdout, point->test_score);
    report_csv_real(stdout, point->seconds);
    printf(",%lld,%lld,%lld", (long long)point->columns, (long long)point->updates,
           (long long)point->screened);
    report_csv_real(stdout, point->B);
    report_csv_real(stdout, point->C);
    putchar('\n');
    return TM_OK;
}

static tm_status pass_over(const tm_stored_run *run, void *payload, tm_error *err)
{
    (void)run;
    (void)payload;
    (void)err;
    return TM_OK;
}

tm_status runs_print_csv(tm_store *store, int64_t id, tm_error *err)
{
    size_t number = 0;
    tm_status status = tm_store_get(store, id, pass_over, NULL, err); /* whether there is a run of
                                                                       * this number */
    if (status != TM_OK)
        return status;
    printf("point,lambda,status,primal,dual,gap,nnz,intercept,train_score,test_score,seconds,"
           "columns,updates,screened,B,C\n");
    return tm_store_each_point(store, id, print_csv_row, &number, err);
}
