/* The splits of a sweep, and its best configuration on all rows. */
#include "script/objects/sweep/args.h"
#include "script/objects/sweep/read.h"

#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

/* The rows of a split. */
typedef struct split_rows {
    const tm_sweep *sweep;
    size_t split, rows;
    const uint8_t *roles; /* in a block of Lua's that was pushed */
} split_rows;

/* The rows with that role as a list of numbers from 1, pushed; those trained on several times as
 * often. */
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
    /* A copy that Lua frees: what follows may raise. */
    uint8_t *roles = lua_newuserdatauv(L, of.rows + 1, 0);
    memcpy(roles, found, of.rows);
    free(found);
    of.roles = roles;
    return of;
}

/* Without folds the rows are those of the test data, or all. */
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

/* Where things stand on the stack of script_sweep_refit. */
enum { SELF = 1, CHOICE, GIVEN, BEST, OPTIONS };

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

/* Adds fields of the table on top, which is popped, to the one below it: those that have no meaning
 * of the sweep's own; `all`: also those that only what a sweep is given names so. */
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

/* The other ways to say lambda, when the table on top says it in one. */
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

/* The field of the best configuration, or of what the sweep was given. */
static void push_choice(lua_State *L, const char *name)
{
    if (lua_getfield(L, BEST, name) != LUA_TNIL)
        return;
    lua_pop(L, 1);
    lua_getfield(L, GIVEN, name);
}

static void push_data(lua_State *L)
{
    lua_getfield(L, GIVEN, "data");
    push_choice(L, "data");
    if (lua_type(L, -1) == LUA_TSTRING)
        lua_gettable(L, -2);
    lua_remove(L, -2);
}

static void refuse_prepared(lua_State *L)
{
    static const char *const prepared[] = {"scale", "filter", "append", "prepare"};
    for (size_t i = 0; i < sizeof prepared / sizeof *prepared; i++)
        if (has_field(L, GIVEN, prepared[i]) || has_field(L, BEST, prepared[i]))
            script_error(L,
                         "sweep:refit: '%s' prepares the rows of each split; prepare all rows the "
                         "same way and fit them with best().params",
                         prepared[i]);
}

int script_sweep_refit(lua_State *L)
{
    lua_settop(L, CHOICE);
    script_check_sweep(L, SELF);
    lua_getiuservalue(L, SELF, 1);
    lua_pushcfunction(L, script_sweep_best);
    lua_pushvalue(L, SELF);
    lua_pushvalue(L, CHOICE);
    lua_call(L, 2, 1);
    refuse_prepared(L);
    lua_getfield(L, BEST, "params");
    lua_getglobal(L, "tm");
    push_choice(L, "method");
    lua_gettable(L, -2);
    push_data(L);
    lua_pushvalue(L, OPTIONS);
    lua_call(L, 2, 1);
    lua_getfield(L, -1, "wait");
    lua_pushvalue(L, -2);
    lua_call(L, 1, 1);
    return 1;
}
