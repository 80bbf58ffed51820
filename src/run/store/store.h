/* The internals of a run store: the file (file.c), its tables (schema.c), recording (store.c),
 * reading and deleting (read.c), traces (trace.c), sweeps (sweep.c), joining stores (merge.c). */
#ifndef RUN_STORE_STORE_H
#define RUN_STORE_STORE_H

#include "run/store/owner.h"
#include "tamis/store.h"

#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <sys/types.h>

/* Statements that are used repeatedly, prepared at their first use. */
typedef enum store_statement {
    STORE_BEGIN_RUN,
    STORE_COUNT_POINTS,
    STORE_ADD_POINT,
    STORE_ADD_MODEL,
    STORE_ADD_EVENT,
    STORE_SET_RESULT,
    STORE_CLAIM_TASK,
    STORE_TASK_STATUS,
    STORE_FINISH_TASK,
    STORE_RELEASE_TASK,
    STORE_BEAT,
    STORE_ADD_RESULT,
    STORE_COUNT_DONE,
    STORE_SET_MARK,
    STORE_GET_MARK,
    STORE_DROP_MARK,
    STORE_REOPEN_TASK,
    STORE_DROP_RESULT,
    STORE_ADD_ANSWER,
    STORE_FIND_ANSWER,
    STORE_ADD_KEPT,
    STORE_STATEMENTS,
} store_statement;

struct tm_store {
    char *path; /* as the caller named it */
    sqlite3 *db;
    sqlite3_stmt *statements[STORE_STATEMENTS];
    pthread_mutex_t lock; /* allows one transaction at a time */
    bool open;            /* the three members below are set */
    bool writable;        /* the file was not write-protected when it was opened */
    dev_t device;         /* identity of the file, so that a replacement is noticed */
    ino_t inode;
    owner self;
};

/* Binds values in order, from 1. A value that cannot be bound (too large a text) makes the step
 * fail, so that a statement never runs with a NULL in its place. */
typedef struct store_binder {
    sqlite3_stmt *statement;
    int next;
    int failure; /* the first, as SQLite numbers them */
} store_binder;

static inline void store_bound(store_binder *b, int code)
{
    b->failure = b->failure ? b->failure : code;
}

/* The text must live until the statement has run. NULL is bound as such. */
static inline void store_bind_text(store_binder *b, const char *text)
{
    store_bound(b, sqlite3_bind_text(b->statement, b->next++, text, -1, SQLITE_STATIC));
}

static inline void store_bind_count(store_binder *b, uint64_t count)
{
    store_bound(b, sqlite3_bind_int64(b->statement, b->next++, (sqlite3_int64)count));
}

/* SQLite binds NaN (not known) as NULL. */
static inline void store_bind_real(store_binder *b, double value)
{
    store_bound(b, sqlite3_bind_double(b->statement, b->next++, value));
}

static inline void store_bind_null(store_binder *b)
{
    store_bound(b, sqlite3_bind_null(b->statement, b->next++));
}

/* The bytes must live until the statement has run. */
static inline void store_bind_blob(store_binder *b, const void *bytes, size_t size)
{
    store_bound(b, sqlite3_bind_blob64(b->statement, b->next++, bytes, size, SQLITE_STATIC));
}

/* What names a cell. */
static inline void store_bind_cell(store_binder *b, int64_t sweep, size_t config, size_t split)
{
    store_bind_count(b, (uint64_t)sweep);
    store_bind_count(b, config);
    store_bind_count(b, split);
}

/* sqlite3_step, or why a value could not be bound. */
static inline int store_step(const store_binder *b)
{
    return b->failure ? b->failure : sqlite3_step(b->statement);
}

/* NULL reads as NaN. */
static inline double store_real_at(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(statement, column);
}

/* host, boot, pid, started */
void store_bind_owner(store_binder *b, const owner *self);

/* The statement, prepared at its first use. */
tm_status store_prepared(tm_store *store, store_statement which, sqlite3_stmt **out, tm_error *err);
double store_wall_clock(void); /* seconds since 1970 */
/* Notes the run's number in the job, under the job's own lock. */
void store_set_number(const tm_job *job, int64_t id);

/* A statement whose first value is a number; the caller finalizes it, also after a failure. */
tm_status store_prepare_for(tm_store *store, const char *sql, int64_t number, store_binder *b,
                            tm_error *err);

/* Fills `err` from the connection's last failure. */
tm_status store_fail(tm_store *store, tm_error *err);
/* Runs SQL without results. */
tm_status store_exec(tm_store *store, const char *sql, tm_error *err);
/* Steps a statement that has no rows, and resets it. */
tm_status store_run(tm_store *store, const store_binder *b, tm_error *err);
/* After the columns of a row were read: SQLite gives NULL for a text when memory ran out. */
tm_status store_row(tm_store *store, tm_error *err);
/* Makes the table of values, within a transaction. */
tm_status store_values_open(tm_store *store, tm_error *err);
/* Records the job's trace, thinned; within a transaction. */
tm_status store_add_trace(tm_store *store, int64_t id, const tm_job *job, tm_error *err);
/* Each call takes and releases the lock. If `status` is not TM_OK, the end rolls everything
 * back. */
tm_status store_transaction_begin(tm_store *store, tm_error *err);
tm_status store_transaction_end(tm_store *store, tm_status status, tm_error *err);

/* The columns that a statement must select from results (as r) for store_result_read. */
#define STORE_RESULT_TEXT                                                                          \
    "r.config, r.split, r.status, r.error, r.lambda, r.primal, r.dual, r.gap, r.nnz, r.seconds,"   \
    " r.columns, r.updates, r.scores, r.checksum"
enum { STORE_RESULT_COLUMNS = 14 };

/* Reads the row's result with its `count` scores; its texts are valid until the next step. False if
 * it is damaged. */
bool store_result_read(sqlite3_stmt *statement, tm_sweep_cell *cell, double *scores, size_t count);

#endif
