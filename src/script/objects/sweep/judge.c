/* Results of a sweep: its best configuration, scores of nested folds, and scores split by split. */
#include "script/objects/sweep/read.h"

#include "base/text.h"
#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/running_sweeps.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const judge_keys[] = {"metric", "rule", NULL}, *const nested_keys[] = {
                                                                      "metric", "rule", "within",
                                                                      NULL};

/* Reads the metric and the rule from argument 2: a name, {metric=, rule="best"|"1se"}, or
 * nothing. */
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

/* Gives the row on top a metatable that prints its main fields. */
static void describe(lua_State *L, const tm_sweep_table *t, size_t config, const char *metric)
{
    char text[160], shown[TEXT_SHOWN];
    luaL_Buffer line;
    tm_sweep_mean mean = script_sweep_mean(L, t, metric, config);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_createtable(L, 0, 1);
    luaL_buffinit(L, &line);
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        const char *value = tm_sweep_table_value(t, config, a);
        snprintf(text, sizeof text, "%.60s=%.60s ", tm_sweep_table_axis(t, a),
                 text_shown(value, "-", shown));
        luaL_addstring(&line, text);
    }
    snprintf(text, sizeof text, "%.40s %.6g", metric, mean.mean);
    luaL_addstring(&line, text);
    if (mean.count > 1) {
        snprintf(text, sizeof text, " +- %.2g", mean.se);
        luaL_addstring(&line, text);
    }
    snprintf(text, sizeof text, ", %.4g features", script_sweep_mean(L, t, "nnz", config).mean);
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

/* Warns once per sweep: the choice might differ if the runs were continued to their tolerance. */
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
    const tm_sweep_table *t = script_sweep_snapshot(L, 1);
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
    script_sweep_set_axes(L, t, outer->config);
    script_set_count(L, "rep", (uint64_t)outer->split.repeat);
    script_set_count(L, "outer", (uint64_t)outer->split.outer);
    script_set_count(L, "config", outer->config + 1);
    script_set_real(L, "score", outer->score);
}

/* Pushes {folds=, mean=, sd=} of the configurations with only[config]. */
static void push_nested(lua_State *L, const tm_sweep_table *t, const char *metric, bool one_se,
                        const bool *only)
{
    tm_error err = TM_ERROR_INIT;
    size_t count;
    tm_sweep_outer *found;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (tm_sweep_nested_within(t, metric, one_se, only, &found, &count, &err) != TM_OK)
        script_raise(L, &err);
    /* A copy that Lua frees, as the following code may raise an error. */
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

/* A row for each value of the axis, where the choice is made among its configurations only. */
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
        script_sweep_push_value(L, value);
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
    const tm_sweep_table *t = script_sweep_snapshot(L, 1);
    if (within)
        return nested_within(L, t, metric, one_se, within);
    push_nested(L, t, metric, one_se, NULL);
    return 1;
}

/* The column of one configuration over the splits, in their order, as tm.compare takes it. */
/* On the splits that the table's means are of, the inner ones of nested folds. One without a value
 * keeps its place, so that the numbers of two configurations stay pairs. */
int script_sweep_scores(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    lua_settop(L, 3);
    lua_Integer config = luaL_checkinteger(L, 2), n = 0;
    const tm_sweep_table *t = script_sweep_snapshot(L, 1);
    const char *column = luaL_optstring(L, 3, tm_sweep_table_metric(t, 0));
    if (config < 1 || (size_t)config > tm_sweep_table_configs(t))
        script_error(L, "sweep:scores: the sweep has the configurations 1 to %d",
                     (int)tm_sweep_table_configs(t));
    bool nested = false;
    for (size_t s = 0; s < tm_sweep_table_splits(t); s++)
        nested = nested || tm_sweep_table_split(t, s)->inner > 0;
    lua_newtable(L);
    for (size_t s = 0; s < tm_sweep_table_splits(t); s++) {
        double value;
        if (nested && tm_sweep_table_split(t, s)->inner == 0)
            continue;
        if (tm_sweep_column(t, column, (size_t)config - 1, s, &value, &err) != TM_OK)
            return script_raise(L, &err);
        lua_pushnumber(L, value);
        lua_rawseti(L, -2, ++n);
    }
    script_as_list(L);
    return 1;
}
