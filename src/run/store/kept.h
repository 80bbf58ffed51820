/* Storage of what sweeps keep of their cells besides numbers. */
#ifndef RUN_STORE_KEPT_H
#define RUN_STORE_KEPT_H

#include "run/table/kept.h"
#include "tamis/store.h"

/* Each is called within a transaction. Creates the table; stores in which nothing is kept stay
 * unchanged. */
tm_status store_kept_open(tm_store *store, tm_error *err);
tm_status store_kept_add(tm_store *store, int64_t sweep, size_t config, size_t split,
                         const tm_kept *kept, tm_error *err);
/* Adds what is kept to the finished cells of the table that lack it; with `reopen`, cells for which
 * the store has nothing valid are reopened. */
tm_status store_kept_load(tm_store *store, int64_t sweep, tm_sweep_table *table, bool reopen,
                          tm_error *err);

#endif
