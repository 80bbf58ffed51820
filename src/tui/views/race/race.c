/* The race view: every strategy of the form's method on the form's problem, one after the other,
 * each from zero and with all cores available. */
#include "tui/views/race/race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- life ---------------------------------------------------------------------------------- */

static void forget(race_view *v)
{
    for (size_t i = 0; i < v->count; i++) {
        if (v->lanes[i].job) {
            tm_job_cancel(v->lanes[i].job);
            tm_job_unref(v->lanes[i].job);
        }
        v->lanes[i] = (race_lane){0};
    }
    tm_params_free(v->params);
    tm_dataset_unref(v->train);
    v->params = NULL;
    v->train = NULL;
    v->count = v->running = 0;
}

static void race_close(void *state)
{
    race_view *v = state;
    forget(v);
    for (size_t i = 0; i < MAX_LANES; i++)
        pane_close(&v->panes[i]);
    free(v);
}

static tm_status race_open(void **state, app *a, tm_error *err)
{
    race_view *v = calloc(1, sizeof *v);
    tm_status status = v ? TM_OK : tm_fail_memory(err, "the race view");
    for (size_t i = 0; status == TM_OK && i < MAX_LANES; i++)
        status = pane_open(&v->panes[i], err);
    if (status != TM_OK) {
        if (v)
            race_close(v);
        return status;
    }
    v->app = a;
    *state = v;
    return TM_OK;
}

/* ---- the race ------------------------------------------------------------------------------ */

static tm_status unset(tm_params *params, const char *name, tm_error *err)
{
    return tm_params_find(params, name, NULL) ? tm_params_unset(params, name, err) : TM_OK;
}

/* Lines up the strategies of the form's method. */
static tm_status begin(race_view *v, tm_error *err)
{
    const explore_runs *e = app_explorer(v->app);
    const tm_param_info *info = tm_params_find(e->params, "screen", NULL);
    if (!e->train)
        return tm_fail(err, TM_EUSAGE, "there are no data yet");
    if (!info || !info->choices)
        return tm_fail(err, TM_EUSAGE, "%s has no strategies to race", tm_method_id(e->method));
    forget(v);
    tm_status status = tm_params_copy(&v->params, e->params, err);
    if (status == TM_OK)
        status = unset(v->params, "lambdas", err);
    if (status == TM_OK)
        status = unset(v->params, "lambda_min_ratio", err);
    if (status != TM_OK)
        return status;
    v->train = tm_dataset_ref(e->train);
    v->method = e->method;
    v->solves = e->solves;
    for (const tm_choice *c = info->choices; c->name && v->count < MAX_LANES; c++)
        v->lanes[v->count++].strategy = c->name;
    return TM_OK;
}

/* Starts the lane whose turn it is. */
static void start(race_view *v)
{
    race_lane *lane = &v->lanes[v->running];
    tm_params *params = NULL;
    tm_error err = TM_ERROR_INIT;
    tm_status status = tm_params_copy(&params, v->params, &err);
    if (status == TM_OK)
        status = tm_params_set_text(params, "screen", lane->strategy, &err);
    if (status == TM_OK) {
        tm_job_spec spec = TM_JOB_SPEC_INIT;
        spec.name = lane->strategy;
        spec.method = v->method;
        spec.params = params;
        spec.train = v->train;
        status = tm_pool_submit(app_session(v->app)->pools.study, &spec, &lane->job, &err);
    }
    tm_params_free(params);
    if (status != TM_OK)
        snprintf(lane->error, sizeof lane->error, "%s", err.message);
}

/* Starts the next lane when one has ended. */
static void go_on(race_view *v)
{
    while (v->running < v->count) {
        race_lane *lane = &v->lanes[v->running];
        if (!lane->job && lane->error[0] == '\0')
            start(v);
        if (lane->job && !tm_job_ended(lane->job))
            return;
        if (lane->job && tm_job_get_state(lane->job) == TM_JOB_FAILED)
            snprintf(lane->error, sizeof lane->error, "%s", tm_job_error(lane->job)->message);
        v->running++;
    }
}

