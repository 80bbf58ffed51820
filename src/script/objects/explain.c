#include "script/objects/explain.h"

#include "script/common/callbacks.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/objects/run.h"
#include "tamis/explain.h"

#include <math.h>
#include <string.h>

/* Solves the same problem again with a log, waits for it, and pushes that run. */
static tm_job *logged(lua_State *L, const char *who, int screen)
{
    tm_error err = TM_ERROR_INIT;
    tm_job *run = script_check_run(L, 1, who), *job = NULL;
    const char *strategy = luaL_optstring(L, screen, NULL);
    if (tm_explain_start(&job, script_of(L)->host.pool, run, strategy, &err) != TM_OK)
        script_raise(L, &err);
    script_push_run(L, job);
    tm_job_unref(job); /* the object has its own reference */
    int top = lua_gettop(L);
    script_wait_jobs(L, &job, 1, -1);
    lua_settop(L, top);
    if (tm_job_get_state(job) == TM_JOB_FAILED)
        script_raise(L, tm_job_error(job));
    return job;
}

/* The number of the edge (from 0) between the two features of the table at 2. */
static size_t edge_of(lua_State *L, const tm_screen_log *log)
{
    lua_Integer ends[2];
    for (int k = 0; k < 2; k++) {
        lua_rawgeti(L, 2, k + 1);
        luaL_argcheck(L, lua_isinteger(L, -1), 2, "an edge is {a, b}, the numbers of its features");
        ends[k] = lua_tointeger(L, -1) - 1;
        lua_pop(L, 1);
    }
    for (size_t i = 0; log && i < tm_screen_log_items(log); i++) {
        tm_screen_item item = tm_screen_log_at(log, i);
        bool same = item.first == ends[0] && item.last == ends[1];
        if (item.kind == TM_ITEM_EDGE && (same || (item.first == ends[1] && item.last == ends[0])))
            return i;
    }
    return (size_t)luaL_error(L, "tm.explain: the run has no edge between features %I and %I",
                              (LUAI_UACINT)(ends[0] + 1), (LUAI_UACINT)(ends[1] + 1));
}

/* tm.explain(run, feature or sample), or with {a, b} the edge between two features */
int script_tm_explain(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    char text[TM_EXPLAIN_MAX];
    bool edge = lua_istable(L, 2);
    lua_Integer feature = edge ? 1 : luaL_checkinteger(L, 2);
    luaL_argcheck(L, feature >= 1, 2, "features and samples are counted from 1");
    lua_settop(L, 3);
    const tm_job *job = logged(L, "tm.explain", 3);
    size_t item = edge ? edge_of(L, tm_job_screen_log(job)) : (size_t)feature - 1;
    if (tm_explain(text, job, item, &err) != TM_OK)
        return script_raise(L, &err);
    lua_pushstring(L, text);
    return 1;
}

static void set_number(lua_State *L, const char *name, double value)
{
    if (isnan(value))
        return;
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

static void set_count(lua_State *L, const char *name, size_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

/* Pushes the records of a step by their items: bounds and actions. */
static void push_records(lua_State *L, const tm_screen_record *records, size_t count)
{
    lua_createtable(L, 0, (int)count);
    lua_createtable(L, 0, (int)count);
    for (size_t i = 0; i < count; i++) {
        lua_Integer feature = (lua_Integer)records[i].feature + 1;
        if (!isnan(records[i].bound)) {
            lua_pushnumber(L, records[i].bound);
            lua_rawseti(L, -3, feature);
        }
        lua_pushstring(L, tm_screen_action_name((tm_screen_action)records[i].action));
        lua_rawseti(L, -2, feature);
    }
    lua_setfield(L, -3, "actions");
    lua_setfield(L, -2, "bounds");
}

static void set_text(lua_State *L, const char *name, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

static void push_step(lua_State *L, const tm_screen_log *log, const tm_screen_step *step)
{
    lua_createtable(L, 0, 14);
    set_text(L, "what", step->what);
    set_text(L, "item", tm_item_name(tm_screen_log_item(log)));
    set_count(L, "point", step->point + 1u);
    set_number(L, "lambda", step->lambda);
    set_number(L, "C", step->C);
    set_number(L, "primal", step->primal);
    set_number(L, "dual", step->dual);
    set_number(L, "gap", step->gap);
    set_number(L, "radius", step->radius);
    set_count(L, "active", step->active);
    set_count(L, "added", step->added);
    set_count(L, "removed", step->removed);
    push_records(L, tm_screen_log_records(log) + step->first, step->count);
}

/* Sets what the numbers of edges and terms are: `items`. */
static void set_items(lua_State *L, const tm_job *job)
{
    char label[300];
    const tm_screen_log *log = tm_job_screen_log(job);
    if (!log)
        return;
    tm_item kind = tm_screen_log_item(log);
    if (kind != TM_ITEM_EDGE && kind != TM_ITEM_TERM)
        return;
    size_t count = tm_screen_log_items(log);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        tm_screen_item item = tm_screen_log_at(log, i);
        lua_createtable(L, 0, 3);
        set_text(L, "kind", tm_item_name(item.kind));
        set_text(L, "name", tm_screen_log_label(log, tm_job_train(job), i, label, sizeof label));
        lua_createtable(L, 2, 0);
        lua_pushinteger(L, (lua_Integer)item.first + 1);
        lua_rawseti(L, -2, 1);
        lua_pushinteger(L, (lua_Integer)item.last + 1);
        if (item.first != item.last)
            lua_rawseti(L, -2, 2);
        else
            lua_pop(L, 1);
        lua_setfield(L, -2, "features");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "items");
}

/* tm.steps(run, screen) */
int script_tm_steps(lua_State *L)
{
    const char *columns[] = {"what", "lambda", "gap", "radius", "active", "added", "removed"};
    const tm_screen_step *steps;
    lua_settop(L, 2);
    const tm_job *job = logged(L, "tm.steps", 2);
    const tm_screen_log *log = tm_job_screen_log(job);
    size_t count = log ? tm_screen_log_steps(log, &steps) : 0;
    lua_createtable(L, (int)count, 0);
    if (count > 0 && isnan(steps[0].lambda))
        columns[1] = "C";
    for (size_t k = 0; k < count; k++) {
        push_step(L, log, &steps[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    script_as_rows(L, columns, sizeof columns / sizeof *columns);
    set_items(L, job);
    return 1;
}
