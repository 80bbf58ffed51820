#include "tui/views/run_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *run_order_name(run_order order)
{
    static const char *const names[RUN_ORDERS] = {"age", "name", "state",   "lambda",
                                                  "gap", "nnz",  "seconds", "data"};
    return names[order];
}

const tm_solution *run_answer(const tm_job *job)
{
    const tm_point *points;
    size_t done = tm_job_points(job, &points);
    return done > 0 ? &points[done - 1].solution : NULL;
}

const char *run_name(const run_row *row)
{
    return row->stored ? row->stored->name : tm_job_name(row->job);
}

const char *run_method(const run_row *row)
{
    return row->stored ? row->stored->method : tm_method_id(tm_job_method(row->job));
}

const char *run_data(const run_row *row)
{
    return row->stored ? row->stored->data : tm_dataset_name(tm_job_train(row->job));
}

const char *run_state(const run_row *row)
{
    return row->stored ? row->stored->status : tm_job_state_name(tm_job_get_state(row->job));
}

tm_annotation run_annotation(const run_row *row)
{
    tm_annotation label;
    const stored_run *stored = row->stored;
    tm_status status =
        stored ? tm_annotation_copy(&label, &(tm_annotation){stored->tags, stored->note}, NULL)
               : tm_job_annotation(row->job, &label, NULL);
    if (status != TM_OK)
        tm_annotation_clear(&label);
    return label;
}

double run_seconds(const run_row *row)
{
    return row->stored ? row->stored->seconds : tm_job_seconds(row->job);
}

bool run_result(const run_row *row, double *lambda, double *gap, double *nnz)
{
    const stored_run *stored = row->stored;
    const tm_solution *answer = !stored ? run_answer(row->job) : NULL;
    *lambda = stored ? stored->result.lambda : answer ? answer->lambda : NAN;
    *gap = stored ? stored->result.gap : answer ? answer->gap : NAN;
    *nnz = answer ? (double)tm_model_nnz(answer->model) : NAN;
    if (stored && stored->result.nnz >= 0)
        *nnz = (double)stored->result.nnz;
    return stored ? stored->points > 0 : answer != NULL;
}

/* ---- the filter ---------------------------------------------------------------------------- */

tm_status run_list_filter(run_list *list, const char *pattern, tm_error *err)
{
    regex_t compiled;
    if (pattern[0] != '\0') {
        int failed = regcomp(&compiled, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB);
        if (failed != 0) {
            char why[128];
            regerror(failed, &compiled, why, sizeof why);
            return tm_fail(err, TM_EUSAGE, "'%.80s' is no regular expression: %s", pattern, why);
        }
    }
    if (list->filter[0] != '\0')
        regfree(&list->regex);
    int length = snprintf(list->filter, sizeof list->filter, "%s", pattern);
    if (length < 0 || (size_t)length >= sizeof list->filter) {
        list->filter[0] = '\0';
        regfree(&compiled);
        return tm_fail(err, TM_EUSAGE, "this regular expression is too long");
    }
    if (list->filter[0] != '\0')
        list->regex = compiled;
    return TM_OK;
}

static bool matches(const run_list *list, const run_row *row)
{
    if (list->filter[0] == '\0')
        return true;
    tm_annotation label = run_annotation(row);
    const char *texts[] = {run_name(row),  run_method(row), run_data(row),
                           run_state(row), label.tags,      label.note};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof texts / sizeof texts[0]; i++)
        found = texts[i] && regexec(&list->regex, texts[i], 0, NULL, 0) == 0;
    tm_annotation_clear(&label);
    return found;
}

/* ---- the order ----------------------------------------------------------------------------- */

/* The store's status words sort after the states of jobs. */
static double state_key(const run_row *row)
{
    return row->stored ? 100.0 + row->stored->status[0] : (double)tm_job_get_state(row->job);
}

static void find_key(const run_list *list, run_row *row)
{
    double lambda, gap, nnz;
    row->text = NULL;
    row->key = (double)row->age;
    run_result(row, &lambda, &gap, &nnz);
    switch (list->order) {
    case BY_NAME:
        row->text = run_name(row);
        break;
    case BY_STATE:
        row->key = state_key(row);
        break;
    case BY_LAMBDA:
        row->key = lambda;
        break;
    case BY_GAP:
        row->key = gap;
        break;
    case BY_NNZ:
        row->key = nnz;
        break;
    case BY_SECONDS:
        row->key = run_seconds(row);
        break;
    case BY_DATA:
        row->text = run_data(row);
        break;
    default:
        break;
    }
}

static int compare_keys(const run_row *left, const run_row *right)
{
    if (left->text && right->text)
        return strcmp(left->text, right->text);
    if (isnan(left->key) || isnan(right->key))
        return (isnan(left->key) ? 1 : 0) - (isnan(right->key) ? 1 : 0);
    return (left->key > right->key) - (left->key < right->key);
}

static int by_age(const run_row *left, const run_row *right)
{
    return (left->age > right->age) - (left->age < right->age);
}

static int forwards(const void *a, const void *b)
{
    int order = compare_keys(a, b);
    return order != 0 ? order : by_age(a, b);
}

/* Reversed order, where rows without a value still come last. */
static int backwards(const void *a, const void *b)
{
    const run_row *left = a, *right = b;
    bool missing = !left->text && (isnan(left->key) || isnan(right->key));
    int order = missing ? compare_keys(left, right) : compare_keys(right, left);
    return order != 0 ? order : by_age(left, right);
}

/* ---- gathering ----------------------------------------------------------------------------- */

static void add(run_list *list, run_row row)
{
    list->total++;
    if (!matches(list, &row))
        return;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        run_row *grown = realloc(list->rows, capacity * sizeof *grown);
        if (!grown)
            return;
        list->rows = grown;
        list->capacity = capacity;
    }
    row.age = list->total;
    find_key(list, &row);
    list->rows[list->count++] = row;
}

void run_list_fill(run_list *list, const explore_runs *e, const session *s)
{
    list->count = list->total = 0;
    if (e->solve)
        add(list, (run_row){.job = e->solve, .index = SIZE_MAX});
    if (e->path)
        add(list, (run_row){.job = e->path, .index = SIZE_MAX});
    for (size_t i = s->runs.count; i > 0; i--)
        add(list, (run_row){.job = s->runs.at[i - 1].job, .index = i - 1});
    for (size_t i = s->stored.count; i > 0; i--)
        add(list, (run_row){.stored = s->stored.runs[i - 1], .index = SIZE_MAX});
    if (list->count > 1)
        qsort(list->rows, list->count, sizeof *list->rows, list->backwards ? backwards : forwards);
}

void run_list_free(run_list *list)
{
    if (list->filter[0] != '\0')
        regfree(&list->regex);
    free(list->rows);
    *list = (run_list){0};
}
