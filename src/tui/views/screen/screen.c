/* The screen view: the screening of one run, step by step, from its log. */
#include "tui/views/screen/screen.h"
#include "tamis/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps per second while playing; keys halve and double it. */
static const double speed_first = 2, speed_least = 0.25, speed_most = 16;
/* One key multiplies lambda by this: a twentieth of a decade. */
static const double lambda_step = 1.122018454301963;

/* ---- life ---------------------------------------------------------------------------------- */

static void screen_close(void *state)
{
    screen_view *v = state;
    study_close(v);
    if (v->source)
        tm_job_unref(v->source);
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
    v->lambda = NAN;
    tm_status status = pane_open(&v->pane, err);
    if (status != TM_OK) {
        free(v);
        return status;
    }
    *state = v;
    return TM_OK;
}

/* Chooses the row of the feature whose plane is shown; the first if the step did not examine it. */
static void choose_row(screen_view *v)
{
    size_t row = 0;
    for (size_t i = 0; v->planar && i < v->replay.row_count; i++)
        row = v->replay.rows[i].feature == v->feature ? i : row;
    list_resize(&v->rows, v->replay.row_count);
    list_choose(&v->rows, (long)row);
}

void screen_view_go(screen_view *v, size_t step)
{
    tm_error err = TM_ERROR_INIT;
    replay_go(&v->replay, step, &err);
    choose_row(v);
    app_error(v->app, &err);
}

