/* One task of a sweep: a chain of configurations on one split. */
#ifndef RUN_SWEEP_TASK_H
#define RUN_SWEEP_TASK_H

#include "run/sweep/plan.h"

#include <pthread.h>

/* The job a worker is in, for whoever wants to cancel or pause it. */
typedef struct sweep_current {
    pthread_mutex_t lock;
    tm_job *job; /* NULL between jobs */
    bool cancelled, paused;
} sweep_current;

/* What a task found: one cell for each configuration of its chain, in the chain's order. Those
 * before `first` were found by an earlier process and are not in it. */
typedef struct sweep_found {
    tm_sweep_cell *cells;
    double *scores;
    size_t first, count;
    size_t recorded; /* those before it are in the store */
} sweep_found;

/* Where a chain stands: all that its next piece depends on. A chain that was broken off and taken
 * up again at a mark gives the same bytes as one that was not. */
typedef struct sweep_mark {
    size_t cells;      /* finished */
    double lambda_max; /* NaN: not known, or none */
    tm_model *model;   /* the next one starts from it; or NULL */
} sweep_mark;

void sweep_mark_clear(sweep_mark *mark);

/* A piece of the chain is done, its end not reached: the cells before mark->cells are found. False:
 * the chain is no more ours, it is given up. */
typedef bool sweep_piece_done(sweep_found *found, const sweep_mark *mark, void *payload);

typedef struct sweep_task_spec {
    size_t task;
    sweep_current *current;
    sweep_mark *mark; /* where the chain begins; moves on */
    sweep_piece_done *piece;
    void *payload;
} sweep_task_spec;

/* TM_ECANCELLED when `current` was cancelled or the chain given up, TM_ENOMEM; a configuration that
 * cannot be solved is a failed cell. *found is cleared with sweep_found_clear, also after a
 * failure. */
tm_status sweep_task_run(sweep_plan *plan, const sweep_task_spec *spec, sweep_found *found,
                         tm_error *err);
tm_status sweep_found_make(sweep_found *found, size_t cells, size_t metrics, tm_error *err);
void sweep_found_clear(sweep_found *found);

void sweep_current_cancel(sweep_current *current);
void sweep_current_pause(sweep_current *current, bool paused);

#endif
