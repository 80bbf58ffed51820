/* Sweeps: starting, controlling and reading them. */
#include "run/sweep/work.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/sweep/extend.h"

#include <math.h>
#include <string.h>

const char *tm_sweep_state_name(tm_sweep_state state)
{
    static const char *const names[] = {"running", "done", "cancelled", "failed"};
    return names[state];
}

/* ---- starting ------------------------------------------------------------------------------ */

static void init_locks(tm_sweep *s)
{
    pthread_condattr_t monotonic;
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* Lists the tasks of this process, and counts those that need each split's data. */
static tm_status list_tasks(tm_sweep *s, const tm_sweep_spec *spec, tm_error *err)
{
    sweep_plan *plan = &s->plan;
    s->tasks.count = sweep_plan_tasks(plan);
    s->tasks.states = mem_zeros(s->tasks.count, 1);
    s->tasks.shown = mem_zeros(s->tasks.count, sizeof *s->tasks.shown);
    if (!s->tasks.states || !s->tasks.shown)
        return tm_fail_memory(err, "a sweep");
    for (size_t t = 0; t < s->tasks.count; t++) {
        const sweep_chain *chain = sweep_chain_of(s, t);
        size_t variant = plan->points[plan->configs[chain->configs[0]].point].variant;
        if (spec->shards > 0 && t % spec->shards != spec->shard) {
            s->tasks.states[t] = SWEEP_TASK_OTHER_SHARD;
            continue;
        }
        s->tasks.own++;
        s->cells.count += chain->count;
        plan->splits.parts[t / plan->chain_count * plan->splits.variant_count + variant].pending++;
    }
    return TM_OK;
}

static tm_status start_threads(tm_sweep *s, int workers, tm_error *err)
{
    s->threads.workers = mem_zeros((size_t)workers, sizeof *s->threads.workers);
    if (!s->threads.workers)
        return tm_fail_memory(err, "a sweep's workers");
    for (int i = 0; i < workers; i++) {
        s->threads.workers[i].sweep = s;
        pthread_mutex_init(&s->threads.workers[i].current.lock, NULL);
        s->threads.workers[i].current.cancel = tm_cancel_new();
        if (!s->threads.workers[i].current.cancel)
            return tm_fail_memory(err, "a sweep's workers");
        s->threads.worker_room = i + 1;
    }
    s->running = workers;
    for (; s->threads.worker_count < workers; s->threads.worker_count++)
        if (pthread_create(&s->threads.workers[s->threads.worker_count].thread, NULL, sweep_work,
                           &s->threads.workers[s->threads.worker_count]) != 0)
            break;
    pthread_mutex_lock(&s->lock);
    s->running -= workers - s->threads.worker_count;
    pthread_mutex_unlock(&s->lock);
    if (s->threads.worker_count == 0)
        return tm_fail(err, TM_ENOMEM, "cannot start a worker thread of the sweep");
    if (s->record.store)
        s->threads.has_keeper = pthread_create(&s->threads.keeper, NULL, sweep_keep, s) == 0;
    if (s->record.store && !s->threads.has_keeper)
        return tm_fail(err, TM_ENOMEM, "cannot start a thread of the sweep");
    return TM_OK;
}

static tm_status take_label(const tm_stored_sweep *stored, void *payload, tm_error *err)
{
    char *tags = (char *)(uintptr_t)stored->label.tags,
         *note = (char *)(uintptr_t)stored->label.note;
    return tm_annotation_copy(payload, &(tm_annotation){tags, note}, err);
}

/* A store that cannot be used does not stop the sweep, which then ends as failed but has all its
 * results. */
static tm_status open_store(tm_sweep *s, const tm_sweep_spec *spec, tm_error *err)
{
    tm_error why = TM_ERROR_INIT;
    if (!spec->store)
        return TM_OK;
    s->record.store = spec->store;
    tm_status status = store_sweep_open(s->record.store, &s->plan, s->table->name, spec->method,
                                        spec->fresh, &s->record.id, &why);
    if (status == TM_OK)
        status = tm_store_each_sweep(s->record.store, s->record.id, take_label,
                                     &s->record.annotation, &why);
    if (status == TM_OK)
        status = sweep_refresh(s, &why);
    if (status == TM_OK && !spec->fresh)
        status = sweep_extend(s, &why);
    if (status == TM_EUSAGE || status == TM_ENOMEM) {
        *err = why;
        return status;
    }
    if (status != TM_OK) {
        s->record.store = NULL;
        s->record.lost = true;
        s->error = why;
    }
    s->record.resumed = s->tasks.done;
    s->cells.resumed = s->cells.done;
    return TM_OK;
}

tm_status tm_sweep_start(tm_sweep **out, const tm_sweep_spec *spec, tm_error *err)
{
    *out = NULL;
    tm_sweep *s = calloc(1, sizeof *s);
    if (!s)
        return tm_fail_memory(err, "a sweep");
    init_locks(s);
    s->began = clock_now();
    tm_status status = spec->workers < 1 ? tm_fail(err, TM_EUSAGE, "a sweep needs a worker")
                                         : sweep_plan_make(&s->plan, &s->table, spec, err);
    if (status == TM_OK)
        status = list_tasks(s, spec, err);
    if (status == TM_OK)
        status = open_store(s, spec, err);
    if (status == TM_OK)
        status = start_threads(s, spec->workers, err);
    if (status != TM_OK) {
        tm_sweep_free(s);
        return status;
    }
    s->started = true;
    *out = s;
    return TM_OK;
}

void tm_sweep_free(tm_sweep *s)
{
    if (!s)
        return;
    if (s->threads.workers)
        tm_sweep_cancel(s);
    for (int i = 0; i < s->threads.worker_count; i++)
        pthread_join(s->threads.workers[i].thread, NULL);
    if (s->threads.has_keeper)
        pthread_join(s->threads.keeper, NULL);
    for (sweep_unsaved *one = s->unsaved, *next; one; one = next) {
        next = one->next;
        sweep_found_clear(&one->found);
        free(one);
    }
    for (int i = 0; i < s->threads.worker_room; i++)
        tm_cancel_free(s->threads.workers[i].current.cancel);
    const tm_sweep_hooks *hooks = s->plan.hooks;
    sweep_plan_clear(&s->plan);
    free(s->record.extends);
    tm_annotation_clear(&s->record.annotation);
    if (hooks && hooks->release && s->started)
        hooks->release(hooks->owner);
    tm_sweep_table_free(s->table);
    free(s->threads.workers);
    free(s->tasks.states);
    free(s->tasks.shown);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- steering and reading ------------------------------------------------------------------ */

static pthread_mutex_t *lock_of(const tm_sweep *s)
{
    return &((tm_sweep *)(uintptr_t)s)->lock;
}

void tm_sweep_cancel(tm_sweep *s)
{
    pthread_mutex_lock(&s->lock);
    s->cancelled = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < s->threads.worker_count; i++)
        sweep_current_cancel(&s->threads.workers[i].current);
}

void tm_sweep_pause(tm_sweep *s, bool paused)
{
    pthread_mutex_lock(&s->lock);
    s->paused = paused;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < s->threads.worker_count; i++)
        sweep_current_pause(&s->threads.workers[i].current, paused);
}

