/* The screen view: one run's screening, step by step, from a log of it. The run is solved again for
 * that, with the log on; solves are deterministic, so it is the same run. */
#include "tui/views/screen.h"

#include "base/text.h"
#include "tamis/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_ROOM = 1 << 20 };

/* Steps a second while playing: halved and doubled by keys. */
static const double speed_first = 2, speed_least = 0.25, speed_most = 16;

/* ---- life ---------------------------------------------------------------------------------- */

static void drop(tm_job **job)
{
    if (*job) {
        tm_job_unref(*job);
        *job = NULL;
    }
}

static void drop_study(screen_view *v)
{
    if (v->study)
        tm_job_cancel(v->study);
    drop(&v->study);
    replay_close(&v->replay);
    v->playing = false;
    list_choose(&v->rows, 0);
}

static void screen_close(void *state)
{
    screen_view *v = state;
    drop_study(v);
    drop(&v->source);
    pane_close(&v->pane);
    free(v);
}

static tm_status screen_open(void **state, app *a, tm_error *err)
{
    screen_view *v = calloc(1, sizeof *v);
    if (!v)
        return tm_fail_memory(err, "the screen view");
    v->app = a;
    v->speed = speed_first;
    v->drawn = SIZE_MAX;
    tm_status status = pane_open(&v->pane, err);
    if (status != TM_OK) {
        free(v);
        return status;
    }
    *state = v;
    return TM_OK;
}

/* ---- the run ------------------------------------------------------------------------------- */

/* What was chosen, else the newest answer of the form. */
static tm_job *current_source(app *a)
{
    tm_job *chosen = app_session(a)->chosen.study;
    return chosen ? chosen : app_explorer(a)->answered;
}

static const tm_param_info *screen_param(const tm_job *job)
{
    return tm_params_find(tm_job_params(job), "screen", NULL);
}

const char *screen_view_strategy_of(const screen_view *v)
{
    if (!screen_param(v->source))
        return tm_method_id(tm_job_method(v->source));
    return v->strategy[0] != '\0' ? v->strategy
                                  : tm_params_text(tm_job_params(v->source), "screen");
}

static tm_status start_study(screen_view *v, tm_error *err)
{
    const session *work = app_session(v->app);
    tm_params *params = NULL;
    tm_status status = tm_params_copy(&params, tm_job_params(v->source), err);
    if (status == TM_OK && v->strategy[0] != '\0')
        status = tm_params_set_text(params, "screen", v->strategy, err);
    if (status == TM_OK) {
        tm_job_spec spec = TM_JOB_SPEC_INIT;
        spec.name = screen_view_strategy_of(v);
        spec.method = tm_job_method(v->source);
        spec.params = params;
        spec.train = tm_job_train(v->source);
        /* The form's runs begin at the answer before; what screening does is seen from zero. */
        spec.warm = work->chosen.study ? tm_job_warm(v->source) : NULL;
        spec.log_room = LOG_ROOM;
        status = tm_pool_submit(work->pools.study, &spec, &v->study, err);
    }
    tm_params_free(params);
    return status;
}

/* Follows the run that is to be shown, while the view is shown. */
static tm_status follow(screen_view *v, tm_error *err)
{
    tm_job *wanted = current_source(v->app);
    if (wanted != v->source) {
        drop_study(v);
        drop(&v->source);
        v->strategy[0] = '\0';
        v->source = wanted ? tm_job_ref(wanted) : NULL;
    }
    return v->source && !v->study ? start_study(v, err) : TM_OK;
}

static bool take_log(screen_view *v, tm_error *err)
{
    if (!v->study || v->replay.job || !tm_job_ended(v->study))
        return false;
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
    return true;
}

static void go(screen_view *v, size_t step)
{
    tm_error err = TM_ERROR_INIT;
    replay_go(&v->replay, step, &err);
    list_choose(&v->rows, 0);
    app_error(v->app, &err);
}

/* One step on when it is time. */
static bool play(screen_view *v)
{
    if (!v->playing || v->replay.count == 0)
        return false;
    if (v->replay.at + 1 >= v->replay.count) {
        v->playing = false;
        return true;
    }
    go(v, v->replay.at + 1);
    app_wake(v->app, 1 / v->speed);
    return true;
}

