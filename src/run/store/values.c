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
        store_binder b = {statement, 1, 0};
        store_bind_text(&b, key);
        store_bind_text(&b, name);
        store_bind_text(&b, TAMIS_VERSION);
        store_bind_real(&b, store_wall_clock());
        store_bind_blob(&b, value, size);
        status = store_run(store, &b, err);
    }
    sqlite3_finalize(statement);
    return store_transaction_end(store, status, err);
}

static tm_status find_table(tm_store *store, bool *there, tm_error *err)
{
    static const char sql[] = "SELECT 1 FROM sqlite_master WHERE name = 'recorded_values'";
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    *there = code == SQLITE_ROW;
    tm_status status = *there || code == SQLITE_DONE ? TM_OK : store_fail(store, err);
    sqlite3_finalize(statement);
    return status;
}

static tm_status read_value(tm_store *store, const char *key, void **value, size_t *size,
                            tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    tm_status status = TM_OK;
    if (sqlite3_prepare_v2(store->db, "SELECT value FROM recorded_values WHERE key = ?", -1,
                           &b.statement, NULL) != SQLITE_OK)
        return store_fail(store, err);
    store_bind_text(&b, key);
    int step = store_step(&b);
    if (step == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(b.statement, 0);
        *size = (size_t)sqlite3_column_bytes(b.statement, 0);
        *value = bytes || *size == 0 ? malloc(*size + 1) : NULL;
        if (*value && *size > 0)
            memcpy(*value, bytes, *size);
        if (!*value)
            status = tm_fail_memory(err, "a recorded value");
    } else if (step != SQLITE_DONE) {
        status = store_fail(store, err);
    }
    sqlite3_finalize(b.statement);
    return status;
}

tm_status tm_store_find_value(tm_store *store, const char *key, void **value, size_t *size,
                              tm_error *err)
{
    *value = NULL;
    *size = 0;
    pthread_mutex_lock(&store->lock);
    bool there;
    tm_status status = find_table(store, &there, err);
    if (status == TM_OK && there)
        status = read_value(store, key, value, size, err);
    pthread_mutex_unlock(&store->lock);
    return status;
}
