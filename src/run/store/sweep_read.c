/* Reading sweeps from a store. */
#include "run/store/sweep.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/store/checksum.h"
#include "run/store/kept.h"
#include "run/store/store.h"

#include <string.h>

/* ---- reading ------------------------------------------------------------------------------- */

static const char select_done[] = "SELECT task FROM tasks WHERE sweep = ? AND status = 'done'";
static const char select_results[] =
    "SELECT " STORE_RESULT_TEXT " FROM results r WHERE r.sweep = ?";

static bool read_scores(const char *text, double *scores, size_t count)
{
    char number[40];
    for (size_t m = 0; text && m < count; m++) {
        size_t length = strcspn(text, " ");
        if (length == 0 || length >= sizeof number)
            return false;
        memcpy(number, text, length);
        number[length] = '\0';
        if (!text_to_real(number, &scores[m]))
            return false;
        text += length + (text[length] == ' ');
    }
    return text != NULL;
}

static tm_cell_status status_named(const char *name)
{
    for (tm_cell_status s = TM_CELL_CONVERGED; name && s < TM_CELL_FAILED; s++)
        if (strcmp(name, tm_cell_status_name(s)) == 0)
            return s;
    return TM_CELL_FAILED;
}

bool store_result_read(sqlite3_stmt *s, tm_sweep_cell *cell, double *scores, size_t count)
{
    size_t config = (size_t)sqlite3_column_int64(s, 0), split = (size_t)sqlite3_column_int64(s, 1);
    const char *text = (const char *)sqlite3_column_text(s, 12);
    *cell = (tm_sweep_cell){
        .status = status_named((const char *)sqlite3_column_text(s, 2)),
        .error = (const char *)sqlite3_column_text(s, 3),
        .lambda = store_real_at(s, 4),
        .primal = store_real_at(s, 5),
        .dual = store_real_at(s, 6),
        .gap = store_real_at(s, 7),
        .nnz = store_real_at(s, 8),
        .seconds = store_real_at(s, 9),
        .columns = store_real_at(s, 10),
        .updates = store_real_at(s, 11),
        .scores = scores,
    };
    return read_scores(text, scores, count) &&
           (sqlite3_column_type(s, 13) == SQLITE_NULL ||
            sqlite3_column_int64(s, 13) == store_result_sum(config, split, cell, text));
}

static void read_result(sqlite3_stmt *s, tm_sweep_table *table, double *scores, bool show_damaged)
{
    sqlite3_int64 config = sqlite3_column_int64(s, 0), split = sqlite3_column_int64(s, 1);
    tm_sweep_cell cell;
    if (config < 0 || split < 0 || (size_t)config >= table->config_count ||
        (size_t)split >= table->split_count)
        return;
    bool whole = store_result_read(s, &cell, scores, table->metric_count);
    cell.kept = tm_sweep_table_cell(table, (size_t)config, (size_t)split)->kept;
    if (whole)
        sweep_table_set(table, (size_t)config, (size_t)split, &cell);
    else if (show_damaged)
        sweep_table_fail(table, (size_t)config, (size_t)split,
                         "damaged in the run store; the sweep, run again, computes it again");
}

static tm_status load_results(tm_store *store, int64_t sweep, tm_sweep_table *table,
                              bool show_damaged, tm_error *err)
{
    store_binder b;
    double *scores = mem_array(table->metric_count, sizeof *scores);
    int code = SQLITE_DONE;
    if (!scores)
        return tm_fail_memory(err, "a sweep's results");
    tm_status status = store_prepare_for(store, select_results, sweep, &b, err);
    while (status == TM_OK && (code = store_step(&b)) == SQLITE_ROW) {
        read_result(b.statement, table, scores, show_damaged);
        status = store_row(store, err);
    }
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(b.statement);
    free(scores);
    return status;
}

static tm_status load_done(tm_store *store, int64_t sweep, bool *done, size_t tasks, tm_error *err)
{
    store_binder b;
    int code = SQLITE_DONE;
    tm_status status = store_prepare_for(store, select_done, sweep, &b, err);
    while (status == TM_OK && (code = store_step(&b)) == SQLITE_ROW) {
        sqlite3_int64 task = sqlite3_column_int64(b.statement, 0);
        if (task >= 0 && (size_t)task < tasks)
            done[task] = true;
    }
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(b.statement);
    return status;
}

