/* tm.wait: for runs and sweeps. */
#include "script/api/wait.h"

#include "script/common/callbacks.h"
#include "script/objects/run.h"
#include "script/objects/sweep/sweep.h"

#include <math.h>

/* Seconds between two checks of the interrupt flag. */
static const double SLICE = 0.02;

/* Pushes a list of its own of the runs and sweeps to wait for: callbacks may change the script's.
 */
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

/* The sweeps of the list at `list`; an interrupt cancels those that were not waited for yet, too.
 */
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
    lua_pushvalue(L, list); /* on top: what is waited for stays alive below */
    script_wait_jobs(L, jobs, runs, -1);
    wait_sweeps(L, lua_gettop(L));
    return 0;
}
