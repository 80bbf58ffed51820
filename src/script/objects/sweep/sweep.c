/* Sweeps as objects of the script: started, waited for, steered. What they have found is read in
 * read.c. */
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

int script_tm_sweep(lua_State *L)
{
    lua_settop(L, 1);
    box *self =
        script_object_new(L, &script_sweep_class, sizeof *self); /* frees it, whatever happens */
    lua_settop(L, 3);
    script_running_sweeps_reserve(L);
    script_sweep_start(L, &self->sweep);
    script_running_sweeps_add(script_of(L), self->sweep);
    lua_settop(L, 2);
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

/* What the sweep has found is in its table, so the script goes on. */
static void tell_trouble(lua_State *L, const tm_sweep *sweep)
{
    const script_host *host = &script_of(L)->host;
    const tm_error *err = tm_sweep_error(sweep);
    if (host->trouble) {
        host->trouble(err, host->payload);
        return;
    }
    size_t size;
    lua_pushfstring(L, "the sweep is not wholly recorded: %s\n", err->message);
    const char *text = lua_tolstring(L, -1, &size);
    script_print(script_of(L), text, size);
    lua_pop(L, 1);
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
    if (ended && tm_sweep_get_progress(sweep).state == TM_SWEEP_FAILED)
        tell_trouble(L, sweep);
    script_callbacks_poll(L);
    return ended;
}
