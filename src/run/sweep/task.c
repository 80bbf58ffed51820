#include "run/sweep/task.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/job.h"
#include "run/table/kept.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

/* The state of a task: its chain, its data, and the answer from which the next configuration
 * starts. */
typedef struct task {
    const sweep_plan *plan;
    const sweep_chain *chain;
    tm_dataset *train, *test; /* test may be NULL */
    const tm_dataset *data;   /* all rows, unprepared */
    sweep_current *current;
    sweep_found *found;
    sweep_mark *mark;
} task;

static const char ended_early[] = "the path of lambdas ended before this step";

/* ---- results ------------------------------------------------------------------------------- */

/* Makes the cell a failed one; the first reason is kept. */
static void spoil_cell(tm_sweep_cell *cell, const tm_error *err)
{
    if (!cell->error)
        cell->error = text_copy(err->message);
    cell->status = TM_CELL_FAILED;
}

/* Scores by a function of the caller. */
static tm_status score_by(const task *t, const tm_model *model, const tm_dataset *data,
                          const tm_sweep_metric *by, double *out, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    double *y = mem_array(2 * n, sizeof *y);
    tm_status status =
        y ? tm_model_judge(model, data, y, y + n, err) : tm_fail_memory(err, "predictions");
    if (status == TM_OK)
        status = t->plan->hooks->score(out, &(tm_sweep_scored){y + n, y, n}, by->payload,
                                       t->current->cancel, err);
    free(y);
    return status;
}

static tm_status score(const task *t, const tm_model *model, const tm_dataset *data, size_t metric,
                       double *out, tm_error *err)
{
    const tm_sweep_metric *by = t->plan->functions[metric];
    return by ? score_by(t, model, data, by, out, err)
              : tm_model_score(model, data, &t->plan->scorers[metric], out, err);
}

/* Computes all scores of the cell whose answer is the model. */
static void score_cell(const task *t, size_t i, const tm_model *model)
{
    tm_sweep_cell *cell = &t->found->cells[i];
    double *scores = t->found->scores + i * t->plan->metric_count;
    const tm_dataset *data = t->test ? t->test : t->train;
    for (size_t m = 0; m < t->plan->metric_count; m++) {
        tm_error err = TM_ERROR_INIT;
        if (score(t, model, data, m, &scores[m], &err) == TM_OK)
            continue;
        scores[m] = NAN;
        spoil_cell(cell, &err);
    }
}

/* Makes what is kept of the cell besides numbers, from the model. */
static void keep_cell(const task *t, size_t i, const tm_model *model)
{
    tm_error err = TM_ERROR_INIT;
    tm_kept *kept = NULL;
    tm_sweep_cell *cell = &t->found->cells[i];
    const kept_cell kept_of = {model, t->train, t->test ? t->test : t->train, t->data};
    if (t->plan->keep && kept_make(&kept, t->plan->keep, &kept_of, &err) != TM_OK)
        spoil_cell(cell, &err);
    cell->kept = kept;
}

static void fill_cell(const task *t, size_t i, const tm_point *point)
{
    const tm_solution *s = &point->solution;
    tm_sweep_cell *cell = &t->found->cells[i];
    double *scores = t->found->scores + i * t->plan->metric_count;
    t->found->models[i] = t->plan->contents.points ? tm_model_ref(s->model) : NULL;
    *cell = (tm_sweep_cell){
        .status = s->outcome == TM_CONVERGED ? TM_CELL_CONVERGED : TM_CELL_MAX_ITER,
        .lambda = s->lambda,
        .primal = s->primal,
        .dual = s->dual,
        .gap = s->gap,
        .nnz = (double)tm_model_nnz(s->model),
        .seconds = s->seconds,
        .columns = (double)s->columns,
        .updates = (double)s->updates,
        .scores = scores,
    };
    score_cell(t, i, s->model);
    keep_cell(t, i, s->model);
}

static void fail_cells(const task *t, size_t from, size_t count, const char *why)
{
    for (size_t i = from; i < from + count; i++) {
        t->found->cells[i].status = TM_CELL_FAILED;
        t->found->cells[i].error = text_copy(why);
    }
}

/* ---- one job ------------------------------------------------------------------------------- */

static bool enter(sweep_current *current, tm_job *job)
{
    pthread_mutex_lock(&current->lock);
    bool goes = !current->cancelled;
    current->job = goes ? job : NULL;
    if (goes)
        tm_job_pause(job, current->paused);
    pthread_mutex_unlock(&current->lock);
    return goes;
}

/* Leaves the current job. False if the job may have seen a cancellation, whatever state it ended
 * in: a solve that stops early can meet its tolerance with another answer, or fail for lack of
 * time. */
static bool leave(sweep_current *current)
{
    pthread_mutex_lock(&current->lock);
    bool whole = !current->cancelled;
    current->job = NULL;
    pthread_mutex_unlock(&current->lock);
    return whole;
}

void sweep_current_cancel(sweep_current *current)
{
    pthread_mutex_lock(&current->lock);
    current->cancelled = true;
    tm_cancel_set(current->cancel);
    if (current->job)
        tm_job_cancel(current->job);
    pthread_mutex_unlock(&current->lock);
}

void sweep_current_pause(sweep_current *current, bool paused)
{
    pthread_mutex_lock(&current->lock);
    current->paused = paused;
    if (current->job)
        tm_job_pause(current->job, paused);
    pthread_mutex_unlock(&current->lock);
}

/* Reads `count` cells of the chain from the points of an ended job. A path that was ended early by
 * a rule ends the chain. */