static bool screen_update(void *state, app *a, unsigned news)
{
    screen_view *v = state;
    tm_error err = TM_ERROR_INIT;
    if (!app_shown(a, VIEW_SCREEN)) {
        v->playing = false;
        return false;
    }
    const tm_job *before = v->source;
    if (follow(v, &err) != TM_OK) {
        app_error(a, &err);
        return true;
    }
    bool changed = take_log(v, &err);
    double moment = app_moment(a);
    if (!isnan(moment) && v->replay.count > 0) {
        size_t at = (size_t)lround(moment * (double)(v->replay.count - 1));
        changed = changed || at != v->replay.at;
        if (at != v->replay.at)
            go(v, at);
    }
    app_error(a, &err);
    bool stepped = (news & NEWS_WAKE) != 0 && play(v);
    return changed || stepped || before != v->source;
}

/* ---- requests ------------------------------------------------------------------------------ */

static void step_by(screen_view *v, long by)
{
    long to = (long)v->replay.at + by, last = (long)v->replay.count - 1;
    v->playing = false;
    if (last >= 0)
        go(v, (size_t)(to < 0 ? 0 : to > last ? last : to));
}

static void toggle_play(screen_view *v)
{
    v->playing = !v->playing && v->replay.count > 0;
    if (v->playing && v->replay.at + 1 >= v->replay.count)
        go(v, 0);
    if (v->playing)
        app_wake(v->app, 1 / v->speed);
}

static void change_speed(screen_view *v, double by)
{
    v->speed = fmin(fmax(v->speed * by, speed_least), speed_most);
    app_message(v->app, STYLE_NORMAL, "%g steps a second", v->speed);
}

static tm_status study_by(screen_view *v, const char *strategy, tm_error *err)
{
    drop_study(v);
    snprintf(v->strategy, sizeof v->strategy, "%s", strategy);
    return start_study(v, err);
}

/* The strategies in the order of their table, around. */
static void next_strategy(screen_view *v)
{
    const tm_param_info *info = v->source ? screen_param(v->source) : NULL;
    if (!info || !info->choices) {
        app_message(v->app, STYLE_NORMAL, "this method has no strategies");
        return;
    }
    const char *now = screen_view_strategy_of(v);
    const tm_choice *next = info->choices;
    for (const tm_choice *c = info->choices; c->name; c++)
        next = strcmp(c->name, now) == 0 && c[1].name ? c + 1 : next;
    tm_error err = TM_ERROR_INIT;
    study_by(v, next->name, &err);
    app_error(v->app, &err);
}

/* The form's newest run, then the script's from the newest back, and around. */
static void next_source(screen_view *v)
{
    session *s = app_session(v->app);
    size_t from = s->runs.count;
    for (size_t i = 0; s->chosen.study && i < s->runs.count; i++)
        from = s->runs.at[i].job == s->chosen.study ? i : from;
    bool lost = s->chosen.study && from == s->runs.count;
    session_choose_study(s, lost || from == 0 ? NULL : s->runs.at[from - 1].job);
    if (!s->chosen.study && s->runs.count == 0)
        app_message(v->app, STYLE_NORMAL, "the form's run; scripts make others");
}

static bool walk(screen_view *v, int request)
{
    long steps = requests_steps(request), all = (long)v->replay.count;
    if (request == REQ_FIRST || request == REQ_LAST)
        steps = request == REQ_FIRST ? -all : all;
    else if (steps == 0)
        return list_request(&v->rows, request);
    step_by(v, steps);
    return true;
}

/* What keys mean while they belong to the plot; the cursor over the steps is the step itself. */
static bool plot_request(screen_view *v, int request)
{
    switch (request) {
    case REQ_BACK:
        v->in_plot = false;
        return true;
    case REQ_SAVE:
        app_save(v->app, "save the plot as: ", "screen.svg", pane_save, &v->pane);
        return true;
    case REQ_LEFT:
    case REQ_RIGHT:
    case REQ_LESS:
    case REQ_MORE:
    case REQ_FIRST:
    case REQ_LAST:
        return walk(v, request);
    default:
        return pane_request(&v->pane, request);
    }
}

