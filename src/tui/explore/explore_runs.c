#include "tui/explore/explore_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A run is shown when it ends or has worked for this long, so that quick solves do not flicker. */
static const double cancel_grace = 0.15;
/* The path no longer waits for a solve that has worked for this long. */
static const double path_patience = 0.5;
/* How many lambdas the path has when nothing else is set. */
static const long path_lambdas = 40;

static bool has(const tm_params *params, const char *name)
{
    return tm_params_find(params, name, NULL) != NULL;
}

tm_status explore_runs_open(explore_runs *e, tm_pool *pool, tm_error *err)
{
    *e = (explore_runs){.pool = pool, .method = tm_methods_at(0), .point = SIZE_MAX};
    return tm_method_params_new(&e->params, e->method, err);
}

static void let_go(tm_job **job)
{
    if (*job) {
        tm_job_unref(*job);
        *job = NULL;
    }
}

/* Cancels a job that the form no longer needs, unless it is pinned. */
static void abandon(const explore_runs *e, tm_job **job)
{
    if (*job) {
        if (pins_find(&e->pins, *job) == PINS_MAX)
            tm_job_cancel(*job);
        let_go(job);
    }
}

static void forget_runs(explore_runs *e)
{
    e->solve_wanted = false;
    for (size_t i = 0; i < e->pins.count; i++)
        if (e->pins.at[i].path)
            tm_job_cancel(e->pins.at[i].path);
    pins_clear(&e->pins);
    abandon(e, &e->solve);
    abandon(e, &e->path);
    let_go(&e->shown);
    let_go(&e->shown_path);
    let_go(&e->answered);
}

void explore_runs_close(explore_runs *e)
{
    forget_runs(e);
    tm_dataset_unref(e->train);
    tm_dataset_unref(e->test);
    tm_params_free(e->params);
    undo_clear(&e->before);
    *e = (explore_runs){0};
}

/* ---- starting runs ------------------------------------------------------------------------- */

static tm_status unset_if(tm_params *params, const char *name, tm_error *err)
{
    return has(params, name) ? tm_params_unset(params, name, err) : TM_OK;
}

static tm_status solve_params(tm_params **out, const tm_params *form, tm_error *err)
{
    tm_status status = tm_params_copy(out, form, err);
    if (status == TM_OK)
        status = unset_if(*out, "lambdas", err);
    if (status == TM_OK)
        status = unset_if(*out, "lambda_min_ratio", err);
    return status;
}

/* Sets the values of a path that has no parameter `lambdas`: about ten, where counts are limited by
 * the number of features, and lambdas start from the greatest. */
static tm_status list_path(tm_params *params, const char *name, size_t features, tm_error *err)
{
    static const double counts[] = {1, 2, 3, 5, 10, 20, 35, 50, 75, 100};
    static const double weights[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100};
    static const double lambdas[] = {100, 30, 10, 3, 1, 0.3, 0.1, 0.03, 0.01};
    if (strcmp(name, "lambda") == 0)
        return tm_params_set_reals(params, name, lambdas, sizeof lambdas / sizeof lambdas[0], err);
    if (!(tm_params_find(params, name, NULL)->flags & TM_PARAM_WHOLE))
        return tm_params_set_reals(params, name, weights, sizeof weights / sizeof weights[0], err);
    size_t most = sizeof counts / sizeof counts[0];
    while (most > 1 && counts[most - 1] > (double)features)
        most--;
    return tm_params_set_reals(params, name, counts, most, err);
}

static tm_status path_params(tm_params **out, const explore_runs *e, tm_error *err)
{
    const tm_params *form = e->params;
    bool alpha_0 = tm_method_has_alpha_0(e->method, form);
    tm_status status = alpha_0 ? solve_params(out, form, err) : tm_params_copy(out, form, err);
    if (status == TM_OK && (alpha_0 || !has(form, "lambdas")))
        return list_path(*out, alpha_0 ? "lambda" : tm_path_param(form), tm_dataset_cols(e->train),
                         err);
    if (status == TM_OK)
        status = unset_if(*out, "lambda", err);
    if (status == TM_OK)
        status = unset_if(*out, "lambda_ratio", err);
    if (status == TM_OK && !tm_params_given(*out, "lambdas"))
        status = tm_params_set_int(*out, "lambdas", path_lambdas, err);
    return status;
}

static tm_status submit(explore_runs *e, tm_params *params, const tm_model *warm, tm_job **out,
                        tm_error *err)
{
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    spec.name = explore_runs_label(e);
    spec.method = e->method;
    spec.params = params;
    spec.train = e->train;
    spec.test = e->test;
    spec.warm = warm;
    return tm_pool_submit(e->pool, &spec, out, err);
}

