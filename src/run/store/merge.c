/* Maintenance: joining stores, deleting sweeps, compacting the file. */
#include "run/store/kept.h"
#include "run/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- joining ------------------------------------------------------------------------------- */

/* Two records are the same run if they began at the same moment in the same process. */
#define SAME_RUN                                                                                   \
    "m.begun = o.begun AND m.host = o.host AND m.pid = o.pid AND m.started = o.started"            \
    " AND m.name = o.name AND m.params = o.params"

/* Runs become new rows with new numbers; `map` relates old to new numbers. */
static const char merge_runs[] =
    "CREATE TEMP TABLE map (old INTEGER PRIMARY KEY, new INTEGER);"
    "INSERT INTO map SELECT o.id, NULL FROM other.runs o WHERE NOT EXISTS"
    " (SELECT 1 FROM main.runs m WHERE " SAME_RUN ") ORDER BY o.id;"
    "UPDATE map SET new = rowid_base.base + (SELECT count(*) FROM map k WHERE k.old <= map.old)"
    " FROM (SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'runs'), 0) AS base)"
    " AS rowid_base;"
    "INSERT INTO main.runs SELECT map.new, name, method, params, data, sha256, test, test_sha256, "
    "n,"
    " p, seed, version, status, begun, ended, seconds, lambda, lambda_max, primal, dual, gap, nnz,"
    " train_score, test_score, error, host, boot, pid, started, tags, note"
    " FROM other.runs o JOIN map ON map.old = o.id ORDER BY map.new;"
    "INSERT INTO main.points SELECT map.new, k, lambda, status, primal, dual, gap, nnz, intercept,"
    " train_score, test_score, seconds, columns, updates, screened, B, C"
    " FROM other.points o JOIN map ON map.old = o.run;"
    "INSERT INTO main.traces SELECT map.new, k, kind, point, seconds, lambda, primal, dual, gap,"
    " columns, updates, active, screened, feature, score, inner_gap, rejected, aggregated"
    " FROM other.traces o JOIN map ON map.old = o.run;"
    "INSERT INTO main.models SELECT map.new, k, model FROM other.models o JOIN map ON map.old = "
    "o.run;";
static const char merge_sweeps[] =
    "INSERT OR IGNORE INTO main.sweeps (key, name, method, description, tasks, version, begun, "
    "tags,"
    " note) SELECT key, name, method, description, tasks, version, begun, tags, note"
    " FROM other.sweeps ORDER BY id;"
    "UPDATE main.sweeps SET (tags, note) = (SELECT tags, note FROM other.sweeps o"
    " WHERE o.key = sweeps.key) WHERE tags = '' AND note IS NULL"
    " AND EXISTS (SELECT 1 FROM other.sweeps o WHERE o.key = sweeps.key);";
/* A task that is finished in both stores has the same results in both. A task that is only claimed
 * here becomes finished; its worker notices that when it records. */
static const char merge_tasks[] =
    "CREATE TEMP TABLE pairs AS SELECT o.id AS old, m.id AS new FROM other.sweeps o"
    " JOIN main.sweeps m ON m.key = o.key;"
    "INSERT OR REPLACE INTO main.results SELECT pairs.new, config, split, status, error, lambda,"
    " primal, dual, gap, nnz, seconds, columns, updates, scores, checksum"
    " FROM other.results o JOIN pairs ON pairs.old = o.sweep;"
    "DELETE FROM main.tasks WHERE status = 'running' AND EXISTS (SELECT 1 FROM other.tasks o"
    " JOIN pairs ON pairs.old = o.sweep WHERE pairs.new = tasks.sweep AND o.task = tasks.task"
    " AND o.status = 'done');"
    "INSERT OR IGNORE INTO main.tasks SELECT pairs.new, task, status, finished, o.begun, ended, "
    "beat,"
    " host, boot, pid, started FROM other.tasks o JOIN pairs ON pairs.old = o.sweep"
    " WHERE status = 'done';"
    "INSERT INTO main.marks (sweep, task, cells, lambda_max, model, checksum)"
    " SELECT pairs.new, o.task, o.cells, o.lambda_max, o.model, o.checksum FROM other.marks o"
    " JOIN pairs ON pairs.old = o.sweep WHERE true ON CONFLICT (sweep, task) DO UPDATE SET"
    " cells = excluded.cells, lambda_max = excluded.lambda_max, model = excluded.model,"
    " checksum = excluded.checksum"
    " WHERE excluded.cells > cells;"
    "DELETE FROM main.marks WHERE EXISTS (SELECT 1 FROM main.tasks t WHERE t.sweep = marks.sweep"
    " AND t.task = marks.task AND t.status = 'done');";
