/* The tables of a run store, their version, and what brings older ones up to it. */
#ifndef RUN_STORE_SCHEMA_H
#define RUN_STORE_SCHEMA_H

#include "run/store/store.h"

/* The store's version; 0 for an empty database. All of it is read in one transaction: between two
 * reads another process may be making the store, and half of each would look like another
 * program's. */
tm_status schema_read_version(tm_store *store, int64_t *version, tm_error *err);
/* Brings a store of an older version to this one: its tables where it may be written, views of
 * them where it is protected and they can be read so. */
tm_status schema_update(tm_store *store, int64_t version, bool protected, tm_error *err);

#endif