/* Reads in one transaction, so that a task that counts as done has its results in the table. */
tm_status store_sweep_load(tm_store *store, int64_t sweep, tm_sweep_table *table, bool *done,
                           size_t tasks, tm_error *err)
{
    pthread_mutex_lock(&store->lock);
    tm_status status = store_exec(store, "BEGIN", err);
    if (status == TM_OK && done)
        status = load_done(store, sweep, done, tasks, err);
    if (status == TM_OK)
        status = load_results(store, sweep, table, !done, err);
    if (status == TM_OK && table->keep)
        status = store_kept_load(store, sweep, table, done != NULL, err);
    return store_transaction_end(store, status, err);
}

/* ---- for people ---------------------------------------------------------------------------- */

static const char select_sweeps[] =
    "SELECT id, key, name, method, description, version, begun,"
    " (SELECT max(ended) FROM tasks WHERE sweep = sweeps.id), tasks,"
    " (SELECT count(*) FROM tasks WHERE sweep = sweeps.id AND status = 'done'),"
    " (SELECT count(*) FROM results WHERE sweep = sweeps.id AND status = 'failed'),"
    " (SELECT count(*) FROM results WHERE sweep = sweeps.id AND status = 'max_iter'),"
    " (SELECT count(*) FROM tasks WHERE sweep = sweeps.id AND status = 'running'"
    "  AND owner_alive(host, boot, pid, started)), tags, note"
    " FROM sweeps WHERE ?1 = 0 OR id = ?1 ORDER BY id";

static tm_stored_sweep read_sweep(sqlite3_stmt *s)
{
    tm_stored_sweep sweep = {
        .id = sqlite3_column_int64(s, 0),
        .key = (const char *)sqlite3_column_text(s, 1),
        .name = (const char *)sqlite3_column_text(s, 2),
        .method = (const char *)sqlite3_column_text(s, 3),
        .description = (const char *)sqlite3_column_text(s, 4),
        .version = (const char *)sqlite3_column_text(s, 5),
        .begun = store_real_at(s, 6),
        .ended = store_real_at(s, 7),
        .tasks = sqlite3_column_int64(s, 8),
        .done = sqlite3_column_int64(s, 9),
        .failed = sqlite3_column_int64(s, 10),
        .unconverged = sqlite3_column_int64(s, 11),
        .label = {(const char *)sqlite3_column_text(s, 13),
                  (const char *)sqlite3_column_text(s, 14)},
    };
    sweep.status = sweep.done >= sweep.tasks         ? "done"
                   : sqlite3_column_int64(s, 12) > 0 ? "running"
                                                     : "interrupted";
    return sweep;
}

tm_status tm_store_each_sweep(tm_store *store, int64_t id, tm_store_sweep *use, void *payload,
                              tm_error *err)
{
    store_binder b;
    int code = SQLITE_DONE;
    pthread_mutex_lock(&store->lock);
    tm_status status = store_prepare_for(store, select_sweeps, id, &b, err);
    while (status == TM_OK && (code = store_step(&b)) == SQLITE_ROW) {
        tm_stored_sweep sweep = read_sweep(b.statement);
        bool whole =
            sweep.key && sweep.name && sweep.description && sweep.version && sweep.label.tags;
        status = store_row(store, err);
        if (status != TM_OK)
            break;
        status = whole ? use(&sweep, payload, err)
                       : tm_fail(err, TM_EDATA, "%s: sweep %lld cannot be read", store->path,
                                 (long long)sweep.id);
    }
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(b.statement);
    pthread_mutex_unlock(&store->lock);
    return status;
}

static tm_status take_table(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    return sweep_key_table(payload, sweep->name, sweep->description, err);
}

tm_status tm_store_sweep_table(tm_store *store, int64_t id, tm_sweep_table **out, tm_error *err)
{
    *out = NULL;
    tm_status status = id > 0 ? tm_store_each_sweep(store, id, take_table, out, err) : TM_OK;
    if (status == TM_OK && !*out)
        return tm_fail(err, TM_EUSAGE, "%s: there is no sweep %lld", store->path, (long long)id);
    if (status == TM_OK)
        status = store_sweep_load(store, id, *out, NULL, 0, err);
    if (status != TM_OK) {
        tm_sweep_table_free(*out);
        *out = NULL;
    }
    return status;
}
