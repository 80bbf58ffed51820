#include "run/sweep_task.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/job.h"

#include <math.h>
#include <string.h>

/* Where a task is: its chain, its data, and the answer the next configuration starts from. */
typedef struct task {
    const sweep_plan *plan;
    const sweep_chain *chain;
    tm_dataset *train, *test; /* test may be NULL */
    sweep_current *current;
    sweep_found *found;
    tm_model *warm; /* or NULL; a reference */
} task;

/* ---- results ------------------------------------------------------------------------------- */

tm_status sweep_found_make(sweep_found *found, size_t cells, size_t metrics, tm_error *err)
{
    *found = (sweep_found){mem_zeros(cells, sizeof(tm_sweep_cell)),
                           mem_array(cells * metrics, sizeof(double)), cells};
    if (!found->cells || !found->scores)
        return tm_fail_memory(err, "a sweep's results");
    for (size_t i = 0; i < cells * metrics; i++)
        found->scores[i] = NAN;
    for (size_t i = 0; i < cells; i++)
        found->cells[i] = (tm_sweep_cell){TM_CELL_OPEN, NAN, NAN, NAN, NAN,
                                          NAN,          NAN, NAN, NAN, found->scores + i * metrics,
                                          NULL};
    return TM_OK;
}

void sweep_found_clear(sweep_found *found)
{
    for (size_t i = 0; found->cells && i < found->count; i++)
        free((char *)(uintptr_t)found->cells[i].error);
    free(found->cells);
    free(found->scores);
    *found = (sweep_found){0};
}

