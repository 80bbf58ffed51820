/* Sweeps in a store: who works on which task, and what was found. */
#ifndef RUN_STORE_SWEEP_H
#define RUN_STORE_SWEEP_H

#include "run/plan/found.h"
#include "run/plan/plan.h"
#include "run/store/task.h"
#include "tamis/store.h"

typedef enum store_claim {
    STORE_CLAIM_MINE,
    STORE_CLAIM_HELD,  /* by this process since an earlier claim */
    STORE_CLAIM_TAKEN, /* by another process that lives */
    STORE_CLAIM_DONE,
} store_claim;

/* The number of the sweep with the plan's key, which is added when it is new. With `fresh` what is
 * there of it is deleted; TM_EUSAGE when another process works on it. */
tm_status store_sweep_open(tm_store *store, const sweep_plan *plan, const char *name,
                           const char *method, bool fresh, int64_t *id, tm_error *err);
/* The last sweep of that name but the one; 0 without one. */
tm_status store_sweep_named(tm_store *store, const char *name, int64_t but, int64_t *id,
                            tm_error *err);
/* Whether others than the one have answers. */
tm_status store_sweep_others(tm_store *store, int64_t but, bool *any, tm_error *err);
/* A task whose process died, or of another host that gave no sign for a minute, may be claimed.
 * *mark is where its chain stands, for sweep_mark_clear, when it is ours; else empty. */
tm_status store_sweep_claim(tm_store *store, int64_t sweep, size_t task, store_claim *out,
                            sweep_mark *mark, tm_error *err);
/* The results of a claimed task, which is then done; with a mark those up to it, and it goes on.
 * All or nothing. *out: whether the task was still ours, otherwise nothing is recorded. */
tm_status store_sweep_record(tm_store *store, const store_task *at, sweep_found *found,
                             const sweep_mark *mark, store_claim *out, tm_error *err);
/* The task was not finished: others may have it. */
tm_status store_sweep_release(tm_store *store, int64_t sweep, size_t task, tm_error *err);
/* A finished task whose results are damaged: it is open again, and its results are deleted. */
tm_status store_sweep_reopen(tm_store *store, const store_task *at, tm_error *err);
/* A sign of life for other hosts; *done counts the sweep's finished tasks. */
tm_status store_sweep_beat(tm_store *store, int64_t sweep, size_t *done, tm_error *err);
/* Marks finished tasks in done[] (NULL: not wanted; `tasks` of them) and puts their results into
 * the table. A damaged row leaves its cell open, or, without done[], makes it a failed one that
 * says so. */
tm_status store_sweep_load(tm_store *store, int64_t sweep, tm_sweep_table *table, bool *done,
                           size_t tasks, tm_error *err);

#endif
