/* Sweeps in a store: claims of tasks, and results. sweep_read.c has the reading. */
#include "run/store/sweep.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/store/checksum.h"
#include "run/store/kept.h"
#include "run/store/reuse.h"
#include "run/store/store.h"
#include "tamis/version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Seconds without a heartbeat after which a process of another host counts as dead. */
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

/* The first column of the only row; 0 if there is none. ?1 is a text, ?2 the number of a sweep. */
static tm_status number_for(tm_store *store, const char *sql, const char *key, int64_t sweep,
                            int64_t *out, tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    int code = sqlite3_prepare_v2(store->db, sql, -1, &b.statement, NULL);
    *out = 0;
    if (code == SQLITE_OK) {
        store_bind_text(&b, key);
        if (sqlite3_bind_parameter_count(b.statement) > 1)
            store_bind_count(&b, (uint64_t)sweep);
        code = store_step(&b);
    }
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(b.statement, 0);
    tm_status status = code == SQLITE_ROW || code == SQLITE_DONE ? TM_OK : store_fail(store, err);
    sqlite3_finalize(b.statement);
    return status;
}

static tm_status forget(tm_store *store, const char *key, tm_error *err)
{
    int64_t alive;
    tm_status status = number_for(store, count_alive, key, 0, &alive, err);
    if (status == TM_OK && alive > 0)
        return tm_fail(err, TM_EUSAGE,
                       "%s: another process is working on this sweep; 'fresh' would delete what it "
                       "does",
                       store->path);
    return status == TM_OK ? number_for(store, delete_sweep, key, 0, &alive, err) : status;
}

static tm_status add_sweep(tm_store *store, const sweep_plan *plan, const char *name,
                           const char *method, tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    if (sqlite3_prepare_v2(store->db, insert_sweep, -1, &b.statement, NULL) != SQLITE_OK)
        return store_fail(store, err);
    store_bind_text(&b, plan->key);
    store_bind_text(&b, name);
    store_bind_text(&b, method);
    store_bind_text(&b, plan->description);
    store_bind_count(&b, sweep_plan_tasks(plan));
    store_bind_text(&b, TAMIS_VERSION);
    store_bind_real(&b, store_wall_clock());
    tm_status status = store_run(store, &b, err);
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
    if (status == TM_OK && plan->keep)
        status = store_kept_open(store, err);
    if (status == TM_OK)
        status = number_for(store, select_id, plan->key, 0, id, err);
    return store_transaction_end(store, status, err);
}

tm_status store_sweep_named(tm_store *store, const char *name, int64_t but, int64_t *id,
                            tm_error *err)
{
    pthread_mutex_lock(&store->lock);
    tm_status status = number_for(store, "SELECT max(id) FROM sweeps WHERE name = ?1 AND id <> ?2",
                                  name, but, id, err);
    pthread_mutex_unlock(&store->lock);
    return status;
}

tm_status store_sweep_others(tm_store *store, int64_t but, bool *any, tm_error *err)
{
    int64_t id;
    pthread_mutex_lock(&store->lock);
    tm_status status = number_for(store, "SELECT sweep FROM answers WHERE sweep <> ?2 LIMIT 1",
                                  NULL, but, &id, err);
    pthread_mutex_unlock(&store->lock);
    *any = id > 0;
    return status;
}

/* ---- tasks --------------------------------------------------------------------------------- */

typedef struct task_key {
    int64_t sweep;
    size_t task;
} task_key;

/* Prepares the statement and binds the key as its first two values. */
static tm_status prepare_task(tm_store *store, store_statement which, task_key key, store_binder *b,
                              tm_error *err)
{
    *b = (store_binder){NULL, 1, 0};
    tm_status status = store_prepared(store, which, &b->statement, err);
    if (status != TM_OK)
        return status;
    store_bind_count(b, (uint64_t)key.sweep);
    store_bind_count(b, key.task);
    return TM_OK;
}

static tm_status task_status(tm_store *store, int64_t sweep, size_t task, store_claim *out,
                             tm_error *err)
{
    store_binder b;
    tm_status status = prepare_task(store, STORE_TASK_STATUS, (task_key){sweep, task}, &b, err);
    if (status != TM_OK)
        return status;
    store_bind_owner(&b, &store->self);
    int code = store_step(&b);
    if (code == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(b.statement, 0);
        *out = text && strcmp(text, "done") == 0         ? STORE_CLAIM_DONE
               : sqlite3_column_int(b.statement, 1) != 0 ? STORE_CLAIM_HELD
                                                         : STORE_CLAIM_TAKEN;
        status = store_row(store, err);
    } else if (code == SQLITE_DONE) {
        status =
            tm_fail(err, TM_EDATA, "%s: the sweep was deleted while it was running", store->path);
    } else {
        status = store_fail(store, err);
    }
    sqlite3_reset(b.statement);
    return status;
}

