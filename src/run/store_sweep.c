#include "run/store_sweep.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/store.h"
#include "tamis/version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Seconds without a sign after which a process of another host counts as dead. */
static const double SILENCE = 60;

/* ---- opening ------------------------------------------------------------------------------- */

static const char insert_sweep[] =
    "INSERT OR IGNORE INTO sweeps (key, name, method, description, tasks, version, begun)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)";
static const char select_id[] = "SELECT id FROM sweeps WHERE key = ?";
static const char count_alive[] =
    "SELECT count(*) FROM tasks WHERE sweep = (SELECT id FROM sweeps WHERE key = ?)"
    " AND status = 'running' AND owner_alive(host, boot, pid, started)";
static const char delete_sweep[] = "DELETE FROM sweeps WHERE key = ?";

/* The first column of the only row; 0 without one. */
static tm_status number_for(tm_store *store, const char *sql, const char *key, int64_t *out,
                            tm_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    *out = 0;
    if (code == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
        code = sqlite3_step(statement);
    }
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    tm_status status = code == SQLITE_ROW || code == SQLITE_DONE ? TM_OK : store_fail(store, err);
    sqlite3_finalize(statement);
    return status;
}

static tm_status forget(tm_store *store, const char *key, tm_error *err)
{
    int64_t alive;
    tm_status status = number_for(store, count_alive, key, &alive, err);
    if (status == TM_OK && alive > 0)
        return tm_fail(err, TM_EUSAGE,
                       "%s: another process is working on this sweep; 'fresh' would delete what it "
                       "does",
                       store->path);
    return status == TM_OK ? number_for(store, delete_sweep, key, &alive, err) : status;
}

static tm_status add_sweep(tm_store *store, const sweep_plan *plan, const char *name,
                           const char *method, tm_error *err)
{
    store_binder b = {NULL, 1};
    if (sqlite3_prepare_v2(store->db, insert_sweep, -1, &b.statement, NULL) != SQLITE_OK)
        return store_fail(store, err);
    store_bind_text(&b, plan->key);
    store_bind_text(&b, name);
    store_bind_text(&b, method);
    store_bind_text(&b, plan->description);
    store_bind_count(&b, sweep_plan_tasks(plan));
    store_bind_text(&b, TAMIS_VERSION);
    store_bind_real(&b, store_wall_clock());
    tm_status status = store_run(store, b.statement, err);
    sqlite3_finalize(b.statement);
    return status;
}

tm_status store_sweep_open(tm_store *store, const sweep_plan *plan, const char *name,
                           const char *method, bool fresh, int64_t *id, tm_error *err)
{
    *id = 0;
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    if (fresh)
        status = forget(store, plan->key, err);
    if (status == TM_OK)
        status = add_sweep(store, plan, name, method, err);
    if (status == TM_OK)
        status = number_for(store, select_id, plan->key, id, err);
    return store_transaction_end(store, status, err);
}

/* ---- tasks --------------------------------------------------------------------------------- */

static tm_status task_status(tm_store *store, int64_t sweep, size_t task, store_claim *out,
                             tm_error *err)
{
    store_binder b = {NULL, 1};
    tm_status status = store_prepared(store, STORE_TASK_STATUS, &b.statement, err);
    if (status != TM_OK)
        return status;
    store_bind_count(&b, (uint64_t)sweep);
    store_bind_count(&b, task);
    int code = sqlite3_step(b.statement);
    if (code == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(b.statement, 0);
        *out = text && strcmp(text, "done") == 0 ? STORE_CLAIM_DONE : STORE_CLAIM_TAKEN;
    } else if (code == SQLITE_DONE) {
        status = tm_fail(err, TM_EDATA, "%s: somebody has deleted the sweep while it was running",
                         store->path);
    } else {
        status = store_fail(store, err);
    }
    sqlite3_reset(b.statement);
    return status;
}

static tm_status claim(tm_store *store, int64_t sweep, size_t task, store_claim *out, tm_error *err)
{
    store_binder b = {NULL, 1};
    tm_status status = store_prepared(store, STORE_CLAIM_TASK, &b.statement, err);
    if (status != TM_OK)
        return status;
    store_bind_count(&b, (uint64_t)sweep);
    store_bind_count(&b, task);
    store_bind_real(&b, store_wall_clock());
    store_bind_owner(&b, &store->self);
    store_bind_real(&b, SILENCE);
    status = store_run(store, b.statement, err);
    *out = STORE_CLAIM_MINE;
    if (status == TM_OK && sqlite3_changes(store->db) == 0)
        status = task_status(store, sweep, task, out, err);
    return status;
}

tm_status store_sweep_claim(tm_store *store, int64_t sweep, size_t task, store_claim *out,
                            tm_error *err)
{
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = claim(store, sweep, task, out, err);
    return store_transaction_end(store, status, err);
}

