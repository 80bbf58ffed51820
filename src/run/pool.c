#include "run/job.h"

#include "base/cancel_time.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The pool's jobs in the order of submission; jobs are released when they end. */
typedef struct queue_entry {
    struct queue_entry *next;
    tm_job *job;
} queue_entry;

struct tm_pool {
    int workers;
    pthread_t *threads;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    queue_entry *first, **last; /* queued jobs */
    tm_job **running;           /* by worker; NULL while idle */
    uint64_t next_id;
    size_t ended;  /* number of jobs that workers have ended */
    size_t failed; /* number of these that failed */
    bool closing;
    void (*notify)(void *payload);
    void *payload;
    atomic_bool told; /* a notification was sent and not acknowledged yet */
};

static void tell(void *payload)
{
    tm_pool *pool = payload;
    if (pool->notify && !atomic_exchange(&pool->told, true))
        pool->notify(pool->payload);
}

void tm_pool_acknowledge(tm_pool *pool)
{
    atomic_store(&pool->told, false);
}

/* ---- workers ------------------------------------------------------------------------------- */

/* Takes the first queued job, or waits for one; NULL when the pool closes. */
static tm_job *take(tm_pool *pool)
{
    while (!pool->first && !pool->closing)
        pthread_cond_wait(&pool->changed, &pool->lock);
    queue_entry *entry = pool->first;
    if (!entry || pool->closing)
        return NULL;
    tm_job *job = entry->job;
    pool->first = entry->next;
    if (!pool->first)
        pool->last = &pool->first;
    free(entry);
    return job;
}

typedef struct worker {
    tm_pool *pool;
    int place;
} worker;

static void *work(void *argument)
{
    worker self = *(worker *)argument;
    tm_pool *pool = self.pool;
    free(argument);
    pthread_mutex_lock(&pool->lock);
    for (tm_job *job; (job = take(pool));) {
        pool->running[self.place] = job;
        pthread_mutex_unlock(&pool->lock);
        job_run(job);
        pthread_mutex_lock(&pool->lock);
        pool->running[self.place] = NULL;
        pool->ended++;
        pool->failed += tm_job_get_state(job) == TM_JOB_FAILED;
        pthread_mutex_unlock(&pool->lock);
        tell(pool);
        tm_job_unref(job);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* ---- making -------------------------------------------------------------------------------- */

static tm_status start(tm_pool *pool, int place, tm_error *err)
{
    worker *w = malloc(sizeof *w);
    if (!w)
        return tm_fail_memory(err, "a worker");
    *w = (worker){pool, place};
    int problem = pthread_create(&pool->threads[place], NULL, work, w);
    if (problem == 0)
        return TM_OK;
    free(w);
    return tm_fail(err, TM_ENOMEM, "cannot start a worker thread: %s", strerror(problem));
}

tm_status tm_pool_new(tm_pool **out, int workers, void (*notify)(void *payload), void *payload,
                      tm_error *err)
{
    *out = NULL;
    if (workers < 1)
        return tm_fail(err, TM_EUSAGE, "a pool needs at least one worker, got %d", workers);
    tm_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return tm_fail_memory(err, "workers");
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->last = &pool->first;
    pool->notify = notify;
    pool->payload = payload;
    atomic_init(&pool->told, false);
    pool->threads = mem_array((size_t)workers, sizeof *pool->threads);
    pool->running = mem_zeros((size_t)workers, sizeof *pool->running);
    tm_status status = pool->threads && pool->running ? TM_OK : tm_fail_memory(err, "workers");
    for (int i = 0; status == TM_OK && i < workers; i++) {
        status = start(pool, i, err);
        pool->workers += status == TM_OK;
    }
    if (status == TM_OK)
        *out = pool;
    else
        tm_pool_free(pool);
    return status;
}

void tm_pool_free(tm_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    for (int i = 0; i < pool->workers; i++)
        if (pool->running[i])
            tm_cancel_set(pool->running[i]->cancel);
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->workers; i++)
        pthread_join(pool->threads[i], NULL);
    for (queue_entry *entry = pool->first, *next; entry; entry = next) {
        next = entry->next;
        job_abandon(entry->job);
        tm_job_unref(entry->job);
        free(entry);
    }
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool->running);
    free(pool);
}

int tm_pool_workers(const tm_pool *pool)
{
    return pool->workers;
}

void tm_pool_counts(const tm_pool *pool, size_t *queued, size_t *running, size_t *ended)
{
    tm_pool *p = (tm_pool *)(uintptr_t)pool;
    pthread_mutex_lock(&p->lock);
    *queued = *running = 0;
    *ended = p->ended;
    /* A job that was cancelled in the queue has ended, although no worker has removed it yet. */
    for (const queue_entry *entry = p->first; entry; entry = entry->next)
        *(tm_job_ended(entry->job) ? ended : queued) += 1;
    for (int i = 0; i < p->workers; i++)
        *running += p->running[i] != NULL;
    pthread_mutex_unlock(&p->lock);
}

size_t tm_pool_failed(const tm_pool *pool)
{
    tm_pool *p = (tm_pool *)(uintptr_t)pool;
    pthread_mutex_lock(&p->lock);
    size_t failed = p->failed;
    pthread_mutex_unlock(&p->lock);
    return failed;
}

/* ---- submitting ---------------------------------------------------------------------------- */

/* Refuses at once what would otherwise fail later on a worker. */
static tm_status check_spec(const tm_job_spec *spec, tm_error *err)
{
    tm_grid grid;
    tm_status status = tm_grid_make(&grid, spec->params, 1, err);
    tm_grid_clear(&grid);
    if (status == TM_OK && spec->test && tm_dataset_cols(spec->test) > tm_dataset_cols(spec->train))
        return tm_fail(err, TM_EDATA, "%s has %zu features, the training data %s have %zu",
                       tm_dataset_name(spec->test), tm_dataset_cols(spec->test),
                       tm_dataset_name(spec->train), tm_dataset_cols(spec->train));
    if (status == TM_OK && spec->warm && tm_model_cols(spec->warm) != tm_dataset_cols(spec->train))
        return tm_fail(err, TM_EUSAGE, "the warm start has %zu features, the data have %zu",
                       tm_model_cols(spec->warm), tm_dataset_cols(spec->train));
    return status;
}

tm_status tm_pool_submit(tm_pool *pool, const tm_job_spec *spec, tm_job **out, tm_error *err)
{
    return pool_submit_from(pool, spec, &(job_start){0}, out, err);
}

tm_status pool_submit_from(tm_pool *pool, const tm_job_spec *spec, const job_start *start,
                           tm_job **out, tm_error *err)
{
    *out = NULL;
    tm_status status = check_spec(spec, err);
    if (status != TM_OK)
        return status;
    queue_entry *entry = malloc(sizeof *entry);
    if (!entry)
        return tm_fail_memory(err, "a job");
    pthread_mutex_lock(&pool->lock);
    uint64_t id = ++pool->next_id;
    pthread_mutex_unlock(&pool->lock);
    tm_job *job;
    status = job_new(&job, spec, id, tell, pool, err);
    if (status == TM_OK && start->count > 0 &&
        (status = job_know(job, start->points, start->count, err)) != TM_OK)
        tm_job_unref(job);
    if (status != TM_OK) {
        free(entry);
        return status;
    }
    if (start->told_time)
        cancel_await_time(job->cancel);
    *entry = (queue_entry){NULL, job};
    *out = tm_job_ref(job);
    pthread_mutex_lock(&pool->lock);
    *pool->last = entry;
    pool->last = &entry->next;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    tell(pool);
    return TM_OK;
}
