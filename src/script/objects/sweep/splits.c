/* The splits of a sweep, and its best configuration on all rows. */
#include "script/objects/sweep/args.h"
#include "script/objects/sweep/read.h"

#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/data/dataset.h"
#include "script/objects/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

/* The rows of a split. */
typedef struct split_rows {
    const tm_sweep *sweep;
    size_t split, rows;
    const uint8_t *roles; /* in a Lua block that was pushed */
} split_rows;

/* Pushes the rows with this role as a list of numbers from 1; rows that are trained on several
 * times are repeated. */
static void push_role(lua_State *L, const split_rows *of, tm_row_role role)
{
    lua_Integer count = 0;
    lua_newtable(L);
    for (size_t i = 0; i < of->rows; i++) {
        if (of->roles[i] != role)
            continue;
        size_t times = role == TM_ROW_TRAINS ? tm_sweep_times(of->sweep, of->split, i) : 1;
        while (times-- > 0) {
            lua_pushinteger(L, (lua_Integer)i + 1);
            lua_rawseti(L, -2, ++count);
        }
    }
    script_as_list(L);
}

static split_rows push_roles(lua_State *L, const tm_sweep *sweep, size_t split)
{
    split_rows of = {.sweep = sweep, .split = split};
    uint8_t *found = tm_sweep_roles(sweep, split, &of.rows);
    if (!found)
        luaL_error(L, "not enough memory for a sweep's splits");
    /* A copy that Lua frees, as the following code may raise an error. */
    uint8_t *roles = lua_newuserdatauv(L, of.rows + 1, 0);
    memcpy(roles, found, of.rows);
    free(found);
    of.roles = roles;
    return of;
}

/* Without folds, the rows are those of the test data, or all rows. */
bool script_sweep_push_scored(lua_State *L, const tm_sweep *sweep, size_t split)
{
    split_rows of = push_roles(L, sweep, split);
    if (!memchr(of.roles, TM_ROW_SCORES, of.rows)) {
        lua_pop(L, 1);
        return false;
    }
    push_role(L, &of, TM_ROW_SCORES);
    lua_remove(L, -2);
    return true;
}

static void push_split(lua_State *L, const tm_sweep *sweep, const tm_sweep_table *t, size_t split)
{
    const tm_sweep_split *where = tm_sweep_table_split(t, split);
    split_rows of = push_roles(L, sweep, split);
    lua_createtable(L, 0, 5);
    script_set_count(L, "rep", (uint64_t)where->repeat);
    script_set_count(L, "outer", (uint64_t)where->outer);
    script_set_count(L, "inner", (uint64_t)where->inner);
    push_role(L, &of, TM_ROW_TRAINS);
    lua_setfield(L, -2, "train");
    push_role(L, &of, TM_ROW_SCORES);
    lua_setfield(L, -2, "test");
    script_as_list(L);
    lua_remove(L, -2);
}

int script_sweep_splits(lua_State *L)
{
    const tm_sweep *sweep = script_check_sweep(L, 1);
    const tm_sweep_table *t = script_sweep_snapshot(L, 1);
    lua_createtable(L, (int)tm_sweep_table_splits(t), 0);
    for (size_t s = 0; s < tm_sweep_table_splits(t); s++) {
        push_split(L, sweep, t, s);
        lua_rawseti(L, -2, (lua_Integer)s + 1);
    }
    return 1;
}

/* ---- the best on all rows ------------------------------------------------------------------ */

/* Stack positions of script_sweep_refit. */
enum { SELF = 1, CHOICE, BEST, RUN };

static bool has_field(lua_State *L, int index, const char *name)
{
    bool has = lua_getfield(L, index, name) != LUA_TNIL;
    lua_pop(L, 1);
    return has;
}

static bool is_extra(const char *name)
{
    size_t i = 0;
    while (script_sweep_extras[i] && strcmp(script_sweep_extras[i], name) != 0)
        i++;
    return script_sweep_extras[i] != NULL;
}

/* Pops the table on top and adds its fields to the one below, except those that have a meaning
 * for the sweep itself; with `all`, also those with a special meaning only in the arguments of a
 * sweep. */
static void add_params(lua_State *L, bool all)
{
    int to = lua_gettop(L) - 1;
    for (lua_pushnil(L); lua_istable(L, to + 1) && lua_next(L, to + 1); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        if (tm_sweep_takes(name) || (!all && is_extra(name)))
            continue;
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, to);
    }
    lua_settop(L, to);
}

