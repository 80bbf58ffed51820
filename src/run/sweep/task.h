/* One task of a sweep: a chain of configurations on one split. */
#ifndef RUN_SWEEP_TASK_H
#define RUN_SWEEP_TASK_H

#include "run/plan/found.h"
#include "run/plan/plan.h"

#include <pthread.h>

/* The job that a worker is running, for cancelling or pausing it. */
typedef struct sweep_current {
    pthread_mutex_t lock;
    tm_job *job;       /* NULL between jobs */
    tm_cancel *cancel; /* for functions of the caller; set when cancelled */
    bool cancelled, paused;
} sweep_current;

/* Called when a piece of the chain is done and the end is not reached: the cells before mark->cells
 * are found. False: another process now has the chain, and this one stops. */
typedef bool sweep_piece_done(sweep_found *found, const sweep_mark *mark, void *payload);

typedef struct sweep_task_spec {
    size_t task;
    sweep_current *current;
    sweep_mark *mark;   /* where the chain begins; updated as it proceeds */
    sweep_reuse *reuse; /* cells that need no solving, if the mark is empty; or NULL */
    sweep_piece_done *piece;
    void *payload;
} sweep_task_spec;

/* Runs a task. TM_ECANCELLED if `current` was cancelled or the chain left to another process,
 * TM_ENOMEM; a configuration that cannot be solved becomes a failed cell. Clear *found with
 * sweep_found_clear, also after a failure. */
tm_status sweep_task_run(sweep_plan *plan, const sweep_task_spec *spec, sweep_found *found,
                         tm_error *err);

void sweep_current_cancel(sweep_current *current);
void sweep_current_pause(sweep_current *current, bool paused);

#endif
