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

/* tm.explain(run, feature or sample) */
int script_tm_explain(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    char text[TM_EXPLAIN_MAX];
    lua_Integer feature = luaL_checkinteger(L, 2);
    luaL_argcheck(L, feature >= 1, 2, "features and samples are counted from 1");
    lua_settop(L, 3);
    const tm_job *job = logged(L, "tm.explain", 3);
    if (tm_explain(text, job, (size_t)feature - 1, &err) != TM_OK)
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

/* tm.steps(run, screen) */
int script_tm_steps(lua_State *L)
{
    const char *columns[] = {"what", "lambda", "gap", "radius", "active", "added", "removed"};
    const tm_screen_step *steps;
    lua_settop(L, 2);
    const tm_screen_log *log = tm_job_screen_log(logged(L, "tm.steps", 2));
    size_t count = log ? tm_screen_log_steps(log, &steps) : 0;
    lua_createtable(L, (int)count, 0);
    if (count > 0 && isnan(steps[0].lambda))
        columns[1] = "C";
    for (size_t k = 0; k < count; k++) {
        push_step(L, log, &steps[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    script_as_rows(L, columns, sizeof columns / sizeof *columns);
    return 1;
}