static const char merge_answers[] =
    "INSERT OR REPLACE INTO main.answers SELECT pairs.new, config, split, content, metrics,"
    " lambda_max, model, checksum FROM other.answers o JOIN pairs ON pairs.old = o.sweep;";
/* Tables that are created at their first use, later than the others. */
static const struct late_table {
    const char *name;
    tm_status (*make)(tm_store *store, tm_error *err);
    const char *copy;
} late_tables[] = {
    {"sweep_kept", store_kept_open,
     "INSERT OR REPLACE INTO main.sweep_kept SELECT pairs.new, config, split, o.checksum, kept"
     " FROM other.sweep_kept o JOIN pairs ON pairs.old = o.sweep"},
    {"recorded_values", store_values_open,
     "INSERT OR IGNORE INTO main.recorded_values SELECT * FROM other.recorded_values"},
};
static const char drop_temporary[] =
    "DROP TABLE IF EXISTS temp.map; DROP TABLE IF EXISTS temp.pairs;";

static tm_status count_of(tm_store *store, const char *sql, size_t *out, tm_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    *out = code == SQLITE_ROW ? (size_t)sqlite3_column_int64(statement, 0) : 0;
    tm_status status = code == SQLITE_ROW ? TM_OK : store_fail(store, err);
    sqlite3_finalize(statement);
    return status;
}

static tm_status count_all(tm_store *store, tm_merge_counts *counts, tm_error *err)
{
    tm_status status = count_of(store, "SELECT count(*) FROM main.runs", &counts->runs, err);
    if (status == TM_OK)
        status = count_of(store, "SELECT count(*) FROM main.sweeps", &counts->sweeps, err);
    return status == TM_OK
               ? count_of(store, "SELECT count(*) FROM main.tasks WHERE status = 'done'",
                          &counts->tasks, err)
               : status;
}

static tm_status merge_late(tm_store *store, tm_error *err)
{
    tm_status status = TM_OK;
    for (size_t i = 0; status == TM_OK && i < sizeof late_tables / sizeof *late_tables; i++) {
        char sql[160];
        size_t there = 0;
        snprintf(sql, sizeof sql, "SELECT count(*) FROM other.sqlite_master WHERE name = '%s'",
                 late_tables[i].name);
        status = count_of(store, sql, &there, err);
        if (status == TM_OK && there)
            status = late_tables[i].make(store, err);
        if (status == TM_OK && there)
            status = store_exec(store, late_tables[i].copy, err);
    }
    return status;
}

static tm_status merge(tm_store *store, tm_merge_counts *counts, tm_error *err)
{
    tm_merge_counts before = {0};
    tm_status status = count_all(store, &before, err);
    if (status == TM_OK)
        status = store_exec(store, merge_runs, err);
    if (status == TM_OK)
        status = store_exec(store, merge_sweeps, err);
    if (status == TM_OK)
        status = store_exec(store, merge_tasks, err);
    if (status == TM_OK)
        status = store_exec(store, merge_answers, err);
    if (status == TM_OK)
        status = merge_late(store, err);
    if (status == TM_OK)
        status = count_all(store, counts, err);
    if (status == TM_OK)
        status = store_exec(store, drop_temporary, err);
    counts->runs -= before.runs;
    counts->sweeps -= before.sweeps;
    counts->tasks -= before.tasks;
    return status;
}

