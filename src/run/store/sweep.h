/* Sweeps in a store: claims of tasks, and results. */
#ifndef RUN_STORE_SWEEP_H
#define RUN_STORE_SWEEP_H

#include "run/plan/found.h"
#include "run/plan/plan.h"
#include "run/store/task.h"
#include "tamis/store.h"

typedef enum store_claim {
    STORE_CLAIM_MINE,
    STORE_CLAIM_HELD,  /* already claimed by this process */
    STORE_CLAIM_TAKEN, /* claimed by another live process */
    STORE_CLAIM_DONE,
} store_claim;

/* The number of the sweep with the plan's key, which is added if it is new. With `fresh` its
 * earlier results are deleted; TM_EUSAGE if another process is working on it. */
tm_status store_sweep_open(tm_store *store, const sweep_plan *plan, const char *name,
                           const char *method, bool fresh, int64_t *id, tm_error *err);
/* The last sweep of this name other than `but`; 0 if there is none. */
tm_status store_sweep_named(tm_store *store, const char *name, int64_t but, int64_t *id,
                            tm_error *err);
/* Whether sweeps other than `but` have answers. */
tm_status store_sweep_others(tm_store *store, int64_t but, bool *any, tm_error *err);
/* Claims a task. A task whose process has died, or belongs to another host and gave no heartbeat
 * for a minute, may be claimed. If the claim succeeds, *mark is the position of its chain, to be
 * cleared with sweep_mark_clear; otherwise it is empty. */
tm_status store_sweep_claim(tm_store *store, int64_t sweep, size_t task, store_claim *out,
                            sweep_mark *mark, tm_error *err);
/* Records the results of a claimed task, which is then done; with a mark, records those up to the
 * mark, and the task continues. All or nothing. *out says whether the task was still claimed by
 * this process; otherwise nothing is recorded. */
tm_status store_sweep_record(tm_store *store, const store_task *at, sweep_found *found,
                             const sweep_mark *mark, store_claim *out, tm_error *err);
/* Releases a task that was not finished, so that others may claim it. */
tm_status store_sweep_release(tm_store *store, int64_t sweep, size_t task, tm_error *err);
/* Reopens a finished task whose results are damaged, and deletes its results. */
tm_status store_sweep_reopen(tm_store *store, const store_task *at, tm_error *err);
/* Sends a heartbeat for other hosts; *done is the number of the sweep's finished tasks. */
tm_status store_sweep_beat(tm_store *store, int64_t sweep, size_t *done, tm_error *err);
/* Marks finished tasks in done[] (of length `tasks`, or NULL) and puts their results into the
 * table. A damaged row leaves its cell open or, without done[], makes it a failed cell that says
 * so. */
tm_status store_sweep_load(tm_store *store, int64_t sweep, tm_sweep_table *table, bool *done,
                           size_t tasks, tm_error *err);

#endif
