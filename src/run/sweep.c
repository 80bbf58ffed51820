/* Sweeps at work: threads that take tasks one after the other, and with a store a thread more that
 * gives signs of life and brings in what other processes have finished. */
#include "tamis/sweep.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/store_sweep.h"

#include <math.h>
#include <string.h>

/* Seconds between two looks at what other processes have done, and between two signs of life. */
static const double LOOK_EVERY = 0.2, BEAT_EVERY = 10;

typedef enum task_state {
    TASK_OPEN,
    TASK_HERE,      /* a worker of ours is at it */
    TASK_ELSEWHERE, /* another process is */
    TASK_UNSAVED,   /* in the table, not in the store yet */
    TASK_DONE,
    TASK_OTHER_SHARD,
} task_state;

typedef struct worker {
    tm_sweep *sweep;
    pthread_t thread;
    sweep_current current;
} worker;

/* Results that the store would not take; it is asked again. */
typedef struct unsaved {
    struct unsaved *next;
    size_t task;
    sweep_found found;
} unsaved;

struct tm_sweep {
    sweep_plan plan;
    tm_store *store; /* or NULL */
    int64_t id;
    size_t resumed;
    worker *workers;
    int worker_count; /* threads that were started */
    pthread_t keeper;
    bool has_keeper;
    double began;

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    tm_sweep_table *table;
    uint8_t *tasks;          /* task_state */
    size_t task_count, next; /* before `next` none is open */
    size_t own;              /* tasks of this shard */
    size_t done, cells_done, cells;
    size_t done_at_start;
    unsaved *unsaved;
    int running; /* workers that have not ended */
    bool cancelled, paused, closing;
    tm_sweep_state state;
    tm_error error;
    double ended;
};

const char *tm_sweep_state_name(tm_sweep_state state)
{
    static const char *const names[] = {"running", "done", "cancelled", "failed"};
    return names[state];
}

/* ---- the table ----------------------------------------------------------------------------- */

static const sweep_chain *chain_of(const tm_sweep *s, size_t task)
{
    return &s->plan.chains[task % s->plan.chain_count];
}

/* Under the lock. The task's cells are in the table. */
static void mark_done(tm_sweep *s, size_t task, task_state state)
{
    bool had = s->tasks[task] == TASK_DONE || s->tasks[task] == TASK_UNSAVED;
    bool own = s->tasks[task] != TASK_OTHER_SHARD;
    const sweep_chain *chain = chain_of(s, task);
    if (!own)
        return;
    s->tasks[task] = (uint8_t)state;
    if (had)
        return;
    s->done++;
    s->cells_done += chain->count;
    sweep_splits_finished(&s->plan.splits, task / s->plan.chain_count,
                          s->plan.points[s->plan.configs[chain->configs[0]].point].data);
    pthread_cond_broadcast(&s->changed);
}

static void keep_found(tm_sweep *s, size_t task, const sweep_found *found, task_state state)
{
    const sweep_chain *chain = chain_of(s, task);
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < chain->count; i++)
        sweep_table_set(s->table, chain->configs[i], task / s->plan.chain_count, &found->cells[i]);
    mark_done(s, task, state);
    pthread_mutex_unlock(&s->lock);
}

