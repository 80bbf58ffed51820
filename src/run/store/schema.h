/* The tables of a run store, their version, and the migration of older ones. */
#ifndef RUN_STORE_SCHEMA_H
#define RUN_STORE_SCHEMA_H

#include "run/store/store.h"

/* The store's version; 0 for an empty database. Everything is read in one transaction: another
 * process may be creating the store between two reads, and a mixture would look like another
 * program's database. */
tm_status schema_read_version(tm_store *store, int64_t *version, tm_error *err);
/* Upgrades a store of an older version: migrates its tables if it can be written, or makes views of
 * them if it is write-protected and can be read in that way. */
tm_status schema_update(tm_store *store, int64_t version, bool protected, tm_error *err);

#endif
