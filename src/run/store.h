/* The inside of a run store: the file (store_file.c), recording (store.c), reading and deleting
 * (store_read.c). */
#ifndef RUN_STORE_H
#define RUN_STORE_H

#include "run/owner.h"
#include "tamis/store.h"

#include <pthread.h>
#include <sqlite3.h>

/* Statements that are used again and again, prepared at their first use. */
typedef enum store_statement {
    STORE_BEGIN_RUN,
    STORE_COUNT_POINTS,
    STORE_ADD_POINT,
    STORE_ADD_MODEL,
    STORE_SET_RESULT,
    STORE_STATEMENTS,
} store_statement;

struct tm_store {
    char *path; /* as the caller named it */
    sqlite3 *db;
    sqlite3_stmt *statements[STORE_STATEMENTS];
    pthread_mutex_t lock; /* one transaction at a time */
    owner self;
};

/* Fills `err` from the connection's last failure. */
tm_status store_fail(tm_store *store, tm_error *err);
/* Runs SQL without results. */
tm_status store_exec(tm_store *store, const char *sql, tm_error *err);
/* Steps a statement that has no rows, and resets it. */
tm_status store_run(tm_store *store, sqlite3_stmt *statement, tm_error *err);
/* Each takes and gives back the lock. With `status` other than TM_OK the end undoes everything. */
tm_status store_transaction_begin(tm_store *store, tm_error *err);
tm_status store_transaction_end(tm_store *store, tm_status status, tm_error *err);

#endif
