#include "run/store/reuse.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/store/checksum.h"
#include "run/store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Answers up to this size are kept, so that a chain can be continued and a metric be added. Larger
 * ones would fill most of the store; their cells are solved again when needed. The limits are in
 * weights (checked before the text is made) and bytes of text. */
static const size_t MAX_WEIGHTS = 4096, MAX_TEXT = 65536;

static const sweep_chain *chain_of(const store_task *at)
{
    return &at->plan->chains[at->task % at->plan->chain_count];
}

/* ---- recording ----------------------------------------------------------------------------- */

/* The names, one per line. NULL when memory runs out. */
static char *metrics_text(const sweep_plan *plan)
{
    size_t size = 1;
    for (size_t m = 0; m < plan->metric_count; m++)
        size += strlen(plan->scorers[m].name) + 1;
    char *text = mem_array(size, 1), *end = text;
    for (size_t m = 0; text && m < plan->metric_count; m++) {
        end = stpcpy(end, plan->scorers[m].name);
        *end++ = '\n';
    }
    if (text)
        *end = '\0';
    return text;
}

/* The text of an answer; NULL if it is not kept. A model whose names are not UTF-8 has no text. */
static char *answer_text(const tm_model *model)
{
    char *text = NULL;
    if (!model || tm_model_nnz(model) > MAX_WEIGHTS ||
        tm_model_to_text(&text, model, NULL) != TM_OK || strlen(text) <= MAX_TEXT)
        return text;
    free(text);
    return NULL;
}

tm_status store_answers_make(store_answers *answers, const store_task *at, const sweep_found *found,
                             size_t from, size_t end, tm_error *err)
{
    size_t count = chain_of(at)->count;
    *answers = (store_answers){0};
    if (!at->plan->contents.points)
        return TM_OK;
    *answers =
        (store_answers){mem_zeros(count, sizeof(char *)), mem_zeros(count, sizeof(sweep_digest)),
                        metrics_text(at->plan), count};
    if (!answers->models || !answers->contents || !answers->metrics)
        return tm_fail_memory(err, "a sweep's results");
    sweep_contents_of(at->plan, at->task, answers->contents);
    for (size_t i = from; i < end; i++)
        answers->models[i] = answer_text(found->models[i]);
    return TM_OK;
}

void store_answers_clear(store_answers *answers)
{
    for (size_t i = 0; answers->models && i < answers->count; i++)
        free(answers->models[i]);
    free(answers->models);
    free(answers->contents);
    free(answers->metrics);
    *answers = (store_answers){0};
}

tm_status store_answers_add(tm_store *store, const store_task *at, const store_answers *answers,
                            size_t i, double lambda_max, tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    if (!answers->models)
        return TM_OK;
    tm_status status = store_prepared(store, STORE_ADD_ANSWER, &b.statement, err);
    if (status != TM_OK)
        return status;
    store_bind_cell(&b, at->sweep, chain_of(at)->configs[i], at->task / at->plan->chain_count);
    store_bind_blob(&b, answers->contents[i].bytes, SWEEP_DIGEST);
    store_bind_text(&b, answers->metrics);
    store_bind_real(&b, lambda_max);
    store_bind_text(&b, answers->models[i]);
    store_bind_count(&b, (uint64_t)store_answer_sum(&answers->contents[i], answers->metrics,
                                                    lambda_max, answers->models[i]));
    return store_run(store, &b, err);
}

/* ---- finding ------------------------------------------------------------------------------- */

/* The first columns are those of a result, which store_result_read reads. */
enum { SWEEP = STORE_RESULT_COLUMNS, METRICS, LAMBDA_MAX, MODEL, HAS_MODEL, CHECKSUM };

/* The index of the metric in the names (one per line); their count if it is not among them. */
static size_t metric_place(const char *names, const char *wanted, size_t *count)
{
    size_t length = strlen(wanted), place = SIZE_MAX;
    for (*count = 0; *names; ++*count) {
        const char *end = strchrnul(names, '\n');
        if ((size_t)(end - names) == length && memcmp(names, wanted, length) == 0)
            place = *count;
        names = *end ? end + 1 : end;
    }
    return place < *count ? place : *count;
}

/* The contents of a row, in terms of this sweep. */
typedef struct answer {
    tm_sweep_cell cell; /* its error text is owned by the statement */
    double *scores;     /* scores by this sweep's metrics; freed by the reader */
    bool lacks;         /* a metric or a kept result is missing and must be computed from the
                         * model */
    bool has_model;
    double lambda_max;
    int64_t sweep;
} answer;

/* False if it is damaged or memory ran out; then it counts as missing. */
static bool read_answer(sqlite3_stmt *s, const sweep_plan *plan, answer *out)
{
    const char *metrics = (const char *)sqlite3_column_text(s, METRICS);
    size_t theirs = 0;
    *out =
        (answer){.scores = mem_array(plan->metric_count, sizeof(double)), .lacks = plan->keep != 0};
    if (!metrics || !out->scores)
        return false;
    metric_place(metrics, "", &theirs);
    double *scores = mem_array(theirs, sizeof *scores);
    bool whole = scores && store_result_read(s, &out->cell, scores, theirs);
    for (size_t m = 0; whole && m < plan->metric_count; m++) {
        size_t place = metric_place(metrics, plan->scorers[m].name, &theirs);
        out->scores[m] = place < theirs ? scores[place] : NAN;
        out->lacks = out->lacks || place == theirs;
    }
    free(scores);
    out->has_model = sqlite3_column_int(s, HAS_MODEL);
    out->lambda_max = store_real_at(s, LAMBDA_MAX);
    out->sweep = sqlite3_column_int64(s, SWEEP);
    return whole;
}

