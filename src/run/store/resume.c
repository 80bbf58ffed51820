#include "run/store/resume.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/job.h"
#include "run/params_json.h"
#include "run/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void store_rest_clear(store_rest *rest)
{
    for (size_t k = 0; k < rest->count; k++)
        tm_solution_clear(&rest->points[k].solution);
    free(rest->points);
    tm_model_unref(rest->warm);
    *rest = (store_rest){0};
}

/* ---- the run ------------------------------------------------------------------------------- */

typedef struct search {
    const tm_job_spec *spec;
    json_t *params;
    int64_t id;
    size_t points;
} search;

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_params(const search *s, const char *text)
{
    json_t *stored = json_loads(text, 0, NULL);
    json_object_del(stored, "threads");
    bool same = stored && json_equal(stored, s->params);
    json_decref(stored);
    return same;
}

/* Whether a file of a graph or of groups was written after that time: the points that are stored
 * may be those of the file before. */
static bool files_changed(const tm_params *params, double since)
{
    for (size_t i = 0; i < tm_params_count(params); i++) {
        struct stat about;
        const char *path = params_file(params, i);
        if (path && stat(path, &about) == 0 &&
            (double)about.st_mtim.tv_sec + 1e-9 * (double)about.st_mtim.tv_nsec > since)
            return true;
    }
    return false;
}

static tm_status consider(const tm_stored_run *run, void *payload, tm_error *err)
{
    search *s = payload;
    const tm_dataset *test = s->spec->test;
    (void)err;
    bool stopped = strcmp(run->status, "interrupted") == 0 || strcmp(run->status, "cancelled") == 0;
    if (stopped && run->points > 0 && same_text(run->sha256, tm_dataset_sha256(s->spec->train)) &&
        same_text(run->test_sha256, test ? tm_dataset_sha256(test) : NULL) &&
        same_params(s, run->params) && !files_changed(s->spec->params, run->begun)) {
        s->id = run->id;
        s->points = (size_t)run->points;
    }
    return TM_OK;
}

