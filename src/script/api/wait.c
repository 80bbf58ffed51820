/* tm.wait: for runs and sweeps. */
#include "script/api/wait.h"

#include "script/common/callbacks.h"
#include "script/objects/run.h"
#include "script/objects/sweep/sweep.h"

#include <math.h>
#include <stdio.h>

/* Seconds between two checks of the interrupt flag. */
static const double SLICE = 0.02;

/* Pushes a copy of the list of runs and sweeps to wait for, because callbacks may change the
 * script's. */
static void push_runs(lua_State *L)
{
    int arguments = lua_gettop(L);
    lua_newtable(L);
    int list = lua_gettop(L);
    if (arguments == 1 && lua_istable(L, 1)) {
        lua_Integer count = (lua_Integer)lua_rawlen(L, 1);
        for (lua_Integer i = 1; i <= count; i++) {
            lua_geti(L, 1, i);
            lua_rawseti(L, list, i);
        }
        return;
    }
    for (int i = 1; i <= arguments; i++) {
        lua_pushvalue(L, i);
        lua_rawseti(L, list, i);
    }
    if (arguments == 0)
        script_callbacks_push_all(L, list);
}

/* Waits for the sweeps of the list at `list`; an interrupt also cancels those not yet waited
 * for. */
static void wait_sweeps(lua_State *L, int list)
{
    script *self = script_of(L);
    size_t count = lua_rawlen(L, list);
    for (size_t i = 1; i <= count; i++, lua_settop(L, list)) {
        lua_rawgeti(L, list, (lua_Integer)i);
        tm_sweep *sweep = script_test_sweep(L, -1);
        while (sweep && !script_must_stop(self) && !tm_sweep_wait(sweep, SLICE))
            script_callbacks_call(L);
        if (sweep && atomic_load(&self->stop.interrupted))
            tm_sweep_cancel(sweep);
        if (sweep && !script_must_stop(self))
            script_sweep_wait(L, sweep, INFINITY);
    }
    script_check(L);
}

/* Pushes the list of runs and sweeps that are running and not paused, and counts both. */
static int push_rest(lua_State *L, size_t *runs, size_t *sweeps)
{
    lua_newtable(L);
    lua_newtable(L);
    int list = lua_gettop(L) - 1, all = list + 1;
    script_callbacks_push_all(L, all);
    *runs = *sweeps = 0;
    for (lua_Integer i = 1; lua_rawgeti(L, all, i) != LUA_TNIL; i++) {
        const tm_sweep *sweep = script_test_sweep(L, -1);
        bool left = sweep ? !tm_sweep_get_progress(sweep).paused
                          : tm_job_get_state(script_check_run(L, -1, "tm.wait")) != TM_JOB_PAUSED;
        if (left)
            lua_rawseti(L, list, (lua_Integer)(1 + (*runs + *sweeps)));
        else
            lua_pop(L, 1);
        *(sweep ? sweeps : runs) += left;
    }
    lua_settop(L, list);
    return list;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

void script_wait_rest(lua_State *L)
{
    size_t runs, sweeps;
    script_callbacks_poll(L);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_pushcfunction(L, script_tm_wait);
    push_rest(L, &runs, &sweeps);
    if (runs + sweeps == 0) {
        lua_pop(L, 2);
        return;
    }
    char text[80];
    int used = 0;
    if (sweeps > 0)
        used = snprintf(text, sizeof text, "%zu sweep%s%s", sweeps, plural(sweeps),
                        runs > 0 ? " and " : "");
    if (runs > 0)
        snprintf(text + used, sizeof text - (size_t)used, "%zu run%s", runs, plural(runs));
    script_remark(script_of(L), false,
                  "the script ended without waiting for %s; waiting now (:wait() does, :cancel() "
                  "ends it)",
                  text);
    lua_call(L, 1, 0);
}

int script_tm_wait(lua_State *L)
{
    push_runs(L);
    int list = lua_gettop(L);
    size_t count = lua_rawlen(L, list), runs = 0;
    tm_job **jobs = lua_newuserdatauv(L, count * sizeof(tm_job *) + 1, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        if (!script_test_sweep(L, -1))
            jobs[runs++] = script_check_run(L, -1, "tm.wait");
        lua_pop(L, 1);
    }
    lua_pushvalue(L, list); /* on top: the list below keeps its objects alive */
    script_wait_jobs(L, jobs, runs, -1);
    wait_sweeps(L, lua_gettop(L));
    return 0;
}