bool tm_sweep_wait(tm_sweep *s, double seconds)
{
    double until = seconds < 0 ? INFINITY : clock_now() + seconds;
    pthread_mutex_lock(&s->lock);
    while (s->state == TM_SWEEP_RUNNING && clock_now() < until) {
        struct timespec at;
        double left = fmin(until - clock_now(), 60);
        clock_gettime(CLOCK_MONOTONIC, &at);
        double moment = (double)at.tv_nsec * 1e-9 + fmax(left, 0);
        at.tv_sec += (time_t)moment;
        at.tv_nsec = (long)((moment - floor(moment)) * 1e9);
        pthread_cond_timedwait(&s->changed, &s->lock, &at);
    }
    bool ended = s->state != TM_SWEEP_RUNNING;
    pthread_mutex_unlock(&s->lock);
    return ended;
}

tm_sweep_table *tm_sweep_snapshot(const tm_sweep *s)
{
    pthread_mutex_lock(lock_of(s));
    tm_sweep_table *table = sweep_table_copy(s->table);
    pthread_mutex_unlock(lock_of(s));
    return table;
}

tm_sweep_progress tm_sweep_get_progress(const tm_sweep *s)
{
    pthread_mutex_lock(lock_of(s));
    double until = s->state == TM_SWEEP_RUNNING ? clock_now() : s->ended;
    tm_sweep_progress p = {
        .state = s->state,
        .paused = s->paused,
        .cells = s->cells.count,
        .done = s->cells.done,
        .tasks = s->tasks.own,
        .tasks_done = s->tasks.done,
        .resumed = s->record.resumed,
        .resumed_cells = s->cells.resumed,
        .reused = s->cells.reused,
        .damaged = s->record.damaged,
        .seconds = until - s->began,
        .left = NAN,
        .id = s->record.id,
    };
    tm_sweep_table_done(s->table, &p.failed);
    p.unconverged = sweep_table_count(s->table, TM_CELL_MAX_ITER);
    size_t known = s->cells.resumed + s->cells.reused;
    size_t fresh = s->cells.done > known ? s->cells.done - known : 0;
    if (s->state != TM_SWEEP_RUNNING)
        p.left = 0;
    else if (fresh > 0)
        p.left = p.seconds / (double)fresh * (double)(s->cells.count - s->cells.done);
    pthread_mutex_unlock(lock_of(s));
    return p;
}

