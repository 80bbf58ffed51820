/* The explore view: change a parameter and see how the answer changes. */
#include "base/text.h"
#include "run/model_size.h"
#include "tui/shell/app.h"
#include "tui/terminal/wrap.h"
#include "tui/views/answer/answer.h"
#include "tui/views/chart_grid.h"
#include "tui/widgets/form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE_MIN = 24,
    SIDE_MAX = 44,
    SIDE_WIDE = 30,     /* room for longer texts */
    PLOT_COLS_MIN = 24, /* with fewer columns, the form takes the whole width */
};

typedef struct explore {
    form form;
    chart_grid charts;
    unsigned generation; /* of the data explored */
    uint64_t seen;       /* digest of the data of the charts */
    size_t edited_row;
    app *app;
} explore;

/* ---- life ---------------------------------------------------------------------------------- */

static void explore_close(void *state)
{
    explore *v = state;
    chart_grid_close(&v->charts);
    free(v);
}

static tm_status explore_open(void **state, app *a, tm_error *err)
{
    explore *v = calloc(1, sizeof *v);
    if (!v)
        return tm_fail_memory(err, "the explore view");
    v->app = a;
    tm_status status = chart_grid_open(&v->charts, a, err);
    if (status != TM_OK) {
        explore_close(v);
        return status;
    }
    form_open(&v->form, app_explorer(a), "lambda_ratio");
    *state = v;
    return TM_OK;
}

/* ---- news ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t sum, uint64_t value)
{
    return (sum ^ value) * 0x100000001b3u;
}

static uint64_t job_state(uint64_t sum, const tm_job *job)
{
    const tm_point *points;
    if (!job)
        return mix(sum, 0);
    sum = mix(sum, tm_job_id(job) + 1);
    sum = mix(sum, tm_trace_total(tm_job_trace(job)));
    sum = mix(sum, tm_job_points(job, &points));
    return mix(sum, tm_job_get_state(job));
}

/* A digest that differs when a chart would differ: news that change nothing cause no redrawing. */
static uint64_t digest(const explore_runs *e, const session *s)
{
    uint64_t sum = job_state(job_state(0xcbf29ce484222325u, e->shown), e->shown_path);
    sum = job_state(sum, e->answered);
    for (size_t i = 0; i < e->pins.count; i++)
        sum = job_state(job_state(sum, e->pins.at[i].solve), e->pins.at[i].path);
    for (size_t i = 0; i < e->pins.ghost_count; i++)
        sum = job_state(sum, e->pins.ghosts[i]);
    for (size_t i = 0; i < s->runs.count; i++)
        sum = mix(job_state(sum, s->runs.at[i].job), s->runs.at[i].marked ? 1 : 0);
    for (size_t i = 0; i < s->stored.count; i++)
        sum = s->stored.runs[i]->marked ? mix(sum, (uint64_t)s->stored.runs[i]->id + 1) : sum;
    sum = job_state(sum, s->chosen.timed.job);
    sum = mix(sum, s->chosen.timed.stored ? (uint64_t)s->chosen.timed.stored->id + 1 : 0);
    return mix(sum, s->data.generation);
}

static bool explore_update(void *state, app *a, unsigned news)
{
    explore *v = state;
    uint64_t now = digest(app_explorer(a), app_session(a));
    bool changed = now != v->seen || (news & NEWS_DATA) != 0;
    if (now != v->seen) {
        v->seen = now;
        chart_grid_stale(&v->charts);
    }
    return changed;
}

/* ---- layout -------------------------------------------------------------------------------- */

