/* Sweeps as objects of the script: starting, waiting, control. Their results are read in read.c. */
#include "script/objects/sweep/sweep.h"

#include "base/clock.h"
#include "base/text.h"
#include "script/common/callbacks.h"
#include "script/common/class.h"
#include "script/common/host.h"
#include "script/common/running_sweeps.h"
#include "script/objects/sweep/args.h"

#include <math.h>
#include <string.h>

/* Seconds between two checks of the interrupt flag. */
static const double SLICE = 0.02;

typedef struct box {
    tm_sweep *sweep;
    size_t seen; /* runs that were finished when the callbacks were last called */
} box;

tm_sweep *script_check_sweep(lua_State *L, int index)
{
    box *self = script_object(L, index, &script_sweep_class, "sweep");
    if (!self->sweep)
        luaL_error(L, "this sweep was closed");
    return self->sweep;
}

/* Replaces the table on top by a copy. */
static void copy_table(lua_State *L)
{
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, -3);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_remove(L, -2);
}

/* Pushes a copy of the sweep's arguments, as the script may change its table for the next sweep. */
static void push_given(lua_State *L)
{
    lua_pushvalue(L, 1);
    copy_table(L);
    if (lua_getfield(L, -1, "params") != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    copy_table(L);
    lua_setfield(L, -2, "params");
}

int script_tm_sweep(lua_State *L)
{
    lua_settop(L, 1);
    box *self =
        script_object_new(L, &script_sweep_class, sizeof *self); /* frees it even after an error */
    lua_settop(L, 3);
    script_running_sweeps_reserve(L);
    script_sweep_start(L, &self->sweep);
    script_running_sweeps_add(script_of(L), self->sweep);
    if (tm_sweep_extends(self->sweep) && !script_of(L)->task)
        script_remark(script_of(L), false, "sweep '%.60s' %s", tm_sweep_name(self->sweep),
                      tm_sweep_extends(self->sweep));
    if (tm_sweep_remark(self->sweep))
        script_remark(script_of(L), false, "sweep '%.60s': %s", tm_sweep_name(self->sweep),
                      tm_sweep_remark(self->sweep));
    lua_settop(L, 2);
    push_given(L);
    lua_setiuservalue(L, 2, 1); /* for best().params and :refit() */
    script_callbacks_add_sweep(L, 2);
    return 1;
}

tm_sweep *script_test_sweep(lua_State *L, int index)
{
    box *self = script_object_test(L, index, &script_sweep_class);
    return self ? self->sweep : NULL;
}

script_news script_sweep_news(lua_State *L, int index)
{
    box *self = script_object(L, index, &script_sweep_class, "sweep");
    if (!self->sweep)
        return (script_news){.ended = true};
    tm_sweep_progress p = tm_sweep_get_progress(self->sweep);
    script_news news = {true, p.done != self->seen, p.state != TM_SWEEP_RUNNING};
    self->seen = p.done;
    return news;
}

/* Reports trouble with the store; the results are in the sweep's table, so the script continues. */
static void tell_trouble(script *self, const tm_error *err)
{
    if (self->host.trouble)
        self->host.trouble(err, self->host.payload);
    else
        script_remark(self, true, "the sweep is not wholly recorded: %s", err->message);
}

/* A sweep without any result makes the script fail, whatever the script does next. */
static void tell_failed(script *self, const tm_sweep *sweep, size_t cells)
{
    const char *why = NULL;
    tm_sweep_table *t = tm_sweep_snapshot(sweep);
    for (size_t c = 0; t && !why && c < tm_sweep_table_configs(t); c++)
        for (size_t s = 0; !why && s < tm_sweep_table_splits(t); s++)
            why = tm_sweep_table_cell(t, c, s)->error;
    script_remark(self, true, "sweep '%.60s': all of its %zu runs failed: %.400s",
                  tm_sweep_name(sweep), cells, why ? why : "not enough memory");
    tm_sweep_table_free(t);
}

void script_sweep_tell_end(script *self, const tm_sweep *sweep)
{
    tm_sweep_progress p = tm_sweep_get_progress(sweep);
    if (p.state == TM_SWEEP_RUNNING ||
        !script_running_sweeps_first(self, sweep, SCRIPT_SWEEP_ENDED))
        return;
    if (p.state == TM_SWEEP_FAILED)
        tell_trouble(self, tm_sweep_error(sweep));
    if (p.damaged > 0)
        script_remark(
            self, false,
            "sweep '%.60s': %zu recorded runs are damaged in the store, and were computed "
            "again",
            tm_sweep_name(sweep), p.damaged);
    if (p.cells > 0 && p.failed >= p.cells)
        tell_failed(self, sweep, p.cells);
}

bool script_sweep_wait(lua_State *L, tm_sweep *sweep, double deadline)
{
    script *self = script_of(L);
    bool ended;
    while (!(ended = tm_sweep_wait(sweep, fmin(SLICE, fmax(deadline - clock_now(), 0)))) &&
           clock_now() < deadline) {
        if (script_must_stop(self)) {
            tm_sweep_cancel(sweep);
            script_check(L);
        }
        script_callbacks_poll(L);
    }
    if (ended)
        script_sweep_tell_end(self, sweep);
    script_callbacks_poll(L);
    return ended;
}