race_result race_result_of(const race_lane *lane)
{
    race_result r = {false, false, NAN, NAN, NAN, NAN, NAN, 0, NAN};
    const tm_event *events;
    const tm_point *points;
    size_t count = lane->job ? tm_trace_read(tm_job_trace(lane->job), &events) : 0;
    r.over = lane->job ? tm_job_ended(lane->job) : lane->error[0] != '\0';
    for (size_t i = 0; i < count; i++) {
        r.most_active = fmax(r.most_active, (double)events[i].active);
        r.columns = (double)events[i].columns;
        r.seconds = events[i].seconds;
        r.gap = events[i].kind == TM_EVENT_CHECK ? events[i].gap : r.gap;
    }
    if (lane->job)
        r.features = (double)tm_dataset_cols(tm_job_train(lane->job));
    if (lane->job && tm_job_points(lane->job, &points) > 0) {
        const tm_solution *s = &points[0].solution;
        r.met = s->outcome == TM_CONVERGED;
        r.columns = (double)s->columns;
        r.seconds = s->seconds;
        r.gap = s->gap;
        r.nnz = (double)tm_model_nnz(s->model);
        r.rejection = s->screening.rejection;
    }
    return r;
}

size_t race_ranks(const race_view *v, size_t ranks[MAX_LANES])
{
    double keys[MAX_LANES];
    size_t met = 0;
    for (size_t i = 0; i < v->count; i++) {
        race_result r = race_result_of(&v->lanes[i]);
        double key = r.met ? r.columns : INFINITY;
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            ranks[at] = ranks[at - 1];
        }
        keys[at] = key;
        ranks[at] = i;
        met += r.met ? 1 : 0;
    }
    return met;
}

/* ---- news and requests --------------------------------------------------------------------- */

static uint64_t digest(const race_view *v)
{
    uint64_t sum = v->running * 1000003u + v->count;
    for (size_t i = 0; i < v->count; i++)
        if (v->lanes[i].job)
            sum = sum * 31 + tm_trace_total(tm_job_trace(v->lanes[i].job)) +
                  (uint64_t)tm_job_get_state(v->lanes[i].job);
    return sum;
}

static bool race_update(void *state, app *a, unsigned news)
{
    race_view *v = state;
    tm_error err = TM_ERROR_INIT;
    (void)news;
    if (app_shown(a, VIEW_RACE) && !v->train && app_explorer(a)->train &&
        tm_params_find(app_explorer(a)->params, "screen", NULL) && begin(v, &err) != TM_OK)
        app_error(a, &err);
    go_on(v);
    uint64_t now = digest(v);
    bool changed = now != v->seen;
    v->seen = now;
    for (size_t i = 0; changed && i < v->count; i++)
        v->panes[i].stale = true;
    return changed;
}

static bool race_request(void *state, app *a, int request, const key_event *key)
{
    race_view *v = state;
    tm_error err = TM_ERROR_INIT;
    switch (request) {
    case REQ_COLD:
        begin(v, &err);
        app_error(a, &err);
        go_on(v);
        return true;
    case REQ_CANCEL:
        if (v->running < v->count && v->lanes[v->running].job)
            tm_job_cancel(v->lanes[v->running].job);
        else
            app_message(a, STYLE_NORMAL, "the race is over; 0 races again");
        return true;
    case REQ_ARRANGE:
        v->by_seconds = !v->by_seconds;
        for (size_t i = 0; i < v->count; i++)
            v->panes[i].stale = true;
        return true;
    case REQ_CLICK:
        return list_click(&v->rows, key);
    default:
        return list_request(&v->rows, request);
    }
}

static void race_hint(void *state, app *a, char *buffer, size_t size)
{
    const race_view *v = state;
    size_t ranks[MAX_LANES];
    (void)a;
    race_ranks(v, ranks);
    if (v->rows.chosen >= v->count)
        return;
    const race_lane *lane = &v->lanes[ranks[v->rows.chosen]];
    const tm_param_info *info = tm_params_find(v->params, "screen", NULL);
    if (lane->error[0] != '\0')
        snprintf(buffer, size, "%s: %s", lane->strategy, lane->error);
    for (const tm_choice *c = info->choices; lane->error[0] == '\0' && c->name; c++)
        if (strcmp(c->name, lane->strategy) == 0)
            snprintf(buffer, size, "%s: %s", c->name, c->help ? c->help : "");
}

static bool race_busy(const void *state)
{
    const race_view *v = state;
    return v->running < v->count;
}

static const key_row keys[] = {
    KEYS_CHOOSE_ROW,
    {{'0', TK_ENTER}, REQ_COLD, "run the race again with the form's present values"},
    {{'x'}, REQ_ARRANGE, "the plots against column products, or against seconds"},
    {{'c'}, REQ_CANCEL, "cancel the current strategy and start the next"},
    KEYS_PAGE_ROWS,
    {{0}, REQ_NONE, NULL},
};

const view_ops race_ops = {
    .keys = keys,
    .open = race_open,
    .close = race_close,
    .update = race_update,
    .draw = race_draw,
    .request = race_request,
    .hint = race_hint,
    .busy = race_busy,
};