static int bounded(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* ---- drawing ------------------------------------------------------------------------------- */

/* Lines of text in the middle of where the plots will be. */
static void draw_waiting(app *a, terminal *t, rect area)
{
    const session *work = app_session(a);
    char line[TM_ERROR_MAX + 64];
    terminal_box(t, area, NULL, false);
    int row = area.row + area.rows / 2 - 1;
    int col = area.col + 2, cols = area.cols - 4;
    if (work->data.loader)
        session_loading(work, line, sizeof line);
    else if (work->data.error.code != TM_OK)
        snprintf(line, sizeof line, "%s", work->data.error.message);
    else
        snprintf(line, sizeof line, "no data");
    bool failed = work->data.error.code != TM_OK;
    row += wrap_draw(t, (rect){row, col, area.row + area.rows - 2 - row, cols},
                     failed ? STYLE_ERROR : STYLE_BOLD, line);
    terminal_put(t, row, col, cols, STYLE_DIM,
                 work->data.loader ? "Ctrl-C stops it" : ":open FILE loads another");
}

/* The title of the form: if there is no room for the answer's box, a summary of the answer. */
static void form_title(app *a, bool alone, char *out, size_t size)
{
    const tm_point *answer = explore_runs_answer(app_explorer(a));
    explore_stage stage = explore_runs_stage(app_explorer(a));
    bool answered = !alone || stage == EXPLORE_ANSWERED;
    snprintf(out, size, "%s", answered ? "parameters" : explore_stage_name(stage));
    if (!alone || !answer || stage != EXPLORE_ANSWERED)
        return;
    char score[48];
    const tm_model *model = answer->solution.model;
    int used = snprintf(out, size, "%zu %s", model_size(model), model_size_noun(model));
    answer_score(a, score, sizeof score);
    if (score[0] != '\0' && used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, ", %s", score);
}

static void draw_side(explore *v, app *a, terminal *t, rect area)
{
    char title[96];
    int wanted = (int)form_rows(app_explorer(a)) + 2;
    int form_height = bounded(wanted, 3, area.rows >= 12 ? area.rows / 2 : area.rows);
    if (area.rows - form_height > 3 + ANSWER_FEATURES)
        form_height = bounded(wanted, 3, area.rows);
    rect top = {area.row, area.col, form_height, area.cols};
    form_title(a, area.rows - form_height < 3, title, sizeof title);
    bool focus = v->charts.focus < 0;
    bool wide = area.cols >= SIDE_WIDE;
    terminal_box(t, top, title, focus);
    if (focus)
        terminal_box_foot(
            t, top,
            wide ? terminal_pick(t, "←→ - + solve  Enter types", "- + solve  Enter types")
                 : terminal_pick(t, "←→ or - + solve", "- + solve"));
    form_draw(&v->form, app_explorer(a), t, rect_inside(top), focus);
    if (area.rows - form_height >= 3) {
        answer_draw(a, t,
                    (rect){area.row + form_height, area.col, area.rows - form_height, area.cols});
    }
}

static void explore_draw(void *state, app *a, terminal *t, rect area)
{
    explore *v = state;
    int side = bounded(area.cols * 3 / 10, SIDE_MIN, SIDE_MAX);
    if (area.cols - side < PLOT_COLS_MIN)
        side = area.cols;
    rect plots = {area.row, area.col, area.rows, area.cols - side};
    bool waiting = !app_session(a)->data.train;
    chart_grid_hide(&v->charts);
    if (waiting && plots.cols == 0) {
        draw_waiting(a, t, area);
        return;
    }
    if (waiting)
        draw_waiting(a, t, plots);
    else if (plots.cols > 0)
        chart_grid_draw(&v->charts, t, plots);
    draw_side(v, a, t, (rect){area.row, area.col + plots.cols, area.rows, side});
}

/* ---- requests ------------------------------------------------------------------------------ */

static void edited(const char *text, void *payload)
{
    explore *v = payload;
    tm_error err = TM_ERROR_INIT;
    if (text && form_is_class(app_explorer(v->app), v->edited_row)) {
        app_choose_class(v->app, text);
    } else if (text) {
        form_take(v->edited_row, app_explorer(v->app), text, &err);
        app_error(v->app, &err);
        app_changed(v->app);
    }
}

static void edit(explore *v, app *a)
{
    char text[256], label[80];
    const tm_param_info *info = form_param(app_explorer(a), v->form.rows.chosen);
    form_text(&v->form, app_explorer(a), text, sizeof text);
    bool class = form_is_class(app_explorer(a), v->form.rows.chosen);
    snprintf(label, sizeof label, "%s = ", info ? info->name : class ? "class" : "method");
    v->edited_row = v->form.rows.chosen;
    app_ask(a, label, text, edited, v);
}

static tm_status unset(explore *v, app *a, tm_error *err)
{
    const tm_param_info *info = form_param(app_explorer(a), v->form.rows.chosen);
    if (form_is_class(app_explorer(a), v->form.rows.chosen))
        app_choose_class(a, "-");
    return info ? explore_runs_set(app_explorer(a), info->name, NULL, err) : TM_OK;
}

static tm_status use_offered(app *a, tm_error *err)
{
    session *s = app_session(a);
    if (!s->data.offered)
        return tm_fail(err, TM_EUSAGE, "no script has loaded a data set yet");
    return session_explore(s, s->data.offered, err);
}

static void toggle_pause(app *a)
{
    explore_runs *e = app_explorer(a);
    bool paused = e->solve && tm_job_get_state(e->solve) == TM_JOB_PAUSED;
    paused = paused || (e->path && tm_job_get_state(e->path) == TM_JOB_PAUSED);
    explore_runs_pause(e, !paused);
}

/* Pins the answer, or removes its pin. */
static void pin_answer(app *a, tm_error *err)
{
    pin *added;
    if (explore_runs_pin(app_explorer(a), &added, err) != TM_OK)
        return;
    if (added)
        added->colour = session_colour(app_session(a), added->label);
    app_message(a, STYLE_NORMAL, added ? "pinned as %s" : "%s is off again",
                added ? added->label : "the pin");
}

/* Selects the next metric that applies to the response. */
static void next_metric(app *a, tm_error *err)
{
    session *s = app_session(a);
    const tm_dataset *data = app_explorer(a)->train;
    if (scores_step(s->chosen.scores, 1, data, err) != TM_OK)
        return;
    tm_scorer now = scores_scorer(s->chosen.scores, data);
    app_message(a, STYLE_NORMAL, "%s: %s", now.name, now.metric->summary);
}

static void unpin_last(app *a)
{
    pins *kept = &app_explorer(a)->pins;
    if (kept->count == 0) {
        app_message(a, STYLE_WARN, "nothing is pinned: P pins the answer");
        return;
    }
    app_message(a, STYLE_NORMAL, "%s is off again", kept->at[kept->count - 1].label);
    explore_runs_unpin(app_explorer(a), kept->count - 1);
}

static void undo_change(app *a, tm_error *err)
{
    const char *name;
    char value[64];
    explore_runs *e = app_explorer(a);
    if (explore_runs_undo(e, &name, err) != TM_OK)
        return;
    if (name)
        tm_params_summary(e->params, name, value, sizeof value);
    else
        snprintf(value, sizeof value, "%s", tm_method_id(e->method));
    bool unset = name && !tm_params_has(e->params, name);
    app_message(a, STYLE_NORMAL, "%s is %s again", name ? name : "method", unset ? "unset" : value);
}

static bool explore_act(explore *v, app *a, int request, const key_event *key, tm_error *err)
{
    explore_runs *e = app_explorer(a);
    long steps = requests_steps(request);
    if (steps != 0 && form_is_class(e, v->form.rows.chosen)) {
        app_choose_class(a, form_class_step(e, steps));
        return true;
    }
    if (steps != 0) {
        form_step(&v->form, e, steps, err);
        return true;
    }
    switch (request) {
    case REQ_EDIT:
        edit(v, a);
        return true;
    case REQ_UNSET:
        unset(v, a, err);
        return true;
    case REQ_COLD:
        explore_runs_restart(e, err);
        return true;
    case REQ_USE:
        use_offered(a, err);
        return true;
    case REQ_PAUSE:
        toggle_pause(a);
        return true;
    case REQ_UNDO:
        undo_change(a, err);
        return true;
    case REQ_QUANTITY:
        next_metric(a, err);
        return true;
    case REQ_PIN:
        pin_answer(a, err);
        chart_grid_stale(&v->charts);
        return true;
    case REQ_UNPIN:
        unpin_last(a);
        chart_grid_stale(&v->charts);
        return true;
    case REQ_CLICK:
        list_click(&v->form.rows, key);
        return true;
    default:
        return false;
    }
}

static bool explore_request(void *state, app *a, int request, const key_event *key)
{
    tm_error err = TM_ERROR_INIT;
    explore *v = state;
    if (chart_grid_request(&v->charts, request, key))
        return true;
    v->charts.focus = request == REQ_CLICK ? -1 : v->charts.focus;
    if (form_request(&v->form, app_explorer(a), request))
        return true;
    bool done = explore_act(state, a, request, key, &err);
    app_error(a, &err);
    return done;
}

static void explore_hint(void *state, app *a, char *buffer, size_t size)
{
    explore *v = state;
    const explore_runs *e = app_explorer(a);
    const tm_param_info *info = form_param(e, v->form.rows.chosen);
    if (form_is_class(e, v->form.rows.chosen)) {
        snprintf(buffer, size, "class: one of %zu against the rest; Enter types it, or all",
                 e->classes->all.count);
        return;
    }
    if (!info) {
        snprintf(buffer, size, "%s", tm_method_summary(e->method));
        return;
    }
    const char *help = info->help;
    const char *now = info->type == TM_PARAM_CHOICE ? tm_params_text(e->params, info->name) : NULL;
    for (const tm_choice *c = info->choices; now && c->name; c++)
        help = strcmp(c->name, now) == 0 && c->help ? c->help : help;
    snprintf(buffer, size, "%s: %s", now ? now : info->name, help);
}

static bool explore_in_plot(const void *state)
{
    return ((const explore *)state)->charts.focus >= 0;
}

/* Handles "zoom": the number of a plot, or false. */
static tm_status explore_at(void *state, app *a, const char *what, const char *value, tm_error *err)
{
    explore *v = state;
    long plot = 0;
    (void)a;
    bool none = strcmp(value, "false") == 0 || strcmp(what, "reset") == 0;
    if (!none && strcmp(what, "zoom") != 0)
        return tm_fail(err, TM_EUSAGE, "tm.show: the explore view has zoom alone, no %.40s", what);
    if (!none && (!text_to_long(value, &plot) || plot < 1 || plot > CHART_COUNT))
        return tm_fail(err, TM_EUSAGE, "tm.show: zoom is a plot, 1 to %d, or false", CHART_COUNT);
    v->charts.large = none ? -1 : (int)plot - 1;
    v->charts.focus = -1;
    return TM_OK;
}

static const key_row keys[] = {
    KEYS_CHOOSE_ROW,
    {{TK_LEFT, '-'}, REQ_LEFT, "less, or the previous choice; solves at once"},
    {{TK_RIGHT, '+', '='}, REQ_RIGHT, "more, or the next choice; solves at once"},
    {{TK_SHIFT_LEFT, '['}, REQ_LESS, "much less (ten steps)"},
    {{TK_SHIFT_RIGHT, ']'}, REQ_MORE, "much more (ten steps)"},
    {{TK_ENTER}, REQ_EDIT, "type the value"},
    {{TK_DELETE, TK_BACKSPACE}, REQ_UNSET, "restore the default"},
    {{'u'}, REQ_UNDO, "undo the last change of the form"},
    {{'z'}, REQ_ZOOM, "enlarge a plot: the next one at each press"},
    {{'x'}, REQ_LOG_TIME, "time axis: linear or logarithmic"},
    {{'0'}, REQ_COLD, "solve again from zero, not from the last answer"},
    {{'o'}, REQ_USE, "explore the data set that the script loaded last"},
    {{' '}, REQ_PAUSE, "pause or resume"},
    {{'P'}, REQ_PIN, "pin the answer: it stays in every plot; again: unpin"},
    {{'U'}, REQ_UNPIN, "remove the last pin"},
    {{'v'}, REQ_QUANTITY, "score by the next metric; :set metric NAME chooses one"},
    KEYS_TO_PLOT,
    KEYS_PAGE_ROWS,
    {{0}, REQ_NONE, NULL},
};

const view_ops explore_ops = {
    .at = explore_at,
    .keys = keys,
    .open = explore_open,
    .close = explore_close,
    .update = explore_update,
    .draw = explore_draw,
    .request = explore_request,
    .hint = explore_hint,
    .in_plot = explore_in_plot,
};