uint8_t *tm_sweep_roles(const tm_sweep *s, size_t split, size_t *count)
{
    *count = s->plan.splits.rows;
    uint8_t *roles = mem_array(*count, 1);
    for (size_t i = 0; roles && i < *count; i++)
        roles[i] = (uint8_t)sweep_splits_role(&s->plan.splits, split, i);
    return roles;
}

tm_status tm_sweep_whole(tm_dataset *out[2], const tm_sweep *s, size_t config,
                         const tm_dataset *other, tm_cancel *cancel, tm_error *err)
{
    const sweep_plan *plan = &s->plan;
    const sweep_place at = {0, plan->points[plan->configs[config].point].variant, cancel};
    return sweep_splits_whole(out, &plan->splits, &at, other, err);
}

const char *tm_sweep_remark(const tm_sweep *s)
{
    return s->plan.remark[0] ? s->plan.remark : NULL;
}

tm_status tm_sweep_annotation(const tm_sweep *s, tm_annotation *out, tm_error *err)
{
    pthread_mutex_lock(lock_of(s));
    tm_status status = tm_annotation_copy(out, &s->record.annotation, err);
    pthread_mutex_unlock(lock_of(s));
    return status;
}

tm_status tm_sweep_annotate(tm_sweep *s, const tm_annotation *annotation, tm_error *err)
{
    tm_annotation own;
    tm_status status = tm_annotation_copy(&own, annotation, err);
    if (status == TM_OK && s->record.store)
        status = tm_store_annotate(s->record.store, TM_STORED_SWEEP, s->record.id, &own, err);
    if (status == TM_OK) {
        pthread_mutex_lock(&s->lock);
        tm_annotation before = s->record.annotation;
        s->record.annotation = own;
        own = before;
        pthread_mutex_unlock(&s->lock);
    }
    tm_annotation_clear(&own);
    return status;
}

const char *tm_sweep_extends(const tm_sweep *s)
{
    return s->record.extends;
}

size_t tm_sweep_times(const tm_sweep *s, size_t split, size_t row)
{
    return sweep_splits_times(&s->plan.splits, split, row);
}

const char *tm_sweep_name(const tm_sweep *s)
{
    return s->table->name;
}

const tm_error *tm_sweep_error(const tm_sweep *s)
{
    return &s->error;
}