static tm_status claim(tm_store *store, int64_t sweep, size_t task, store_claim *out, tm_error *err)
{
    store_binder b;
    tm_status status = prepare_task(store, STORE_CLAIM_TASK, (task_key){sweep, task}, &b, err);
    if (status != TM_OK)
        return status;
    store_bind_real(&b, store_wall_clock());
    store_bind_owner(&b, &store->self);
    store_bind_real(&b, SILENCE);
    status = store_run(store, &b, err);
    *out = STORE_CLAIM_MINE;
    if (status == TM_OK && sqlite3_changes(store->db) == 0)
        status = task_status(store, sweep, task, out, err);
    return status;
}

/* A damaged mark is ignored: the chain begins again. */
static tm_status read_mark(sqlite3_stmt *s, size_t task, sweep_mark *mark)
{
    tm_error err;
    const char *model = (const char *)sqlite3_column_text(s, 2);
    size_t cells = (size_t)sqlite3_column_int64(s, 0);
    double lambda_max = store_real_at(s, 1);
    if (sqlite3_column_type(s, 3) != SQLITE_NULL &&
        sqlite3_column_int64(s, 3) != store_mark_sum(task, cells, lambda_max, model))
        return TM_OK;
    if (model && tm_model_from_text(&mark->model, model, "a mark", &err) != TM_OK)
        return err.code == TM_ENOMEM ? TM_ENOMEM : TM_OK;
    mark->cells = cells;
    mark->lambda_max = lambda_max;
    return TM_OK;
}

static tm_status get_mark(tm_store *store, int64_t sweep, size_t task, sweep_mark *mark,
                          tm_error *err)
{
    store_binder b;
    tm_status status = prepare_task(store, STORE_GET_MARK, (task_key){sweep, task}, &b, err);
    if (status != TM_OK)
        return status;
    int code = store_step(&b);
    if (code == SQLITE_ROW && read_mark(b.statement, task, mark) != TM_OK)
        status = tm_fail_memory(err, "a model");
    else if (code == SQLITE_ROW)
        status = store_row(store, err);
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = store_fail(store, err);
    sqlite3_reset(b.statement);
    return status;
}

tm_status store_sweep_claim(tm_store *store, int64_t sweep, size_t task, store_claim *out,
                            sweep_mark *mark, tm_error *err)
{
    *mark = (sweep_mark){0, NAN, NULL};
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = claim(store, sweep, task, out, err);
    if (status == TM_OK && *out == STORE_CLAIM_MINE)
        status = get_mark(store, sweep, task, mark, err);
    return store_transaction_end(store, status, err);
}

/* Numbers separated by spaces; "nan" for unknown ones. NULL when memory runs out. */
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
    store_binder b = {NULL, 1, 0};
    char *scores = scores_text(cell->scores, metrics);
    tm_status status = scores ? store_prepared(store, STORE_ADD_RESULT, &b.statement, err)
                              : tm_fail_memory(err, "a sweep's results");
    if (status == TM_OK) {
        store_bind_cell(&b, sweep, config, split);
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
        store_bind_count(&b, (uint64_t)store_result_sum(config, split, cell, scores));
        status = store_run(store, &b, err);
    }
    free(scores);
    return status;
}

/* Runs a statement whose parameters are the sweep and the task. */
static tm_status run_for_task(tm_store *store, store_statement which, int64_t sweep, size_t task,
                              tm_error *err)
{
    store_binder b;
    tm_status status = prepare_task(store, which, (task_key){sweep, task}, &b, err);
    if (status != TM_OK)
        return status;
    return store_run(store, &b, err);
}

static tm_status finish_task(tm_store *store, int64_t sweep, size_t task, tm_error *err)
{
    store_binder b;
    tm_status status = prepare_task(store, STORE_FINISH_TASK, (task_key){sweep, task}, &b, err);
    if (status != TM_OK)
        return status;
    store_bind_real(&b, store_wall_clock());
    status = store_run(store, &b, err);
    return status == TM_OK ? run_for_task(store, STORE_DROP_MARK, sweep, task, err) : status;
}

static tm_status set_mark(tm_store *store, int64_t sweep, size_t task, const sweep_mark *mark,
                          const char *model, tm_error *err)
{
    store_binder b;
    tm_status status = prepare_task(store, STORE_SET_MARK, (task_key){sweep, task}, &b, err);
    if (status != TM_OK)
        return status;
    store_bind_count(&b, mark->cells);
    store_bind_real(&b, mark->lambda_max);
    store_bind_text(&b, model);
    store_bind_count(&b, (uint64_t)store_mark_sum(task, mark->cells, mark->lambda_max, model));
    return store_run(store, &b, err);
}

/* The texts of a record besides the cells. */
typedef struct record_texts {
    char *model; /* model of the mark, or NULL */
    store_answers answers;
} record_texts;

