/* Reading and deleting runs. */
#include "run/store/store.h"

#include <math.h>
#include <string.h>

/* The status of a run, with `interrupted` if its process has ended. */
#define STATUS                                                                                     \
    "CASE WHEN status = 'running' AND NOT owner_alive(host, boot, pid, started)"                   \
    " THEN 'interrupted' ELSE status END"
/* The SQL condition of a tm_store_filter, whose fields are the parameters 1 to 7. */
#define FITS                                                                                       \
    "(?1 = 0 OR id = ?1) AND (?2 IS NULL OR method = ?2) AND (?4 = 0 OR begun < ?4)"               \
    " AND (?5 IS NULL OR instr(name, ?5) > 0)"                                                     \
    " AND (?6 IS NULL OR instr(' ' || tags || ' ', ' ' || ?6 || ' ') > 0)"                         \
    " AND (?7 IS NULL OR instr(note, ?7) > 0)"                                                     \
    " AND (?3 IS NULL OR (" STATUS ") = ?3)"

static const char select_runs[] =
    "SELECT id, name, method, params, data, sha256, test, test_sha256, n, p, seed,"
    " version, " STATUS ", begun, ended, seconds, lambda, lambda_max, primal, dual, gap,"
    " nnz, train_score, test_score, error, (SELECT count(*) FROM points WHERE run = runs.id),"
    " tags, note"
    " FROM runs WHERE " FITS " ORDER BY id";
static const char select_points[] =
    "SELECT lambda, status, primal, dual, gap, nnz, intercept, train_score, test_score, seconds,"
    " columns, updates, screened, B, C FROM points WHERE run = ? ORDER BY k";
static const char select_model[] = "SELECT model FROM models WHERE run = ? ORDER BY k DESC LIMIT 1";
static const char delete_runs[] = "DELETE FROM runs WHERE " FITS " AND (" STATUS ") <> 'running'";

/* ---- columns ------------------------------------------------------------------------------- */

/* The columns of a row, in order. */
typedef struct row {
    sqlite3_stmt *statement;
    int next;
} row;

static const char *next_text(row *r)
{
    return (const char *)sqlite3_column_text(r->statement, r->next++);
}

static bool is_null(const row *r)
{
    return sqlite3_column_type(r->statement, r->next) == SQLITE_NULL;
}

static double next_real(row *r)
{
    double value = is_null(r) ? NAN : sqlite3_column_double(r->statement, r->next);
    r->next++;
    return value;
}

static int64_t next_count(row *r)
{
    int64_t value = is_null(r) ? -1 : sqlite3_column_int64(r->statement, r->next);
    r->next++;
    return value;
}

static tm_stored_run read_run(sqlite3_stmt *statement)
{
    row r = {statement, 0};
    tm_stored_run run = {0};
    run.id = next_count(&r);
    run.name = next_text(&r);
    run.method = next_text(&r);
    run.params = next_text(&r);
    run.data = next_text(&r);
    run.sha256 = next_text(&r);
    run.test = next_text(&r);
    run.test_sha256 = next_text(&r);
    run.n = next_count(&r);
    run.p = next_count(&r);
    run.seed = next_count(&r);
    run.version = next_text(&r);
    run.status = next_text(&r);
    run.begun = next_real(&r);
    run.ended = next_real(&r);
    run.seconds = next_real(&r);
    run.answer.lambda = next_real(&r);
    run.answer.lambda_max = next_real(&r);
    run.answer.primal = next_real(&r);
    run.answer.dual = next_real(&r);
    run.answer.gap = next_real(&r);
    run.answer.nnz = next_count(&r);
    run.answer.train_score = next_real(&r);
    run.answer.test_score = next_real(&r);
    run.error = next_text(&r);
    run.points = next_count(&r);
    run.label.tags = next_text(&r);
    run.label.note = next_text(&r);
    return run;
}

static tm_stored_point read_point(sqlite3_stmt *statement)
{
    row r = {statement, 0};
    tm_stored_point point = {0};
    point.lambda = next_real(&r);
    point.status = next_text(&r);
    point.primal = next_real(&r);
    point.dual = next_real(&r);
    point.gap = next_real(&r);
    point.nnz = next_count(&r);
    point.intercept = next_real(&r);
    point.train_score = next_real(&r);
    point.test_score = next_real(&r);
    point.seconds = next_real(&r);
    point.columns = next_count(&r);
    point.updates = next_count(&r);
    point.screened = next_count(&r);
    point.B = next_real(&r);
    point.C = next_real(&r);
    return point;
}

/* ---- reading ------------------------------------------------------------------------------- */

static const tm_store_filter everything = TM_STORE_FILTER_INIT;

static tm_status check_filter(const tm_store_filter *filter, tm_error *err)
{
    static const char *const known[] = {"running",  "interrupted", "converged",
                                        "max_iter", "cancelled",   "failed"};
    for (size_t i = 0; filter->status && i < sizeof known / sizeof *known; i++)
        if (strcmp(filter->status, known[i]) == 0)
            return TM_OK;
    if (!filter->status)
        return TM_OK;
    return tm_fail(err, TM_EUSAGE,
                   "no run has the status '%.60s': it is one of running, interrupted, converged, "
                   "max_iter, cancelled, failed",
                   filter->status);
}

