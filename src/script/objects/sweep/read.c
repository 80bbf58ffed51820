/* What a sweep has found, read from a snapshot at each use, so that it can be looked at while it
 * runs. */
#include "script/objects/sweep/read.h"

#include "base/text.h"
#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/running_sweeps.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/plot/plot.h"
#include "script/objects/sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char TABLE[] = "tamis.sweep_table";

/* ---- snapshots ----------------------------------------------------------------------------- */

static int table_gc(lua_State *L)
{
    tm_sweep_table **table = luaL_testudata(L, 1, TABLE);
    if (table) {
        tm_sweep_table_free(*table);
        *table = NULL;
    }
    return 0;
}

const tm_sweep_table *script_sweep_snapshot(lua_State *L, int index)
{
    const tm_sweep *sweep = script_check_sweep(L, index);
    tm_sweep_table **table = lua_newuserdatauv(L, sizeof(tm_sweep_table *), 0);
    *table = NULL;
    if (luaL_newmetatable(L, TABLE)) {
        lua_pushcfunction(L, table_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    *table = tm_sweep_snapshot(sweep);
    if (!*table)
        luaL_error(L, "not enough memory for a sweep's table");
    return *table;
}

static const tm_sweep_table *push_snapshot(lua_State *L)
{
    return script_sweep_snapshot(L, 1);
}

/* An axis's value as a number where it is one. */
static void push_value(lua_State *L, const char *text)
{
    long whole;
    double real;
    if (!text)
        lua_pushnil(L);
    else if (text_to_long(text, &whole))
        lua_pushinteger(L, whole);
    else if (text_to_real(text, &real))
        lua_pushnumber(L, real);
    else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        lua_pushboolean(L, text[0] == 't');
    else
        lua_pushstring(L, text);
}

static void set_axes(lua_State *L, const tm_sweep_table *t, size_t config)
{
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        push_value(L, tm_sweep_table_value(t, config, a));
        lua_setfield(L, -2, tm_sweep_table_axis(t, a));
    }
}

static tm_sweep_mean mean_of(lua_State *L, const tm_sweep_table *t, const char *column,
                             size_t config)
{
    tm_error err = TM_ERROR_INIT;
    tm_sweep_mean mean;
    if (tm_sweep_summary(t, column, config, &mean, &err) != TM_OK)
        script_raise(L, &err);
    return mean;
}

void script_sweep_push_config(lua_State *L, const tm_sweep_table *t, size_t config)
{
    static const char *const means[] = {"lambda", "nnz", "seconds", "columns", "updates"};
    char key[64];
    lua_createtable(L, 0, 16);
    set_axes(L, t, config);
    script_set_count(L, "config", config + 1);
    for (size_t m = 0; m < tm_sweep_table_metrics(t); m++) {
        const char *name = tm_sweep_table_metric(t, m);
        tm_sweep_mean mean = mean_of(L, t, name, config);
        script_set_real(L, name, mean.mean);
        snprintf(key, sizeof key, "%.40s_sd", name);
        script_set_real(L, key, mean.count ? mean.sd : NAN);
        snprintf(key, sizeof key, "%.40s_se", name);
        script_set_real(L, key, mean.count ? mean.se : NAN);
        if (m == 0)
            script_set_count(L, "splits", mean.count);
    }
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        script_set_real(L, means[i], mean_of(L, t, means[i], config).mean);
    script_set_real(L, "gap", mean_of(L, t, "gap", config).max);
    script_set_count(L, "unconverged", tm_sweep_unconverged(t, config));
}

void script_sweep_set_columns(lua_State *L, const tm_sweep_table *t, const char *const *front,
                              const char *const *back, bool errors)
{
    char key[64];
    lua_Integer n = 0;
    lua_newtable(L);
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        lua_pushstring(L, tm_sweep_table_axis(t, a));
        lua_rawseti(L, -2, ++n);
    }
    for (; *front; front++) {
        lua_pushstring(L, *front);
        lua_rawseti(L, -2, ++n);
    }
    for (size_t m = 0; m < tm_sweep_table_metrics(t); m++) {
        lua_pushstring(L, tm_sweep_table_metric(t, m));
        lua_rawseti(L, -2, ++n);
        snprintf(key, sizeof key, "%.40s_se", tm_sweep_table_metric(t, m));
        if (!errors)
            continue;
        lua_pushstring(L, key);
        lua_rawseti(L, -2, ++n);
    }
    for (; *back; back++) {
        lua_pushstring(L, *back);
        lua_rawseti(L, -2, ++n);
    }
}

