/* tm.plot: figures of runs or of plain numbers.
 *
 * A plot object keeps its series and makes a new figure for every use: a host that is shown one
 * may keep it. Values are those at the time of the call. */
#include "script/objects/plot.h"

#include "base/text.h"
#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/objects/run.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_ROWS = 18, TEXT_COLUMNS = 80, TEXT_LEAST_COLUMNS = 20 };

typedef struct line {
    char *name;
    plot_mark mark;
    double *x, *y;
    size_t count;
} line;

typedef struct plot {
    char *title, *x_label, *y_label;
    bool x_log, y_log;
    line *lines;
    size_t count;
    plot_numbers picture;
} plot;

/* ---- parameters ---------------------------------------------------------------------------- */

static const tm_choice x_choices[] = {
    {"time", "seconds since the run began"},
    {"columns", "column products so far"},
    {"updates", "coordinate updates so far"},
    {"step", "steps of the trace, or lambdas of the path"},
    {"lambda", "one point for each finished lambda"},
    {"nnz", "features; of the lambdas with as many, the least one counts"},
    {NULL, NULL},
};

static const tm_choice y_choices[] = {
    {"gap", "duality gap"},
    {"active", "features the solver works on"},
    {"screened", "features left out"},
    {"rejection", "share of the features left out"},
    {"primal", "primal objective"},
    {"dual", "dual objective"},
    {"nnz", "features, for each finished lambda"},
    {"score", "training score, for each finished lambda"},
    {"test_score", "test score, for each finished lambda"},
    {NULL, NULL},
};

static const tm_param_info params_table[] = {
    {"x", TM_PARAM_CHOICE, "time", 0, 0, NULL, "horizontal axis of runs", x_choices, 0},
    {"y", TM_PARAM_CHOICE, "gap", 0, 0, NULL, "vertical axis of runs", y_choices, 0},
    {"xlog", TM_PARAM_BOOL, NULL, 0, 0, NULL, "logarithmic x axis (default: for x=\"lambda\")",
     NULL, 0},
    {"ylog", TM_PARAM_BOOL, NULL, 0, 0, NULL, "logarithmic y axis (default: for y=\"gap\")", NULL,
     0},
    {"title", TM_PARAM_TEXT, NULL, 0, 0, NULL, "title", NULL, 0},
    {"xlabel", TM_PARAM_TEXT, NULL, 0, 0, NULL, "label of the x axis", NULL, 0},
    {"ylabel", TM_PARAM_TEXT, NULL, 0, 0, NULL, "label of the y axis", NULL, 0},
};

const char *const script_plot_extras[] = {"runs", "series", "picture", "shape", "slice", NULL};
static const char *const series_keys[] = {"x", "y", "name", "points", "bars", NULL};
static const char OWNER[] = "tm.plot";

const tm_param_info *script_plot_params(size_t *count)
{
    *count = sizeof params_table / sizeof *params_table;
    return params_table;
}

/* ---- the values of a run ------------------------------------------------------------------- */

typedef struct totals {
    double seconds, columns, updates, step;
} totals;

static double event_value(const tm_event *e, const char *key, size_t step)
{
    return strcmp(key, "time") == 0        ? e->seconds
           : strcmp(key, "columns") == 0   ? (double)e->columns
           : strcmp(key, "updates") == 0   ? (double)e->updates
           : strcmp(key, "step") == 0      ? (double)step + 1
           : strcmp(key, "gap") == 0       ? e->gap
           : strcmp(key, "active") == 0    ? (double)e->active
           : strcmp(key, "screened") == 0  ? (double)e->screened
           : strcmp(key, "rejection") == 0 ? tm_event_rejection(e)
           : strcmp(key, "primal") == 0    ? e->primal
                                           : e->dual;
}

static double point_value(const tm_point *point, const char *key, const totals *so_far)
{
    const tm_solution *s = &point->solution;
    return strcmp(key, "time") == 0        ? so_far->seconds
           : strcmp(key, "columns") == 0   ? so_far->columns
           : strcmp(key, "updates") == 0   ? so_far->updates
           : strcmp(key, "step") == 0      ? so_far->step
           : strcmp(key, "lambda") == 0    ? s->lambda
           : strcmp(key, "nnz") == 0       ? (double)tm_model_nnz(s->model)
           : strcmp(key, "gap") == 0       ? s->gap
           : strcmp(key, "active") == 0    ? (double)s->active
           : strcmp(key, "screened") == 0  ? (double)s->screening.screened
           : strcmp(key, "rejection") == 0 ? s->screening.rejection
           : strcmp(key, "primal") == 0    ? s->primal
           : strcmp(key, "dual") == 0      ? s->dual
           : strcmp(key, "score") == 0     ? point->train_score
                                           : point->test_score;
}