static tm_status make_texts(record_texts *texts, const store_task *at, const sweep_found *found,
                            const sweep_mark *mark, tm_error *err)
{
    size_t end = mark ? mark->cells : found->count;
    *texts = (record_texts){0};
    tm_status status =
        mark && mark->model ? tm_model_to_text(&texts->model, mark->model, err) : TM_OK;
    return status == TM_OK
               ? store_answers_make(&texts->answers, at, found, found->recorded, end, err)
               : status;
}

static void clear_texts(record_texts *texts)
{
    free(texts->model);
    store_answers_clear(&texts->answers);
}

/* Records the results, within the transaction. */
static tm_status record(tm_store *store, const store_task *at, const sweep_found *found,
                        const sweep_mark *mark, const record_texts *texts, tm_error *err)
{
    const sweep_plan *plan = at->plan;
    const sweep_chain *chain = &plan->chains[at->task % plan->chain_count];
    size_t end = mark ? mark->cells : chain->count;
    tm_status status = TM_OK;
    size_t split = at->task / plan->chain_count;
    for (size_t i = found->recorded; status == TM_OK && i < end; i++) {
        const tm_sweep_cell *cell = &found->cells[i];
        status =
            add_result(store, at->sweep, chain->configs[i], split, cell, plan->metric_count, err);
        if (status == TM_OK)
            status = store_answers_add(store, at, &texts->answers, i, found->lambda_max, err);
        if (status == TM_OK && cell->kept)
            status = store_kept_add(store, at->sweep, chain->configs[i], split, cell->kept, err);
    }
    if (status != TM_OK)
        return status;
    return mark ? set_mark(store, at->sweep, at->task, mark, texts->model, err)
                : finish_task(store, at->sweep, at->task, err);
}

tm_status store_sweep_record(tm_store *store, const store_task *at, sweep_found *found,
                             const sweep_mark *mark, store_claim *out, tm_error *err)
{
    record_texts texts;
    tm_status status = make_texts(&texts, at, found, mark, err);
    if (status == TM_OK)
        status = store_transaction_begin(store, err);
    if (status == TM_OK) {
        /* Another process may have considered this one dead and claimed the task. And the claim may
         * not have been written if the disk was full. */
        status = claim(store, at->sweep, at->task, out, err);
        if (status == TM_OK && (*out == STORE_CLAIM_MINE || *out == STORE_CLAIM_HELD))
            status = record(store, at, found, mark, &texts, err);
        status = store_transaction_end(store, status, err);
        if (status == TM_OK)
            sweep_found_recorded(found, mark ? mark->cells : found->count);
    }
    clear_texts(&texts);
    return status;
}

tm_status store_sweep_release(tm_store *store, int64_t sweep, size_t task, tm_error *err)
{
    store_binder b;
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = prepare_task(store, STORE_RELEASE_TASK, (task_key){sweep, task}, &b, err);
    if (status == TM_OK) {
        store_bind_owner(&b, &store->self);
        status = store_run(store, &b, err);
    }
    return store_transaction_end(store, status, err);
}

static tm_status drop_results(tm_store *store, const store_task *at, tm_error *err)
{
    const sweep_chain *chain = &at->plan->chains[at->task % at->plan->chain_count];
    tm_status status = TM_OK;
    for (size_t i = 0; status == TM_OK && i < chain->count; i++) {
        store_binder b;
        status = prepare_task(store, STORE_DROP_RESULT, (task_key){at->sweep, chain->configs[i]},
                              &b, err);
        if (status != TM_OK)
            break;
        store_bind_count(&b, at->task / at->plan->chain_count);
        status = store_run(store, &b, err);
    }
    return status;
}

tm_status store_sweep_reopen(tm_store *store, const store_task *at, tm_error *err)
{
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = run_for_task(store, STORE_REOPEN_TASK, at->sweep, at->task, err);
    if (status == TM_OK)
        status = run_for_task(store, STORE_DROP_MARK, at->sweep, at->task, err);
    if (status == TM_OK)
        status = drop_results(store, at, err);
    return store_transaction_end(store, status, err);
}

tm_status store_sweep_beat(tm_store *store, int64_t sweep, size_t *done, tm_error *err)
{
    store_binder b = {NULL, 1, 0}, c = {NULL, 1, 0};
    tm_status status = store_transaction_begin(store, err);
    if (status != TM_OK)
        return status;
    status = store_prepared(store, STORE_BEAT, &b.statement, err);
    if (status == TM_OK) {
        store_bind_count(&b, (uint64_t)sweep);
        store_bind_real(&b, store_wall_clock());
        store_bind_owner(&b, &store->self);
        status = store_run(store, &b, err);
    }
    if (status == TM_OK)
        status = store_prepared(store, STORE_COUNT_DONE, &c.statement, err);
    if (status == TM_OK) {
        store_bind_count(&c, (uint64_t)sweep);
        if (store_step(&c) == SQLITE_ROW)
            *done = (size_t)sqlite3_column_int64(c.statement, 0);
        else
            status = store_fail(store, err);
        sqlite3_reset(c.statement);
    }
    return store_transaction_end(store, status, err);
}
