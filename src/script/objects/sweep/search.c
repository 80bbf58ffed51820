/* tm.search: successive halving (Jamieson and Talwalkar 2016), and the tree-structured Parzen
 * estimator (Bergstra and others 2011).
 *
 * Each round is a sweep whose configurations depend only on the previous rounds. With a store,
 * finished rounds are therefore read back one after the other, and a stopped search continues as if
 * it had not been interrupted. */
#include "script/objects/sweep/search.h"

#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/sweep/args.h"
#include "script/objects/sweep/read.h"
#include "script/objects/sweep/rounds.h"
#include "script/objects/sweep/sweep.h"
#include "tamis/method.h"
#include "tamis/sweep_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The default number of configurations per batch, and the least number of random ones. */
enum { BATCH = 5, LEAST_STARTS = 10 };

const char *const script_search_extras[] = {
    "data",     "method", "grid",  "random", "list",    "folds", "repeats", "groups",
    "stratify", "metric", "name",  "warm",   "test",    "seed",  "fresh",   "params",
    "extra",    "append", "scale", "filter", "prepare", "keep",  "rows",    "halving",
    "eta",      "tpe",    "tags",  "note",   NULL};

/* ---- arguments ----------------------------------------------------------------------------- */

static bool given(lua_State *L, const char *key)
{
    bool found = lua_getfield(L, ARGUMENTS, key) != LUA_TNIL;
    lua_pop(L, 1);
    return found;
}

static void check_keys(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    size_t count = 0;
    const tm_param_info *table = NULL;
    if (!script_args_options(L, ARGUMENTS, OWNER))
        script_error(L, "%s: expected a table {data=, method=, random=, halving= or tpe=, ...}",
                     OWNER);
    if (lua_getfield(L, ARGUMENTS, "method") == LUA_TSTRING) {
        const tm_method *method = tm_method_find(lua_tostring(L, -1), &err);
        if (!method)
            script_raise(L, &err);
        table = tm_method_params(method, &count);
    }
    lua_pop(L, 1);
    if (given(L, "nested"))
        script_error(L,
                     "%s: nested folds would be seen by the search, which chooses by the mean over "
                     "all splits; search on each outer training set instead",
                     OWNER);
    /* With several methods, the sweeps check their parameters. */
    if (table)
        script_args_keys(L, ARGUMENTS, OWNER, table, count, script_search_extras);
    if (given(L, "halving") == given(L, "tpe"))
        script_error(L,
                     "%s: give halving={parameter={levels}} or tpe=true; tm.sweep draws all "
                     "configurations at once",
                     OWNER);
}

static size_t read_whole(lua_State *L, int table, const char *key, size_t fallback, size_t least)
{
    int whole = 1;
    lua_Integer value = (lua_Integer)fallback;
    if (lua_getfield(L, table, key) != LUA_TNIL)
        value = lua_tointegerx(L, -1, &whole);
    if (!whole || value < (lua_Integer)least)
        script_error(L, "%s: %s is %s; expected a whole number of at least %d", OWNER, key,
                     luaL_tolstring(L, -1, NULL), (int)least);
    lua_pop(L, 1);
    return (size_t)value;
}

/* halving={tol={0.1, 0.01, 1e-4}} */
static void read_halving(search *s)
{
    lua_State *L = s->L;
    if (lua_getfield(L, ARGUMENTS, "halving") != LUA_TTABLE)
        script_error(L, "%s: halving is %s; expected {parameter={levels}}, like {tol={0.1, 1e-4}}",
                     OWNER, script_what_is(L, -1));
    int table = lua_gettop(L);
    lua_pushnil(L);
    if (!lua_next(L, table) || lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TTABLE)
        script_error(L, "%s: halving: expected {parameter={levels}}, like {rows={0.1, 0.3, 1}}",
                     OWNER);
    s->along = lua_tostring(L, -2); /* owned by the caller's table */
    double *levels = script_args_numbers(L, OWNER, "halving", &s->rounds);
    s->levels = search_block(L, s->rounds, sizeof *s->levels);
    memcpy(s->levels, levels, s->rounds * sizeof *levels);
    lua_pop(L, 1);
    if (lua_next(L, table))
        script_error(L, "%s: halving has several parameters; expected one", OWNER);
    lua_settop(L, TOP);
    if (s->rounds < 2)
        script_error(L, "%s: halving has %d level; expected at least 2, the costliest one last",
                     OWNER, (int)s->rounds);
    if (given(L, s->along))
        script_error(L, "%s: '%s' is given, and its levels are halving's", OWNER, s->along);
    s->eta = read_whole(L, ARGUMENTS, "eta", 3, 2);
}