/* Numbers with a space between them; "nan" for those that are not known. NULL without memory. */
static char *scores_text(const double *scores, size_t count)
{
    enum { NUMBER = 32 };
    char *text = mem_array(count + 1, NUMBER), *end = text;
    if (!text)
        return NULL;
    *text = '\0';
    for (size_t m = 0; m < count; m++) {
        char number[NUMBER];
        text_from_real(scores[m], number, sizeof number);
        end += sprintf(end, "%s%s", m ? " " : "", isnan(scores[m]) ? "nan" : number);
    }
    return text;
}

static tm_status add_result(tm_store *store, int64_t sweep, size_t config, size_t split,
                            const tm_sweep_cell *cell, size_t metrics, tm_error *err)
{
    store_binder b = {NULL, 1};
    char *scores = scores_text(cell->scores, metrics);
    tm_status status = scores ? store_prepared(store, STORE_ADD_RESULT, &b.statement, err)
                              : tm_fail_memory(err, "a sweep's results");
    if (status == TM_OK) {
        store_bind_count(&b, (uint64_t)sweep);
        store_bind_count(&b, config);
        store_bind_count(&b, split);
        store_bind_text(&b, tm_cell_status_name(cell->status));
        store_bind_text(&b, cell->error);
        store_bind_real(&b, cell->lambda);
        store_bind_real(&b, cell->primal);
        store_bind_real(&b, cell->dual);
        store_bind_real(&b, cell->gap);
        store_bind_real(&b, cell->nnz);
        store_bind_real(&b, cell->seconds);
        store_bind_real(&b, cell->columns);
        store_bind_real(&b, cell->updates);
        store_bind_text(&b, scores);
        status = store_run(store, b.statement, err);
    }
    free(scores);
    return status;
}

static tm_status finish_task(tm_store *store, int64_t sweep, size_t task, tm_error *err)
{
    store_binder b = {NULL, 1};
    tm_status status = store_prepared(store, STORE_FINISH_TASK, &b.statement, err);
    if (status != TM_OK)
        return status;
    store_bind_count(&b, (uint64_t)sweep);
    store_bind_count(&b, task);
    store_bind_real(&b, store_wall_clock());
    return store_run(store, b.statement, err);
}

tm_status store_sweep_record(tm_store *store, int64_t sweep, size_t task, const sweep_plan *plan,
                             const sweep_found *found, tm_error *err)
{
    const sweep_chain *chain = &plan->chains[task % plan->chain_count];
    store_claim state;
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    /* Somebody may have taken this process for dead and done the task: then it is done. And the claim may
     * not have been written, when the disk was full. */
    status = claim(store, sweep, task, &state, err);
    if (status == TM_OK && state != STORE_CLAIM_DONE) {
        for (size_t i = 0; status == TM_OK && i < chain->count; i++)
            status = add_result(store, sweep, chain->configs[i], task / plan->chain_count,
                                &found->cells[i], plan->metric_count, err);
        if (status == TM_OK)
            status = finish_task(store, sweep, task, err);
    }
    return store_transaction_end(store, status, err);
}

tm_status store_sweep_release(tm_store *store, int64_t sweep, size_t task, tm_error *err)
{
    store_binder b = {NULL, 1};
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = store_prepared(store, STORE_RELEASE_TASK, &b.statement, err);
    if (status == TM_OK) {
        store_bind_count(&b, (uint64_t)sweep);
        store_bind_count(&b, task);
        status = store_run(store, b.statement, err);
    }
    return store_transaction_end(store, status, err);
}

tm_status store_sweep_beat(tm_store *store, int64_t sweep, size_t *done, tm_error *err)
{
    store_binder b = {NULL, 1}, c = {NULL, 1};
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = store_prepared(store, STORE_BEAT, &b.statement, err);
    if (status == TM_OK) {
        store_bind_count(&b, (uint64_t)sweep);
        store_bind_real(&b, store_wall_clock());
        store_bind_owner(&b, &store->self);
        status = store_run(store, b.statement, err);
    }
    if (status == TM_OK)
        status = store_prepared(store, STORE_COUNT_DONE, &c.statement, err);
    if (status == TM_OK) {
        store_bind_count(&c, (uint64_t)sweep);
        if (sqlite3_step(c.statement) == SQLITE_ROW)
            *done = (size_t)sqlite3_column_int64(c.statement, 0);
        else
            status = store_fail(store, err);
        sqlite3_reset(c.statement);
    }
    return store_transaction_end(store, status, err);
}

/* ---- reading ------------------------------------------------------------------------------- */

static const char select_done[] = "SELECT task FROM tasks WHERE sweep = ? AND status = 'done'";
static const char select_results[] = "SELECT config, split, status, error, lambda, primal, dual, "
                                     "gap, nnz, seconds, columns, updates,"
                                     " scores FROM results WHERE sweep = ?";

static double real_at(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(statement, column);
}

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

