/* Answers of sweeps, found again by what they follow from: a cell that another sweep has solved is
 * not solved again. */
#ifndef RUN_STORE_REUSE_H
#define RUN_STORE_REUSE_H

#include "run/plan/found.h"
#include "run/store/task.h"
#include "tamis/store.h"

/* What is recorded of a task's cells besides their results: made before the transaction that
 * records it. */
typedef struct store_answers {
    char **models; /* their texts, by place in the chain; NULL: too large to keep, or none */
    sweep_digest *contents;
    char *metrics;
    size_t count;
} store_answers;

/* For the cells from..end-1 of the task; empty where the plan has no contents. Cleared with
 * store_answers_clear, also after a failure. */
tm_status store_answers_make(store_answers *answers, const store_task *at, const sweep_found *found,
                             size_t from, size_t end, tm_error *err);
void store_answers_clear(store_answers *answers);
/* Within a transaction: of the cell at place i of the chain. */
tm_status store_answers_add(tm_store *store, const store_task *at, const store_answers *answers,
                            size_t i, double lambda_max, tm_error *err);

/* How many cells of the task other sweeps have solved, from the chain's beginning to where it can
 * be gone on with; *from is the sweep that has the last of them. */
tm_status store_reuse_count(tm_store *store, const store_task *at, size_t *count, int64_t *from,
                            tm_error *err);
/* The same, with their results. Cleared with sweep_reuse_clear, also after a failure. */
tm_status store_reuse_find(tm_store *store, const store_task *at, sweep_reuse *reuse,
                           tm_error *err);

#endif
