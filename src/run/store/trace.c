/* Traces of runs, thinned to what a plot can show, so that plots of a run outlive the program. */
#include "run/store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
    [TM_EVENT_CHECK] = "check",
    [TM_EVENT_ADD] = "add",
    [TM_EVENT_DROP] = "drop",
    [TM_EVENT_POINT] = "point",
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* ---- recording ----------------------------------------------------------------------------- */

static void bind_known(store_binder *b, uint64_t value, uint64_t unknown)
{
    if (value == unknown)
        store_bind_null(b);
    else
        store_bind_count(b, value);
}

static tm_status add_event(tm_store *store, int64_t id, size_t k, const tm_event *event,
                           tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    tm_status status = store_prepared(store, STORE_ADD_EVENT, &b.statement, err);
    if (status != TM_OK)
        return status;
    store_bind_count(&b, (uint64_t)id);
    store_bind_count(&b, k);
    store_bind_text(&b, kinds[event->kind]);
    store_bind_count(&b, event->point);
    store_bind_real(&b, event->seconds);
    store_bind_real(&b, event->lambda);
    store_bind_real(&b, event->primal);
    store_bind_real(&b, event->dual);
    store_bind_real(&b, event->gap);
    store_bind_count(&b, event->columns);
    store_bind_count(&b, event->updates);
    store_bind_count(&b, event->active);
    store_bind_count(&b, event->screened);
    bind_known(&b, event->feature, TM_NO_FEATURE);
    store_bind_real(&b, event->score);
    store_bind_real(&b, event->inner_gap);
    bind_known(&b, event->rejected, TM_NO_COUNT);
    bind_known(&b, event->aggregated, TM_NO_COUNT);
    return store_run(store, &b, err);
}

tm_status store_add_trace(tm_store *store, int64_t id, const tm_job *job, tm_error *err)
{
    const tm_event *events;
    size_t count = tm_trace_read(tm_job_trace(job), &events);
    /* A trace of this capacity thins what is appended to it, like any other. */
    tm_trace *thinned = tm_trace_new(TM_STORE_TRACE);
    tm_status status = thinned ? TM_OK : tm_fail_memory(err, "a trace");
    for (size_t i = 0; thinned && i < count; i++)
        tm_trace_append(thinned, &events[i]);
    if (thinned) {
        tm_trace_finish(thinned);
        count = tm_trace_read(thinned, &events);
    }
    for (size_t k = 0; status == TM_OK && k < count; k++)
        status = add_event(store, id, k, &events[k], err);
    tm_trace_free(thinned);
    return status;
}

/* ---- reading ------------------------------------------------------------------------------- */

static const char select_events[] =
    "SELECT kind, point, seconds, lambda, primal, dual, gap, columns, updates, active, screened,"
    " feature, score, inner_gap, rejected, aggregated FROM traces WHERE run = ?1 ORDER BY k LIMIT "
    "?2";

static double real_of(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL
               ? (double)NAN
               : sqlite3_column_double(statement, column);
}

static uint64_t count_of(sqlite3_stmt *statement, int column, uint64_t unknown)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL
               ? unknown
               : (uint64_t)sqlite3_column_int64(statement, column);
}

static tm_event read_event(sqlite3_stmt *statement)
{
    const char *kind = (const char *)sqlite3_column_text(statement, 0);
    tm_event event = {
        .kind = TM_EVENT_CHECK,
        .point = (uint32_t)count_of(statement, 1, 0),
        .seconds = real_of(statement, 2),
        .lambda = real_of(statement, 3),
        .primal = real_of(statement, 4),
        .dual = real_of(statement, 5),
        .gap = real_of(statement, 6),
        .columns = count_of(statement, 7, 0),
        .updates = count_of(statement, 8, 0),
        .active = count_of(statement, 9, 0),
        .screened = count_of(statement, 10, 0),
        .feature = count_of(statement, 11, TM_NO_FEATURE),
        .score = real_of(statement, 12),
        .inner_gap = real_of(statement, 13),
        .rejected = count_of(statement, 14, TM_NO_COUNT),
        .aggregated = count_of(statement, 15, TM_NO_COUNT),
    };
    for (int i = 0; kind && i < (int)KINDS; i++)
        event.kind = strcmp(kind, kinds[i]) == 0 ? (tm_event_kind)i : event.kind;
    return event;
}

tm_status tm_store_trace(tm_store *store, int64_t id, tm_event **out, size_t *count, tm_error *err)
{
    store_binder b;
    tm_event *events = malloc(TM_STORE_TRACE * sizeof *events);
    *out = NULL;
    *count = 0;
    if (!events)
        return tm_fail_memory(err, "a trace");
    int code = SQLITE_DONE;
    pthread_mutex_lock(&store->lock);
    tm_status status = store_prepare_for(store, select_events, id, &b, err);
    store_bind_count(&b, TM_STORE_TRACE);
    while (status == TM_OK && (code = store_step(&b)) == SQLITE_ROW) {
        events[(*count)++] = read_event(b.statement);
        status = store_row(store, err);
    }
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(b.statement);
    pthread_mutex_unlock(&store->lock);
    if (status != TM_OK || *count == 0) {
        free(events);
        *count = 0;
        return status;
    }
    *out = events;
    return TM_OK;
}
