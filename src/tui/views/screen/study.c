/* The run that the screen view shows: the source's problem solved again with a log of its
 * screening; solves are deterministic, so it is the same run. */
#include "tui/time/timeline.h"
#include "tui/views/screen/screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void drop(tm_job **job)
{
    if (*job) {
        tm_job_unref(*job);
        *job = NULL;
    }
}

/* The chosen run, else the newest answer of the form. For a run of the store on other data there is
 * nothing to solve. */
static tm_job *current_source(app *a)
{
    const session_choice *chosen = &app_session(a)->chosen;
    if (chosen->study || (chosen->timed.stored && !chosen->timed.again))
        return chosen->study;
    return app_explorer(a)->answered;
}

const tm_param_info *study_rules(const tm_job *job)
{
    return tm_params_find(tm_job_params(job), "screen", NULL);
}

const char *screen_view_strategy_of(const screen_view *v)
{
    if (!study_rules(v->source))
        return tm_method_id(tm_job_method(v->source));
    return v->strategy[0] != '\0' ? v->strategy
                                  : tm_params_text(tm_job_params(v->source), "screen");
}

static tm_status unset_if(tm_params *params, const char *name, tm_error *err)
{
    return tm_params_find(params, name, NULL) ? tm_params_unset(params, name, err) : TM_OK;
}

/* The source's parameters, with another strategy and another lambda if those were chosen. */
static tm_status find_params(const screen_view *v, tm_params **out, tm_error *err)
{
    tm_status status = tm_params_copy(out, tm_job_params(v->source), err);
    if (status == TM_OK && v->strategy[0] != '\0')
        status = tm_params_set_text(*out, "screen", v->strategy, err);
    if (status != TM_OK || !isfinite(v->lambda))
        return status;
    status = tm_params_set_real(*out, "lambda", v->lambda, err);
    static const char *const places[] = {"lambda_ratio", "lambdas", "lambda_min_ratio"};
    for (size_t i = 0; i < sizeof places / sizeof *places && status == TM_OK; i++)
        status = unset_if(*out, places[i], err);
    return status;
}

/* While lambda is changed, each solve starts from the answer shown. */
static const tm_model *find_warm(const screen_view *v)
{
    const tm_point *points;
    size_t done = v->replay.job ? tm_job_points(v->replay.job, &points) : 0;
    if (isfinite(v->lambda) && done > 0)
        return points[done - 1].solution.model;
    /* The form's runs start from the previous answer, but screening is shown for a solve from
     * zero. */
    return app_session(v->app)->chosen.study ? tm_job_warm(v->source) : NULL;
}

static tm_status start_study(screen_view *v, tm_error *err)
{
    tm_params *params = NULL;
    bool as_it_was = v->strategy[0] == '\0' && !isfinite(v->lambda);
    if (as_it_was && v->source == app_session(v->app)->chosen.timed.again) {
        v->study = tm_job_ref(v->source); /* it has a log of its own */
        return TM_OK;
    }
    tm_status status = find_params(v, &params, err);
    if (status == TM_OK) {
        tm_job_spec spec = TM_JOB_SPEC_INIT;
        spec.name = screen_view_strategy_of(v);
        spec.method = tm_job_method(v->source);
        spec.params = params;
        spec.train = tm_job_train(v->source);
        spec.warm = find_warm(v);
        spec.log_room = TM_SCREEN_LOG_ROOM;
        status = tm_pool_submit(app_session(v->app)->pools.study, &spec, &v->study, err);
    }
    tm_params_free(params);
    return status;
}

static void drop_study(screen_view *v)
{
    if (v->study && v->study != v->source)
        tm_job_cancel(v->study);
    drop(&v->study);
}

void study_close(screen_view *v)
{
    drop_study(v);
    replay_close(&v->replay);
    v->playing = false;
    list_choose(&v->rows, 0);
}