int script_sweep_as_table(lua_State *L)
{
    int rows = lua_gettop(L) - 1;
    lua_pushcfunction(L, script_tm_table);
    lua_insert(L, rows);
    lua_call(L, 2, 1);
    return 1;
}

/* lambda is not among the axes, but what it is relative to lambda_max. */
static bool has_relative_lambda(const tm_sweep_table *t)
{
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++)
        if (strcmp(tm_sweep_table_axis(t, a), "lambda_ratio") == 0)
            return true;
    return false;
}

int script_sweep_table(lua_State *L)
{
    static const char *const lambda[] = {"lambda", NULL}, *const none[] = {NULL};
    const char *back[] = {"nnz", "gap", "seconds", "splits", NULL, NULL};
    const tm_sweep_table *t = push_snapshot(L);
    size_t configs = tm_sweep_table_configs(t);
    for (size_t c = 0; c < configs && !back[4]; c++)
        if (tm_sweep_unconverged(t, c) > 0)
            back[4] = "unconverged";
    lua_createtable(L, (int)configs, 0);
    for (size_t c = 0; c < configs; c++) {
        script_sweep_push_config(L, t, c);
        lua_rawseti(L, -2, (lua_Integer)c + 1);
    }
    script_sweep_set_columns(L, t, has_relative_lambda(t) ? lambda : none, back,
                             tm_sweep_table_splits(t) > 1);
    return script_sweep_as_table(L);
}

static void push_cell(lua_State *L, const tm_sweep_table *t, size_t config, size_t split)
{
    const tm_sweep_cell *cell = tm_sweep_table_cell(t, config, split);
    const tm_sweep_split *where = tm_sweep_table_split(t, split);
    lua_createtable(L, 0, 20);
    set_axes(L, t, config);
    script_set_count(L, "config", config + 1);
    script_set_count(L, "rep", (uint64_t)where->repeat);
    script_set_count(L, "outer", (uint64_t)where->outer);
    script_set_count(L, "inner", (uint64_t)where->inner);
    lua_pushstring(L, tm_cell_status_name(cell->status));
    lua_setfield(L, -2, "status");
    lua_pushstring(L, cell->error);
    lua_setfield(L, -2, "error");
    for (size_t m = 0; m < tm_sweep_table_metrics(t); m++)
        script_set_real(L, tm_sweep_table_metric(t, m), cell->scores[m]);
    script_set_real(L, "lambda", cell->lambda);
    script_set_real(L, "primal", cell->primal);
    script_set_real(L, "dual", cell->dual);
    script_set_real(L, "gap", cell->gap);
    script_set_real(L, "nnz", cell->nnz);
    script_set_real(L, "seconds", cell->seconds);
    script_set_real(L, "columns", cell->columns);
    script_set_real(L, "updates", cell->updates);
}

int script_sweep_cells(lua_State *L)
{
    static const char *const front[] = {"rep", "outer", "inner", "status", NULL};
    static const char *const back[] = {"lambda", "nnz", "primal", "gap", "seconds", NULL};
    const tm_sweep_table *t = push_snapshot(L);
    lua_Integer n = 0;
    lua_newtable(L);
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        for (size_t s = 0; s < tm_sweep_table_splits(t); s++) {
            if (tm_sweep_table_cell(t, c, s)->status == TM_CELL_OPEN)
                continue;
            push_cell(L, t, c, s);
            lua_rawseti(L, -2, ++n);
        }
    script_sweep_set_columns(L, t, front, back, false);
    return script_sweep_as_table(L);
}