/* Attaches a store, with the file name as a bound value; must be outside a transaction. */
static tm_status attach(tm_store *store, const char *path, tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    char *name = NULL;
    if (asprintf(&name, "%s%s", path[0] == '/' ? "" : "./", path) < 0)
        return tm_fail_memory(err, "a file name");
    pthread_mutex_lock(&store->lock);
    tm_status status = TM_OK;
    if (sqlite3_prepare_v2(store->db, "ATTACH ? AS other", -1, &b.statement, NULL) != SQLITE_OK)
        status = store_fail(store, err);
    if (status == TM_OK) {
        store_bind_text(&b, name);
        status = store_run(store, &b, err);
    }
    sqlite3_finalize(b.statement);
    pthread_mutex_unlock(&store->lock);
    free(name);
    return status;
}

/* Uses one connection to both stores, with foreign keys checked at the end of each statement. */
tm_status tm_store_merge(tm_store *store, const char *path, tm_merge_counts *counts, tm_error *err)
{
    tm_store *other;
    struct stat facts;
    *counts = (tm_merge_counts){0};
    if (stat(path, &facts) == 0 && facts.st_dev == store->device && facts.st_ino == store->inode)
        return tm_fail(err, TM_EUSAGE, "%s: the store cannot be merged into itself", path);
    /* Opened separately first, which checks the file and upgrades an older one. */
    tm_status status = tm_store_open(&other, path, TM_STORE_READ, err);
    if (status != TM_OK)
        return status;
    tm_store_close(other);
    status = attach(store, path, err);
    if (status != TM_OK)
        return status;
    status = store_transaction_begin(store, err);
    if (status == TM_OK) {
        status = merge(store, counts, err);
        status = store_transaction_end(store, status, err);
    }
    if (status != TM_OK)
        *counts = (tm_merge_counts){0};
    pthread_mutex_lock(&store->lock);
    sqlite3_exec(store->db, "DETACH other", NULL, NULL, NULL);
    pthread_mutex_unlock(&store->lock);
    return status;
}

/* ---- deleting ------------------------------------------------------------------------------ */

static tm_status judge(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    *(bool *)payload = true;
    if (strcmp(sweep->status, "running") == 0)
        return tm_fail(err, TM_EUSAGE, "a process is working on sweep %lld", (long long)sweep->id);
    return TM_OK;
}

tm_status tm_store_delete_sweep(tm_store *store, int64_t id, tm_error *err)
{
    bool found = false;
    char sql[80];
    tm_status status = id > 0 ? tm_store_each_sweep(store, id, judge, &found, err) : TM_OK;
    if (status == TM_OK && !found)
        return tm_fail(err, TM_EUSAGE, "%s: there is no sweep %lld", store->path, (long long)id);
    if (status == TM_OK)
        status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    snprintf(sql, sizeof sql, "DELETE FROM sweeps WHERE id = %lld", (long long)id);
    return store_transaction_end(store, store_exec(store, sql, err), err);
}

/* ---- room ---------------------------------------------------------------------------------- */

static tm_status check_whole(tm_store *store, tm_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, "PRAGMA integrity_check", -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    tm_status status = TM_OK;
    if (!text)
        status = store_fail(store, err);
    else if (strcmp(text, "ok") != 0)
        status =
            tm_fail(err, TM_EDATA,
                    "%s: the run store is damaged (%.200s). Move it away; the command 'sqlite3 "
                    "FILE .recover' may save its runs",
                    store->path, text);
    sqlite3_finalize(statement);
    return status;
}

tm_status tm_store_vacuum(tm_store *store, tm_error *err)
{
    pthread_mutex_lock(&store->lock);
    tm_status status = check_whole(store, err);
    if (status == TM_OK)
        status = store_exec(store, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", err);
    pthread_mutex_unlock(&store->lock);
    return status;
}
