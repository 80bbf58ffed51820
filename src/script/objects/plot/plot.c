/* tm.plot: figures of runs or of plain numbers.
 *
 * A plot object stores its series and makes a new figure for every use, because the host may keep
 * the figure. The values are those at the time of the call. */
#include "script/objects/plot/plot.h"

#include "base/text.h"
#include "script/common/args.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/objects/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROWS = 18, TEXT_COLUMNS = 80, TEXT_LEAST_COLUMNS = 20 };

typedef struct plot {
    char *title, *x_label, *y_label;
    bool x_log, y_log;
    script_line *lines;
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
    {"levels", "of a graph: joined features of one weight count once; as for nnz"},
    {NULL, NULL},
};

static const tm_choice y_choices[] = {
    {"gap", "duality gap"},
    {"active", "features the solver works on"},
    {"screened", "features left out"},
    {"rejection", "share of the features left out"},
    {"rejected", "terms of a graph proven zero"},
    {"aggregated", "features of a graph proven equal to another one or 0"},
    {"primal", "primal objective"},
    {"dual", "dual objective"},
    {"nnz", "features, for each finished lambda"},
    {"levels", "of a graph: joined features of one weight count once"},
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
    {"metric", TM_PARAM_TEXT, NULL, 0, 0, NULL,
     "what scores are by (default: r2, accuracy, or auc where one class is rare)", NULL, 0},
    {"baseline", TM_PARAM_BOOL, "true", 0, 0, NULL,
     "with scores, that of the best constant prediction", NULL, 0},
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

/* ---- making the object --------------------------------------------------------------------- */

/* Makes room for this many zeroed lines in all. */
static void reserve_lines(lua_State *L, plot *self, size_t count)
{
    self->lines = calloc(count ? count : 1, sizeof *self->lines);
    if (!self->lines)
        luaL_error(L, "not enough memory for a plot");
}

static void add_run(lua_State *L, plot *self, int index, const script_axes *axes)
{
    const tm_job *job = script_check_run(L, index, "tm.plot: runs");
    if (strcmp(axes->y, "test_score") == 0 && !tm_job_test(job))
        script_error(L, "%s: run '%.60s' has no test data; start it with test=data", OWNER,
                     tm_job_name(job));
    tm_scorer by = script_axes_scorer(axes, tm_job_train(job));
    if (by.metric->binary != tm_dataset_is_binary(tm_job_train(job)))
        script_error(L, "%s: metric '%s' does not fit the response of run '%.60s'", OWNER, by.name,
                     tm_job_name(job));
    script_line *to = &self->lines[self->count++];
    to->name = text_copy(tm_job_name(job));
    if (!to->name || !script_line_of_run(to, job, axes))
        luaL_error(L, "not enough memory for a plot");
}

/* Adds the score of the best constant prediction for the first run's data; models below it are
 * useless. */
static void add_baseline(lua_State *L, plot *self, const tm_job *job, const script_axes *axes)
{
    const tm_dataset *train = tm_job_train(job);
    bool test = strcmp(axes->y, "test_score") == 0;
    tm_scorer by = script_axes_scorer(axes, train);
    double score = tm_scorer_constant(&by, train, test ? tm_job_test(job) : train);
    if (!isfinite(score))
        return;
    script_line *to = &self->lines[self->count++];
    to->name = text_copy(by.metric->binary ? "majority" : "mean");
    to->mark = PLOT_LEVEL;
    if (!to->name || !script_line_reserve(to, 1))
        luaL_error(L, "not enough memory for a plot");
    to->y[0] = score;
    to->count = 1;
}

/* The quantities of the axes, and the metric of scores. */
static script_axes axes_of(lua_State *L, const tm_params *params)
{
    tm_error err = TM_ERROR_INIT;
    script_axes axes = {.x = tm_params_text(params, "x"), .y = tm_params_text(params, "y")};
    bool named = tm_params_has(params, "metric");
    axes.scores = strcmp(axes.y, "score") == 0 || strcmp(axes.y, "test_score") == 0;
    if (named && !axes.scores)
        script_error(L, "%s: 'metric' is of y=\"test_score\" or \"score\", not of y=\"%s\"", OWNER,
                     axes.y);
    if (named && tm_scorer_find(&axes.by, tm_params_text(params, "metric"), &err) != TM_OK)
        script_error(L, "%s: %s", OWNER, err.message);
    return axes;
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

/* Adds the series {x={...}, y={...}, name=} at `index`; the default of x is 1, 2, ... */
static void add_series(lua_State *L, plot *self, int index)
{
    index = lua_absindex(L, index);
    if (!lua_istable(L, index))
        script_error(L, "%s: a series is %s; expected {x={...}, y={...}, name=\"...\"}", OWNER,
                     script_what_is(L, index));
    script_args_keys(L, index, "tm.plot: series", NULL, 0, series_keys);
    script_line *to = &self->lines[self->count++];
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

/* Pushes the list `key` of the table at 1; returns its length. */
static size_t push_items(lua_State *L, const char *key)
{
    int type = lua_getfield(L, 1, key);
    if (type == LUA_TNIL)
        return 0;
    if (type != LUA_TTABLE)
        script_error(L, "%s: '%s' is %s; expected a list", OWNER, key, script_what_is(L, -1));
    return lua_rawlen(L, -1);
}

/* `first`: the first run, or NULL without any. */
static void set_texts(lua_State *L, plot *self, const tm_params *params, const tm_job *first)
{
    bool runs = first != NULL;
    char score[64] = "";
    script_axes axes = axes_of(L, params);
    if (runs && axes.scores)
        snprintf(score, sizeof score, "%s %s", strcmp(axes.y, "score") == 0 ? "training" : "test",
                 script_axes_scorer(&axes, tm_job_train(first)).name);
    const char *x = tm_params_text(params, "x"), *y = tm_params_text(params, "y");
    const char *x_label = strcmp(x, "time") == 0  ? "time (s)"
                          : strcmp(x, "nnz") == 0 ? "features"
                                                  : x;
    const char *y_label = strcmp(y, "active") == 0 ? "active set"
                          : score[0]               ? score
                          : strcmp(y, "nnz") == 0  ? "features"
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

/* Adds the runs of the list below the top of the stack. */
static void add_runs(lua_State *L, plot *self, size_t count, const tm_params *params)
{
    script_axes axes = axes_of(L, params);
    const tm_job *first = NULL;
    int list = lua_gettop(L) - 1;
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        first = first ? first : script_check_run(L, -1, "tm.plot: runs");
        add_run(L, self, -1, &axes);
        lua_pop(L, 1);
    }
    set_texts(L, self, params, first);
    if (first && axes.scores && tm_params_bool(params, "baseline"))
        add_baseline(L, self, first, &axes);
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
    reserve_lines(L, self, runs + series + 1);
    add_runs(L, self, runs, params);
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
        const script_line *l = &self->lines[i];
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

/* Pushes a malloc'ed text and frees it, even if pushing fails. */
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
    bool drawn = figure != NULL;
    plot_figure_free(figure);
    if (status != TM_OK)
        return drawn ? script_raise_unsaved(L, 1, &err) : script_raise(L, &err);
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