/* Moves one step forward when it is due. */
static bool play(screen_view *v)
{
    if (!v->playing || v->replay.count == 0)
        return false;
    if (v->replay.at + 1 >= v->replay.count) {
        v->playing = false;
        return true;
    }
    screen_view_go(v, v->replay.at + 1);
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
    if (study_follow(v, &err) != TM_OK) {
        app_error(a, &err);
        return true;
    }
    bool changed = study_take_log(v, &err);
    double moment = app_moment(a);
    if (!isnan(moment) && v->replay.count > 0) {
        size_t at = study_step_at(v, moment);
        changed = changed || at != v->replay.at;
        if (at != v->replay.at)
            screen_view_go(v, at);
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
        screen_view_go(v, (size_t)(to < 0 ? 0 : to > last ? last : to));
}

static void toggle_play(screen_view *v)
{
    v->playing = !v->playing && v->replay.count > 0;
    if (v->playing && v->replay.at + 1 >= v->replay.count)
        screen_view_go(v, 0);
    if (v->playing)
        app_wake(v->app, 1 / v->speed);
}

static void change_speed(screen_view *v, double by)
{
    v->speed = fmin(fmax(v->speed * by, speed_least), speed_most);
    app_message(v->app, STYLE_NORMAL, "%g steps a second", v->speed);
}

/* Cycles through the strategies in the order of their table. */
static void next_strategy(screen_view *v)
{
    const tm_param_info *info = v->source ? study_rules(v->source) : NULL;
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

/* Cycles through the form's newest run and the script's runs, newest first. */
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

/* Moves through the rows; the plane shown is that of the chosen row's feature. */
static bool walk_rows(screen_view *v, int request)
{
    list_resize(&v->rows, v->replay.row_count);
    if (!list_request(&v->rows, request))
        return false;
    if (v->planar)
        screen_view_plane(v);
    return true;
}

static bool walk(screen_view *v, int request)
{
    long steps = requests_steps(request), all = (long)v->replay.count;
    if (request == REQ_FIRST || request == REQ_LAST)
        steps = request == REQ_FIRST ? -all : all;
    else if (steps == 0)
        return walk_rows(v, request);
    step_by(v, steps);
    return true;
}

bool screen_view_plane(screen_view *v)
{
    if (v->replay.item != TM_ITEM_FEATURE || v->replay.count == 0 ||
        v->rows.chosen >= v->replay.row_count)
        return false;
    v->feature = v->replay.rows[v->rows.chosen].feature;
    v->drawn = SIZE_MAX;
    return true;
}

static void toggle_plane(screen_view *v)
{
    if (!v->planar && v->replay.count > 0 && v->replay.item != TM_ITEM_FEATURE)
        app_message(v->app, STYLE_NORMAL, "a plane is shown of a feature; these are %s",
                    tm_item_plural(v->replay.item));
    else if (!v->planar && !screen_view_plane(v))
        app_message(v->app, STYLE_NORMAL, "a plane is shown of a feature, and none is chosen");
    else
        v->planar = !v->planar;
    v->drawn = SIZE_MAX;
}

/* The lambda at the mouse position on the slider. */
static double slider_lambda(const screen_view *v, const key_event *key)
{
    double share = (double)(key->col - v->slider.col) / fmax(v->slider.cols - 1, 1);
    share = fmin(fmax(share, 0), 1);
    return tm_job_lambda_max(v->replay.job) * pow(STUDY_LEAST, 1 - share);
}

static bool slider_mouse(screen_view *v, int request, const key_event *key)
{
    if (request == REQ_RELEASE && v->sliding) {
        v->sliding = false;
        return true;
    }
    if (request == REQ_CLICK)
        v->sliding = rect_has(v->slider, key->row, key->col);
    else if (request != REQ_DRAG)
        return false;
    if (!v->sliding)
        return false;
    tm_error err = TM_ERROR_INIT;
    study_at_lambda(v, slider_lambda(v, key), &err);
    app_error(v->app, &err);
    return true;
}

/* Restores the source's lambda and solves from zero again. */
static void own_lambda(screen_view *v)
{
    char strategy[sizeof v->strategy];
    tm_error err = TM_ERROR_INIT;
    if (!isfinite(v->lambda))
        return;
    v->lambda = NAN;
    snprintf(strategy, sizeof strategy, "%s", v->strategy);
    study_by(v, strategy, &err);
    app_error(v->app, &err);
}

static void move_lambda(screen_view *v, double factor)
{
    tm_error err = TM_ERROR_INIT;
    study_at_lambda(v, study_lambda(v) * factor, &err);
    app_error(v->app, &err);
}

/* Handles requests while the plot has the focus; moving the cursor over the steps changes the
 * step. */
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
    bool steps = !v->polygon.known && !v->planar;
    if (request == REQ_CLICK && steps) {
        v->playing = false;
        screen_view_go(v, (size_t)fmax(round(v->pane.cursor) - 1, 0));
    }
    if (!steps)
        pane_set_cursor(&v->pane, NAN);
    return true;
}

/* Explains the status of the chosen feature in two sentences. */
static void explain(screen_view *v)
{
    char text[TM_EXPLAIN_MAX];
    tm_error err = TM_ERROR_INIT;
    if (v->replay.count == 0 || v->rows.chosen >= v->replay.row_count)
        app_message(v->app, STYLE_NORMAL, "no %s is chosen; F1 shows the keys",
                    tm_item_name(v->replay.item));
    else if (tm_explain(text, v->replay.job, v->replay.rows[v->rows.chosen].feature, &err) == TM_OK)
        app_message(v->app, STYLE_NORMAL, "%s", text);
    app_error(v->app, &err);
}

static bool act(screen_view *v, int request, const key_event *key)
{
    if (v->replay.count > 0 && slider_mouse(v, request, key))
        return true;
    if (v->replay.count > 0 &&
        (plot_mouse(v, request, key) || (v->in_plot && plot_request(v, request))))
        return true;
    switch (request) {
    case REQ_PLOT:
        v->in_plot = v->pane.body.rows > 0;
        return true;
    case REQ_BACK:
        v->in_plot = false;
        v->drawn = SIZE_MAX;
        if (!v->planar)
            return false;
        v->planar = false;
        return true;
    case REQ_PLANE:
        toggle_plane(v);
        return true;
    case REQ_RESET:
        own_lambda(v);
        return true;
    case REQ_LAMBDA_LESS:
    case REQ_LAMBDA_MORE:
        move_lambda(v, request == REQ_LAMBDA_MORE ? lambda_step : 1 / lambda_step);
        return true;
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
        if (list_click(&v->rows, key) && v->planar)
            screen_view_plane(v);
        return true;
    default:
        return screen_view_search(v, request) || walk(v, request);
    }
}

static bool screen_request(void *state, app *a, int request, const key_event *key)
{
    screen_view *v = state;
    tm_error err = TM_ERROR_INIT;
    study_follow(v, &err); /* keys may arrive before the first update */
    bool done = act(v, request, key);
    if (err.code == TM_OK)
        study_follow(v, &err);
    app_error(a, &err);
    return done;
}

/* ---- the line below ------------------------------------------------------------------------- */

/* The meaning of the chosen item's bound. */
static void screen_hint(void *state, app *a, char *buffer, size_t size)
{
    const screen_view *v = state;
    char label[128];
    (void)a;
    if (v->replay.count == 0 || v->rows.chosen >= v->replay.row_count)
        return;
    const tm_screen_record *record = &v->replay.rows[v->rows.chosen];
    const char *name = replay_label(&v->replay, record, label, sizeof label);
    tm_item kind = tm_screen_log_at(v->replay.log, record->feature).kind;
    const tm_item_info *item = tm_item_find(kind);
    bool ball = isfinite(screen_view_step_of(v)->radius);
    bool in = record->action == TM_SCREEN_STARTED || record->action == TM_SCREEN_ADDED;
    if (isnan(record->bound) && in) {
        snprintf(buffer, size, "%s is worked on from this step", name);
    } else if (record->action == TM_SCREEN_AT_LIMIT) {
        snprintf(buffer, size, "%s %s: %s", name, item->limit, item->at_limit);
    } else if (isnan(record->bound)) {
        snprintf(buffer, size, "%s was not looked at in this step", name);
    } else if (ball) {
        snprintf(buffer, size, "%s %s", name, record->bound < 1 ? item->excluded : item->open);
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
    bool waiting = !v->replay.job || v->replay.job != v->study;
    return v->source && waiting && (!v->study || !tm_job_ended(v->study));
}

static const key_row keys[] = {
    KEYS_CHOOSE_ROW,
    {{TK_LEFT, 'h'}, REQ_LEFT, "one step back"},
    {{TK_RIGHT, 'l'}, REQ_RIGHT, "one step forward"},
    {{TK_SHIFT_LEFT, 'H'}, REQ_LESS, "ten steps back"},
    {{TK_SHIFT_RIGHT, 'L'}, REQ_MORE, "ten steps forward"},
    {{'g', TK_HOME}, REQ_FIRST, "go to the first step"},
    {{'G', TK_END}, REQ_LAST, "go to the last step"},
    {{' '}, REQ_PAUSE, "play, or stop"},
    {{'+', '='}, REQ_FASTER, "play faster"},
    {{'-'}, REQ_SLOWER, "play slower"},
    {{'v'}, REQ_STRATEGY, "solve the same problem with the next strategy"},
    {{'o'}, REQ_USE, "another run: the form's, then those of scripts"},
    {{TK_ENTER}, REQ_PLANE, "the dual picture of the chosen feature, and back"},
    {{'['}, REQ_LAMBDA_LESS, "a smaller lambda (or the slider below a dual picture)"},
    {{']'}, REQ_LAMBDA_MORE, "a greater lambda"},
    {{'0'}, REQ_RESET, "restore the run's own lambda"},
    {{'?'}, REQ_EXPLAIN, "explain why the chosen one is out, or not (keys: F1)"},
    {{'/'}, REQ_FIND, "find a feature (or sample) by a part of its name"},
    {{'n'}, REQ_NEXT, "find the next one"},
    {{'z'}, REQ_ZOOM, "only the picture, or beside the bounds"},
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
    .at = screen_view_at,
    .hint = screen_hint,
    .in_plot = screen_in_plot,
    .busy = screen_busy,
};
