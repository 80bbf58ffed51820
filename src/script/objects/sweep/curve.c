/* tm.curve: scores against the number of features, for several methods on the same splits.
 *
 * Each method is a sweep. A method with a path over lambda cannot be asked for a number of
 * features: on each split, the answer of the path with the most features within the limit is
 * taken. */
#include "script/objects/sweep/curve.h"

#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/plot/plot.h"
#include "script/objects/sweep/read.h"
#include "script/objects/sweep/sweep.h"
#include "tamis/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char OWNER[] = "tm.curve";
const char *const script_curve_extras[] = {
    "methods", "train",    "data", "test",    "features", "debias", "metric", "folds",  "repeats",
    "groups",  "stratify", "seed", "params",  "lambdas",  "name",   "scale",  "filter", "keep",
    "extra",   "append",   "rows", "prepare", "fresh",    "tags",   "note",   NULL};

/* Stack positions of script_tm_curve. */
enum { ARGUMENTS = 1, ROWS, SERIES, SWEEPS };

typedef struct budget {
    const double *features; /* ascending as given */
    size_t count;
} budget;

/* ---- one method's sweep -------------------------------------------------------------------- */

/* Copies fields of the arguments into the table on top. */
static void copy_fields(lua_State *L)
{
    static const char *const same[] = {"test", "metric",  "folds",  "repeats", "groups", "stratify",
                                       "seed", "scale",   "filter", "keep",    "extra",  "append",
                                       "rows", "prepare", "fresh",  "tags",    "note",   NULL};
    for (size_t i = 0; same[i]; i++) {
        lua_getfield(L, ARGUMENTS, same[i]);
        lua_setfield(L, -2, same[i]);
    }
    lua_getfield(L, ARGUMENTS, lua_getfield(L, ARGUMENTS, "train") == LUA_TNIL ? "data" : "train");
    lua_remove(L, -2);
    lua_setfield(L, -2, "data");
}