/* The model of the row; NULL if it is damaged. */
static tm_model *read_model(sqlite3_stmt *s, const sweep_digest *content)
{
    tm_model *model = NULL;
    const char *text = (const char *)sqlite3_column_text(s, MODEL);
    if (!text || sqlite3_column_int64(s, CHECKSUM) !=
                     store_answer_sum(content, (const char *)sqlite3_column_text(s, METRICS),
                                      store_real_at(s, LAMBDA_MAX), text))
        return NULL;
    tm_error err;
    return tm_model_from_text(&model, text, "an answer", &err) == TM_OK ? model : NULL;
}

/* A search for the chain's cells from its beginning, as far as the store has them. */
typedef struct search {
    tm_store *store;
    const store_task *at;
    const sweep_digest *contents;
    sweep_reuse *reuse; /* NULL: they are only counted */
    size_t there;       /* number of cells found */
    size_t end;         /* end of the unit that contains the next cell */
    size_t kept;        /* the end of the last unit after which the chain can be continued */
    bool failed;        /* one of them is a failure */
    int64_t from;
} search;

static bool take(search *q, size_t i, answer *a, tm_model *model)
{
    bool solved = a->cell.status != TM_CELL_FAILED,
         has_model = q->reuse ? model != NULL : a->has_model;
    if (solved && a->lacks && !has_model)
        return false;
    q->there = i + 1;
    q->failed = q->failed || !solved;
    q->from = a->sweep;
    if (q->there == q->end) {
        if (!q->failed && has_model && !sweep_piece_may_end(q->at->plan, chain_of(q->at)))
            q->kept = q->end;
        if (q->end < chain_of(q->at)->count)
            q->end = sweep_piece_unit(chain_of(q->at), q->end);
    }
    if (!q->reuse)
        return true;
    sweep_found *found = &q->reuse->found;
    double *scores = found->scores + i * q->at->plan->metric_count;
    memcpy(scores, a->scores, q->at->plan->metric_count * sizeof *scores);
    found->cells[i] = a->cell;
    found->cells[i].scores = scores;
    found->cells[i].error = text_copy(a->cell.error);
    found->models[i] = tm_model_ref(model);
    found->lambda_max = a->lambda_max;
    q->reuse->lacks[i] = solved && a->lacks;
    return true;
}

/* Sets *more if the cell was found. */
static tm_status look_up(search *q, size_t i, bool *more, tm_error *err)
{
    store_binder b = {NULL, 1, 0};
    tm_status status = store_prepared(q->store, STORE_FIND_ANSWER, &b.statement, err);
    *more = false;
    if (status != TM_OK)
        return status;
    sqlite3_stmt *s = b.statement;
    store_bind_blob(&b, q->contents[i].bytes, SWEEP_DIGEST);
    store_bind_count(&b, (uint64_t)q->at->sweep);
    store_bind_count(&b, q->reuse != NULL);
    int code = store_step(&b);
    if (code == SQLITE_ROW) {
        answer a;
        tm_model *model = NULL;
        if (read_answer(s, q->at->plan, &a)) {
            model = q->reuse ? read_model(s, &q->contents[i]) : NULL;
            *more = take(q, i, &a, model);
        }
        tm_model_unref(model);
        free(a.scores);
        status = store_row(q->store, err);
    } else if (code != SQLITE_DONE) {
        status = store_fail(q->store, err);
    }
    sqlite3_reset(s);
    return status;
}

static tm_status run_search(search *q, size_t *count, tm_error *err)
{
    size_t cells = chain_of(q->at)->count;
    sweep_digest *contents = mem_zeros(cells, sizeof *contents);
    if (!contents)
        return tm_fail_memory(err, "a sweep's results");
    sweep_contents_of(q->at->plan, q->at->task, contents);
    q->contents = contents;
    q->end = sweep_piece_unit(chain_of(q->at), 0);
    tm_status status = TM_OK;
    bool more = true;
    pthread_mutex_lock(&q->store->lock);
    for (size_t i = 0; status == TM_OK && more && i < cells; i++)
        status = look_up(q, i, &more, err);
    pthread_mutex_unlock(&q->store->lock);
    *count = status != TM_OK ? 0 : q->there == cells ? cells : q->kept;
    free(contents);
    return status;
}

tm_status store_reuse_count(tm_store *store, const store_task *at, size_t *count, int64_t *from,
                            tm_error *err)
{
    search q = {.store = store, .at = at};
    tm_status status = run_search(&q, count, err);
    *from = q.from;
    return status;
}

tm_status store_reuse_find(tm_store *store, const store_task *at, sweep_reuse *reuse, tm_error *err)
{
    search q = {.store = store, .at = at, .reuse = reuse};
    tm_status status = sweep_reuse_make(reuse, chain_of(at)->count, at->plan->metric_count, err);
    if (status == TM_OK)
        status = run_search(&q, &reuse->count, err);
    if (status == TM_OK)
        sweep_found_drop(&reuse->found, reuse->count);
    return status;
}