/* ---- what it says -------------------------------------------------------------------------- */

static const char *const judge_keys[] = {"metric", "rule", NULL}, *const nested_keys[] = {
                                                                      "metric", "rule", "within",
                                                                      NULL};

/* The metric and the rule from argument 2: a name, {metric=, rule="best"|"1se"}, or nothing. */
static const char *read_judge(lua_State *L, const char *owner, bool *one_se)
{
    *one_se = false;
    if (lua_isnoneornil(L, 2) || lua_type(L, 2) == LUA_TSTRING)
        return lua_tostring(L, 2);
    bool nested = strcmp(owner, "sweep:nested") == 0;
    script_args_keys(L, 2, owner, NULL, 0, nested ? nested_keys : judge_keys);
    const char *rule = script_args_text(L, 2, owner, "rule", "best");
    *one_se = strcmp(rule, "1se") == 0;
    if (!*one_se && strcmp(rule, "best") != 0)
        script_error(L, "%s: rule is '%.40s'; expected \"best\" or \"1se\"", owner, rule);
    return script_args_text(L, 2, owner, "metric", NULL);
}

static int push_text(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    return 1;
}

/* Gives the row on top a metatable that prints what matters of it. */
static void describe(lua_State *L, const tm_sweep_table *t, size_t config, const char *metric)
{
    char text[160];
    luaL_Buffer line;
    tm_sweep_mean mean = mean_of(L, t, metric, config);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_createtable(L, 0, 1);
    luaL_buffinit(L, &line);
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        const char *value = tm_sweep_table_value(t, config, a);
        snprintf(text, sizeof text, "%.60s=%.60s ", tm_sweep_table_axis(t, a), value ? value : "-");
        luaL_addstring(&line, text);
    }
    snprintf(text, sizeof text, "%.40s %.6g", metric, mean.mean);
    luaL_addstring(&line, text);
    if (mean.count > 1) {
        snprintf(text, sizeof text, " +- %.2g", mean.se);
        luaL_addstring(&line, text);
    }
    snprintf(text, sizeof text, ", %.4g features", mean_of(L, t, "nnz", config).mean);
    luaL_addstring(&line, text);
    if (tm_sweep_unconverged(t, config) > 0) {
        snprintf(text, sizeof text, ", %zu of %zu runs not converged",
                 tm_sweep_unconverged(t, config), mean.count);
        luaL_addstring(&line, text);
    }
    luaL_pushresult(&line);
    lua_pushcclosure(L, push_text, 1);
    lua_setfield(L, -2, "__tostring");
    lua_setmetatable(L, -2);
}

void script_sweep_push_axes(lua_State *L, const tm_sweep_table *t, size_t config)
{
    static const char *const path[] = {"step", "lambdas", "lambda_min_ratio"};
    lua_newtable(L);
    set_axes(L, t, config);
    bool steps = lua_getfield(L, -1, "step") != LUA_TNIL;
    lua_pop(L, 1);
    for (size_t i = 0; steps && i < sizeof path / sizeof *path; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, path[i]);
    }
}

/* Once a sweep: its answer may be another one when the runs go on to their tolerance. */
static void warn_unconverged(lua_State *L, const tm_sweep_table *t, size_t config)
{
    script *self = script_of(L);
    size_t count = tm_sweep_unconverged(t, config);
    if (count > 0 && script_running_sweeps_first(self, script_check_sweep(L, 1), SCRIPT_SWEEP_BEST))
        script_remark(self, false,
                      "sweep '%.60s': its best configuration (number %zu) did not converge in %zu "
                      "runs; a greater max_iter or tol may choose another one",
                      tm_sweep_table_name(t), config + 1, count);
}

