#include "run/job.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/references.h"
#include "base/text.h"
#include "model/metric/metrics.h"
#include "solve/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Events kept at full resolution: some hundred kilobytes per run. */
enum { TRACE_CAPACITY = 8192 };

const char *tm_job_state_name(tm_job_state state)
{
    static const char *const names[] = {"queued", "running", "paused",
                                        "done",   "failed",  "cancelled"};
    return names[state];
}

/* ---- making -------------------------------------------------------------------------------- */

static bool has_param(const tm_params *params, const char *name)
{
    return tm_params_find(params, name, NULL) && tm_params_has(params, name);
}

/* The default name: "lasso saif 0.05" says more in a legend than "run 3". */
static char *default_name(const job_problem *problem)
{
    static const char *const telling[] = {"screen", "lambda", "lambda_ratio", "B", "C"};
    const tm_params *params = problem->params;
    bool path = has_param(params, "lambdas");
    bool given = has_param(params, "lambda") && tm_params_given(params, "lambda");
    char name[160];
    size_t used = (size_t)snprintf(name, sizeof name, "%s", tm_method_id(problem->method));
    for (size_t i = 0; i < sizeof telling / sizeof *telling && used < sizeof name; i++) {
        char value[64], shown[TEXT_SHOWN];
        bool skipped = (i == 1 || i == 2) && (path || (i == 1) != given);
        if (skipped || !has_param(params, telling[i]))
            continue;
        tm_params_format(params, telling[i], value, sizeof value);
        used +=
            (size_t)snprintf(name + used, sizeof name - used, " %s", text_shown(value, "", shown));
    }
    if (path && used < sizeof name)
        snprintf(name + used, sizeof name - used, " path");
    return text_copy(name);
}