static const tm_param_info *param_of(const tm_method *method, const char *name)
{
    size_t count;
    const tm_param_info *table = tm_method_params(method, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

/* Pushes a new table with the parameters given for the method. */
static void push_params(lua_State *L, const char *id)
{
    lua_newtable(L);
    int params = lua_gettop(L);
    if (lua_getfield(L, ARGUMENTS, "params") == LUA_TTABLE && lua_getfield(L, -1, id) == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
            lua_pushvalue(L, -2);
            lua_pushvalue(L, -2);
            lua_rawset(L, params);
        }
    lua_settop(L, params);
}

static void set_debias(lua_State *L, const tm_method *method)
{
    int type = lua_getfield(L, ARGUMENTS, "debias");
    bool wanted = type == LUA_TNUMBER || (type == LUA_TBOOLEAN && lua_toboolean(L, -1));
    if (type == LUA_TBOOLEAN && wanted) {
        lua_pop(L, 1);
        lua_pushinteger(L, 1);
    }
    if (wanted && param_of(method, "debias"))
        lua_setfield(L, -2, "debias");
    else
        lua_pop(L, 1);
}

static void push_numbers(lua_State *L, const budget *asked)
{
    lua_createtable(L, (int)asked->count, 0);
    for (size_t i = 0; i < asked->count; i++) {
        lua_pushinteger(L, (lua_Integer)asked->features[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Sets the axis: a path over lambda, a list of numbers of features, or one run for each number. The
 * parameters are on top, above the sweep's table, and are popped. */
static void set_axis(lua_State *L, const tm_method *method, const budget *asked)
{
    const tm_param_info *features = param_of(method, "features");
    if (features) {
        push_numbers(L, asked);
        if (features->type == TM_PARAM_REALS) {
            lua_setfield(L, -2, "features");
        } else {
            lua_newtable(L);
            lua_insert(L, -2);
            lua_setfield(L, -2, "features");
            lua_setfield(L, -3, "grid");
        }
    } else if (param_of(method, "lambdas")) {
        if (lua_getfield(L, ARGUMENTS, "lambdas") == LUA_TNIL) {
            lua_pop(L, 1);
            lua_pushinteger(L, 100);
        }
        lua_setfield(L, -2, "lambdas");
        if (lua_getfield(L, -1, "lambda_min_ratio") == LUA_TNIL) {
            lua_pushnumber(L, 1e-3);
            lua_setfield(L, -3, "lambda_min_ratio");
        }
        lua_pop(L, 1);
    } else {
        script_error(L, "%s: %s chooses no features, and has no path over lambda", OWNER,
                     tm_method_id(method));
    }
    lua_setfield(L, -2, "params");
}

/* Runs the method's sweep to its end and pushes it. */
static void push_sweep(lua_State *L, const tm_method *method, const budget *asked)
{
    const char *id = tm_method_id(method);
    lua_pushcfunction(L, script_tm_sweep);
    lua_newtable(L);
    copy_fields(L);
    lua_pushstring(L, id);
    lua_setfield(L, -2, "method");
    lua_pushfstring(L, "%s %s", script_args_text(L, ARGUMENTS, OWNER, "name", "curve"), id);
    lua_setfield(L, -2, "name");
    push_params(L, id);
    set_debias(L, method);
    set_axis(L, method, asked);
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "wait");
    lua_pushvalue(L, -2);
    lua_call(L, 1, 1);
    lua_pop(L, 1);
}

/* ---- reading it ---------------------------------------------------------------------------- */

/* The configuration with the most features, but at most `most`, on this split; of several the last,
 * which has the smallest lambda. config_count if there is none. */
static size_t choose(const tm_sweep_table *t, size_t split, double most)
{
    size_t best = tm_sweep_table_configs(t);
    double features = -1;
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++) {
        const tm_sweep_cell *cell = tm_sweep_table_cell(t, c, split);
        bool done = cell->status == TM_CELL_CONVERGED || cell->status == TM_CELL_MAX_ITER;
        if (!done || !(cell->nnz <= most) || cell->nnz < features)
            continue;
        best = c;
        features = cell->nnz;
    }
    return best;
}

typedef struct point {
    double score, se, nnz;
    size_t count;
} point;

/* The point over the splits; two passes for the standard deviation. */
static point point_at(const tm_sweep_table *t, double most)
{
    point p = {0, 0, 0, 0};
    double squares = 0;
    size_t configs = tm_sweep_table_configs(t), splits = tm_sweep_table_splits(t);
    for (size_t s = 0; s < splits; s++) {
        size_t c = choose(t, s, most);
        if (c == configs)
            continue;
        p.score += tm_sweep_table_cell(t, c, s)->scores[0];
        p.nnz += tm_sweep_table_cell(t, c, s)->nnz;
        p.count++;
    }
    double n = (double)p.count;
    p.score /= n;
    p.nnz /= n;
    for (size_t s = 0; s < splits; s++) {
        size_t c = choose(t, s, most);
        double score = c < configs ? tm_sweep_table_cell(t, c, s)->scores[0] : p.score;
        squares += (score - p.score) * (score - p.score);
    }
    p.se = p.count > 1 ? sqrt(squares / (n - 1) / n) : NAN;
    return p;
}

static void add_row(lua_State *L, const char *id, const char *metric, double features,
                    const point *p)
{
    char key[64];
    lua_createtable(L, 0, 6);
    lua_pushstring(L, id);
    lua_setfield(L, -2, "method");
    script_set_count(L, "features", (uint64_t)features);
    script_set_real(L, metric, p->score);
    snprintf(key, sizeof key, "%.40s_se", metric);
    script_set_real(L, key, p->se);
    script_set_real(L, "nnz", p->nnz);
    script_set_count(L, "splits", p->count);
    lua_rawseti(L, ROWS, (lua_Integer)lua_rawlen(L, ROWS) + 1);
}

/* Reads the method's rows and series from the sweep on top, which is moved to the list of
 * sweeps. */
static void read_sweep(lua_State *L, const char *id, const budget *asked, char metric[40])
{
    const tm_sweep_table *t = script_sweep_snapshot(L, lua_gettop(L));
    snprintf(metric, 40, "%s", tm_sweep_table_metric(t, 0));
    lua_createtable(L, 0, 3);
    lua_newtable(L);
    lua_newtable(L);
    lua_Integer n = 0;
    for (size_t i = 0; i < asked->count; i++) {
        point p = point_at(t, asked->features[i]);
        if (p.count == 0)
            continue;
        add_row(L, id, metric, asked->features[i], &p);
        n++;
        lua_pushnumber(L, p.nnz);
        lua_rawseti(L, -3, n);
        lua_pushnumber(L, p.score);
        lua_rawseti(L, -2, n);
    }
    lua_setfield(L, -3, "y");
    lua_setfield(L, -2, "x");
    lua_pushstring(L, id);
    lua_setfield(L, -2, "name");
    lua_rawseti(L, SERIES, (lua_Integer)lua_rawlen(L, SERIES) + 1);
    lua_pop(L, 1); /* the snapshot */
    lua_rawseti(L, SWEEPS, (lua_Integer)lua_rawlen(L, SWEEPS) + 1);
}

/* ---- the result ---------------------------------------------------------------------------- */

/* result:show(...) and result:save(...) call the plot's methods; upvalue 1 is the plot, 2 the name.
 * Where it cannot be saved, the result is printed beside it. */
static int call_plot(lua_State *L)
{
    int count = lua_gettop(L);
    lua_getfield(L, lua_upvalueindex(1), lua_tostring(L, lua_upvalueindex(2)));
    lua_pushvalue(L, lua_upvalueindex(1));
    for (int i = 2; i <= count; i++)
        lua_pushvalue(L, i);
    if (lua_pcall(L, count > 0 ? count : 1, 0, 0) == LUA_OK)
        return 0;
    script_print_unsaved(L, 1);
    return lua_error(L);
}

static void add_method(lua_State *L, int plot, const char *name)
{
    lua_pushvalue(L, plot);
    lua_pushstring(L, name);
    lua_pushcclosure(L, call_plot, 2);
    lua_setfield(L, -2, name);
}

/* The table of rows with plot, sweeps, show and save as fields. */
static int push_result(lua_State *L, const char *metric)
{
    char error[64];
    lua_pushcfunction(L, script_tm_plot);
    lua_newtable(L);
    lua_pushvalue(L, SERIES);
    lua_setfield(L, -2, "series");
    lua_pushstring(L, "features");
    lua_setfield(L, -2, "xlabel");
    lua_pushstring(L, metric);
    lua_setfield(L, -2, "ylabel");
    lua_call(L, 1, 1);
    int plot = lua_gettop(L);
    snprintf(error, sizeof error, "%.40s_se", metric);
    const char *columns[] = {"method", "features", metric, error, "nnz", "splits"};
    lua_pushvalue(L, ROWS);
    script_as_rows(L, columns, sizeof columns / sizeof *columns);
    lua_pushvalue(L, plot);
    lua_setfield(L, -2, "plot");
    lua_pushvalue(L, SWEEPS);
    lua_setfield(L, -2, "sweeps");
    add_method(L, plot, "show");
    add_method(L, plot, "save");
    return 1;
}

int script_tm_curve(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    char metric[40] = "";
    budget asked;
    lua_settop(L, 1);
    if (!script_args_options(L, 1, OWNER))
        script_error(L, "%s: expected a table {methods=, train=, test=, features=}", OWNER);
    script_args_keys(L, 1, OWNER, NULL, 0, script_curve_extras);
    if (lua_getfield(L, 1, "train") != LUA_TNIL && lua_getfield(L, 1, "data") != LUA_TNIL)
        script_error(L, "%s: 'train' and 'data' are the same thing; give one of them", OWNER);
    lua_settop(L, 1);
    for (int i = ROWS; i <= SWEEPS; i++)
        lua_newtable(L);
    lua_getfield(L, ARGUMENTS, "features");
    asked.features = script_args_numbers(L, OWNER, "features", &asked.count);
    for (size_t i = 0; i < asked.count; i++)
        if (!(asked.features[i] >= 1) || asked.features[i] != floor(asked.features[i]))
            script_error(L, "%s: 'features' has %g; expected whole numbers of 1 or more", OWNER,
                         asked.features[i]);
    if (lua_getfield(L, ARGUMENTS, "methods") != LUA_TTABLE || lua_rawlen(L, -1) == 0)
        script_error(L, "%s: 'methods' is %s; expected a list of names", OWNER,
                     script_what_is(L, -1));
    int methods = lua_gettop(L);
    for (lua_Integer i = 1; lua_rawgeti(L, methods, i) != LUA_TNIL; i++) {
        const char *id = luaL_checkstring(L, -1);
        const tm_method *method = tm_method_find(id, &err);
        if (!method)
            return script_raise(L, &err);
        push_sweep(L, method, &asked);
        read_sweep(L, id, &asked, metric);
        lua_settop(L, methods);
    }
    return push_result(L, metric);
}
