/* What sweeps keep of their cells besides numbers, in a store. */
#ifndef RUN_STORE_KEPT_H
#define RUN_STORE_KEPT_H

#include "run/table/kept.h"
#include "tamis/store.h"

/* Each within a transaction. Makes the table for it; stores that keep nothing are as they were. */
tm_status store_kept_open(tm_store *store, tm_error *err);
tm_status store_kept_add(tm_store *store, int64_t sweep, size_t config, size_t split,
                         const tm_kept *kept, tm_error *err);
/* Puts what is kept into the finished cells of the table that lack it; those for which the store
 * has nothing whole are opened with `reopen`. */
tm_status store_kept_load(tm_store *store, int64_t sweep, tm_sweep_table *table, bool reopen,
                          tm_error *err);

#endif