static tm_status start_solve(explore_runs *e, tm_error *err)
{
    tm_params *params = NULL;
    tm_job *job = NULL;
    if (!e->train)
        return TM_OK;
    tm_status status = solve_params(&params, e->params, err);
    if (status == TM_OK) {
        const tm_point *answer = e->cold ? NULL : explore_runs_answer(e);
        status = submit(e, params, answer ? answer->solution.model : NULL, &job, err);
    }
    tm_params_free(params);
    if (status == TM_OK) {
        abandon(e, &e->solve);
        e->solve = job;
        e->solve_over = false;
        e->cold = false;
        e->solves++;
    } else {
        e->path_wanted = false; /* it would wait without end */
    }
    return status;
}

/* Checks what a job would refuse without examining the data. */
static tm_status check_params(const explore_runs *e, tm_params **params, tm_error *err)
{
    tm_grid grid;
    const tm_method *method = e->method;
    tm_status status = tm_method_at_alpha_0(&method, params, err);
    if (status == TM_OK) {
        status = tm_grid_make(&grid, *params, 1, err);
        tm_grid_clear(&grid);
    }
    return status;
}

tm_status explore_runs_want(explore_runs *e, tm_error *err)
{
    tm_params *params = NULL;
    tm_status status = solve_params(&params, e->params, err);
    if (status == TM_OK)
        status = check_params(e, &params, err);
    tm_params_free(params);
    e->solve_wanted = e->solve_wanted || status == TM_OK;
    return status;
}

tm_status explore_runs_go(explore_runs *e, tm_error *err)
{
    bool wanted = e->solve_wanted;
    e->solve_wanted = false;
    return wanted ? start_solve(e, err) : TM_OK;
}

static tm_status start_path(explore_runs *e, tm_error *err)
{
    tm_params *params = NULL;
    tm_job *job = NULL;
    e->path_wanted = false;
    if (!e->train || (!has(e->params, "lambdas") && !tm_path_param(e->params)))
        return TM_OK;
    tm_status status = path_params(&params, e, err);
    if (status == TM_OK)
        status = submit(e, params, NULL, &job, err);
    tm_params_free(params);
    if (status == TM_OK) {
        abandon(e, &e->path);
        pins_set_path(&e->pins, e->solve, job);
        e->path = job;
        e->path_over = false;
    }
    return status;
}

void explore_runs_clear_path(explore_runs *e, bool path_too)
{
    bool in_the_way = e->path && !tm_job_ended(e->path) && tm_pool_workers(e->pool) < 2;
    if (path_too || in_the_way) {
        abandon(e, &e->path);
        e->path_wanted = true;
    }
}

tm_status explore_runs_data(explore_runs *e, tm_dataset *train, tm_dataset *test, tm_error *err)
{
    bool first = !e->train;
    forget_runs(e);
    e->point = SIZE_MAX;
    tm_dataset_unref(e->train);
    tm_dataset_unref(e->test);
    e->train = tm_dataset_ref(train);
    e->test = test ? tm_dataset_ref(test) : NULL;
    e->path_wanted = true;
    undo_clear(&e->before); /* of other data */
    /* A lambda is meaningful only for the data it was chosen for, its share of lambda_max for any
     * data. Where there is no lambda_max, lambda stays, and one chosen while the first data were
     * being read is theirs. */
    bool stays = first || tm_method_has_alpha_0(e->method, e->params);
    tm_status status = stays ? TM_OK : unset_if(e->params, "lambda", err);
    return status == TM_OK ? start_solve(e, err) : status;
}

tm_status explore_runs_params(const explore_runs *e, tm_params **out, tm_error *err)
{
    return solve_params(out, e->params, err);
}

void explore_runs_unpin(explore_runs *e, size_t i)
{
    tm_job *path = e->pins.at[i].path;
    if (path && path != e->path)
        tm_job_cancel(path);
    pins_remove(&e->pins, i);
}

tm_status explore_runs_pin(explore_runs *e, pin **added, tm_error *err)
{
    *added = NULL;
    if (!e->answered)
        return tm_fail(err, TM_EUSAGE, "there is no answer yet to pin");
    size_t known = pins_find(&e->pins, e->answered);
    if (known < PINS_MAX) {
        explore_runs_unpin(e, known);
        return TM_OK;
    }
    /* A path with other parameters does not belong to the answer. */
    const tm_job *path = e->solve == e->answered && !e->solve_wanted ? e->path : NULL;
    char name[PIN_LABEL];
    const tm_params *params = tm_job_params(e->answered);
    const char *strategy = tm_params_find(params, "screen", NULL)
                               ? tm_params_text(params, "screen")
                               : tm_method_id(tm_job_method(e->answered));
    snprintf(name, sizeof name, "%s", strategy);
    return pins_add(&e->pins, e->answered, path, name, added, err);
}

