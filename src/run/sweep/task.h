/* One task of a sweep: a chain of configurations on one split. */
#ifndef RUN_SWEEP_TASK_H
#define RUN_SWEEP_TASK_H

#include "run/plan/found.h"
#include "run/plan/plan.h"

#include <pthread.h>

/* The job a worker is in, for those that cancel or pause it. */
typedef struct sweep_current {
    pthread_mutex_t lock;
    tm_job *job;       /* NULL between jobs */
    tm_cancel *cancel; /* for functions of the caller's; set when cancelled */
    bool cancelled, paused;
} sweep_current;

/* A piece of the chain is done, its end not reached: the cells before mark->cells are found. False:
 * the chain is another process's now, and is left to it. */
typedef bool sweep_piece_done(sweep_found *found, const sweep_mark *mark, void *payload);

typedef struct sweep_task_spec {
    size_t task;
    sweep_current *current;
    sweep_mark *mark;   /* where the chain begins; moves on */
    sweep_reuse *reuse; /* cells that need no solving, when the mark is empty; or NULL */
    sweep_piece_done *piece;
    void *payload;
} sweep_task_spec;

/* TM_ECANCELLED when `current` was cancelled or the chain left to another, TM_ENOMEM; a
 * configuration that cannot be solved is a failed cell. *found is cleared with sweep_found_clear,
 * also after a failure. */
tm_status sweep_task_run(sweep_plan *plan, const sweep_task_spec *spec, sweep_found *found,
                         tm_error *err);

void sweep_current_cancel(sweep_current *current);
void sweep_current_pause(sweep_current *current, bool paused);

#endif
