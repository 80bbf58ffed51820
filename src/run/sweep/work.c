/* The threads of a sweep, which take tasks one after the other, and the handling of their
 * results. */
#include "run/sweep/work.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/store/reuse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between two reads of what other processes have done, and between two heartbeats. */
static const double LOOK_EVERY = 0.2, BEAT_EVERY = 10;

/* ---- the table ----------------------------------------------------------------------------- */

/* Under the lock: notes that the first `count` cells of the task are in the table. */
static void show(tm_sweep *s, size_t task, size_t count)
{
    if (s->tasks.states[task] == SWEEP_TASK_OTHER_SHARD || count <= s->tasks.shown[task])
        return;
    s->cells.done += count - s->tasks.shown[task];
    s->tasks.shown[task] = (uint32_t)count;
}

/* Under the lock: notes that the task's cells are in the table. */
static void mark_done(tm_sweep *s, size_t task, sweep_task_state state)
{
    bool had =
        s->tasks.states[task] == SWEEP_TASK_DONE || s->tasks.states[task] == SWEEP_TASK_UNSAVED;
    bool own = s->tasks.states[task] != SWEEP_TASK_OTHER_SHARD;
    const sweep_chain *chain = sweep_chain_of(s, task);
    if (!own)
        return;
    s->tasks.states[task] = (uint8_t)state;
    if (had)
        return;
    s->tasks.done++;
    show(s, task, chain->count);
    sweep_splits_finished(&s->plan.splits, task / s->plan.chain_count,
                          s->plan.points[s->plan.configs[chain->configs[0]].point].variant);
    pthread_cond_broadcast(&s->changed);
}

/* Under the lock: puts the cells before `end` into the table. */
static void keep_cells(tm_sweep *s, size_t task, const sweep_found *found, size_t end)
{
    const sweep_chain *chain = sweep_chain_of(s, task);
    for (size_t i = s->tasks.shown[task] > found->first ? s->tasks.shown[task] : found->first;
         i < end; i++)
        sweep_table_set(s->table, chain->configs[i], task / s->plan.chain_count, &found->cells[i]);
    show(s, task, end);
}

static void keep_found(tm_sweep *s, size_t task, const sweep_found *found, sweep_task_state state)
{
    pthread_mutex_lock(&s->lock);
    keep_cells(s, task, found, found->count);
    mark_done(s, task, state);
    pthread_mutex_unlock(&s->lock);
}

/* Under the lock: whether the first `count` cells of the task are in the table. */
static bool has_cells(const tm_sweep *s, size_t task, size_t count)
{
    const sweep_chain *chain = sweep_chain_of(s, task);
    size_t split = task / s->plan.chain_count;
    for (size_t i = 0; i < count; i++)
        if (tm_sweep_table_cell(s->table, chain->configs[i], split)->status == TM_CELL_OPEN)
            return false;
    return true;
}

/* Under the lock. A task that is finished in the store but lacks a cell has damaged results there
 * and is done again. */
static tm_status take_done(tm_sweep *s, size_t task, tm_error *err)
{
    if (has_cells(s, task, sweep_chain_of(s, task)->count)) {
        mark_done(s, task, SWEEP_TASK_DONE);
        return TM_OK;
    }
    s->record.damaged += sweep_chain_of(s, task)->count;
    return store_sweep_reopen(s->record.store, &(store_task){s->record.id, task, &s->plan}, err);
}

tm_status sweep_refresh(tm_sweep *s, tm_error *err)
{
    bool *done = mem_zeros(s->tasks.count, sizeof *done);
    pthread_mutex_lock(&s->lock);
    tm_status status =
        done ? store_sweep_load(s->record.store, s->record.id, s->table, done, s->tasks.count, err)
             : tm_fail_memory(err, "a sweep");
    for (size_t t = 0; status == TM_OK && t < s->tasks.count; t++)
        if (done[t])
            status = take_done(s, t, err);
    pthread_mutex_unlock(&s->lock);
    free(done);
    return status;
}

/* ---- the store ----------------------------------------------------------------------------- */

static void set_error(tm_sweep *s, const tm_error *err)
{
    pthread_mutex_lock(&s->lock);
    if (s->error.code == TM_OK)
        s->error = *err;
    pthread_mutex_unlock(&s->lock);
}

static tm_status record(tm_sweep *s, size_t task, sweep_found *found, const sweep_mark *mark,
                        store_claim *state, tm_error *err)
{
    return store_sweep_record(s->record.store, &(store_task){s->record.id, task, &s->plan}, found,
                              mark, state, err);
}

