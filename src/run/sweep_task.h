/* One task of a sweep: a chain of configurations on one split. */
#ifndef RUN_SWEEP_TASK_H
#define RUN_SWEEP_TASK_H

#include "run/sweep_plan.h"

#include <pthread.h>

/* The job a worker is in, for whoever wants to cancel or pause it. */
typedef struct sweep_current {
    pthread_mutex_t lock;
    tm_job *job; /* NULL between jobs */
    bool cancelled, paused;
} sweep_current;

/* What a task found: one cell for each configuration of its chain, in the chain's order. */
typedef struct sweep_found {
    tm_sweep_cell *cells;
    double *scores;
    size_t count;
} sweep_found;

/* TM_ECANCELLED when `current` was cancelled, TM_ENOMEM; a configuration that cannot be solved is a
 * failed cell. *found is cleared with sweep_found_clear, also after a failure. */
tm_status sweep_task_run(sweep_plan *plan, size_t task, sweep_current *current, sweep_found *found,
                         tm_error *err);
tm_status sweep_found_make(sweep_found *found, size_t cells, size_t metrics, tm_error *err);
void sweep_found_clear(sweep_found *found);

void sweep_current_cancel(sweep_current *current);
void sweep_current_pause(sweep_current *current, bool paused);

#endif