int script_sweep_best(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    bool one_se;
    size_t config;
    lua_settop(L, 2);
    const char *metric = read_judge(L, "sweep:best", &one_se);
    const tm_sweep_table *t = push_snapshot(L);
    if (tm_sweep_best(t, metric, one_se, &config, &err) != TM_OK)
        return script_raise(L, &err);
    warn_unconverged(L, t, config);
    script_sweep_push_config(L, t, config);
    script_sweep_push_params(L, 1, t, config);
    lua_setfield(L, -2, "params");
    describe(L, t, config, metric ? metric : tm_sweep_table_metric(t, 0));
    return 1;
}

static void push_outer(lua_State *L, const tm_sweep_table *t, const tm_sweep_outer *outer)
{
    lua_newtable(L);
    set_axes(L, t, outer->config);
    script_set_count(L, "rep", (uint64_t)outer->split.repeat);
    script_set_count(L, "outer", (uint64_t)outer->split.outer);
    script_set_count(L, "config", outer->config + 1);
    script_set_real(L, "score", outer->score);
}

/* {folds=, mean=, sd=} of the configurations with only[config], pushed. */
static void push_nested(lua_State *L, const tm_sweep_table *t, const char *metric, bool one_se,
                        const bool *only)
{
    tm_error err = TM_ERROR_INIT;
    size_t count;
    tm_sweep_outer *found;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (tm_sweep_nested_within(t, metric, one_se, only, &found, &count, &err) != TM_OK)
        script_raise(L, &err);
    /* A copy that Lua frees: what follows may raise. */
    tm_sweep_outer *outer = lua_newuserdatauv(L, (count + 1) * sizeof *outer, 0);
    memcpy(outer, found, count * sizeof *outer);
    free(found);
    tm_sweep_mean mean = tm_sweep_outer_mean(outer, count);
    lua_newtable(L);
    lua_newtable(L);
    for (size_t i = 0; i < count; i++) {
        push_outer(L, t, &outer[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "folds");
    script_set_real(L, "mean", mean.mean);
    script_set_real(L, "sd", mean.count > 1 ? mean.sd : NAN);
    script_as_list(L);
    lua_remove(L, -2);
}

static size_t find_axis(lua_State *L, const tm_sweep_table *t, const char *name)
{
    size_t axis = 0;
    while (axis < tm_sweep_table_axes(t) && strcmp(tm_sweep_table_axis(t, axis), name) != 0)
        axis++;
    if (axis == tm_sweep_table_axes(t))
        script_error(L, "sweep:nested: within is '%.60s'; expected an axis of the sweep", name);
    return axis;
}

/* A row for each value of the axis, the choice made among its configurations alone. */
static int nested_within(lua_State *L, const tm_sweep_table *t, const char *metric, bool one_se,
                         const char *name)
{
    size_t axis = find_axis(L, t, name), configs = tm_sweep_table_configs(t);
    const char *columns[] = {name, "mean", "sd"};
    bool *only = lua_newuserdatauv(L, 2 * configs, 0), *done = only + configs;
    lua_Integer n = 0;
    memset(only, 0, 2 * configs);
    lua_newtable(L);
    for (size_t first = 0; first < configs; first++) {
        const char *value = tm_sweep_table_value(t, first, axis);
        for (size_t c = 0; c < configs; c++) {
            const char *other = tm_sweep_table_value(t, c, axis);
            only[c] = !done[first] && (value && other ? strcmp(value, other) == 0 : value == other);
        }
        if (done[first])
            continue;
        push_nested(L, t, metric, one_se, only);
        push_value(L, value);
        lua_setfield(L, -2, name);
        lua_rawseti(L, -2, ++n);
        for (size_t c = 0; c < configs; c++)
            done[c] = done[c] || only[c];
    }
    script_as_rows(L, columns, 3);
    return 1;
}

int script_sweep_nested(lua_State *L)
{
    bool one_se;
    lua_settop(L, 2);
    const char *within = NULL, *metric = read_judge(L, "sweep:nested", &one_se);
    if (lua_istable(L, 2))
        within = script_args_text(L, 2, "sweep:nested", "within", NULL);
    const tm_sweep_table *t = push_snapshot(L);
    if (within)
        return nested_within(L, t, metric, one_se, within);
    push_nested(L, t, metric, one_se, NULL);
    return 1;
}

/* The column of one configuration over the splits, in their order: what tm.compare pairs. */
int script_sweep_scores(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    lua_settop(L, 3);
    lua_Integer config = luaL_checkinteger(L, 2), n = 0;
    const tm_sweep_table *t = push_snapshot(L);
    const char *column = luaL_optstring(L, 3, tm_sweep_table_metric(t, 0));
    if (config < 1 || (size_t)config > tm_sweep_table_configs(t))
        script_error(L, "sweep:scores: the sweep has the configurations 1 to %d",
                     (int)tm_sweep_table_configs(t));
    lua_newtable(L);
    for (size_t s = 0; s < tm_sweep_table_splits(t); s++) {
        double value;
        if (tm_sweep_column(t, column, (size_t)config - 1, s, &value, &err) != TM_OK)
            return script_raise(L, &err);
        if (isnan(value))
            continue;
        lua_pushnumber(L, value);
        lua_rawseti(L, -2, ++n);
    }
    script_as_list(L);
    return 1;
}

/* ---- curves -------------------------------------------------------------------------------- */

static void push_numbers(lua_State *L, const double *numbers, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushnumber(L, numbers[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

typedef struct curves {
    tm_sweep_curve *all;
    size_t count;
} curves;

/* The list of series for tm.plot, from curves as light userdata. */
static int push_series(lua_State *L)
{
    const curves *found = lua_touserdata(L, 1);
    lua_createtable(L, (int)found->count, 0);
    for (size_t i = 0; i < found->count; i++) {
        const tm_sweep_curve *curve = &found->all[i];
        lua_createtable(L, 0, 4);
        lua_pushstring(L, curve->name);
        lua_setfield(L, -2, "name");
        lua_pushboolean(L, curve->cloud);
        lua_setfield(L, -2, "points");
        push_numbers(L, curve->x, curve->count);
        lua_setfield(L, -2, "x");
        push_numbers(L, curve->y, curve->count);
        lua_setfield(L, -2, "y");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void push_curves(lua_State *L, const tm_sweep_table *t, const char *x, const char *y)
{
    tm_error err = TM_ERROR_INIT;
    curves found;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (tm_sweep_curves(t, x, y, &found.all, &found.count, &err) != TM_OK)
        script_raise(L, &err);
    /* Protected, so that they are freed when memory runs out. */
    lua_pushcfunction(L, push_series);
    lua_pushlightuserdata(L, &found);
    int status = lua_pcall(L, 1, 1, 0);
    tm_sweep_curves_free(found.all, found.count);
    if (status != LUA_OK)
        lua_error(L);
}

int script_sweep_curve(lua_State *L)
{
    lua_settop(L, 4);
    const char *x = luaL_checkstring(L, 2), *y = luaL_checkstring(L, 3);
    const tm_sweep_table *t = push_snapshot(L);
    lua_pushcfunction(L, script_tm_plot);
    lua_newtable(L);
    if (script_args_options(L, 4, "sweep:curve"))
        for (lua_pushnil(L); lua_next(L, 4);) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_settable(L, -4);
        }
    push_curves(L, t, x, y);
    lua_setfield(L, -2, "series");
    if (lua_getfield(L, -1, "xlabel") == LUA_TNIL) {
        lua_pushstring(L, strcmp(x, "nnz") == 0 ? "features" : x);
        lua_setfield(L, -3, "xlabel");
    }
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "ylabel") == LUA_TNIL) {
        lua_pushstring(L, strcmp(y, "nnz") == 0 ? "features" : y);
        lua_setfield(L, -3, "ylabel");
    }
    lua_pop(L, 1);
    lua_call(L, 1, 1);
    return 1;
}