/* Tries again to save what could not be saved before; true if nothing is left. */
static bool save_rest(tm_sweep *s)
{
    tm_error err = TM_ERROR_INIT;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        sweep_unsaved *one = s->unsaved;
        if (one)
            s->unsaved = one->next;
        pthread_mutex_unlock(&s->lock);
        if (!one)
            return true;
        store_claim state;
        bool saved = record(s, one->task, &one->found, NULL, &state, &err) == TM_OK;
        pthread_mutex_lock(&s->lock);
        if (saved) {
            mark_done(s, one->task, SWEEP_TASK_DONE);
        } else {
            one->next = s->unsaved;
            s->unsaved = one;
        }
        pthread_mutex_unlock(&s->lock);
        if (!saved) {
            set_error(s, &err);
            return false;
        }
        sweep_found_clear(&one->found);
        free(one);
    }
}

/* The results stay in the table even if saving fails; what could not be saved is kept for later. */
static void save(tm_sweep *s, size_t task, sweep_found *found)
{
    tm_error err = TM_ERROR_INIT;
    if (!s->record.store) {
        keep_found(s, task, found, SWEEP_TASK_DONE);
        return;
    }
    store_claim state;
    bool saved = save_rest(s) && record(s, task, found, NULL, &state, &err) == TM_OK;
    keep_found(s, task, found, saved ? SWEEP_TASK_DONE : SWEEP_TASK_UNSAVED);
    if (saved)
        return;
    set_error(s, &err);
    sweep_unsaved *one = malloc(sizeof *one);
    if (!one)
        return;
    pthread_mutex_lock(&s->lock);
    *one = (sweep_unsaved){s->unsaved, task, *found};
    s->unsaved = one;
    pthread_mutex_unlock(&s->lock);
    *found = (sweep_found){0};
}

/* ---- workers ------------------------------------------------------------------------------- */

/* Takes the next open task; task_count if there is none. Waits while the sweep is paused. */
static size_t pick(tm_sweep *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->paused && !s->cancelled)
        pthread_cond_wait(&s->changed, &s->lock);
    while (s->tasks.next < s->tasks.count && s->tasks.states[s->tasks.next] != SWEEP_TASK_OPEN)
        s->tasks.next++;
    size_t task = s->cancelled ? s->tasks.count : s->tasks.next;
    if (task < s->tasks.count)
        s->tasks.states[task] = SWEEP_TASK_HERE;
    pthread_mutex_unlock(&s->lock);
    return task;
}

/* Whether a task may become available later, because a process that holds one may die. */
static bool must_wait(tm_sweep *s)
{
    pthread_mutex_lock(&s->lock);
    bool waits = false;
    for (size_t t = 0; !s->cancelled && !waits && t < s->tasks.count; t++)
        waits = s->tasks.states[t] == SWEEP_TASK_ELSEWHERE;
    pthread_mutex_unlock(&s->lock);
    return waits;
}

static void set_task(tm_sweep *s, size_t task, sweep_task_state state)
{
    pthread_mutex_lock(&s->lock);
    if (s->tasks.states[task] == SWEEP_TASK_HERE)
        s->tasks.states[task] = (uint8_t)state;
    if (state == SWEEP_TASK_OPEN && task < s->tasks.next)
        s->tasks.next = task;
    pthread_mutex_unlock(&s->lock);
}

/* Claims the task; true if this process is to do it. *mark is the position of its chain. */
static bool claim(tm_sweep *s, size_t task, sweep_mark *mark)
{
    tm_error err = TM_ERROR_INIT;
    store_claim got = STORE_CLAIM_MINE;
    *mark = (sweep_mark){0, NAN, NULL};
    if (!s->record.store)
        return true;
    if (store_sweep_claim(s->record.store, s->record.id, task, &got, mark, &err) == TM_OK &&
        mark->cells > 0 && sweep_refresh(s, &err) == TM_OK) {
        pthread_mutex_lock(&s->lock);
        if (has_cells(s, task, mark->cells)) {
            s->cells.resumed += mark->cells - s->tasks.shown[task];
            show(s, task, mark->cells);
        } else {
            s->record.damaged += mark->cells;
            sweep_mark_clear(mark);
        }
        pthread_mutex_unlock(&s->lock);
    }
    if (err.code != TM_OK) {
        set_error(s, &err);
        sweep_mark_clear(mark);
        return true; /* done anyway: its results are kept, and saved when possible */
    }
    if (got != STORE_CLAIM_MINE)
        set_task(s, task,
                 SWEEP_TASK_ELSEWHERE); /* the keeper thread fetches what others have finished */
    return got == STORE_CLAIM_MINE;
}

/* The chain continues even if the piece could not be saved; it is offered to the store again at the
 * end. */
static bool piece_done(sweep_found *found, const sweep_mark *mark, void *payload)
{
    const sweep_worker *self = payload;
    tm_sweep *s = self->sweep;
    tm_error err = TM_ERROR_INIT;
    store_claim state = STORE_CLAIM_MINE;
    pthread_mutex_lock(&s->lock);
    keep_cells(s, self->task, found, mark->cells);
    pthread_mutex_unlock(&s->lock);
    if (!s->record.store)
        return true;
    if (record(s, self->task, found, mark, &state, &err) != TM_OK)
        set_error(s, &err);
    if (state != STORE_CLAIM_TAKEN && state != STORE_CLAIM_DONE)
        return true;
    set_task(s, self->task, SWEEP_TASK_ELSEWHERE);
    return false;
}