static bool plot_mouse(screen_view *v, int request, const key_event *key)
{
    if (!pane_mouse(&v->pane, request, key))
        return false;
    if (request == REQ_CLICK && !v->polygon.known) {
        v->playing = false;
        go(v, (size_t)fmax(round(v->pane.cursor) - 1, 0));
    }
    if (v->polygon.known)
        pane_set_cursor(&v->pane, NAN);
    return true;
}

/* Two sentences on the chosen feature. */
static void explain(screen_view *v)
{
    char text[TM_EXPLAIN_MAX];
    tm_error err = TM_ERROR_INIT;
    if (v->replay.count == 0 || v->rows.chosen >= v->replay.row_count)
        app_message(v->app, STYLE_NORMAL, "no feature is chosen; F1 shows the keys");
    else if (tm_explain(text, v->study, v->replay.rows[v->rows.chosen].feature, &err) == TM_OK)
        app_message(v->app, STYLE_NORMAL, "%s", text);
    app_error(v->app, &err);
}

static bool act(screen_view *v, int request, const key_event *key)
{
    if (v->replay.count > 0 &&
        (plot_mouse(v, request, key) || (v->in_plot && plot_request(v, request))))
        return true;
    switch (request) {
    case REQ_PLOT:
        v->in_plot = v->pane.body.rows > 0;
        return true;
    case REQ_BACK:
        v->in_plot = false;
        return false;
    case REQ_EXPLAIN:
        explain(v);
        return true;
    case REQ_ZOOM:
        v->zoomed = !v->zoomed;
        return true;
    case REQ_PAUSE:
        toggle_play(v);
        return true;
    case REQ_FASTER:
    case REQ_SLOWER:
        change_speed(v, request == REQ_FASTER ? 2 : 0.5);
        return true;
    case REQ_STRATEGY:
        next_strategy(v);
        return true;
    case REQ_USE:
        next_source(v);
        return true;
    case REQ_CLICK:
        list_click(&v->rows, key);
        return true;
    default:
        return walk(v, request);
    }
}

static bool screen_request(void *state, app *a, int request, const key_event *key)
{
    screen_view *v = state;
    tm_error err = TM_ERROR_INIT;
    follow(v, &err); /* keys may come before the first update */
    bool done = act(v, request, key);
    if (err.code == TM_OK)
        follow(v, &err);
    app_error(a, &err);
    return done;
}

/* ---- what scripts show ---------------------------------------------------------------------- */

static tm_status show_step(screen_view *v, const char *value, tm_error *err)
{
    long step = (long)v->replay.count;
    if (strcmp(value, "last") != 0 &&
        (!text_to_long(value, &step) || step < 1 || (size_t)step > v->replay.count))
        return tm_fail(err, TM_EUSAGE, "tm.show: step is 1 to %zu or \"last\" here, not %.40s",
                       v->replay.count, value);
    step_by(v, step - 1 - (long)v->replay.at);
    return TM_OK;
}

/* The feature by its number from 1, in the step that is shown. */
static tm_status show_feature(screen_view *v, const char *value, tm_error *err)
{
    long feature;
    bool whole = text_to_long(value, &feature);
    for (size_t i = 0; whole && i < v->replay.row_count; i++) {
        if ((long)v->replay.rows[i].feature + 1 == feature) {
            list_resize(&v->rows, v->replay.row_count);
            list_choose(&v->rows, (long)i);
            return TM_OK;
        }
    }
    return tm_fail(err, TM_EUSAGE, "tm.show: this step did not look at feature %.40s", value);
}

static tm_status screen_at(void *state, app *a, const char *what, const char *value, tm_error *err)
{
    screen_view *v = state;
    (void)a;
    tm_status status = follow(v, err);
    if (status != TM_OK)
        return status;
    if (!v->source && strcmp(what, "reset") == 0)
        return TM_OK;
    if (!v->source)
        return tm_fail(err, TM_EUSAGE, "tm.show: the screen view has no run");
    if (strcmp(what, "reset") == 0) {
        v->zoomed = false;
        bool own = v->strategy[0] == '\0';
        v->strategy[0] = '\0';
        return own ? TM_OK : study_by(v, "", err);
    }
    if (strcmp(what, "rule") == 0)
        return strcmp(value, screen_view_strategy_of(v)) == 0 ? TM_OK : study_by(v, value, err);
    if (strcmp(what, "zoom") == 0) {
        v->zoomed = strcmp(value, "true") == 0;
        return TM_OK;
    }
    if (v->replay.count == 0)
        return tm_fail(err, TM_EUSAGE, "tm.show: this run leaves no screen log");
    return strcmp(what, "step") == 0 ? show_step(v, value, err) : show_feature(v, value, err);
}