static tm_status read_result(tm_store *store, sqlite3_stmt *s, tm_sweep_table *table,
                             double *scores, tm_error *err)
{
    sqlite3_int64 config = sqlite3_column_int64(s, 0), split = sqlite3_column_int64(s, 1);
    if (config < 0 || split < 0 || (size_t)config >= table->config_count ||
        (size_t)split >= table->split_count ||
        !read_scores((const char *)sqlite3_column_text(s, 12), scores, table->metric_count))
        return tm_fail(err, TM_EDATA, "%s: the results of a sweep cannot be read", store->path);
    tm_sweep_cell cell = {
        .status = status_named((const char *)sqlite3_column_text(s, 2)),
        .error = (const char *)sqlite3_column_text(s, 3),
        .lambda = real_at(s, 4),
        .primal = real_at(s, 5),
        .dual = real_at(s, 6),
        .gap = real_at(s, 7),
        .nnz = real_at(s, 8),
        .seconds = real_at(s, 9),
        .columns = real_at(s, 10),
        .updates = real_at(s, 11),
        .scores = scores,
    };
    sweep_table_set(table, (size_t)config, (size_t)split, &cell);
    return TM_OK;
}

static tm_status load_results(tm_store *store, int64_t sweep, tm_sweep_table *table, tm_error *err)
{
    sqlite3_stmt *s = NULL;
    double *scores = mem_array(table->metric_count, sizeof *scores);
    int code = SQLITE_DONE;
    if (!scores)
        return tm_fail_memory(err, "a sweep's results");
    tm_status status = sqlite3_prepare_v2(store->db, select_results, -1, &s, NULL) == SQLITE_OK
                           ? TM_OK
                           : store_fail(store, err);
    sqlite3_bind_int64(s, 1, sweep);
    while (status == TM_OK && (code = sqlite3_step(s)) == SQLITE_ROW)
        status = read_result(store, s, table, scores, err);
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(s);
    free(scores);
    return status;
}

static tm_status load_done(tm_store *store, int64_t sweep, bool *done, size_t tasks, tm_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = SQLITE_DONE;
    tm_status status = sqlite3_prepare_v2(store->db, select_done, -1, &s, NULL) == SQLITE_OK
                           ? TM_OK
                           : store_fail(store, err);
    sqlite3_bind_int64(s, 1, sweep);
    while (status == TM_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        sqlite3_int64 task = sqlite3_column_int64(s, 0);
        if (task >= 0 && (size_t)task < tasks)
            done[task] = true;
    }
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(s);
    return status;
}

/* In one transaction, so that a task that counts as done has its results in the table. */
tm_status store_sweep_load(tm_store *store, int64_t sweep, tm_sweep_table *table, bool *done,
                           size_t tasks, tm_error *err)
{
    pthread_mutex_lock(&store->lock);
    tm_status status = store_exec(store, "BEGIN", err);
    if (status == TM_OK && done)
        status = load_done(store, sweep, done, tasks, err);
    if (status == TM_OK)
        status = load_results(store, sweep, table, err);
    return store_transaction_end(store, status, err);
}

/* ---- for people ---------------------------------------------------------------------------- */

static const char select_sweeps[] =
    "SELECT id, key, name, method, description, version, begun,"
    " (SELECT max(ended) FROM tasks WHERE sweep = sweeps.id), tasks,"
    " (SELECT count(*) FROM tasks WHERE sweep = sweeps.id AND status = 'done'),"
    " (SELECT count(*) FROM results WHERE sweep = sweeps.id AND status = 'failed'),"
    " (SELECT count(*) FROM tasks WHERE sweep = sweeps.id AND status = 'running'"
    "  AND owner_alive(host, boot, pid, started))"
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
        .begun = real_at(s, 6),
        .ended = real_at(s, 7),
        .tasks = sqlite3_column_int64(s, 8),
        .done = sqlite3_column_int64(s, 9),
        .failed = sqlite3_column_int64(s, 10),
    };
    sweep.status = sweep.done >= sweep.tasks         ? "done"
                   : sqlite3_column_int64(s, 11) > 0 ? "running"
                                                     : "interrupted";
    return sweep;
}

tm_status tm_store_each_sweep(tm_store *store, int64_t id, tm_store_sweep *use, void *payload,
                              tm_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = SQLITE_DONE;
    pthread_mutex_lock(&store->lock);
    tm_status status = sqlite3_prepare_v2(store->db, select_sweeps, -1, &s, NULL) == SQLITE_OK
                           ? TM_OK
                           : store_fail(store, err);
    sqlite3_bind_int64(s, 1, id);
    while (status == TM_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        tm_stored_sweep sweep = read_sweep(s);
        bool whole = sweep.key && sweep.name && sweep.description && sweep.version;
        status = whole ? use(&sweep, payload, err)
                       : tm_fail(err, TM_EDATA, "%s: sweep %lld cannot be read", store->path,
                                 (long long)sweep.id);
    }
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(s);
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