/* Finds the cells of a starting task that other sweeps have solved; none if the store cannot be
 * read. */
static void find_reuse(tm_sweep *s, size_t task, const sweep_mark *mark, sweep_reuse *reuse)
{
    tm_error err = TM_ERROR_INIT;
    *reuse = (sweep_reuse){0};
    if (!s->record.reuses || mark->cells > 0)
        return;
    if (store_reuse_find(s->record.store, &(store_task){s->record.id, task, &s->plan}, reuse,
                         &err) != TM_OK)
        reuse->count = 0;
    if (reuse->count == 0)
        return;
    pthread_mutex_lock(&s->lock);
    s->cells.reused += reuse->count;
    pthread_mutex_unlock(&s->lock);
}

static void run_task(tm_sweep *s, sweep_worker *self, size_t task, sweep_mark *mark)
{
    sweep_found found = {0};
    sweep_reuse reuse;
    tm_error err = TM_ERROR_INIT;
    find_reuse(s, task, mark, &reuse);
    const sweep_task_spec spec = {
        task, &self->current, mark, reuse.count > 0 ? &reuse : NULL, piece_done, self};
    self->task = task;
    tm_status status = sweep_task_run(&s->plan, &spec, &found, &err);
    sweep_reuse_clear(&reuse);
    if (status == TM_OK) {
        save(s, task, &found);
    } else {
        if (s->record.store)
            store_sweep_release(s->record.store, s->record.id, task, NULL);
        set_task(s, task, SWEEP_TASK_OPEN);
        if (status != TM_ECANCELLED) {
            set_error(s, &err);
            tm_sweep_cancel(s);
        }
    }
    sweep_found_clear(&found);
}

/* Under the lock: the last worker sets the final status. */
static void end(tm_sweep *s)
{
    if (--s->running > 0)
        return;
    bool unsaved = s->unsaved || s->record.lost || s->tasks.done < s->tasks.own;
    s->state = s->error.code != TM_OK && unsaved ? TM_SWEEP_FAILED
               : s->tasks.done < s->tasks.own    ? TM_SWEEP_CANCELLED
                                                 : TM_SWEEP_DONE;
    s->ended = clock_now();
    s->closing = true;
    pthread_cond_broadcast(&s->changed);
}

void *sweep_work(void *argument)
{
    sweep_worker *self = argument;
    tm_sweep *s = self->sweep;
    for (;;) {
        size_t task = pick(s);
        if (task < s->tasks.count) {
            sweep_mark mark;
            if (claim(s, task, &mark))
                run_task(s, self, task, &mark);
            sweep_mark_clear(&mark);
        } else if (must_wait(s)) {
            clock_sleep(LOOK_EVERY / 4);
        } else {
            break;
        }
    }
    if (s->record.store)
        save_rest(s);
    pthread_mutex_lock(&s->lock);
    end(s);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- the keeper ---------------------------------------------------------------------------- */

/* Offers tasks held by other processes to the workers again; their claims fail while the others are
 * alive. */
static bool reopen(tm_sweep *s)
{
    bool any = false;
    pthread_mutex_lock(&s->lock);
    for (size_t t = 0; t < s->tasks.count; t++)
        if (s->tasks.states[t] == SWEEP_TASK_ELSEWHERE) {
            s->tasks.states[t] = SWEEP_TASK_OPEN;
            s->tasks.next = t < s->tasks.next ? t : s->tasks.next;
            any = true;
        }
    pthread_mutex_unlock(&s->lock);
    return any;
}

static bool sleep_keeper(tm_sweep *s)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += (long)(LOOK_EVERY * 1e9);
    if (at.tv_nsec >= 1000000000L) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000L;
    }
    pthread_mutex_lock(&s->lock);
    if (!s->closing)
        pthread_cond_timedwait(&s->changed, &s->lock, &at);
    bool closing = s->closing;
    pthread_mutex_unlock(&s->lock);
    return !closing;
}

void *sweep_keep(void *argument)
{
    tm_sweep *s = argument;
    double beat = clock_now(), looked = beat;
    while (sleep_keeper(s)) {
        tm_error err = TM_ERROR_INIT;
        size_t done;
        if (clock_now() - looked >= LOOK_EVERY && must_wait(s)) {
            /* A failure to read is reported by the workers, whose next claim fails, too. */
            if (sweep_refresh(s, &err) == TM_OK)
                reopen(s);
            looked = clock_now();
        }
        if (clock_now() - beat >= BEAT_EVERY) {
            store_sweep_beat(s->record.store, s->record.id, &done, &err);
            beat = clock_now();
        }
    }
    return NULL;
}