static tm_status find_run(tm_store *store, search *s, tm_error *err)
{
    tm_store_filter filter = TM_STORE_FILTER_INIT;
    filter.method = tm_method_id(s->spec->method);
    json_t *params = params_json(s->spec->params, json_string);
    /* As the store has them: written and read. */
    char *text = params ? json_dumps(params, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    s->params = text ? json_loads(text, 0, NULL) : NULL;
    json_decref(params);
    free(text);
    if (!s->params)
        return tm_fail_memory(err, "the run's parameters");
    json_object_del(s->params, "threads");
    tm_status status = tm_store_each_run(store, &filter, consider, s, err);
    json_decref(s->params);
    return status;
}

/* ---- its points ------------------------------------------------------------------------------ */

typedef struct taking {
    store_rest *rest;
    size_t room, p;
    bool ended; /* a point has not converged: it is the first of those that are left */
} taking;

static tm_status take_point(const tm_stored_point *point, void *payload, tm_error *err)
{
    taking *t = payload;
    (void)err;
    t->ended = t->ended || strcmp(point->status, tm_outcome_name(TM_CONVERGED)) != 0;
    if (t->ended || t->rest->count == t->room)
        return TM_OK;
    tm_point *out = &t->rest->points[t->rest->count++];
    double p = (double)t->p;
    *out = (tm_point){.train_score = point->train_score, .test_score = point->test_score};
    out->solution = (tm_solution){
        .lambda = point->lambda,
        .lambda_max = NAN,
        .B = point->B,
        .C = point->C,
        .primal = point->primal,
        .dual = point->dual,
        .gap = point->gap,
        .null_objective = NAN,
        .seconds = point->seconds,
        .columns = (uint64_t)point->columns,
        .updates = (uint64_t)point->updates,
        .passes = (double)point->columns / p,
        .active = t->p - (uint64_t)point->screened,
        .screening = {(uint64_t)point->screened, (double)point->screened / p, NAN, 0},
        .explained = NAN,
        .retrained.C = NAN,
    };
    return TM_OK;
}

static const char select_models[] = "SELECT k, model FROM models WHERE run = ?1 AND k <= ?2"
                                    " ORDER BY k";

/* The models of the points, and of the one after them; `found` models from the first on. */
static tm_status take_models(tm_store *store, store_rest *rest, size_t *found, tm_error *err)
{
    store_binder b;
    int code = SQLITE_DONE;
    *found = 0;
    pthread_mutex_lock(&store->lock);
    tm_status status = store_prepare_for(store, select_models, rest->id, &b, err);
    store_bind_count(&b, rest->count);
    while (status == TM_OK && (code = store_step(&b)) == SQLITE_ROW &&
           sqlite3_column_int64(b.statement, 0) == (sqlite3_int64)*found) {
        const char *text = (const char *)sqlite3_column_text(b.statement, 1);
        tm_model **model =
            *found < rest->count ? &rest->points[*found].solution.model : &rest->warm;
        status = store_row(store, err);
        if (status == TM_OK)
            status = tm_model_from_text(model, text, store->path, err);
        *found += status == TM_OK;
    }
    if (status == TM_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        status = store_fail(store, err);
    sqlite3_finalize(b.statement);
    pthread_mutex_unlock(&store->lock);
    return status;
}

tm_status store_find_rest(tm_store *store, const tm_job_spec *spec, store_rest *out, tm_error *err)
{
    search s = {.spec = spec};
    *out = (store_rest){0};
    tm_status status = find_run(store, &s, err);
    if (status != TM_OK || s.id == 0)
        return status;
    size_t found = 0, wanted;
    taking t = {out, s.points - 1, tm_dataset_cols(spec->train), false};
    out->id = s.id;
    out->points = mem_zeros(s.points, sizeof *out->points);
    status = out->points ? tm_store_each_point(store, s.id, take_point, &t, err)
                         : tm_fail_memory(err, "the points of a run");
    wanted = out->count + 1;
    if (status == TM_OK)
        status = take_models(store, out, &found, err);
    if (status == TM_OK && found < wanted)
        status = tm_fail(err, TM_EDATA, "%s: run %lld has points without models", store->path,
                         (long long)s.id);
    if (status != TM_OK)
        store_rest_clear(out);
    return status;
}

/* ---- going on ------------------------------------------------------------------------------ */

static const char take_over[] = "UPDATE runs SET status = 'running', ended = NULL, error = NULL,"
                                " host = ?2, boot = ?3, pid = ?4, started = ?5 WHERE id = ?1";

/* Deletes what the run has in a table from point `count` on. */
static tm_status drop_points(tm_store *store, const char *sql, int64_t id, size_t count,
                             tm_error *err)
{
    store_binder b;
    tm_status status = store_prepare_for(store, sql, id, &b, err);
    if (status != TM_OK)
        return status;
    store_bind_count(&b, count);
    status = store_run(store, &b, err);
    sqlite3_finalize(b.statement);
    return status;
}

tm_status store_continue(tm_store *store, int64_t id, const tm_job *job, size_t count,
                         tm_error *err)
{
    store_binder b;
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = store_prepare_for(store, take_over, id, &b, err);
    if (status == TM_OK) {
        store_bind_owner(&b, &store->self);
        status = store_run(store, &b, err);
        sqlite3_finalize(b.statement);
    }
    if (status == TM_OK)
        status = drop_points(store, "DELETE FROM points WHERE run = ? AND k >= ?", id, count, err);
    if (status == TM_OK)
        status = drop_points(store, "DELETE FROM models WHERE run = ? AND k >= ?", id, count, err);
    status = store_transaction_end(store, status, err);
    if (status == TM_OK)
        store_set_number(job, id);
    return status;
}