/* Some quantities exist only once a lambda is done. */
static bool by_point(const char *x, const char *y)
{
    return strcmp(x, "lambda") == 0 || strcmp(x, "nnz") == 0 || strcmp(y, "nnz") == 0 ||
           strcmp(y, "score") == 0 || strcmp(y, "test_score") == 0;
}

static bool line_reserve(line *to, size_t count)
{
    to->x = calloc(count ? count : 1, sizeof *to->x);
    to->y = calloc(count ? count : 1, sizeof *to->y);
    return to->x && to->y;
}

/* Along a path the number of features does not only grow: a line against it would double back. One
 * point for each number remains, that of the least lambda, in rising order. */
static void order_by_x(line *to)
{
    size_t kept = 0;
    for (size_t i = to->count; i-- > 0;) {
        size_t at = 0;
        while (at < kept && to->x[to->count - kept + at] < to->x[i])
            at++;
        if (at < kept && to->x[to->count - kept + at] == to->x[i])
            continue;
        double x = to->x[i], y = to->y[i];
        size_t from = to->count - kept;
        memmove(to->x + from - 1, to->x + from, at * sizeof *to->x);
        memmove(to->y + from - 1, to->y + from, at * sizeof *to->y);
        to->x[from - 1 + at] = x;
        to->y[from - 1 + at] = y;
        kept++;
    }
    memmove(to->x, to->x + to->count - kept, kept * sizeof *to->x);
    memmove(to->y, to->y + to->count - kept, kept * sizeof *to->y);
    to->count = kept;
}

