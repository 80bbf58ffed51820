/* Reuse of the answers of sweeps, looked up by digest: a cell that another sweep has solved is not
 * solved again. */
#ifndef RUN_STORE_REUSE_H
#define RUN_STORE_REUSE_H

#include "run/plan/found.h"
#include "run/store/task.h"
#include "tamis/store.h"

/* What is recorded of a task's cells besides their results; prepared before the transaction that
 * records it. */
typedef struct store_answers {
    char **models; /* their texts, by index in the chain; NULL: too large to keep, or none */
    sweep_digest *contents;
    char *metrics;
    size_t count;
} store_answers;

/* Prepares the cells from..end-1 of the task; empty if the plan has no contents. Clear it with
 * store_answers_clear, also after a failure. */
tm_status store_answers_make(store_answers *answers, const store_task *at, const sweep_found *found,
                             size_t from, size_t end, tm_error *err);
void store_answers_clear(store_answers *answers);
/* Within a transaction: records the cell at index i of the chain. */
tm_status store_answers_add(tm_store *store, const store_task *at, const store_answers *answers,
                            size_t i, double lambda_max, tm_error *err);

/* The number of cells of the task that other sweeps have solved, from the chain's beginning to a
 * point where it can be continued; *from is the sweep that has the last of them. */
tm_status store_reuse_count(tm_store *store, const store_task *at, size_t *count, int64_t *from,
                            tm_error *err);
/* The same, with their results. Clear them with sweep_reuse_clear, also after a failure. */
tm_status store_reuse_find(tm_store *store, const store_task *at, sweep_reuse *reuse,
                           tm_error *err);

#endif
