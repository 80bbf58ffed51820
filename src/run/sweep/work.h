/* The inside of a sweep, shared by its start and steering (sweep.c) and its threads (work.c). */
#ifndef RUN_SWEEP_WORK_H
#define RUN_SWEEP_WORK_H

#include "run/store/sweep.h"
#include "run/sweep/task.h"
#include "tamis/sweep.h"

typedef enum sweep_task_state {
    SWEEP_TASK_OPEN,
    SWEEP_TASK_HERE,      /* a worker of ours is at it */
    SWEEP_TASK_ELSEWHERE, /* another process is */
    SWEEP_TASK_UNSAVED,   /* in the table, not in the store yet */
    SWEEP_TASK_DONE,
    SWEEP_TASK_OTHER_SHARD,
} sweep_task_state;

typedef struct sweep_worker {
    tm_sweep *sweep;
    pthread_t thread;
    sweep_current current;
    size_t task; /* it is at */
} sweep_worker;

/* Results that the store would not take; it is asked again. */
typedef struct sweep_unsaved {
    struct sweep_unsaved *next;
    size_t task;
    sweep_found found;
} sweep_unsaved;

/* Where the sweep is recorded. */
typedef struct sweep_record {
    tm_store *store; /* or NULL */
    int64_t id;
    size_t resumed;           /* tasks that were done already */
    size_t damaged;           /* cells of which the store had damaged results, under the lock */
    bool lost;                /* a store was given, and could not be used */
    bool reuses;              /* other sweeps of the store have cells of this one */
    tm_annotation annotation; /* under the lock */
    char *extends;            /* what is reused, and what is not, for people; or NULL */
} sweep_record;

typedef struct sweep_threads {
    sweep_worker *workers;
    int worker_count; /* threads that were started */
    int worker_room;  /* of workers that can be cleared */
    pthread_t keeper;
    bool has_keeper;
} sweep_threads;

typedef struct sweep_tasks {
    uint8_t *states;    /* sweep_task_state */
    uint32_t *shown;    /* by task: cells that count as done */
    size_t count, next; /* before `next` none is open */
    size_t own;         /* of this shard */
    size_t done;
} sweep_tasks;

typedef struct sweep_cells {
    size_t count, done;
    size_t resumed; /* which the store had */
    size_t reused;  /* which other sweeps had solved */
} sweep_cells;

struct tm_sweep {
    sweep_plan plan;
    sweep_record record;
    sweep_threads threads;
    double began;
    bool started; /* the hooks are the sweep's */

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    tm_sweep_table *table;
    sweep_tasks tasks;
    sweep_cells cells;
    sweep_unsaved *unsaved;
    int running; /* workers that have not ended */
    bool cancelled, paused, closing;
    tm_sweep_state state;
    tm_error error;
    double ended;
};

/* The chain that the task is, on split task / plan.chain_count. */
static inline const sweep_chain *sweep_chain_of(const tm_sweep *s, size_t task)
{
    return &s->plan.chains[task % s->plan.chain_count];
}

/* Brings in what the store has. */
tm_status sweep_refresh(tm_sweep *sweep, tm_error *err);
/* The threads: a worker, and the one that gives signs of life and brings in what other processes
 * have finished. */
void *sweep_work(void *worker);
void *sweep_keep(void *sweep);

#endif