/* Removes the parameters that set lambda from `params` if the table on top sets it, as a value or
 * as a share. */
static void drop_paths(lua_State *L, int params)
{
    static const char *const ways[] = {"lambda", "lambda_ratio", "lambdas", "lambda_min_ratio"};
    if (!has_field(L, -1, "lambda") && !has_field(L, -1, "lambda_ratio"))
        return;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        lua_pushnil(L);
        lua_setfield(L, params, ways[i]);
    }
}

void script_sweep_push_params(lua_State *L, int sweep, const tm_sweep_table *t, size_t config)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    sweep = lua_absindex(L, sweep);
    lua_newtable(L);
    int params = lua_gettop(L);
    lua_getiuservalue(L, sweep, 1);
    add_params(L, false);
    lua_getiuservalue(L, sweep, 1);
    lua_getfield(L, -1, "params");
    lua_remove(L, -2);
    add_params(L, true);
    script_sweep_push_axes(L, t, config);
    drop_paths(L, params);
    add_params(L, true);
    script_as_list(L);
}

/* Pushes the method of the best configuration, or the sweep's only method. */
static void push_method(lua_State *L)
{
    if (lua_getfield(L, BEST, "method") != LUA_TNIL)
        return;
    lua_pop(L, 1);
    lua_getiuservalue(L, SELF, 1);
    lua_getfield(L, -1, "method");
    lua_remove(L, -2);
}

/* Pushes all rows as prepared for the configuration, or `other` prepared by what was learnt from
 * them. */
static void push_whole(lua_State *L, int sweep, size_t config, const tm_dataset *other)
{
    tm_error err = TM_ERROR_INIT;
    const tm_sweep *self = script_check_sweep(L, sweep);
    tm_dataset **held = script_new_dataset(L), *out[2];
    tm_cancel *cancel = script_cancel_begin(script_of(L));
    tm_status status = tm_sweep_whole(out, self, config, other, cancel, &err);
    script_cancel_end(script_of(L), cancel);
    if (status != TM_OK)
        script_raise(L, &err);
    *held = out[other ? 1 : 0];
    if (other)
        tm_dataset_unref(out[0]);
}

/* Upvalues: the sweep, its configuration. */
static int prepare_rows(lua_State *L)
{
    const tm_dataset *other = script_check_dataset(L, 1, "prepare");
    push_whole(L, lua_upvalueindex(1), (size_t)lua_tointeger(L, lua_upvalueindex(2)), other);
    return 1;
}

/* Whether a function prepares the configuration's rows; a model cannot describe that. */
static bool has_function(lua_State *L, size_t config)
{
    const tm_sweep_table *t = script_sweep_snapshot(L, SELF);
    bool has = false;
    lua_getiuservalue(L, SELF, 1);
    int type = lua_getfield(L, -1, "prepare");
    for (size_t a = 0; type != LUA_TNIL && a < tm_sweep_table_axes(t); a++) {
        const char *value = tm_sweep_table_value(t, config, a);
        if (strcmp(tm_sweep_table_axis(t, a), "prepare") == 0)
            has = value && strcmp(value, "none") != 0;
    }
    lua_pop(L, 3);
    return has || type == LUA_TFUNCTION;
}

int script_sweep_refit(lua_State *L)
{
    lua_settop(L, CHOICE);
    lua_pushcfunction(L, script_sweep_best);
    lua_pushvalue(L, SELF);
    lua_pushvalue(L, CHOICE);
    lua_call(L, 2, 1);
    lua_getfield(L, BEST, "config");
    size_t config = (size_t)lua_tointeger(L, -1) - 1;
    lua_pop(L, 1);
    lua_getglobal(L, "tm");
    push_method(L);
    lua_gettable(L, -2);
    lua_replace(L, RUN);
    push_whole(L, SELF, config, NULL);
    lua_getfield(L, BEST, "params");
    lua_call(L, 2, 1);
    lua_getfield(L, -1, "wait");
    lua_pushvalue(L, -2);
    lua_call(L, 1, 1);
    if (!has_function(L, config))
        return 1;
    lua_pushvalue(L, SELF);
    lua_pushinteger(L, (lua_Integer)config);
    lua_pushcclosure(L, prepare_rows, 2);
    return 2;
}