static void read_job(task *t, size_t count, const tm_job *job)
{
    const tm_point *points;
    size_t from = t->mark->cells, done = tm_job_points(job, &points);
    bool failed = tm_job_get_state(job) == TM_JOB_FAILED;
    done = done < count ? done : count;
    for (size_t i = 0; i < done; i++)
        fill_cell(t, from + i, &points[i]);
    bool ends = !failed && t->chain->kind != SWEEP_STEPS &&
                (done < count || solver_path_ends(tm_job_params(job), &points[done - 1].solution));
    /* A path that fails at its first step ends the chain. */
    if (ends || (failed && from == 0 && t->chain->kind == SWEEP_SINGLE))
        count = t->chain->count - from;
    fail_cells(t, from + done, count - done, failed ? tm_job_error(job)->message : ended_early);
    tm_model_unref(t->mark->model);
    t->mark->model = done > 0 ? tm_model_ref(points[done - 1].solution.model) : NULL;
    if (from == 0)
        t->mark->lambda_max = t->found->lambda_max = tm_job_lambda_max(job);
    t->mark->cells = from + count;
}

static tm_status run_job(task *t, const sweep_piece *piece, tm_error *err)
{
    tm_job *job;
    tm_job_spec spec = {.name = "sweep",
                        .method = piece->point->method,
                        .params = piece->params,
                        .train = t->train,
                        .warm = t->mark->model};
    tm_status status = job_new(&job, &spec, 0, NULL, NULL, err);
    if (status != TM_OK)
        return status;
    bool whole = enter(t->current, job);
    if (whole) {
        job_run(job);
        whole = leave(t->current);
    }
    if (whole)
        read_job(t, piece->count, job);
    /* A function of the caller may have stopped early. */
    if (!whole || tm_cancel_is_set(t->current->cancel))
        status = tm_fail(err, TM_ECANCELLED, "cancelled");
    tm_job_unref(job);
    return status;
}

/* ---- chains -------------------------------------------------------------------------------- */

static tm_status run_piece(task *t, tm_error *err)
{
    sweep_piece piece;
    size_t from = t->mark->cells, left = t->chain->count - from;
    tm_status status = sweep_piece_make(&piece, t->plan, t->chain, from, t->mark->lambda_max, err);
    if (status == TM_OK && piece.count > 0) {
        status = run_job(t, &piece, err);
    } else if (status == TM_OK) {
        fail_cells(t, from, left, ended_early);
        t->mark->cells += left;
    }
    sweep_piece_clear(&piece);
    return status;
}

static tm_status run_chain(task *t, const sweep_task_spec *spec, tm_error *err)
{
    while (t->mark->cells < t->chain->count) {
        tm_status status = run_piece(t, err);
        if (status != TM_OK)
            return status;
        if (t->mark->cells < t->chain->count && !spec->piece(t->found, t->mark, spec->payload))
            return tm_fail(err, TM_ECANCELLED, "another process goes on with the chain");
    }
    return TM_OK;
}

/* ---- what other sweeps have solved --------------------------------------------------------- */

static bool lacks_any(const sweep_reuse *reuse)
{
    for (size_t i = 0; i < reuse->count; i++)
        if (reuse->lacks[i])
            return true;
    return false;
}

/* Takes the reused cells; the chain continues after them. */
static void take_reuse(const task *t, sweep_reuse *reuse)
{
    sweep_mark *mark = t->mark;
    *t->found = reuse->found;
    reuse->found = (sweep_found){0};
    mark->cells = reuse->count;
    mark->lambda_max = t->found->lambda_max;
    mark->model =
        reuse->count < t->chain->count ? tm_model_ref(t->found->models[reuse->count - 1]) : NULL;
}

/* Computes what is missing from the recorded models. */
static void complete_reused(const task *t, const sweep_reuse *reuse)
{
    for (size_t i = 0; i < reuse->count; i++)
        if (reuse->lacks[i]) {
            score_cell(t, i, t->found->models[i]);
            keep_cell(t, i, t->found->models[i]);
        }
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Continues from the mark, with the results found before it. */
static tm_status go_on(task *t, sweep_plan *plan, const sweep_task_spec *spec, tm_error *err)
{
    size_t split = spec->task / plan->chain_count,
           variant = plan->points[plan->configs[t->chain->configs[0]].point].variant;
    tm_error why = TM_ERROR_INIT;
    const sweep_place at = {split, variant, spec->current->cancel};
    tm_status status = sweep_splits_take(&plan->splits, &at, &t->train, &t->test, &why);
    if (status == TM_ECANCELLED)
        return status;
    if (status != TM_OK) {
        fail_cells(t, t->mark->cells, t->chain->count - t->mark->cells, why.message);
        return TM_OK;
    }
    if (spec->reuse)
        complete_reused(t, spec->reuse);
    status = run_chain(t, spec, err);
    sweep_splits_release(&plan->splits, split, variant, t->train, t->test);
    return status;
}

tm_status sweep_task_run(sweep_plan *plan, const sweep_task_spec *spec, sweep_found *found,
                         tm_error *err)
{
    task t = {.plan = plan,
              .chain = &plan->chains[spec->task % plan->chain_count],
              .current = spec->current,
              .mark = spec->mark,
              .found = found};
    size_t variant = plan->points[plan->configs[t.chain->configs[0]].point].variant;
    t.data = plan->splits.data[plan->splits.variants[variant].data];
    if (spec->reuse) {
        take_reuse(&t, spec->reuse);
        bool there = spec->reuse->count == t.chain->count && !lacks_any(spec->reuse);
        return there ? TM_OK : go_on(&t, plan, spec, err);
    }
    tm_status status = sweep_found_make(found, t.chain->count, plan->metric_count, err);
    if (status != TM_OK)
        return status;
    found->first = found->recorded = spec->mark->cells;
    found->lambda_max = spec->mark->lambda_max;
    return go_on(&t, plan, spec, err);
}
