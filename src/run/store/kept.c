#include "run/store/kept.h"

#include "run/store/checksum.h"
#include "run/store/store.h"
#include "run/table/table.h"

/* A table separate from the results, so that reading those does not have to skip the blobs. */
static const char table_sql[] =
    "CREATE TABLE IF NOT EXISTS sweep_kept ("
    " sweep INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE, config INTEGER NOT NULL,"
    " split INTEGER NOT NULL, checksum INTEGER NOT NULL, kept BLOB NOT NULL,"
    " PRIMARY KEY (sweep, config, split))";
static const char select_kept[] =
    "SELECT config, split, checksum, kept FROM sweep_kept WHERE sweep = ?";

tm_status store_kept_open(tm_store *store, tm_error *err)
{
    return store_exec(store, table_sql, err);
}

tm_status store_kept_add(tm_store *store, int64_t sweep, size_t config, size_t split,
                         const tm_kept *kept, tm_error *err)
{
    size_t size;
    const void *bytes = kept_bytes(kept, &size);
    store_binder b = {NULL, 1, 0};
    tm_status status = store_prepared(store, STORE_ADD_KEPT, &b.statement, err);
    if (status != TM_OK)
        return status;
    store_bind_cell(&b, sweep, config, split);
    store_bind_count(&b, (uint64_t)store_kept_sum(config, split, bytes, size));
    store_bind_blob(&b, bytes, size);
    return store_run(store, &b, err);
}

/* The blob is read only for cells that lack it. */
static void read_kept(sqlite3_stmt *s, tm_sweep_table *table)
{
    sqlite3_int64 config = sqlite3_column_int64(s, 0), split = sqlite3_column_int64(s, 1);
    if (config < 0 || split < 0 || (size_t)config >= table->config_count ||
        (size_t)split >= table->split_count)
        return;
    tm_sweep_cell *cell = &table->cells[(size_t)config * table->split_count + (size_t)split];
    if (cell->status == TM_CELL_OPEN || cell->kept)
        return;
    const void *bytes = sqlite3_column_blob(s, 3);
    size_t size = (size_t)sqlite3_column_bytes(s, 3);
    if ((bytes || size == 0) &&
        sqlite3_column_int64(s, 2) == store_kept_sum((size_t)config, (size_t)split, bytes, size))
        cell->kept = kept_from_bytes(bytes, size);
}

tm_status store_kept_load(tm_store *store, int64_t sweep, tm_sweep_table *table, bool reopen,
                          tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    int code = SQLITE_DONE;
    tm_status status = TM_OK;
    /* The table may be missing, if a process was interrupted or the store is read-only. */
    int prepared = sqlite3_prepare_v2(store->db, select_kept, -1, &b.statement, NULL);
    if (prepared != SQLITE_OK && prepared != SQLITE_ERROR) {
        status = store_fail(store, err);
    } else if (prepared == SQLITE_OK) {
        store_bind_count(&b, (uint64_t)sweep);
        while (status == TM_OK && (code = store_step(&b)) == SQLITE_ROW) {
            read_kept(b.statement, table);
            status = store_row(store, err);
        }
    }
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(b.statement);
    for (size_t c = 0; status == TM_OK && reopen && c < table->config_count; c++)
        for (size_t i = 0; i < table->split_count; i++) {
            const tm_sweep_cell *cell = tm_sweep_table_cell(table, c, i);
            if (!cell->kept && cell->status != TM_CELL_OPEN && cell->status != TM_CELL_FAILED)
                sweep_table_open(table, c, i);
        }
    return status;
}
