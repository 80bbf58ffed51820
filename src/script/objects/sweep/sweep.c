/* Sweeps as objects of the script: started, waited for, steered. What they have found is read in
 * read.c. */
#include "script/objects/sweep/sweep.h"

#include "base/clock.h"
#include "base/text.h"
#include "script/common/callbacks.h"
#include "script/common/class.h"
#include "script/common/host.h"
#include "script/common/running_sweeps.h"
#include "script/common/values.h"
#include "script/objects/sweep/args.h"
#include "script/objects/sweep/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

static tm_sweep *self_sweep(lua_State *L)
{
    return script_check_sweep(L, 1);
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

static script_news sweep_news(lua_State *L, int index)
{
    box *self = script_object(L, index, &script_sweep_class, "sweep");
    if (!self->sweep)
        return (script_news){.ended = true};
    tm_sweep_progress p = tm_sweep_get_progress(self->sweep);
    script_news news = {true, p.done != self->seen, p.state != TM_SWEEP_RUNNING};
    self->seen = p.done;
    return news;
}

/* ---- its state ----------------------------------------------------------------------------- */

static int get_number(lua_State *L)
{
    tm_sweep_progress p = tm_sweep_get_progress(self_sweep(L));
    const char *key = lua_tostring(L, 2);
    if (strcmp(key, "progress") == 0)
        lua_pushnumber(L, p.cells ? (double)p.done / (double)p.cells : 1);
    else if (strcmp(key, "seconds") == 0 || strcmp(key, "left") == 0)
        script_push_real(L, key[0] == 's' ? p.seconds : p.left);
    else if (strcmp(key, "id") == 0 && p.id == 0)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)(strcmp(key, "total") == 0     ? p.cells
                                         : strcmp(key, "done") == 0    ? p.done
                                         : strcmp(key, "failed") == 0  ? p.failed
                                         : strcmp(key, "tasks") == 0   ? p.tasks
                                         : strcmp(key, "resumed") == 0 ? p.resumed_cells
                                                                       : (size_t)p.id));
    return 1;
}

static int get_text(lua_State *L)
{
    const tm_sweep *sweep = self_sweep(L);
    tm_sweep_progress p = tm_sweep_get_progress(sweep);
    const char *key = lua_tostring(L, 2);
    if (strcmp(key, "status") == 0)
        lua_pushstring(L, p.paused && p.state == TM_SWEEP_RUNNING ? "paused"
                                                                  : tm_sweep_state_name(p.state));
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, tm_sweep_name(sweep));
    else
        lua_pushstring(L, p.state == TM_SWEEP_FAILED ? tm_sweep_error(sweep)->message : NULL);
    return 1;
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

static int sweep_wait(lua_State *L)
{
    tm_sweep *sweep = self_sweep(L);
    script_sweep_wait(L, sweep, clock_now() + luaL_optnumber(L, 2, INFINITY));
    lua_settop(L, 1);
    return 1;
}

static int sweep_cancel(lua_State *L)
{
    tm_sweep_cancel(self_sweep(L));
    lua_settop(L, 1);
    return 1;
}

static int sweep_pause(lua_State *L)
{
    tm_sweep_pause(self_sweep(L), true);
    lua_settop(L, 1);
    return 1;
}

static int sweep_resume(lua_State *L)
{
    tm_sweep_pause(self_sweep(L), false);
    lua_settop(L, 1);
    return 1;
}

static int sweep_tostring(lua_State *L)
{
    const tm_sweep *sweep = self_sweep(L);
    tm_sweep_progress p = tm_sweep_get_progress(sweep);
    char text[512];
    int used = snprintf(text, sizeof text, "sweep %.100s: %s, %zu of %zu runs",
                        tm_sweep_name(sweep), tm_sweep_state_name(p.state), p.done, p.cells);
    if (p.failed > 0)
        used += snprintf(text + used, sizeof text - (size_t)used, ", %zu failed", p.failed);
    used += snprintf(text + used, sizeof text - (size_t)used, ", %.3g s", p.seconds);
    if (p.left > 0)
        snprintf(text + used, sizeof text - (size_t)used, ", about %.3g s left", p.left);
    lua_pushstring(L, text);
    return 1;
}

static void sweep_release(lua_State *L, void *held)
{
    script_running_sweeps_remove(script_of(L), held);
    tm_sweep_free(held);
}

static const script_member members[] = {
    {"status", NULL, "running, paused, done, cancelled or failed", NULL, get_text},
    {"name", NULL, "its name in the store", NULL, get_text},
    {"total", NULL, "runs in all: configurations by splits, of this shard", NULL, get_number},
    {"done", NULL, "runs that are finished", NULL, get_number},
    {"failed", NULL, "finished runs that have no result; cells[i].error says why", NULL,
     get_number},
    {"tasks", NULL, "pieces of work handed out: chains of runs along lambda, C or B", NULL,
     get_number},
    {"resumed", NULL, "runs that the store had already", NULL, get_number},
    {"progress", NULL, "0 to 1", NULL, get_number},
    {"seconds", NULL, "since the start", NULL, get_number},
    {"left", NULL, "seconds until it ends, an estimate", NULL, get_number},
    {"id", NULL, "its number in the store, or nil", NULL, get_number},
    {"error", NULL, "why it failed, or nil", NULL, get_text},
    {"table", NULL, "one row for each configuration: means over the splits so far", NULL,
     script_sweep_table},
    {"cells", NULL, "one row for each finished run", NULL, script_sweep_cells},
    {"best", "(metric | {metric=, rule=\"1se\"})",
     "the row of the best configuration so far; \"1se\": the sparsest within one standard error",
     NULL, script_sweep_best},
    {"nested", "(metric | {metric=, rule=\"1se\"})",
     "nested folds: mean and sd of the outer scores, and what was chosen on each fold", NULL,
     script_sweep_nested},
    {"scores", "(config, column)", "a configuration's numbers on each split, for tm.compare", NULL,
     script_sweep_scores},
    {"curve", "(x, y, {title=, xlog=, ...})",
     "a plot of means: x is an axis or a column (nnz, lambda, seconds, ...), y a column", "plot",
     script_sweep_curve},
    {"wait", "(seconds)", "waits until it ended, or for that long; returns the sweep", "sweep",
     sweep_wait},
    {"cancel", "()", "stops it; finished runs are kept; returns the sweep", "sweep", sweep_cancel},
    {"pause", "()", "holds it until :resume(); returns the sweep", "sweep", sweep_pause},
    {"resume", "()", "lets a paused sweep go on; returns the sweep", "sweep", sweep_resume},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_sweep_class = {
    .id = "sweep",
    .title = "a sweep",
    .summary = "many runs in the background; its results can be read at any time",
    .members = members,
    .tostring = sweep_tostring,
    .release = sweep_release,
    .news = sweep_news,
};