/* Brings in what the store has. */
static tm_status refresh(tm_sweep *s, tm_error *err)
{
    bool *done = mem_zeros(s->task_count, sizeof *done);
    pthread_mutex_lock(&s->lock);
    tm_status status = done ? store_sweep_load(s->store, s->id, s->table, done, s->task_count, err)
                            : tm_fail_memory(err, "a sweep");
    for (size_t t = 0; status == TM_OK && t < s->task_count; t++)
        if (done[t])
            mark_done(s, t, TASK_DONE);
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

/* Tries again to save what could not be saved before; true when nothing is left. */
static bool save_rest(tm_sweep *s)
{
    tm_error err = TM_ERROR_INIT;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        unsaved *one = s->unsaved;
        if (one)
            s->unsaved = one->next;
        pthread_mutex_unlock(&s->lock);
        if (!one)
            return true;
        bool saved =
            store_sweep_record(s->store, s->id, one->task, &s->plan, &one->found, &err) == TM_OK;
        pthread_mutex_lock(&s->lock);
        if (saved) {
            mark_done(s, one->task, TASK_DONE);
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

/* The results stay in the table whatever the store says; what it would not take is kept for later. */
static void save(tm_sweep *s, size_t task, sweep_found *found)
{
    tm_error err = TM_ERROR_INIT;
    if (!s->store) {
        keep_found(s, task, found, TASK_DONE);
        return;
    }
    bool saved =
        save_rest(s) && store_sweep_record(s->store, s->id, task, &s->plan, found, &err) == TM_OK;
    keep_found(s, task, found, saved ? TASK_DONE : TASK_UNSAVED);
    if (saved)
        return;
    set_error(s, &err);
    unsaved *one = malloc(sizeof *one);
    if (!one)
        return;
    pthread_mutex_lock(&s->lock);
    *one = (unsaved){s->unsaved, task, *found};
    s->unsaved = one;
    pthread_mutex_unlock(&s->lock);
    *found = (sweep_found){0};
}

/* ---- workers ------------------------------------------------------------------------------- */

/* The next open task, then ours; task_count when there is none. Waits while the sweep is paused. */
static size_t pick(tm_sweep *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->paused && !s->cancelled)
        pthread_cond_wait(&s->changed, &s->lock);
    while (s->next < s->task_count && s->tasks[s->next] != TASK_OPEN)
        s->next++;
    size_t task = s->cancelled ? s->task_count : s->next;
    if (task < s->task_count)
        s->tasks[task] = TASK_HERE;
    pthread_mutex_unlock(&s->lock);
    return task;
}

/* Something may have to be picked later: a process that holds a task may die. */
static bool must_wait(tm_sweep *s)
{
    pthread_mutex_lock(&s->lock);
    bool waits = false;
    for (size_t t = 0; !s->cancelled && !waits && t < s->task_count; t++)
        waits = s->tasks[t] == TASK_ELSEWHERE;
    pthread_mutex_unlock(&s->lock);
    return waits;
}

static void set_task(tm_sweep *s, size_t task, task_state state)
{
    pthread_mutex_lock(&s->lock);
    if (s->tasks[task] == TASK_HERE)
        s->tasks[task] = (uint8_t)state;
    if (state == TASK_OPEN && task < s->next)
        s->next = task;
    pthread_mutex_unlock(&s->lock);
}

/* Whether the task is this process's to do. */
static bool claim(tm_sweep *s, size_t task)
{
    tm_error err = TM_ERROR_INIT;
    store_claim got = STORE_CLAIM_MINE;
    if (!s->store)
        return true;
    if (store_sweep_claim(s->store, s->id, task, &got, &err) != TM_OK) {
        set_error(s,
                  &err); /* done all the same: its results are kept, and saved when they can be */
        return true;
    }
    if (got != STORE_CLAIM_MINE)
        set_task(s, task, TASK_ELSEWHERE); /* the keeper brings in what others have finished */
    return got == STORE_CLAIM_MINE;
}

static void run_task(tm_sweep *s, worker *self, size_t task)
{
    sweep_found found = {0};
    tm_error err = TM_ERROR_INIT;
    tm_status status = sweep_task_run(&s->plan, task, &self->current, &found, &err);
    if (status == TM_OK) {
        save(s, task, &found);
    } else {
        if (s->store)
            store_sweep_release(s->store, s->id, task, NULL);
        set_task(s, task, TASK_OPEN);
        if (status != TM_ECANCELLED) {
            set_error(s, &err);
            tm_sweep_cancel(s);
        }
    }
    sweep_found_clear(&found);
}

/* Under the lock: the last worker says how it ended. */
static void end(tm_sweep *s)
{
    if (--s->running > 0)
        return;
    s->state = s->error.code != TM_OK && (s->unsaved || s->done < s->own) ? TM_SWEEP_FAILED
               : s->done < s->own                                         ? TM_SWEEP_CANCELLED
                                                                          : TM_SWEEP_DONE;
    s->ended = clock_now();
    s->closing = true;
    pthread_cond_broadcast(&s->changed);
}

static void *work(void *argument)
{
    worker *self = argument;
    tm_sweep *s = self->sweep;
    for (;;) {
        size_t task = pick(s);
        if (task < s->task_count) {
            if (claim(s, task))
                run_task(s, self, task);
        } else if (must_wait(s)) {
            clock_sleep(LOOK_EVERY / 4);
        } else {
            break;
        }
    }
    if (s->store)
        save_rest(s);
    pthread_mutex_lock(&s->lock);
    end(s);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- the keeper ---------------------------------------------------------------------------- */

/* What others hold is offered to our workers again, whose claim fails while the others live. */
static bool reopen(tm_sweep *s)
{
    bool any = false;
    pthread_mutex_lock(&s->lock);
    for (size_t t = 0; t < s->task_count; t++)
        if (s->tasks[t] == TASK_ELSEWHERE) {
            s->tasks[t] = TASK_OPEN;
            s->next = t < s->next ? t : s->next;
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

static void *keep(void *argument)
{
    tm_sweep *s = argument;
    double beat = clock_now(), looked = beat;
    while (sleep_keeper(s)) {
        tm_error err = TM_ERROR_INIT;
        size_t done;
        if (clock_now() - looked >= LOOK_EVERY && must_wait(s)) {
            /* A failure to read is told by the workers, whose next claim fails too. */
            if (refresh(s, &err) == TM_OK)
                reopen(s);
            looked = clock_now();
        }
        if (clock_now() - beat >= BEAT_EVERY) {
            store_sweep_beat(s->store, s->id, &done, &err);
            beat = clock_now();
        }
    }
    return NULL;
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

/* Which tasks are ours, and how many wait for each split's data. */
static tm_status list_tasks(tm_sweep *s, const tm_sweep_spec *spec, tm_error *err)
{
    sweep_plan *plan = &s->plan;
    s->task_count = sweep_plan_tasks(plan);
    s->tasks = mem_zeros(s->task_count, 1);
    if (!s->tasks)
        return tm_fail_memory(err, "a sweep");
    for (size_t t = 0; t < s->task_count; t++) {
        const sweep_chain *chain = chain_of(s, t);
        size_t data = plan->points[plan->configs[chain->configs[0]].point].data;
        if (spec->shards > 0 && t % spec->shards != spec->shard) {
            s->tasks[t] = TASK_OTHER_SHARD;
            continue;
        }
        s->own++;
        s->cells += chain->count;
        plan->splits.parts[t / plan->chain_count * plan->splits.data_count + data].pending++;
    }
    return TM_OK;
}

static tm_status start_threads(tm_sweep *s, int workers, tm_error *err)
{
    s->workers = mem_zeros((size_t)workers, sizeof *s->workers);
    if (!s->workers)
        return tm_fail_memory(err, "a sweep's workers");
    for (int i = 0; i < workers; i++) {
        s->workers[i].sweep = s;
        pthread_mutex_init(&s->workers[i].current.lock, NULL);
    }
    s->running = workers;
    for (; s->worker_count < workers; s->worker_count++)
        if (pthread_create(&s->workers[s->worker_count].thread, NULL, work,
                           &s->workers[s->worker_count]) != 0)
            break;
    pthread_mutex_lock(&s->lock);
    s->running -= workers - s->worker_count;
    pthread_mutex_unlock(&s->lock);
    if (s->worker_count == 0)
        return tm_fail(err, TM_ENOMEM, "cannot start a worker thread of the sweep");
    if (s->store)
        s->has_keeper = pthread_create(&s->keeper, NULL, keep, s) == 0;
    if (s->store && !s->has_keeper)
        return tm_fail(err, TM_ENOMEM, "cannot start a thread of the sweep");
    return TM_OK;
}

static tm_status open_store(tm_sweep *s, const tm_sweep_spec *spec, tm_error *err)
{
    if (!spec->store)
        return TM_OK;
    s->store = spec->store;
    tm_status status = store_sweep_open(s->store, &s->plan, s->table->name, spec->method,
                                        spec->fresh, &s->id, err);
    if (status == TM_OK)
        status = refresh(s, err);
    s->resumed = s->done_at_start = s->done;
    return status;
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
    *out = s;
    return TM_OK;
}

void tm_sweep_free(tm_sweep *s)
{
    if (!s)
        return;
    if (s->workers)
        tm_sweep_cancel(s);
    for (int i = 0; i < s->worker_count; i++)
        pthread_join(s->workers[i].thread, NULL);
    if (s->has_keeper)
        pthread_join(s->keeper, NULL);
    for (unsaved *one = s->unsaved, *next; one; one = next) {
        next = one->next;
        sweep_found_clear(&one->found);
        free(one);
    }
    sweep_plan_clear(&s->plan);
    tm_sweep_table_free(s->table);
    free(s->workers);
    free(s->tasks);
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
    for (int i = 0; i < s->worker_count; i++)
        sweep_current_cancel(&s->workers[i].current);
}

void tm_sweep_pause(tm_sweep *s, bool paused)
{
    pthread_mutex_lock(&s->lock);
    s->paused = paused;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < s->worker_count; i++)
        sweep_current_pause(&s->workers[i].current, paused);
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
        .cells = s->cells,
        .done = s->cells_done,
        .tasks = s->own,
        .tasks_done = s->done,
        .resumed = s->resumed,
        .seconds = until - s->began,
        .left = NAN,
        .id = s->id,
    };
    tm_sweep_table_done(s->table, &p.failed);
    size_t fresh = s->done - s->done_at_start;
    if (s->state != TM_SWEEP_RUNNING)
        p.left = 0;
    else if (fresh > 0)
        p.left = p.seconds / (double)fresh * (double)(s->own - s->done);
    pthread_mutex_unlock(lock_of(s));
    return p;
}

const char *tm_sweep_name(const tm_sweep *s)
{
    return s->table->name;
}

const tm_error *tm_sweep_error(const tm_sweep *s)
{
    return &s->error;
}