/* tpe=true or {starts=, batch=} */
static void read_tpe(search *s)
{
    static const char *const keys[] = {"starts", "batch", NULL};
    lua_State *L = s->L;
    if (lua_getfield(L, ARGUMENTS, "random") != LUA_TTABLE)
        script_error(L, "%s: tpe needs random={n=, name={min=, max=}, ...}, what to draw from",
                     OWNER);
    s->total = read_whole(L, lua_gettop(L), "n", 0, 2);
    s->starts = s->total / 4 > LEAST_STARTS ? s->total / 4 : LEAST_STARTS;
    s->batch = BATCH;
    if (lua_getfield(L, ARGUMENTS, "tpe") == LUA_TTABLE) {
        int table = lua_gettop(L);
        script_args_keys(L, table, "tpe", NULL, 0, keys);
        s->starts = read_whole(L, table, "starts", s->starts, 1);
        s->batch = read_whole(L, table, "batch", s->batch, 1);
    } else if (!lua_isboolean(L, -1) || !lua_toboolean(L, -1)) {
        script_error(L, "%s: tpe is %s; expected true or {starts=, batch=}", OWNER,
                     script_what_is(L, -1));
    }
    s->starts = s->starts < s->total ? s->starts : s->total;
    lua_settop(L, TOP);
    if (given(L, "eta"))
        script_error(L, "%s: eta is halving's", OWNER);
}

/* ---- the result ---------------------------------------------------------------------------- */

static void push_entry(const search *s, const search_entry *e)
{
    lua_State *L = s->L;
    script_sweep_push_config(L, e->table, e->config);
    script_set_count(L, "config", e->number);
    script_set_count(L, "round", e->round);
    if (s->along) {
        lua_pushnumber(L, s->levels[e->round - 1]);
        lua_setfield(L, -2, s->along);
    }
}

static void push_best(const search *s)
{
    lua_State *L = s->L;
    push_entry(s, &s->all[0]);
    lua_rawgeti(L, SWEEPS, (lua_Integer)s->all[0].round);
    script_sweep_push_params(L, -1, s->all[0].table, s->all[0].config);
    lua_remove(L, -2);
    if (s->along && strcmp(s->along, "rows") != 0) {
        lua_pushnumber(L, s->levels[s->all[0].round - 1]);
        lua_setfield(L, -2, s->along);
    }
    lua_setfield(L, -2, "params");
}

static int push_result(search *s)
{
    static const char *const back[] = {"nnz", "gap", "seconds", "splits", NULL};
    const char *front[] = {"config", "round", s->along, NULL},
               *rounds[] = {"round", "configs", "columns", "updates", s->along};
    lua_State *L = s->L;
    const tm_sweep_table *t = s->all[0].table;
    lua_pushvalue(L, ROUNDS);
    script_as_rows(L, rounds, s->along ? 5 : 4);
    lua_pop(L, 1);
    lua_createtable(L, (int)s->count, 8);
    for (size_t i = 0; i < s->count; i++) {
        push_entry(s, &s->all[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    script_sweep_set_columns(L, t, front, back, tm_sweep_table_splits(t) > 1);
    script_sweep_as_table(L);
    push_best(s);
    lua_setfield(L, -2, "best");
    lua_pushvalue(L, ROUNDS);
    lua_setfield(L, -2, "rounds");
    lua_pushvalue(L, SWEEPS);
    lua_setfield(L, -2, "sweeps");
    script_set_real(L, "total_columns", s->columns);
    script_set_real(L, "total_updates", s->updates);
    return 1;
}

int script_tm_search(lua_State *L)
{
    search s = {.L = L};
    lua_settop(L, ARGUMENTS);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    for (int i = GIVEN; i <= TOP; i++)
        lua_newtable(L);
    check_keys(L);
    s.name = script_args_text(L, ARGUMENTS, OWNER, "name", "search");
    if (given(L, "halving")) {
        read_halving(&s);
        search_halve(&s);
    } else {
        read_tpe(&s);
        search_estimate(&s);
    }
    return push_result(&s);
}