void explore_runs_pause(explore_runs *e, bool paused)
{
    if (e->solve)
        tm_job_pause(e->solve, paused);
    if (e->path)
        tm_job_pause(e->path, paused);
}

bool explore_runs_cancel(explore_runs *e)
{
    bool running = explore_runs_running(e);
    if (e->solve)
        tm_job_cancel(e->solve);
    if (e->path)
        tm_job_cancel(e->path);
    e->path_wanted = e->solve_wanted = false;
    return running;
}

/* ---- following ----------------------------------------------------------------------------- */

static bool has_answer(const tm_job *job)
{
    const tm_point *points;
    return tm_job_points(job, &points) > 0;
}

static void show(tm_job **shown, const tm_job *job)
{
    if (*shown != job) {
        let_go(shown);
        *shown = tm_job_ref(job);
    }
}

/* Notices the end of a run once; returns an error if it failed. */
static tm_status take_in(const tm_job *job, bool *over, tm_error *err)
{
    if (!job || *over || !tm_job_ended(job))
        return TM_OK;
    *over = true;
    if (tm_job_get_state(job) == TM_JOB_FAILED)
        return tm_fail(err, tm_job_error(job)->code, "%s", tm_job_error(job)->message);
    return TM_OK;
}

/* Whether the path may start: the answer is complete, or a second worker is free. */
static bool path_due(const explore_runs *e)
{
    if (!e->path_wanted || e->solve_wanted || !e->solve)
        return false;
    return tm_job_ended(e->solve) ||
           (tm_pool_workers(e->pool) > 1 && tm_job_seconds(e->solve) > path_patience);
}

tm_status explore_runs_update(explore_runs *e, tm_error *err)
{
    if (e->solve && has_answer(e->solve)) {
        if (e->answered && e->answered != e->solve)
            pins_fade(&e->pins, e->answered);
        show(&e->answered, e->solve);
    }
    if (e->solve && (has_answer(e->solve) || tm_job_seconds(e->solve) > cancel_grace))
        show(&e->shown, e->solve);
    if (e->path && (tm_job_ended(e->path) || tm_job_seconds(e->path) > cancel_grace))
        show(&e->shown_path, e->path);
    tm_status status = explore_runs_go(e, err);
    if (status == TM_OK && path_due(e))
        status = start_path(e, err);
    if (status == TM_OK)
        status = take_in(e->solve, &e->solve_over, err);
    return status == TM_OK ? take_in(e->path, &e->path_over, err) : status;
}

bool explore_runs_running(const explore_runs *e)
{
    return e->solve_wanted || (e->solve && !tm_job_ended(e->solve)) ||
           (e->path && !tm_job_ended(e->path));
}

const tm_point *explore_runs_answer(const explore_runs *e)
{
    const tm_point *points;
    size_t count = e->answered ? tm_job_points(e->answered, &points) : 0;
    return count > 0 ? &points[count - 1] : NULL;
}

explore_stage explore_runs_stage(const explore_runs *e)
{
    tm_job_state state = e->solve ? tm_job_get_state(e->solve) : TM_JOB_DONE;
    if (state == TM_JOB_FAILED)
        return EXPLORE_FAILED;
    if (!e->solve || e->solve == e->answered || state == TM_JOB_DONE)
        return EXPLORE_ANSWERED;
    if (state == TM_JOB_CANCELLED)
        return EXPLORE_CANCELLED;
    if (state == TM_JOB_PAUSED)
        return EXPLORE_PAUSED;
    return tm_job_seconds(e->solve) > cancel_grace ? EXPLORE_WORKING : EXPLORE_ANSWERED;
}

const char *explore_stage_name(explore_stage stage)
{
    static const char *const names[] = {[EXPLORE_ANSWERED] = "answered",
                                        [EXPLORE_WORKING] = "solving",
                                        [EXPLORE_PAUSED] = "paused",
                                        [EXPLORE_CANCELLED] = "cancelled",
                                        [EXPLORE_FAILED] = "failed"};
    return names[stage];
}

const tm_error *explore_runs_error(const explore_runs *e)
{
    return tm_job_error(e->solve);
}

double explore_runs_gap(const explore_runs *e)
{
    const tm_event *events;
    size_t count = e->solve ? tm_trace_read(tm_job_trace(e->solve), &events) : 0;
    while (count > 0 && events[count - 1].kind != TM_EVENT_CHECK)
        count--;
    return count > 0 ? events[count - 1].gap : INFINITY;
}

const char *explore_runs_label(const explore_runs *e)
{
    return has(e->params, "screen") ? tm_params_text(e->params, "screen") : tm_method_id(e->method);
}
