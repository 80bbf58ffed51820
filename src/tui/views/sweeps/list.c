#include "tui/views/sweeps/list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds between readings of a sweep that another process is running. */
static const double look_seconds = 2;

static double clock_now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static void drop(sweep_entry *entry)
{
    if (entry) {
        free(entry->name);
        tm_sweep_table_free(entry->table);
        free(entry);
    }
}

void sweep_list_free(sweep_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        drop(list->at[i]);
    free(list->at);
    *list = (sweep_list){0};
}

/* NULL when memory ran out. */
static sweep_entry *add(sweep_list *list, const char *name)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
        sweep_entry **grown = reallocarray(list->at, capacity, sizeof *grown);
        if (!grown)
            return NULL;
        list->at = grown;
        list->capacity = capacity;
    }
    sweep_entry *entry = calloc(1, sizeof *entry);
    if (!entry || !(entry->name = strdup(name))) {
        free(entry);
        return NULL;
    }
    entry->read_at = -INFINITY;
    list->at[list->count++] = entry;
    return entry;
}

/* ---- this program's ------------------------------------------------------------------------ */

typedef struct visit {
    sweep_list *list;
    bool changed;
} visit;

/* The address of a freed sweep may be reused; the later sweep has a later start time. */
static sweep_entry *entry_of(sweep_list *list, const tm_sweep *sweep, const tm_sweep_progress *now)
{
    sweep_entry *stored = NULL;
    for (size_t i = list->count; i > 0; i--) {
        sweep_entry *e = list->at[i - 1];
        if (e->handle == sweep && e->last.seconds <= now->seconds && e->last.id == now->id)
            return e;
        if (now->id != 0 && e->id == now->id && !e->handle)
            stored = e;
    }
    sweep_entry *entry = stored ? stored : add(list, tm_sweep_name(sweep));
    list->lost = list->lost || !entry;
    if (entry) {
        entry->handle = sweep;
        entry->id = now->id;
        entry->taken = SIZE_MAX;
    }
    return entry;
}

static void take(tm_sweep *sweep, void *payload)
{
    visit *v = payload;
    tm_sweep_progress now = tm_sweep_get_progress(sweep);
    sweep_entry *entry = entry_of(v->list, sweep, &now);
    if (!entry)
        return;
    bool fresh = entry->taken != now.done;
    v->changed = v->changed || fresh || entry->last.state != now.state ||
                 entry->last.paused != now.paused || now.state == TM_SWEEP_RUNNING;
    entry->last = now;
    entry->running = now.state == TM_SWEEP_RUNNING;
    snprintf(entry->status, sizeof entry->status, "%s",
             now.paused ? "paused" : tm_sweep_state_name(now.state));
    tm_sweep_table *table = fresh ? tm_sweep_snapshot(sweep) : NULL;
    if (table) {
        tm_sweep_table_free(entry->table);
        entry->table = table;
        entry->taken = now.done;
    }
}

static void list_handle(tm_sweep *sweep, void *payload)
{
    sweep_list *list = payload;
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i]->handle == sweep)
            list->at[i]->running = true;
}

/* A sweep that was freed no longer runs; its last known state is kept. */
static void forget_freed(sweep_list *list, script *from)
{
    for (size_t i = 0; i < list->count; i++)
        list->at[i]->running = list->at[i]->running && !list->at[i]->handle;
    script_each_sweep(from, list_handle, list);
    for (size_t i = 0; i < list->count; i++) {
        sweep_entry *e = list->at[i];
        if (e->handle && !e->running)
            e->handle = NULL;
        if (e->handle)
            e->running = e->last.state == TM_SWEEP_RUNNING;
    }
}

/* ---- the store's --------------------------------------------------------------------------- */

static tm_status keep(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    sweep_list *list = payload;
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i]->id == sweep->id)
            return TM_OK;
    sweep_entry *entry = add(list, sweep->name ? sweep->name : "sweep");
    if (!entry)
        return tm_fail_memory(err, "the sweeps of the store");
    entry->id = sweep->id;
    entry->running = strcmp(sweep->status, "running") == 0;
    snprintf(entry->status, sizeof entry->status, "%s", sweep->status);
    return TM_OK;
}

bool sweep_list_update(sweep_list *list, script *from, bool stored, tm_error *err)
{
    visit v = {list, false};
    if (stored && list->store && !list->listed) {
        list->listed = true;
        tm_store_each_sweep(list->store, 0, keep, list, err);
        v.changed = true;
    }
    forget_freed(list, from);
    script_each_sweep(from, take, &v);
    return v.changed;
}

static tm_status renew_status(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    sweep_entry *entry = payload;
    (void)err;
    entry->running = strcmp(sweep->status, "running") == 0;
    snprintf(entry->status, sizeof entry->status, "%s", sweep->status);
    return TM_OK;
}

bool sweep_list_read(sweep_list *list, sweep_entry *entry, tm_error *err)
{
    bool due = !entry->table || (entry->running && clock_now() - entry->read_at >= look_seconds);
    if (entry->handle || entry->id == 0 || !list->store || !due)
        return false;
    if (!entry->table && isfinite(entry->read_at) && clock_now() - entry->read_at < look_seconds)
        return false; /* reading it failed a moment ago */
    tm_sweep_table *table = NULL;
    entry->read_at = clock_now();
    tm_status status = tm_store_sweep_table(list->store, entry->id, &table, err);
    if (status == TM_OK)
        status = tm_store_each_sweep(list->store, entry->id, renew_status, entry, err);
    if (status != TM_OK) {
        tm_sweep_table_free(table);
        return false;
    }
    tm_sweep_table_free(entry->table);
    entry->table = table;
    return true;
}

typedef struct wish {
    const void *handle;
    bool done;
} wish;

static void toggle(tm_sweep *sweep, void *payload)
{
    wish *w = payload;
    if (sweep != w->handle)
        return;
    tm_sweep_pause(sweep, !tm_sweep_get_progress(sweep).paused);
    w->done = true;
}

bool sweep_list_pause(script *from, const sweep_entry *entry)
{
    wish w = {entry->handle, false};
    if (entry->handle)
        script_each_sweep(from, toggle, &w);
    return w.done;
}