static void fill_cell(const task *t, size_t i, const tm_point *point)
{
    const tm_solution *s = &point->solution;
    tm_sweep_cell *cell = &t->found->cells[i];
    double *scores = t->found->scores + i * t->plan->metric_count;
    const tm_dataset *data = t->test ? t->test : t->train;
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
    for (size_t m = 0; m < t->plan->metric_count; m++) {
        tm_error err = TM_ERROR_INIT;
        if (tm_model_score(s->model, data, &t->plan->scorers[m], &scores[m], &err) == TM_OK)
            continue;
        scores[m] = NAN;
        if (!cell->error)
            cell->error = text_copy(err.message);
        cell->status = TM_CELL_FAILED;
    }
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

static void leave(sweep_current *current)
{
    pthread_mutex_lock(&current->lock);
    current->job = NULL;
    pthread_mutex_unlock(&current->lock);
}

void sweep_current_cancel(sweep_current *current)
{
    pthread_mutex_lock(&current->lock);
    current->cancelled = true;
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

/* Cells from..from+count-1 of the chain from the points of an ended job. */
static tm_status read_job(task *t, size_t from, size_t count, const tm_job *job, tm_error *err)
{
    const tm_point *points;
    if (tm_job_get_state(job) == TM_JOB_CANCELLED)
        return tm_fail(err, TM_ECANCELLED, "cancelled");
    size_t done = tm_job_points(job, &points);
    bool failed = tm_job_get_state(job) == TM_JOB_FAILED;
    done = done < count ? done : count;
    for (size_t i = 0; i < done; i++)
        fill_cell(t, from + i, &points[i]);
    fail_cells(t, from + done, count - done,
               failed ? tm_job_error(job)->message : "the path of lambdas ended before this step");
    tm_model_unref(t->warm);
    t->warm = done > 0 ? tm_model_ref(points[done - 1].solution.model) : NULL;
    return TM_OK;
}

/* Solves cells from..from+count-1 of the chain as one job. *lambda_max may be NULL. */
static tm_status run_job(task *t, const sweep_point *point, const tm_params *params, size_t from,
                         size_t count, double *lambda_max, tm_error *err)
{
    tm_job *job;
    tm_job_spec spec = {.name = "sweep",
                        .method = point->method,
                        .params = params,
                        .train = t->train,
                        .warm = t->warm};
    tm_status status = job_new(&job, &spec, 0, NULL, NULL, err);
    if (status != TM_OK)
        return status;
    if (enter(t->current, job)) {
        job_run(job);
        leave(t->current);
        status = read_job(t, from, count, job, err);
    } else {
        status = tm_fail(err, TM_ECANCELLED, "cancelled");
    }
    if (lambda_max)
        *lambda_max = tm_job_lambda_max(job);
    tm_job_unref(job);
    return status;
}

/* ---- chains -------------------------------------------------------------------------------- */

static const sweep_point *point_at(const task *t, size_t i)
{
    return &t->plan->points[t->plan->configs[t->chain->configs[i]].point];
}

/* The chain from its i-th configuration on as a path over the axis's values. */
static tm_status run_path(task *t, size_t from, const char *axis, const double *values,
                          tm_error *err)
{
    tm_params *params;
    const sweep_point *point = point_at(t, from);
    size_t count = t->chain->count - from;
    tm_status status = tm_params_copy(&params, point->params, err);
    if (status == TM_OK && t->chain->kind == SWEEP_RATIO)
        status = tm_params_unset(params, "lambda_ratio", err);
    if (status == TM_OK)
        status = tm_params_set_reals(params, axis, values, count, err);
    if (status == TM_OK)
        status = run_job(t, point, params, from, count, NULL, err);
    tm_params_free(params);
    return status;
}

static tm_status run_values(task *t, tm_error *err)
{
    double *values = mem_array(t->chain->count, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "a path");
    for (size_t i = 0; i < t->chain->count; i++) {
        size_t one;
        values[i] = tm_params_reals(point_at(t, i)->params, t->chain->axis, &one)[0];
    }
    tm_status status = run_path(t, 0, t->chain->axis, values, err);
    free(values);
    return status;
}

/* The first one tells lambda_max, the others are then a path. At lambda_max = 0 there is none. */
static tm_status run_ratios(task *t, tm_error *err)
{
    double lambda_max, *lambdas = mem_array(t->chain->count, sizeof *lambdas);
    if (!lambdas)
        return tm_fail_memory(err, "a path");
    tm_status status = run_job(t, point_at(t, 0), point_at(t, 0)->params, 0, 1, &lambda_max, err);
    for (size_t i = 1; i < t->chain->count; i++)
        lambdas[i] = lambda_max * tm_params_real(point_at(t, i)->params, "lambda_ratio");
    if (status == TM_OK && lambda_max > 0)
        status = run_path(t, 1, "lambda", lambdas + 1, err);
    for (size_t i = 1; status == TM_OK && !(lambda_max > 0) && i < t->chain->count; i++)
        status = run_job(t, point_at(t, i), point_at(t, i)->params, i, 1, NULL, err);
    free(lambdas);
    return status;
}

static tm_status run_chain(task *t, tm_error *err)
{
    tm_status status = TM_OK;
    if (t->chain->kind == SWEEP_PATH)
        return run_values(t, err);
    if (t->chain->kind == SWEEP_RATIO)
        return run_ratios(t, err);
    if (t->chain->kind == SWEEP_SINGLE)
        return run_job(t, point_at(t, 0), point_at(t, 0)->params, 0, t->chain->count, NULL, err);
    for (size_t i = 0; status == TM_OK && i < t->chain->count; i++)
        status = run_job(t, point_at(t, i), point_at(t, i)->params, i, 1, NULL, err);
    return status;
}

tm_status sweep_task_run(sweep_plan *plan, size_t number, sweep_current *current,
                         sweep_found *found, tm_error *err)
{
    task t = {.plan = plan,
              .chain = &plan->chains[number % plan->chain_count],
              .current = current,
              .found = found};
    size_t split = number / plan->chain_count, data = point_at(&t, 0)->data;
    tm_status status = sweep_found_make(found, t.chain->count, plan->metric_count, err);
    if (status != TM_OK)
        return status;
    tm_error why = TM_ERROR_INIT;
    if (sweep_splits_take(&plan->splits, split, data, &t.train, &t.test, &why) != TM_OK) {
        fail_cells(&t, 0, t.chain->count, why.message);
        return TM_OK;
    }
    status = run_chain(&t, err);
    tm_model_unref(t.warm);
    sweep_splits_release(&plan->splits, split, data, t.train, t.test);
    return status;
}
