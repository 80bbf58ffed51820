#include "tui/session/stored_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void drop(stored_run *run)
{
    if (run) {
        free(run->name);
        free(run->method);
        free(run->params);
        free(run->data);
        free(run->sha256);
        free(run->status);
        free(run->error);
        free(run->tags);
        free(run->note);
        free(run->loaded.points);
        free(run->loaded.events);
        free(run);
    }
}

/* Copies a text; an unknown one (NULL) becomes empty. */
static char *copy(const char *text, bool *lost)
{
    char *mine = strdup(text ? text : "");
    *lost = *lost || !mine;
    return mine;
}

static stored_run *make(const tm_stored_run *from)
{
    stored_run *run = calloc(1, sizeof *run);
    bool lost = false;
    if (!run)
        return NULL;
    *run = (stored_run){
        .id = from->id,
        .n = from->n,
        .p = from->p,
        .points = from->points,
        .name = copy(from->name, &lost),
        .method = copy(from->method, &lost),
        .params = copy(from->params, &lost),
        .data = copy(from->data, &lost),
        .sha256 = copy(from->sha256, &lost),
        .status = copy(from->status, &lost),
        .error = copy(from->error, &lost),
        .tags = copy(from->label.tags, &lost),
        .note = copy(from->label.note, &lost),
        .seconds = from->seconds,
        .begun = from->begun,
        .result = {.nnz = from->answer.nnz,
                   .lambda = from->answer.lambda,
                   .lambda_max = from->answer.lambda_max,
                   .primal = from->answer.primal,
                   .dual = from->answer.dual,
                   .gap = from->answer.gap,
                   .train_score = from->answer.train_score,
                   .test_score = from->answer.test_score},
    };
    if (lost) {
        drop(run);
        return NULL;
    }
    return run;
}

static tm_status keep(const tm_stored_run *run, void *payload, tm_error *err)
{
    stored_runs *h = payload;
    if (h->count == h->capacity) {
        size_t capacity = h->capacity == 0 ? 64 : 2 * h->capacity;
        stored_run **grown = reallocarray(h->runs, capacity, sizeof *grown);
        if (!grown)
            return tm_fail_memory(err, "the runs of the store");
        h->runs = grown;
        h->capacity = capacity;
    }
    h->runs[h->count] = make(run);
    if (!h->runs[h->count])
        return tm_fail_memory(err, "the runs of the store");
    h->count++;
    return TM_OK;
}

tm_status stored_runs_open(stored_runs *h, tm_store *store, tm_error *err)
{
    *h = (stored_runs){.store = store};
    return store ? tm_store_each_run(store, NULL, keep, h, err) : TM_OK;
}

void stored_runs_free(stored_runs *h)
{
    for (size_t i = 0; i < h->count; i++)
        drop(h->runs[i]);
    free(h->runs);
    *h = (stored_runs){0};
}

static tm_status keep_point(const tm_stored_point *point, void *payload, tm_error *err)
{
    stored_run *run = payload;
    if (run->loaded.count == run->loaded.capacity) {
        size_t capacity = run->loaded.capacity == 0 ? 64 : 2 * run->loaded.capacity;
        tm_stored_point *grown = reallocarray(run->loaded.points, capacity, sizeof *grown);
        if (!grown)
            return tm_fail_memory(err, "the points of a run");
        run->loaded.points = grown;
        run->loaded.capacity = capacity;
    }
    run->loaded.points[run->loaded.count] = *point;
    run->loaded.points[run->loaded.count++].status = NULL; /* the text is valid only during this
                                                            * call */
    return TM_OK;
}

tm_status stored_runs_load(stored_runs *h, stored_run *run, tm_error *err)
{
    if (run->loaded.count > 0 || run->loaded.events)
        return TM_OK;
    tm_status status = tm_store_each_point(h->store, run->id, keep_point, run, err);
    if (status == TM_OK)
        status =
            tm_store_trace(h->store, run->id, &run->loaded.events, &run->loaded.event_count, err);
    if (status != TM_OK)
        run->loaded.count = 0;
    return status;
}

place_facts stored_run_place(const stored_run *run, const tm_stored_point *point)
{
    double most = run->result.lambda_max > 0 ? run->result.lambda_max : (double)NAN;
    return (place_facts){isnan(most) ? most : point->lambda, most, point->B, point->C,
                         (double)point->nnz};
}

place_kind stored_run_kind(const stored_run *run)
{
    if (run->loaded.count == 0)
        return PLACE_FEATURES;
    place_facts first = stored_run_place(run, &run->loaded.points[0]);
    place_facts last = stored_run_place(run, &run->loaded.points[run->loaded.count - 1]);
    return place_kind_between(&first, &last);
}

tm_status stored_runs_delete(stored_runs *h, int64_t id, tm_error *err)
{
    tm_store_filter filter = TM_STORE_FILTER_INIT;
    size_t deleted = 0, i = 0;
    filter.id = id;
    tm_status status = tm_store_prune(h->store, &filter, &deleted, err);
    if (status != TM_OK)
        return status;
    if (deleted == 0) {
        return tm_fail(err, TM_EUSAGE, "run %lld is still running, or is gone already",
                       (long long)id);
    }
    while (i < h->count && h->runs[i]->id != id)
        i++;
    if (i < h->count) {
        drop(h->runs[i]);
        h->count--;
        memmove(h->runs + i, h->runs + i + 1, (h->count - i) * sizeof *h->runs);
    }
    return TM_OK;
}
