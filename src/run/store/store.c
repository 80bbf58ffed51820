/* Recording runs. */
#include "run/store/store.h"

#include "run/job.h"
#include "run/params_json.h"
#include "tamis/version.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- statements ---------------------------------------------------------------------------- */

static const char *const statement_sql[STORE_STATEMENTS] = {
    [STORE_BEGIN_RUN] =
        "INSERT INTO runs (name, method, params, data, sha256, test, test_sha256, n, p, seed,"
        " version, status, begun, host, boot, pid, started, tags, note)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?)",
    [STORE_COUNT_POINTS] = "SELECT count(*) FROM points WHERE run = ?",
    [STORE_ADD_POINT] =
        "INSERT INTO points VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STORE_ADD_MODEL] = "INSERT INTO models VALUES (?, ?, ?)",
    [STORE_ADD_EVENT] =
        "INSERT OR REPLACE INTO traces VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " ?)",
    [STORE_SET_RESULT] =
        "UPDATE runs SET status = ?2, ended = ?3, seconds = ?4, lambda_max = ?5, error = ?6,"
        " (lambda, primal, dual, gap, nnz, train_score, test_score) ="
        " (SELECT lambda, primal, dual, gap, nnz, train_score, test_score FROM points"
        "  WHERE run = ?1 ORDER BY k DESC LIMIT 1)"
        " WHERE id = ?1",
    [STORE_CLAIM_TASK] =
        "INSERT INTO tasks (sweep, task, status, begun, beat, host, boot, pid, started)"
        " VALUES (?1, ?2, 'running', ?3, ?3, ?4, ?5, ?6, ?7)"
        " ON CONFLICT (sweep, task) DO UPDATE SET begun = ?3, beat = ?3, host = ?4, boot = ?5,"
        " pid = ?6, started = ?7 WHERE status = 'running'"
        " AND NOT (owner_alive(host, boot, pid, started) AND (host = ?4 OR beat > ?3 - ?8))",
    [STORE_TASK_STATUS] = "SELECT status, host = ?3 AND boot = ?4 AND pid = ?5 AND started = ?6"
                          " FROM tasks WHERE sweep = ?1 AND task = ?2",
    [STORE_FINISH_TASK] = "UPDATE tasks SET status = 'done', finished = finished + 1, ended = ?3,"
                          " beat = ?3 WHERE sweep = ?1 AND task = ?2",
    [STORE_RELEASE_TASK] = "DELETE FROM tasks WHERE sweep = ? AND task = ? AND status = 'running'"
                           " AND host = ? AND boot = ? AND pid = ? AND started = ?",
    [STORE_BEAT] = "UPDATE tasks SET beat = ?2 WHERE sweep = ?1 AND status = 'running'"
                   " AND host = ?3 AND boot = ?4 AND pid = ?5 AND started = ?6",
    [STORE_ADD_RESULT] =
        "INSERT OR REPLACE INTO results (sweep, config, split, status, error, lambda, primal, dual,"
        " gap, nnz, seconds, columns, updates, scores, checksum)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STORE_COUNT_DONE] = "SELECT count(*) FROM tasks WHERE sweep = ? AND status = 'done'",
    [STORE_SET_MARK] = "INSERT INTO marks (sweep, task, cells, lambda_max, model, checksum)"
                       " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (sweep, task) DO UPDATE SET"
                       " cells = excluded.cells, lambda_max = excluded.lambda_max,"
                       " model = excluded.model, checksum = excluded.checksum"
                       " WHERE excluded.cells > cells",
    [STORE_GET_MARK] =
        "SELECT cells, lambda_max, model, checksum FROM marks WHERE sweep = ? AND task = ?",
    [STORE_DROP_MARK] = "DELETE FROM marks WHERE sweep = ? AND task = ?",
    [STORE_REOPEN_TASK] = "DELETE FROM tasks WHERE sweep = ? AND task = ? AND status = 'done'",
    [STORE_ADD_ANSWER] = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    /* Prefers one with its model, then a later one, which may have more metrics. */
    [STORE_FIND_ANSWER] =
        "SELECT " STORE_RESULT_TEXT ", a.sweep, a.metrics, a.lambda_max,"
        " CASE WHEN ?3 THEN a.model END, a.model IS NOT NULL, a.checksum FROM answers a"
        " JOIN results r ON r.sweep = a.sweep AND r.config = a.config AND r.split = a.split"
        " WHERE a.content = ?1 AND a.sweep <> ?2 ORDER BY a.model IS NULL, a.sweep DESC LIMIT 1",
    [STORE_ADD_KEPT] = "INSERT OR REPLACE INTO sweep_kept VALUES (?, ?, ?, ?, ?)",
    [STORE_DROP_RESULT] = "DELETE FROM results WHERE sweep = ? AND config = ? AND split = ?",
};