static tm_status prepare_filtered(tm_store *store, const char *sql, const tm_store_filter *filter,
                                  store_binder *b, tm_error *err)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, &b->statement, NULL) != SQLITE_OK)
        return store_fail(store, err);
    store_bind_count(b, (uint64_t)filter->id);
    store_bind_text(b, filter->method);
    store_bind_text(b, filter->status);
    store_bind_real(b, filter->before);
    store_bind_text(b, filter->name);
    store_bind_text(b, filter->tag);
    store_bind_text(b, filter->note);
    return TM_OK;
}

/* Texts may be NULL when another program wrote the row. */
static tm_status check_run(const tm_store *store, const tm_stored_run *run, tm_error *err)
{
    bool whole = run->name && run->method && run->params && run->data && run->sha256 &&
                 run->version && run->status && run->label.tags;
    return whole ? TM_OK
                 : tm_fail(err, TM_EDATA, "%s: run %lld cannot be read", store->path,
                           (long long)run->id);
}

tm_status tm_store_each_run(tm_store *store, const tm_store_filter *filter, tm_store_run *use,
                            void *payload, tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    filter = filter ? filter : &everything;
    tm_status status = check_filter(filter, err);
    if (status != TM_OK)
        return status;
    pthread_mutex_lock(&store->lock);
    status = prepare_filtered(store, select_runs, filter, &b, err);
    int code = SQLITE_DONE;
    while (status == TM_OK && (code = store_step(&b)) == SQLITE_ROW) {
        tm_stored_run run = read_run(b.statement);
        status = store_row(store, err);
        if (status == TM_OK)
            status = check_run(store, &run, err);
        if (status == TM_OK)
            status = use(&run, payload, err);
    }
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(b.statement);
    pthread_mutex_unlock(&store->lock);
    return status;
}

typedef struct single {
    tm_store_run *use;
    void *payload;
    bool found;
} single;

static tm_status use_single(const tm_stored_run *run, void *payload, tm_error *err)
{
    single *one = payload;
    one->found = true;
    return one->use(run, one->payload, err);
}

tm_status tm_store_get(tm_store *store, int64_t id, tm_store_run *use, void *payload, tm_error *err)
{
    tm_store_filter filter = TM_STORE_FILTER_INIT;
    single one = {use, payload, false};
    filter.id = id;
    tm_status status = id > 0 ? tm_store_each_run(store, &filter, use_single, &one, err) : TM_OK;
    if (status == TM_OK && !one.found)
        return tm_fail(err, TM_EUSAGE, "%s: there is no run %lld", store->path, (long long)id);
    return status;
}

tm_status tm_store_each_point(tm_store *store, int64_t id, tm_store_point *use, void *payload,
                              tm_error *err)
{
    store_binder b;
    int code = SQLITE_DONE;
    pthread_mutex_lock(&store->lock);
    tm_status status = store_prepare_for(store, select_points, id, &b, err);
    while (status == TM_OK && (code = store_step(&b)) == SQLITE_ROW) {
        tm_stored_point point = read_point(b.statement);
        status = store_row(store, err);
        if (status == TM_OK)
            status = point.status ? use(&point, payload, err) : tm_fail_memory(err, "a point");
    }
    if (status == TM_OK && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_finalize(b.statement);
    pthread_mutex_unlock(&store->lock);
    return status;
}

tm_status tm_store_model(tm_store *store, int64_t id, tm_model **out, tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    tm_status status;
    *out = NULL;
    pthread_mutex_lock(&store->lock);
    int code = sqlite3_prepare_v2(store->db, select_model, -1, &b.statement, NULL);
    if (code == SQLITE_OK) {
        store_bind_count(&b, (uint64_t)id);
        code = store_step(&b);
    }
    const char *text =
        code == SQLITE_ROW ? (const char *)sqlite3_column_text(b.statement, 0) : NULL;
    if (text)
        status = tm_model_from_text(out, text, store->path, err);
    else if (code == SQLITE_DONE)
        status = tm_fail(err, TM_EDATA, "%s: run %lld has no model", store->path, (long long)id);
    else
        status = store_fail(store, err);
    sqlite3_finalize(b.statement);
    pthread_mutex_unlock(&store->lock);
    return status;
}

/* ---- deleting ------------------------------------------------------------------------------ */

tm_status tm_store_prune(tm_store *store, const tm_store_filter *filter, size_t *count,
                         tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    *count = 0;
    filter = filter ? filter : &everything;
    tm_status status = check_filter(filter, err);
    if (status == TM_OK)
        status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = prepare_filtered(store, delete_runs, filter, &b, err);
    if (status == TM_OK)
        status = store_run(store, &b, err);
    size_t deleted = (size_t)sqlite3_changes(store->db);
    sqlite3_finalize(b.statement);
    status = store_transaction_end(store, status, err);
    *count = status == TM_OK ? deleted : 0;
    return status;
}
