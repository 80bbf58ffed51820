/* The results of a sweep, read from a snapshot at each use, so that they are available while it
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

void script_sweep_push_value(lua_State *L, const char *text)
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

void script_sweep_set_axes(lua_State *L, const tm_sweep_table *t, size_t config)
{
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        script_sweep_push_value(L, tm_sweep_table_value(t, config, a));
        lua_setfield(L, -2, tm_sweep_table_axis(t, a));
    }
}

tm_sweep_mean script_sweep_mean(lua_State *L, const tm_sweep_table *t, const char *column,
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
    script_sweep_set_axes(L, t, config);
    script_set_count(L, "config", config + 1);
    for (size_t m = 0; m < tm_sweep_table_metrics(t); m++) {
        const char *name = tm_sweep_table_metric(t, m);
        tm_sweep_mean mean = script_sweep_mean(L, t, name, config);
        script_set_real(L, name, mean.mean);
        snprintf(key, sizeof key, "%.40s_sd", name);
        script_set_real(L, key, mean.count ? mean.sd : NAN);
        snprintf(key, sizeof key, "%.40s_se", name);
        script_set_real(L, key, mean.count ? mean.se : NAN);
        if (m == 0)
            script_set_count(L, "splits", mean.count);
    }
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        script_set_real(L, means[i], script_sweep_mean(L, t, means[i], config).mean);
    script_set_real(L, "gap", script_sweep_mean(L, t, "gap", config).max);
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

void script_sweep_push_axes(lua_State *L, const tm_sweep_table *t, size_t config)
{
    static const char *const path[] = {"step", "lambdas", "lambda_min_ratio"};
    lua_newtable(L);
    script_sweep_set_axes(L, t, config);
    bool steps = lua_getfield(L, -1, "step") != LUA_TNIL;
    lua_pop(L, 1);
    for (size_t i = 0; steps && i < sizeof path / sizeof *path; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, path[i]);
    }
}

/* Whether lambda_ratio is an axis; the value of lambda is then a column. */
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
    script_sweep_set_axes(L, t, config);
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

/* Pushes the list of series for tm.plot, from curves as light userdata. */
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
    /* Called in protected mode, so that the curves are freed when memory runs out. */
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