/* Solves the run to be shown with a log, while the view is visible. */
tm_status study_follow(screen_view *v, tm_error *err)
{
    tm_job *wanted = current_source(v->app);
    if (wanted != v->source) {
        study_close(v);
        drop(&v->source);
        v->strategy[0] = '\0';
        v->lambda = NAN;
        v->source = wanted ? tm_job_ref(wanted) : NULL;
    }
    return v->source && !v->study ? start_study(v, err) : TM_OK;
}

bool study_take_log(screen_view *v, tm_error *err)
{
    if (!v->study || v->replay.job == v->study || !tm_job_ended(v->study))
        return false;
    bool moved = v->replay.count > 0, last = v->replay.at + 1 == v->replay.count;
    size_t at = v->replay.at;
    tm_status status =
        tm_job_get_state(v->study) == TM_JOB_FAILED
            ? tm_fail(err, tm_job_error(v->study)->code, "%s", tm_job_error(v->study)->message)
            : TM_OK;
    if (status == TM_OK)
        status = replay_open(&v->replay, v->study, err);
    polygon_of(&v->polygon, v->study);
    v->drawn = SIZE_MAX;
    pane_request(&v->pane, REQ_RESET);
    pane_set_cursor(&v->pane, NAN);
    if (status == TM_OK && moved && v->replay.count > 0)
        screen_view_go(v, last || at >= v->replay.count ? v->replay.count - 1 : at);
    return true;
}

tm_status study_by(screen_view *v, const char *strategy, tm_error *err)
{
    study_close(v);
    snprintf(v->strategy, sizeof v->strategy, "%s", strategy);
    return start_study(v, err);
}

/* ---- lambda -------------------------------------------------------------------------------- */

double study_lambda(const screen_view *v)
{
    if (isfinite(v->lambda))
        return v->lambda;
    return v->replay.count > 0 ? v->replay.steps[v->replay.at].lambda : NAN;
}

tm_status study_at_lambda(screen_view *v, double lambda, tm_error *err)
{
    double most = v->replay.job ? tm_job_lambda_max(v->replay.job) : NAN;
    if (!(study_lambda(v) > 0) || !(most > 0))
        return tm_fail(err, TM_EUSAGE, "this run has no lambda that could be moved");
    lambda = fmin(fmax(lambda, most * STUDY_LEAST), most);
    if (lambda == v->lambda)
        return TM_OK;
    v->lambda = lambda;
    if (v->study != v->replay.job)
        drop_study(v); /* the newest request wins */
    drop(&v->study);
    return start_study(v, err);
}

tm_status study_reset(screen_view *v, tm_error *err)
{
    bool own = v->strategy[0] == '\0' && !isfinite(v->lambda);
    v->lambda = NAN;
    return own ? TM_OK : study_by(v, "", err);
}

/* ---- time ---------------------------------------------------------------------------------- */

/* The last event after so many seconds; NULL: there was none yet. */
static const tm_event *event_at(const tm_event *events, size_t count, double seconds)
{
    const tm_event *last = NULL;
    for (size_t i = 0; i < count && events[i].seconds <= seconds; i++)
        last = &events[i];
    return last;
}

/* Solves are deterministic: where the run that is looked at is the one solved here, both had
 * computed as much then. A run that began elsewhere, as the form's does at the answer before, is
 * followed by time. */
size_t study_step_at(const screen_view *v, double moment)
{
    timeline now;
    const tm_event *own;
    size_t count = tm_trace_read(tm_job_trace(v->replay.job), &own);
    if (moment >= 1 || !timeline_now(&now, app_session(v->app), app_explorer(v->app)))
        return v->replay.count - 1;
    bool same = now.event_count > 0 && count > 0 &&
                now.events[now.event_count - 1].columns == own[count - 1].columns;
    const tm_event *last = same ? event_at(now.events, now.event_count, moment * now.seconds)
                                : event_at(own, count, moment * tm_job_seconds(v->replay.job));
    return last ? replay_step_at(&v->replay, last->columns, last->active) : 0;
}
