/* Values that are expensive to compute and are looked up by a key: results of tm.map. */
#include "run/store/store.h"

#include "tamis/version.h"

#include <stdlib.h>
#include <string.h>

/* Created at the first use: stores without such values stay unchanged. */
static const char table_sql[] =
    "CREATE TABLE IF NOT EXISTS recorded_values ("
    " key TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT, made REAL, value BLOB NOT NULL)"
    " WITHOUT ROWID";

tm_status store_values_open(tm_store *store, tm_error *err)
{
    return store_exec(store, table_sql, err);
}

tm_status tm_store_keep_value(tm_store *store, const char *key, const char *name, const void *value,
                              size_t size, tm_error *err)
{
    static const char sql[] = "INSERT OR REPLACE INTO recorded_values VALUES (?, ?, ?, ?, ?)";
    sqlite3_stmt *statement = NULL;
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = store_values_open(store, err);
    if (status == TM_OK && sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        status = store_fail(store, err);
    if (status == TM_OK) {
        store_binder b = {statement, 1};
        store_bind_text(&b, key);
        store_bind_text(&b, name);
        store_bind_text(&b, TAMIS_VERSION);
        store_bind_real(&b, store_wall_clock());
        sqlite3_bind_blob64(statement, b.next, value, size, SQLITE_STATIC);
        status = store_run(store, statement, err);
    }
    sqlite3_finalize(statement);
    return store_transaction_end(store, status, err);
}

/* Whether the table exists; also false on an error. */
static bool has_table(tm_store *store)
{
    static const char sql[] = "SELECT 1 FROM sqlite_master WHERE name = 'recorded_values'";
    sqlite3_stmt *statement = NULL;
    bool there = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    return there;
}

static tm_status read_value(tm_store *store, const char *key, void **value, size_t *size,
                            tm_error *err)
{
    sqlite3_stmt *statement = NULL;
    tm_status status = TM_OK;
    if (sqlite3_prepare_v2(store->db, "SELECT value FROM recorded_values WHERE key = ?", -1,
                           &statement, NULL) != SQLITE_OK)
        return store_fail(store, err);
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    int step = sqlite3_step(statement);
    if (step == SQLITE_ROW) {
        *size = (size_t)sqlite3_column_bytes(statement, 0);
        *value = malloc(*size + 1);
        if (*value && *size > 0)
            memcpy(*value, sqlite3_column_blob(statement, 0), *size);
        if (!*value)
            status = tm_fail_memory(err, "a recorded value");
    } else if (step != SQLITE_DONE) {
        status = store_fail(store, err);
    }
    sqlite3_finalize(statement);
    return status;
}

tm_status tm_store_find_value(tm_store *store, const char *key, void **value, size_t *size,
                              tm_error *err)
{
    *value = NULL;
    *size = 0;
    pthread_mutex_lock(&store->lock);
    tm_status status = has_table(store) ? read_value(store, key, value, size, err) : TM_OK;
    pthread_mutex_unlock(&store->lock);
    return status;
}