/* What the bound of the chosen sample says. */
static void hint_sample(const tm_screen_record *record, const char *name, char *buffer, size_t size)
{
    if (isnan(record->bound))
        snprintf(buffer, size, "%s was not looked at in this step", name);
    else if (record->bound < 1)
        snprintf(buffer, size, "%s is beyond its margin in the whole ball: no support vector",
                 name);
    else if (record->action == TM_SCREEN_CERTIFIED)
        snprintf(buffer, size, "%s is within its margin in the whole ball: at its bound", name);
    else
        snprintf(buffer, size, "%s may be within its margin: it may be a support vector", name);
}

/* What the bound of the chosen feature says. */
static void screen_hint(void *state, app *a, char *buffer, size_t size)
{
    const screen_view *v = state;
    char label[128];
    (void)a;
    if (v->replay.count == 0 || v->rows.chosen >= v->replay.row_count)
        return;
    const tm_screen_record *record = &v->replay.rows[v->rows.chosen];
    const char *name = replay_label(&v->replay, record, label, sizeof label);
    bool ball = isfinite(screen_view_step_of(v)->radius);
    if (v->replay.item == TM_ITEM_SAMPLE) {
        hint_sample(record, name, buffer, size);
    } else if (isnan(record->bound)) {
        snprintf(buffer, size, "%s was not looked at in this step", name);
    } else if (ball && record->bound < 1) {
        snprintf(buffer, size, "%s cannot reach 1 in the ball: its weight is 0", name);
    } else if (ball) {
        snprintf(buffer, size, "%s may reach 1 in the ball: it may matter", name);
    } else {
        snprintf(buffer, size, "%s: %s its constraint", name,
                 record->bound > 1.001   ? "beyond"
                 : record->bound > 0.999 ? "at"
                                         : "within");
    }
}

static bool screen_in_plot(const void *state)
{
    return ((const screen_view *)state)->in_plot;
}

static bool screen_busy(const void *state)
{
    const screen_view *v = state;
    return v->source && !v->replay.job && (!v->study || !tm_job_ended(v->study));
}

static const key_row keys[] = {
    KEYS_CHOOSE_ROW,
    {{TK_LEFT, 'h'}, REQ_LEFT, "a step back"},
    {{TK_RIGHT, 'l'}, REQ_RIGHT, "a step on"},
    {{TK_SHIFT_LEFT, 'H'}, REQ_LESS, "ten steps back"},
    {{TK_SHIFT_RIGHT, 'L'}, REQ_MORE, "ten steps on"},
    {{'g', TK_HOME}, REQ_FIRST, "to the first step"},
    {{'G', TK_END}, REQ_LAST, "to the last step"},
    {{' '}, REQ_PAUSE, "play, or stop"},
    {{'+', '='}, REQ_FASTER, "play faster"},
    {{'-'}, REQ_SLOWER, "play slower"},
    {{'v'}, REQ_STRATEGY, "the same problem by the next strategy"},
    {{'o'}, REQ_USE, "another run: the form's, then those of scripts"},
    {{'?'}, REQ_EXPLAIN, "explain the chosen feature: which rule, at which step (keys: F1)"},
    {{'z'}, REQ_ZOOM, "the picture alone, or beside the bounds"},
    KEYS_TO_PLOT,
    KEYS_PAGE_ROWS,
    {{0}, REQ_NONE, NULL},
};

const view_ops screen_ops = {
    .keys = keys,
    .open = screen_open,
    .close = screen_close,
    .update = screen_update,
    .draw = screen_view_draw,
    .request = screen_request,
    .at = screen_at,
    .hint = screen_hint,
    .in_plot = screen_in_plot,
    .busy = screen_busy,
};
