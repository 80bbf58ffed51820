/* The internals of a sweep, shared by its control (sweep.c) and its threads (work.c). */
#ifndef RUN_SWEEP_WORK_H
#define RUN_SWEEP_WORK_H

#include "run/store/sweep.h"
#include "run/sweep/task.h"
#include "tamis/sweep.h"

typedef enum sweep_task_state {
    SWEEP_TASK_OPEN,
    SWEEP_TASK_HERE,      /* a worker of this process is doing it */
    SWEEP_TASK_ELSEWHERE, /* another process is doing it */
    SWEEP_TASK_UNSAVED,   /* in the table, but not in the store yet */
    SWEEP_TASK_DONE,
    SWEEP_TASK_OTHER_SHARD,
} sweep_task_state;

typedef struct sweep_worker {
    tm_sweep *sweep;
    pthread_t thread;
    sweep_current current;
    size_t task; /* index of its task */
} sweep_worker;

/* Results that could not be saved; saving is tried again. */
typedef struct sweep_unsaved {
    struct sweep_unsaved *next;
    size_t task;
    sweep_found found;
} sweep_unsaved;

/* Where the sweep is recorded. */
typedef struct sweep_record {
    tm_store *store; /* or NULL */
    int64_t id;
    size_t resumed;           /* number of tasks that were already done */
    size_t damaged;           /* number of cells with damaged results in the store, under the
                               * lock */
    bool lost;                /* a store was given but could not be used */
    bool reuses;              /* other sweeps of the store have cells of this one */
    tm_annotation annotation; /* under the lock */
    char *extends;            /* message on what is reused and what is not; or NULL */
} sweep_record;

typedef struct sweep_threads {
    sweep_worker *workers;
    int worker_count; /* number of threads started */
    int worker_room;  /* number of entries of `workers` that can be cleared */
    pthread_t keeper;
    bool has_keeper;
} sweep_threads;

typedef struct sweep_tasks {
    uint8_t *states;    /* sweep_task_state */
    uint32_t *shown;    /* by task: number of cells that count as done */
    size_t count, next; /* no task before `next` is open */
    size_t own;         /* number of tasks of this shard */
    size_t done;
} sweep_tasks;

typedef struct sweep_cells {
    size_t count, done;
    size_t resumed; /* number of cells that the store had */
    size_t reused;  /* number of cells that other sweeps had solved */
} sweep_cells;

struct tm_sweep {
    sweep_plan plan;
    sweep_record record;
    sweep_threads threads;
    double began;
    bool started; /* the sweep owns the hooks */

    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t changed;
    tm_sweep_table *table;
    sweep_tasks tasks;
    sweep_cells cells;
    sweep_unsaved *unsaved;
    int running; /* number of workers that have not ended */
    bool cancelled, paused, closing;
    tm_sweep_state state;
    tm_error error;
    double ended;
};

/* The chain of the task; its split is task / plan.chain_count. */
static inline const sweep_chain *sweep_chain_of(const tm_sweep *s, size_t task)
{
    return &s->plan.chains[task % s->plan.chain_count];
}

/* Fetches the results of the store. */
tm_status sweep_refresh(tm_sweep *sweep, tm_error *err);
/* The threads: a worker, and the keeper, which sends heartbeats and fetches what other processes
 * have finished. */
void *sweep_work(void *worker);
void *sweep_keep(void *sweep);

#endif
