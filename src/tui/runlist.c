#include "tui/runlist.h"

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

/* ---- the filter ---------------------------------------------------------------------------- */

tm_status runlist_filter(runlist *list, const char *pattern, tm_error *err)
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
    if (list->filter[0] != '\0') {
        regfree(&list->regex);
    }
    int length = snprintf(list->filter, sizeof list->filter, "%s", pattern);
    if (length < 0 || (size_t)length >= sizeof list->filter) {
        list->filter[0] = '\0';
        regfree(&compiled);
        return tm_fail(err, TM_EUSAGE, "this regular expression is too long");
    }
    if (list->filter[0] != '\0') {
        list->regex = compiled;
    }
    return TM_OK;
}

static bool matches(const runlist *list, const tm_job *job)
{
    const char *texts[] = {tm_job_name(job), tm_method_id(tm_job_method(job)),
                           tm_dataset_name(tm_job_train(job)),
                           tm_job_state_name(tm_job_get_state(job))};
    if (list->filter[0] == '\0') {
        return true;
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i] != NULL && regexec(&list->regex, texts[i], 0, NULL, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- the order ----------------------------------------------------------------------------- */

static void find_key(const runlist *list, run_row *row)
{
    const tm_solution *answer = run_answer(row->job);
    row->text = NULL;
    row->key = NAN;
    switch (list->order) {
    case BY_NAME:
        row->text = tm_job_name(row->job);
        break;
    case BY_STATE:
        row->key = (double)tm_job_get_state(row->job);
        break;
    case BY_LAMBDA:
        row->key = answer != NULL ? answer->lambda : NAN;
        break;
    case BY_GAP:
        row->key = answer != NULL ? answer->gap : NAN;
        break;
    case BY_NNZ:
        row->key = answer != NULL ? (double)tm_model_nnz(answer->model) : NAN;
        break;
    case BY_SECONDS:
        row->key = tm_job_seconds(row->job);
        break;
    case BY_DATA:
        row->text = tm_dataset_name(tm_job_train(row->job));
        break;
    default:
        row->key = (double)row->age;
        break;
    }
}

static int compare_keys(const run_row *left, const run_row *right)
{
    if (left->text != NULL && right->text != NULL) {
        return strcmp(left->text, right->text);
    }
    if (isnan(left->key) || isnan(right->key)) {
        return (isnan(left->key) ? 1 : 0) - (isnan(right->key) ? 1 : 0);
    }
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

/* Rows without a value stay behind the others. */
static int backwards(const void *a, const void *b)
{
    const run_row *left = a, *right = b;
    bool missing = left->text == NULL && (isnan(left->key) || isnan(right->key));
    int order = missing ? compare_keys(left, right) : compare_keys(right, left);
    return order != 0 ? order : by_age(left, right);
}

/* ---- gathering ----------------------------------------------------------------------------- */

static void add(runlist *list, tm_job *job, size_t index)
{
    list->total++;
    if (!matches(list, job)) {
        return;
    }
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 64 : 2 * list->room;
        run_row *grown = realloc(list->rows, room * sizeof *grown);
        if (grown == NULL) {
            return;
        }
        list->rows = grown;
        list->room = room;
    }
    run_row *row = &list->rows[list->count++];
    *row = (run_row){.job = job, .index = index, .age = list->total};
    find_key(list, row);
}

void runlist_fill(runlist *list, const explorer *e, const session *s)
{
    list->count = list->total = 0;
    if (e->solve != NULL) {
        add(list, e->solve, SIZE_MAX);
    }
    if (e->path != NULL) {
        add(list, e->path, SIZE_MAX);
    }
    for (size_t i = s->run_count; i > 0; i--) {
        add(list, s->runs[i - 1].job, i - 1);
    }
    if (list->count > 1) {
        qsort(list->rows, list->count, sizeof *list->rows, list->backwards ? backwards : forwards);
    }
}

void runlist_free(runlist *list)
{
    if (list->filter[0] != '\0') {
        regfree(&list->regex);
    }
    free(list->rows);
    *list = (runlist){0};
}