static bool line_of_points(line *to, const tm_job *job, const char *x, const char *y)
{
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    totals so_far = {0, 0, 0, 0};
    if (!line_reserve(to, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        so_far.seconds += points[i].solution.seconds;
        so_far.columns += (double)points[i].solution.columns;
        so_far.updates += (double)points[i].solution.updates;
        so_far.step += 1;
        to->x[i] = point_value(&points[i], x, &so_far);
        to->y[i] = point_value(&points[i], y, &so_far);
    }
    to->count = count;
    if (strcmp(x, "nnz") == 0)
        order_by_x(to);
    return true;
}

static bool line_of_events(line *to, const tm_job *job, const char *x, const char *y)
{
    const tm_event *events;
    size_t count = tm_trace_read(tm_job_trace(job), &events);
    if (!line_reserve(to, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        to->x[i] = event_value(&events[i], x, i);
        to->y[i] = event_value(&events[i], y, i);
    }
    to->count = count;
    bool steps =
        strcmp(y, "active") == 0 || strcmp(y, "screened") == 0 || strcmp(y, "rejection") == 0;
    to->mark = steps ? PLOT_STEP : PLOT_LINE;
    return true;
}

/* ---- making the object --------------------------------------------------------------------- */

/* Room for that many lines in all; they are zeroed. */
static void reserve_lines(lua_State *L, plot *self, size_t count)
{
    self->lines = calloc(count ? count : 1, sizeof *self->lines);
    if (!self->lines)
        luaL_error(L, "not enough memory for a plot");
}

static void add_run(lua_State *L, plot *self, int index, const char *x, const char *y)
{
    const tm_job *job = script_check_run(L, index, "tm.plot: runs");
    if (strcmp(y, "test_score") == 0 && !tm_job_test(job))
        script_error(L, "%s: run '%.60s' has no test data; start it with test=data", OWNER,
                     tm_job_name(job));
    line *to = &self->lines[self->count++];
    to->name = text_copy(tm_job_name(job));
    bool made = by_point(x, y) ? line_of_points(to, job, x, y) : line_of_events(to, job, x, y);
    if (!to->name || !made)
        luaL_error(L, "not enough memory for a plot");
}

/* Copies the numbers of field `key` of the table at `index`; their count must be *count unless
 * that is 0 and *fixed is false. */
static double *copy_numbers(lua_State *L, int index, const char *key, size_t *count)
{
    lua_getfield(L, index, key);
    const double *values = script_args_numbers(L, OWNER, key, count);
    double *copy = calloc(*count ? *count : 1, sizeof *copy);
    if (!copy)
        luaL_error(L, "not enough memory for a plot");
    memcpy(copy, values, *count * sizeof *copy);
    lua_pop(L, 1);
    return copy;
}

/* A series {x={...}, y={...}, name=} at `index`; without x, 1, 2, ... */
static void add_series(lua_State *L, plot *self, int index)
{
    index = lua_absindex(L, index);
    if (!lua_istable(L, index))
        script_error(L, "%s: a series is %s; expected {x={...}, y={...}, name=\"...\"}", OWNER,
                     script_what_is(L, index));
    script_args_keys(L, index, "tm.plot: series", NULL, 0, series_keys);
    line *to = &self->lines[self->count++];
    const char *name = script_args_text(L, index, OWNER, "name", "");
    to->name = text_copy(name);
    to->mark = script_args_bool(L, index, OWNER, "points", false) ? PLOT_POINTS
               : script_args_bool(L, index, OWNER, "bars", false) ? PLOT_BARS
                                                                  : PLOT_LINE;
    size_t count;
    to->y = copy_numbers(L, index, "y", &to->count);
    if (lua_getfield(L, index, "x") == LUA_TNIL) {
        count = to->count;
        to->x = calloc(count ? count : 1, sizeof *to->x);
        for (size_t i = 0; to->x && i < count; i++)
            to->x[i] = (double)i + 1;
    } else {
        to->x = copy_numbers(L, index, "x", &count);
    }
    lua_pop(L, 1);
    if (!to->name || !to->x)
        luaL_error(L, "not enough memory for a plot");
    if (count != to->count)
        script_error(L, "%s: a series has %zu values of x and %zu of y", OWNER, count, to->count);
}

/* Leaves the list `key` of the table at 1 on the stack; returns its length. */
static size_t push_items(lua_State *L, const char *key)
{
    int type = lua_getfield(L, 1, key);
    if (type == LUA_TNIL)
        return 0;
    if (type != LUA_TTABLE)
        script_error(L, "%s: '%s' is %s; expected a list", OWNER, key, script_what_is(L, -1));
    return lua_rawlen(L, -1);
}

static void set_texts(lua_State *L, plot *self, const tm_params *params, bool runs)
{
    const char *x = tm_params_text(params, "x"), *y = tm_params_text(params, "y");
    const char *x_label = strcmp(x, "time") == 0  ? "time (s)"
                          : strcmp(x, "nnz") == 0 ? "features"
                                                  : x;
    const char *y_label = strcmp(y, "active") == 0       ? "active set"
                          : strcmp(y, "test_score") == 0 ? "test score"
                          : strcmp(y, "nnz") == 0        ? "features"
                                                         : y;
    bool x_given = tm_params_has(params, "xlabel"), y_given = tm_params_has(params, "ylabel");
    self->title = text_copy(tm_params_has(params, "title") ? tm_params_text(params, "title") : "");
    self->x_label = text_copy(x_given ? tm_params_text(params, "xlabel") : runs ? x_label : "");
    self->y_label = text_copy(y_given ? tm_params_text(params, "ylabel") : runs ? y_label : "");
    if (!self->title || !self->x_label || !self->y_label)
        luaL_error(L, "not enough memory for a plot");
    self->x_log = tm_params_has(params, "xlog") ? tm_params_bool(params, "xlog")
                                                : runs && strcmp(x, "lambda") == 0;
    self->y_log = tm_params_has(params, "ylog") ? tm_params_bool(params, "ylog")
                                                : runs && strcmp(y, "gap") == 0;
}

int script_tm_plot(lua_State *L)
{
    size_t count;
    const tm_param_info *table = script_plot_params(&count);
    lua_settop(L, 1);
    if (!script_args_options(L, 1, OWNER))
        script_error(L, "%s: expected a table {runs={...}}, {series={...}} or {picture={...}}",
                     OWNER);
    const tm_params *params = script_args_params(L, 1, OWNER, table, count, script_plot_extras);
    plot *self = script_object_new(L, &script_plot_class, sizeof *self);
    int object = lua_gettop(L);
    plot_picture_read(L, OWNER, &self->picture);
    size_t runs = push_items(L, "runs"), series = push_items(L, "series");
    if (runs + series == 0 && !self->picture.values)
        script_error(L, "%s: nothing to draw; give runs={...}, series={...} or picture={...}",
                     OWNER);
    reserve_lines(L, self, runs + series);
    set_texts(L, self, params, runs > 0);
    for (size_t i = 0; i < runs; i++) {
        lua_rawgeti(L, object + 1, (lua_Integer)i + 1);
        add_run(L, self, -1, tm_params_text(params, "x"), tm_params_text(params, "y"));
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < series; i++) {
        lua_rawgeti(L, object + 2, (lua_Integer)i + 1);
        add_series(L, self, -1);
        lua_pop(L, 1);
    }
    lua_settop(L, object);
    return 1;
}

/* ---- the object ---------------------------------------------------------------------------- */

static const plot *self_plot(lua_State *L)
{
    const plot *self = script_object(L, 1, &script_plot_class, "plot");
    if (!self->lines)
        luaL_error(L, "this plot was closed");
    return self;
}

static plot_figure *figure_of(const plot *self, tm_error *err)
{
    plot_figure *figure = plot_figure_new();
    if (!figure) {
        tm_fail_memory(err, "a figure");
        return NULL;
    }
    plot_figure_title(figure, self->title);
    plot_figure_labels(figure, self->x_label, self->y_label);
    plot_figure_log(figure, self->x_log, self->y_log);
    plot_figure_legend(figure, self->count > 1 || self->picture.values ||
                                   (self->count == 1 && *self->lines[0].name));
    if (self->picture.values &&
        plot_figure_slices(figure, &self->picture.slices, self->picture.values, PLOT_NO_PLACE,
                           err) != TM_OK) {
        plot_figure_free(figure);
        return NULL;
    }
    for (size_t i = 0; i < self->count; i++) {
        const line *l = &self->lines[i];
        if (plot_figure_add(figure, &(plot_curve){l->name, l->mark, l->x, l->y, l->count, -1}, NULL,
                            err) == TM_OK)
            continue;
        plot_figure_free(figure);
        return NULL;
    }
    return figure;
}

static tm_status draw(const plot *self, const script *to, plot_colours colours,
                      const tm_cancel *cancel, char **text, tm_error *err)
{
    size_t columns = script_columns(to) ? script_columns(to) : TEXT_COLUMNS;
    plot_grid grid = PLOT_GRID_INIT;
    plot_figure *figure = figure_of(self, err);
    if (!figure)
        return err->code;
    plot_figure_cancel(figure, cancel);
    plot_figure_shades(figure, colours >= PLOT_ANSI256);
    tm_status status = plot_draw_text(figure, TEXT_ROWS,
                                      columns < TEXT_LEAST_COLUMNS ? TEXT_LEAST_COLUMNS : columns,
                                      to->host.utf8, &grid, err);
    if (status == TM_OK)
        status = plot_grid_text(&grid, colours, text, err);
    plot_grid_free(&grid);
    plot_figure_free(figure);
    return status;
}

/* Pushes a malloc'ed text and frees it, also when pushing it fails. */
static int push_owned(lua_State *L)
{
    lua_pushstring(L, lua_touserdata(L, 1));
    return 1;
}

static void push_drawn(lua_State *L, plot_colours colours)
{
    tm_error err = TM_ERROR_INIT;
    char *text = NULL;
    const plot *self = self_plot(L);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    tm_cancel *cancel = script_cancel_begin(script_of(L));
    tm_status drawn = draw(self, script_of(L), colours, cancel, &text, &err);
    script_cancel_end(script_of(L), cancel);
    if (drawn != TM_OK)
        script_raise(L, &err);
    lua_pushcfunction(L, push_owned);
    lua_pushlightuserdata(L, text);
    int status = lua_pcall(L, 1, 1, 0);
    free(text);
    if (status != LUA_OK)
        lua_error(L);
}

static int plot_show(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    script *self = script_of(L);
    lua_settop(L, 1);
    if (!self->host.show) {
        push_drawn(L, self->host.colours);
        lua_pushliteral(L, "\n");
        lua_concat(L, 2);
        size_t size;
        const char *text = lua_tolstring(L, -1, &size);
        script_print(self, text, size > 1 && text[size - 2] == '\n' ? size - 1 : size);
        return 0;
    }
    script_check(L);
    plot_figure *figure = figure_of(self_plot(L), &err);
    if (!figure)
        return script_raise(L, &err);
    self->host.show(figure, self->host.payload);
    return 0;
}

static int plot_save_file(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    const plot *self = self_plot(L);
    const char *path = luaL_checkstring(L, 2);
    plot_figure *figure = figure_of(self, &err);
    tm_cancel *cancel = figure ? script_cancel_begin(script_of(L)) : NULL;
    if (figure)
        plot_figure_cancel(figure, cancel);
    tm_status status = figure ? plot_save(figure, path, &err) : err.code;
    if (figure)
        script_cancel_end(script_of(L), cancel);
    plot_figure_free(figure);
    if (status != TM_OK)
        return script_raise(L, &err);
    lua_settop(L, 1);
    return 1;
}

static int plot_tostring(lua_State *L)
{
    push_drawn(L, PLOT_MONO);
    return 1;
}

static int plot_gc(lua_State *L)
{
    plot *self = script_object_test(L, 1, &script_plot_class);
    if (!self)
        return 0;
    for (size_t i = 0; i < self->count; i++) {
        free(self->lines[i].name);
        free(self->lines[i].x);
        free(self->lines[i].y);
    }
    free(self->lines);
    free(self->picture.values);
    free(self->title);
    free(self->x_label);
    free(self->y_label);
    memset(self, 0, sizeof *self);
    return 0;
}

static const script_member members[] = {
    {"show", "()", "shows it: in the workbench as a figure, elsewhere as text", NULL, plot_show},
    {"save", "(path)", "writes .svg, .png, .pdf, .txt or .csv; returns the plot", "plot",
     plot_save_file},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_plot_class = {
    .id = "plot",
    .title = "a plot",
    .summary = "a figure of runs or series; print gives it as text",
    .members = members,
    .tostring = plot_tostring,
    .gc = plot_gc,
};