tm_status store_prepared(tm_store *store, store_statement which, sqlite3_stmt **out, tm_error *err)
{
    sqlite3_stmt **statement = &store->statements[which];
    *out = NULL;
    if (!*statement && sqlite3_prepare_v3(store->db, statement_sql[which], -1,
                                          SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK)
        return store_fail(store, err);
    *out = *statement;
    return TM_OK;
}

double store_wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void store_bind_owner(store_binder *b, const owner *self)
{
    store_bind_text(b, self->host);
    store_bind_text(b, self->boot);
    store_bind_count(b, (uint64_t)self->pid);
    store_bind_count(b, (uint64_t)self->started);
}

/* ---- beginning ----------------------------------------------------------------------------- */

static char *params_text(const tm_params *params)
{
    json_t *object = params_json(params, json_string);
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(object);
    return text;
}

static void bind_run(store_binder *b, const tm_store *store, const tm_job *job, const char *params,
                     const tm_annotation *label)
{
    const tm_dataset *train = tm_job_train(job), *test = tm_job_test(job);
    const tm_params *given = tm_job_params(job);
    store_bind_text(b, tm_job_name(job));
    store_bind_text(b, tm_method_id(tm_job_method(job)));
    store_bind_text(b, params);
    store_bind_text(b, tm_dataset_name(train));
    store_bind_text(b, tm_dataset_sha256(train));
    store_bind_text(b, test ? tm_dataset_name(test) : NULL);
    store_bind_text(b, test ? tm_dataset_sha256(test) : NULL);
    store_bind_count(b, tm_dataset_rows(train));
    store_bind_count(b, tm_dataset_cols(train));
    if (tm_params_find(given, "seed", NULL) && tm_params_has(given, "seed"))
        store_bind_count(b, (uint64_t)tm_params_int(given, "seed"));
    else
        store_bind_null(b);
    store_bind_text(b, TAMIS_VERSION);
    store_bind_real(b, store_wall_clock());
    store_bind_owner(b, &store->self);
    store_bind_text(b, label->tags ? label->tags : "");
    store_bind_text(b, label->note);
}

void store_set_number(const tm_job *job, int64_t id)
{
    tm_job *own = (tm_job *)(uintptr_t)job;
    pthread_mutex_lock(&own->lock);
    own->label.stored = id;
    pthread_mutex_unlock(&own->lock);
}

int64_t tm_store_number(const tm_job *job)
{
    tm_job *own = (tm_job *)(uintptr_t)job;
    pthread_mutex_lock(&own->lock);
    int64_t id = own->label.stored;
    pthread_mutex_unlock(&own->lock);
    return id;
}

tm_status tm_store_begin(tm_store *store, const tm_job *job, int64_t *id, tm_error *err)
{
    *id = 0;
    errno = 0;
    char *params = params_text(tm_job_params(job));
    if (!params && errno == ENOMEM)
        return tm_fail_memory(err, "the run's parameters");
    if (!params)
        return tm_fail(err, TM_EDATA, "%s: the run's parameters cannot be written as JSON",
                       store->path);
    /* Computed before the transaction, because the first call makes a pass over the data, during
     * which other processes would wait. */
    tm_dataset_sha256(tm_job_train(job));
    if (tm_job_test(job))
        tm_dataset_sha256(tm_job_test(job));
    tm_annotation label;
    tm_status status = tm_job_annotation(job, &label, err);
    if (status == TM_OK)
        status = store_transaction_begin(store, err);
    if (status == TM_OK) {
        store_binder b = {NULL, 1, 0};
        status = store_prepared(store, STORE_BEGIN_RUN, &b.statement, err);
        if (status == TM_OK) {
            bind_run(&b, store, job, params, &label);
            status = store_run(store, &b, err);
        }
        int64_t given = sqlite3_last_insert_rowid(store->db);
        status = store_transaction_end(store, status, err);
        *id = status == TM_OK ? given : 0;
        store_set_number(job, *id);
    }
    tm_annotation_clear(&label);
    free(params);
    return status;
}

tm_status tm_store_annotate(tm_store *store, tm_stored_kind kind, int64_t id,
                            const tm_annotation *annotation, tm_error *err)
{
    static const char *const sql[] = {"UPDATE runs SET tags = ?, note = ? WHERE id = ?",
                                      "UPDATE sweeps SET tags = ?, note = ? WHERE id = ?"};
    store_binder b = {NULL, 1, 0};
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    if (sqlite3_prepare_v2(store->db, sql[kind], -1, &b.statement, NULL) != SQLITE_OK)
        status = store_fail(store, err);
    store_bind_text(&b, annotation->tags ? annotation->tags : "");
    store_bind_text(&b, annotation->note);
    store_bind_count(&b, (uint64_t)id);
    if (status == TM_OK)
        status = store_run(store, &b, err);
    if (status == TM_OK && sqlite3_changes(store->db) == 0)
        status = tm_fail(err, TM_EUSAGE, "%s: there is no %s %s%lld", store->path,
                         kind == TM_STORED_RUN ? "run" : "sweep", kind == TM_STORED_RUN ? "" : "s",
                         (long long)id);
    sqlite3_finalize(b.statement);
    return store_transaction_end(store, status, err);
}

/* ---- points -------------------------------------------------------------------------------- */

static tm_status count_points(tm_store *store, int64_t id, size_t *count, tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    tm_status status = store_prepared(store, STORE_COUNT_POINTS, &b.statement, err);
    *count = 0;
    if (status != TM_OK)
        return status;
    store_bind_count(&b, (uint64_t)id);
    if (store_step(&b) == SQLITE_ROW)
        *count = (size_t)sqlite3_column_int64(b.statement, 0);
    else
        status = store_fail(store, err);
    sqlite3_reset(b.statement);
    return status;
}

/* A model whose names are not UTF-8 has no JSON: its point is kept without it. */
static tm_status add_model(tm_store *store, int64_t id, size_t k, const tm_model *model,
                           tm_error *err)
{
    char *text;
    tm_status made = tm_model_to_text(&text, model, err);
    if (made != TM_OK)
        return made == TM_ENOMEM ? made : TM_OK;
    store_binder b = {NULL, 1, 0};
    tm_status status = store_prepared(store, STORE_ADD_MODEL, &b.statement, err);
    if (status == TM_OK) {
        store_bind_count(&b, (uint64_t)id);
        store_bind_count(&b, k);
        store_bind_text(&b, text);
        status = store_run(store, &b, err);
    }
    free(text);
    return status;
}

static tm_status add_point(tm_store *store, int64_t id, size_t k, const tm_point *point,
                           tm_error *err)
{
    const tm_solution *s = &point->solution;
    store_binder b = {NULL, 1, 0};
    tm_status status = store_prepared(store, STORE_ADD_POINT, &b.statement, err);
    if (status != TM_OK)
        return status;
    store_bind_count(&b, (uint64_t)id);
    store_bind_count(&b, k);
    store_bind_real(&b, s->lambda);
    store_bind_text(&b, tm_outcome_name(s->outcome));
    store_bind_real(&b, s->primal);
    store_bind_real(&b, s->dual);
    store_bind_real(&b, s->gap);
    store_bind_count(&b, tm_model_nnz(s->model));
    store_bind_real(&b, tm_model_intercept(s->model));
    store_bind_real(&b, point->train_score);
    store_bind_real(&b, point->test_score);
    store_bind_real(&b, s->seconds);
    store_bind_count(&b, s->columns);
    store_bind_count(&b, s->updates);
    store_bind_count(&b, s->screening.screened);
    store_bind_real(&b, s->B);
    store_bind_real(&b, s->C);
    status = store_run(store, &b, err);
    return status == TM_OK ? add_model(store, id, k, s->model, err) : status;
}

/* Records the points that were finished since the last call. */
static tm_status add_points(tm_store *store, int64_t id, const tm_job *job, tm_error *err)
{
    const tm_point *points;
    size_t finished = tm_job_points(job, &points), k;
    tm_status status = count_points(store, id, &k, err);
    for (; status == TM_OK && k < finished; k++)
        status = add_point(store, id, k, &points[k], err);
    return status;
}

/* ---- results ------------------------------------------------------------------------------- */

static const char *status_of(const tm_job *job)
{
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    tm_outcome worst = TM_CONVERGED;
    switch (tm_job_get_state(job)) {
    case TM_JOB_DONE:
        for (size_t k = 0; k < count; k++)
            worst = points[k].solution.outcome > worst ? points[k].solution.outcome : worst;
        return tm_outcome_name(worst);
    case TM_JOB_FAILED:
        return "failed";
    case TM_JOB_CANCELLED:
        return tm_outcome_name(TM_CANCELLED);
    default:
        return "running";
    }
}

static tm_status set_result(tm_store *store, int64_t id, const tm_job *job, tm_error *err)
{
    bool ended = tm_job_ended(job), failed = tm_job_get_state(job) == TM_JOB_FAILED;
    store_binder b = {NULL, 1, 0};
    tm_status status = store_prepared(store, STORE_SET_RESULT, &b.statement, err);
    if (status != TM_OK)
        return status;
    store_bind_count(&b, (uint64_t)id);
    store_bind_text(&b, ended ? status_of(job) : "running");
    store_bind_real(&b, ended ? store_wall_clock() : NAN);
    store_bind_real(&b, tm_job_seconds(job));
    store_bind_real(&b, tm_job_lambda_max(job));
    store_bind_text(&b, failed ? tm_job_error(job)->message : NULL);
    return store_run(store, &b, err);
}

static tm_status record(tm_store *store, int64_t id, const tm_job *job, tm_error *err)
{
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = add_points(store, id, job, err);
    if (status == TM_OK && tm_job_ended(job))
        status = store_add_trace(store, id, job, err);
    if (status == TM_OK)
        status = set_result(store, id, job, err);
    return store_transaction_end(store, status, err);
}

tm_status tm_store_update(tm_store *store, int64_t id, const tm_job *job, tm_error *err)
{
    const tm_point *points;
    size_t recorded;
    pthread_mutex_lock(&store->lock);
    tm_status status = count_points(store, id, &recorded, err);
    pthread_mutex_unlock(&store->lock);
    if (status != TM_OK || recorded >= tm_job_points(job, &points))
        return status;
    return record(store, id, job, err);
}

tm_status tm_store_finish(tm_store *store, int64_t id, const tm_job *job, tm_error *err)
{
    if (!tm_job_ended(job))
        return tm_fail(err, TM_EUSAGE, "the run '%s' has not ended", tm_job_name(job));
    return record(store, id, job, err);
}