static void init_atomics(tm_job *job)
{
    atomic_init(&job->references, 1);
    atomic_init(&job->results.point_count, 0);
    atomic_init(&job->results.points_done, 0);
    atomic_init(&job->results.lambda_max, NAN);
    atomic_init(&job->results.null_objective, NAN);
    atomic_init(&job->results.first_gap, NAN);
    atomic_init(&job->results.last_gap, NAN);
    pthread_mutex_init(&job->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&job->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* Replaces the requested method by another one where necessary. */
static tm_status replace_method(tm_job *job, const tm_params *params, tm_error *err)
{
    const tm_method *asked = job->problem.method;
    tm_status status = tm_method_at_alpha_0(&job->problem.method, &job->problem.params, err);
    if (status != TM_OK || job->problem.method == asked)
        return status;
    status = tm_params_copy(&job->problem.asked, params, err);
    if (status != TM_OK)
        return status;
    char text[160];
    tm_method_alpha_0_text(job->problem.method, text, sizeof text);
    job->remark = text_copy(text);
    return job->remark ? TM_OK : tm_fail_memory(err, "a job");
}

tm_status job_new(tm_job **out, const tm_job_spec *spec, uint64_t id, void (*news)(void *payload),
                  void *payload, tm_error *err)
{
    *out = NULL;
    tm_job *job = calloc(1, sizeof *job);
    if (!job)
        return tm_fail_memory(err, "a job");
    init_atomics(job);
    job->id = id;
    job->problem.method = spec->method;
    job->problem.train = tm_dataset_ref(spec->train);
    job->problem.test = spec->test ? tm_dataset_ref(spec->test) : NULL;
    job->problem.warm = spec->warm ? tm_model_ref(spec->warm) : NULL;
    job->cancel = tm_cancel_new();
    job->trace = tm_trace_new(TRACE_CAPACITY);
    job->log = spec->log_room > 0 ? tm_screen_log_new(spec->log_room) : NULL;
    job->state = TM_JOB_QUEUED;
    job->news = news;
    job->news_payload = payload;
    tm_status status = job->cancel && job->trace && (job->log || spec->log_room == 0)
                           ? TM_OK
                           : tm_fail_memory(err, "a job");
    if (status == TM_OK)
        status = tm_params_copy(&job->problem.params, spec->params, err);
    if (status == TM_OK)
        status = replace_method(job, spec->params, err);
    if (status == TM_OK)
        job->name = spec->name ? text_copy(spec->name) : default_name(&job->problem);
    if (status == TM_OK && !job->name)
        status = tm_fail_memory(err, "a job");
    if (status == TM_OK)
        status = tm_annotation_copy(&job->label.annotation, spec->annotation, err);
    if (status != TM_OK) {
        tm_job_unref(job);
        return status;
    }
    *out = job;
    return TM_OK;
}

tm_status job_know(tm_job *job, const tm_point *points, size_t count, tm_error *err)
{
    job_problem *problem = &job->problem;
    problem->known = mem_array(count, sizeof *problem->known);
    if (!problem->known)
        return tm_fail_memory(err, "a job");
    for (; problem->known_count < count; problem->known_count++) {
        tm_point *point = &problem->known[problem->known_count];
        *point = points[problem->known_count];
        point->solution.model = tm_model_ref(point->solution.model);
    }
    return TM_OK;
}

tm_job *tm_job_ref(const tm_job *job)
{
    return reference_take(job, &job->references);
}

void tm_job_unref(tm_job *job)
{
    if (!job || !reference_drop(&job->references))
        return;
    size_t done = atomic_load(&job->results.points_done);
    for (size_t k = 0; k < done; k++)
        tm_solution_clear(&job->results.points[k].solution);
    free(job->results.points);
    free(job->name);
    tm_annotation_clear(&job->label.annotation);
    free(job->remark);
    free(job->early);
    free(job->error);
    tm_params_free(job->problem.params);
    tm_params_free(job->problem.asked);
    tm_dataset_unref(job->problem.train);
    tm_dataset_unref(job->problem.test);
    tm_model_unref(job->problem.warm);
    for (size_t k = 0; k < job->problem.known_count; k++)
        tm_solution_clear(&job->problem.known[k].solution);
    free(job->problem.known);
    tm_cancel_free(job->cancel);
    tm_trace_free(job->trace);
    tm_screen_log_free(job->log);
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->lock);
    free(job);
}

/* ---- running ------------------------------------------------------------------------------- */

static void tell(tm_job *job)
{
    if (job->news)
        job->news(job->news_payload);
}

/* Moves on to a later state; false when the job had already ended. */
static bool set_state(tm_job *job, tm_job_state state)
{
    pthread_mutex_lock(&job->lock);
    bool moves = job->state < TM_JOB_DONE;
    if (moves) {
        job->state = state;
        *(state == TM_JOB_RUNNING ? &job->began : &job->ended) = clock_now();
        pthread_cond_broadcast(&job->changed);
        /* Notify under the lock: an ended job must not call into its pool, which may have been
         * freed. */
        tell(job);
    }
    pthread_mutex_unlock(&job->lock);
    return moves;
}

static void on_event(const tm_event *event, void *payload)
{
    tm_job *job = payload;
    tm_trace_append(job->trace, event);
    if (event->kind == TM_EVENT_POINT || isnan(atomic_load(&job->results.first_gap)))
        atomic_store(&job->results.first_gap, event->kind == TM_EVENT_POINT ? NAN : event->gap);
    atomic_store(&job->results.last_gap, event->gap);
    tell(job);
}

/* NaN where there are no data, or where the metric does not apply to them. */
static tm_status score_of(double *score, const tm_model *model, const tm_dataset *data,
                          tm_error *err)
{
    tm_scorer scorer = tm_scorer_default(tm_model_is_binary(model));
    *score = NAN;
    return data && tm_model_score(model, data, &scorer, score, err) == TM_ENOMEM ? TM_ENOMEM
                                                                                 : TM_OK;
}

/* The score on the rows that the point was solved on: from its predictions, if they are known. */
static tm_status train_score(double *score, const tm_job *job, const tm_model *model, tm_error *err)
{
    const tm_solver *solver = job->solver;
    const tm_dataset *train = job->problem.train;
    const double *z = solver->predictions;
    if (!z || solver->method->ops->data)
        return score_of(score, model, train, err);
    tm_scorer scorer = tm_scorer_default(tm_model_is_binary(model));
    *score = NAN;
    tm_status status =
        metric_value(&scorer, tm_dataset_y(train), z, tm_dataset_rows(train), score, err);
    return status == TM_ENOMEM ? status : TM_OK;
}

/* Scores and publishes the k-th point that is solved. */
static tm_status publish_point(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    tm_job *job = payload;
    size_t count;
    k += job->problem.known_count;
    tm_point *point = &job->results.points[k];
    point->solution = *solution;
    if (job->problem.asked) /* the replaced problem has C = 1/lambda; report the lambda requested */
        point->solution.lambda = tm_params_reals(job->problem.asked, "lambda", &count)[k];
    tm_status status = train_score(&point->train_score, job, solution->model, err);
    if (status == TM_OK)
        status = score_of(&point->test_score, solution->model, job->problem.test, err);
    atomic_store_explicit(&job->results.points_done, k + 1, memory_order_release);
    tell(job);
    if (status != TM_OK)
        return status;
    return solution->outcome == TM_CANCELLED ? tm_fail(err, TM_ECANCELLED, "cancelled") : TM_OK;
}

/* Publishes the points that are known. */
static void publish_known(tm_job *job)
{
    job_problem *problem = &job->problem;
    for (size_t k = 0; k < problem->known_count; k++) {
        job->results.points[k] = problem->known[k];
        job->results.points[k].solution.model = tm_model_ref(problem->known[k].solution.model);
    }
    atomic_store_explicit(&job->results.points_done, problem->known_count, memory_order_release);
}

static tm_status run_grid(tm_job *job, tm_solver *solver, const tm_grid *grid, tm_error *err)
{
    job->results.points = mem_zeros(grid->count, sizeof *job->results.points);
    if (!job->results.points)
        return tm_fail_memory(err, "the path");
    atomic_store_explicit(&job->results.point_count, grid->count, memory_order_release);
    size_t known = job->problem.known_count;
    if (known >= grid->count && known > 0)
        return tm_fail(err, TM_EUSAGE, "%zu points of a path of %zu are known", known, grid->count);
    publish_known(job);
    tm_grid rest = *grid;
    rest.count -= known;
    rest.values += known * grid->axes;
    tm_status status = tm_solver_run(solver, job->problem.params, &rest, publish_point, job, err);
    const char *early = tm_solver_early(solver);
    if (status == TM_OK && early) {
        job->early = text_copy(early);
        atomic_store_explicit(&job->results.point_count, atomic_load(&job->results.points_done),
                              memory_order_release);
    }
    return status;
}

static tm_status run_solver(tm_job *job, tm_solver *solver, tm_error *err)
{
    tm_grid grid;
    atomic_store(&job->results.lambda_max, tm_solver_lambda_max(solver));
    atomic_store(&job->results.null_objective, tm_solver_null_objective(solver));
    tm_status status = tm_grid_make(&grid, job->problem.params, tm_solver_lambda_max(solver), err);
    if (status == TM_OK && job->problem.warm)
        status = tm_solver_warm(solver, job->problem.warm, err);
    if (status == TM_OK)
        status = run_grid(job, solver, &grid, err);
    tm_grid_clear(&grid);
    return status;
}

void job_run(tm_job *job)
{
    tm_monitor monitor = {job->cancel, on_event, job, job->log};
    tm_solver *solver = NULL;
    tm_error err = TM_ERROR_INIT;
    if (!set_state(job, TM_JOB_RUNNING))
        return;
    tm_status status = tm_solver_new(&solver, job->problem.method, job->problem.train,
                                     job->problem.params, &monitor, &err);
    if (status == TM_OK) {
        job->solver = solver;
        solver->scored = true;
        status = run_solver(job, solver, &err);
        job->solver = NULL;
    }
    tm_solver_free(solver);
    tm_trace_finish(job->trace);
    pthread_mutex_lock(&job->lock);
    if (status != TM_OK && (job->error = malloc(sizeof *job->error)))
        *job->error = err;
    pthread_mutex_unlock(&job->lock);
    set_state(job, status == TM_OK           ? TM_JOB_DONE
                   : status == TM_ECANCELLED ? TM_JOB_CANCELLED
                                             : TM_JOB_FAILED);
}

/* Ends a job that no worker has taken yet; one that has been taken sees its cancel token. */
static void abandon_queued(tm_job *job)
{
    pthread_mutex_lock(&job->lock);
    if (job->state == TM_JOB_QUEUED) {
        job->state = TM_JOB_CANCELLED;
        job->ended = clock_now();
        pthread_cond_broadcast(&job->changed);
        tell(job);
    }
    pthread_mutex_unlock(&job->lock);
}

void job_abandon(tm_job *job)
{
    tm_cancel_set(job->cancel);
    abandon_queued(job);
}

/* ---- steering ------------------------------------------------------------------------------ */

void tm_job_cancel(tm_job *job)
{
    tm_cancel_set(job->cancel);
    pthread_mutex_lock(&job->lock);
    if (job->state < TM_JOB_DONE)
        tell(job);
    pthread_mutex_unlock(&job->lock);
    abandon_queued(job);
}

void tm_job_pause(tm_job *job, bool paused)
{
    tm_cancel_pause(job->cancel, paused);
    pthread_mutex_lock(&job->lock);
    if (job->state < TM_JOB_DONE)
        tell(job);
    pthread_mutex_unlock(&job->lock);
}

static struct timespec after(double seconds)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)seconds;
    at.tv_nsec += (long)((seconds - floor(seconds)) * 1e9);
    if (at.tv_nsec >= 1000000000L) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000L;
    }
    return at;
}

bool tm_job_wait(tm_job *job, double seconds, tm_cancel *wake)
{
    /* A wake token does not signal this condition, so it is polled at an interval short enough for
     * users. */
    static const double LOOK_EVERY = 0.02;
    double until = seconds < 0 ? INFINITY : clock_now() + fmin(seconds, 1e9);
    pthread_mutex_lock(&job->lock);
    while (job->state < TM_JOB_DONE && clock_now() < until && !(wake && tm_cancel_is_set(wake))) {
        double left = fmin(until - clock_now(), wake ? LOOK_EVERY : 3600);
        struct timespec at = after(fmax(left, 0));
        pthread_cond_timedwait(&job->changed, &job->lock, &at);
    }
    bool ended = job->state >= TM_JOB_DONE;
    pthread_mutex_unlock(&job->lock);
    return ended;
}
