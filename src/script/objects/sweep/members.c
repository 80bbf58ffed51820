/* The members of a sweep; those that read its results are in read.c. */
#include "script/objects/sweep/sweep.h"

#include "base/clock.h"
#include "script/common/callbacks.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/common/running_sweeps.h"
#include "script/common/values.h"
#include "script/objects/run.h"
#include "script/objects/sweep/args.h"
#include "script/objects/sweep/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tm_sweep *self_sweep(lua_State *L)
{
    return script_check_sweep(L, 1);
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
        lua_pushinteger(L, (lua_Integer)(strcmp(key, "total") == 0         ? p.cells
                                         : strcmp(key, "done") == 0        ? p.done
                                         : strcmp(key, "failed") == 0      ? p.failed
                                         : strcmp(key, "unconverged") == 0 ? p.unconverged
                                         : strcmp(key, "damaged") == 0     ? p.damaged
                                         : strcmp(key, "tasks") == 0       ? p.tasks
                                         : strcmp(key, "resumed") == 0     ? p.resumed_cells
                                         : strcmp(key, "reused") == 0      ? p.reused
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
    else if (strcmp(key, "extends") == 0)
        lua_pushstring(L, tm_sweep_extends(sweep));
    else
        lua_pushstring(L, p.state == TM_SWEEP_FAILED ? tm_sweep_error(sweep)->message : NULL);
    return 1;
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

static tm_status sweep_label(lua_State *L, tm_annotation *out, tm_error *err)
{
    return tm_sweep_annotation(self_sweep(L), out, err);
}

static tm_status set_sweep_label(lua_State *L, const tm_annotation *label, tm_error *err)
{
    return tm_sweep_annotate(self_sweep(L), label, err);
}

static const script_labelled labelled = {"sweep:annotate", sweep_label, set_sweep_label};

static int sweep_annotation(lua_State *L)
{
    return script_push_annotation(L, &labelled);
}

static int sweep_annotate(lua_State *L)
{
    return script_annotate(L, &labelled);
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
    if (p.unconverged > 0)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, ", %zu not converged", p.unconverged);
    if (p.damaged > 0)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         ", %zu damaged in the store and computed again", p.damaged);
    used += snprintf(text + used, sizeof text - (size_t)used, ", %.3g s", p.seconds);
    if (p.left > 0)
        snprintf(text + used, sizeof text - (size_t)used, ", about %.3g s left", p.left);
    lua_pushstring(L, text);
    return 1;
}

static void sweep_release(lua_State *L, void *held)
{
    script_sweep_tell_end(script_of(L), held);
    script_running_sweeps_remove(script_of(L), held);
    tm_sweep_free(held);
}

static const script_member members[] = {
    {"status", NULL, "running, paused, done, cancelled or failed", NULL, get_text},
    {"name", NULL, "its name in the store", NULL, get_text},
    {"tags", NULL, "its tags, a list of words", NULL, sweep_annotation},
    {"note", NULL, "what was noted of it, or nil", NULL, sweep_annotation},
    {"total", NULL, "runs in all: configurations by splits, of this shard", NULL, get_number},
    {"done", NULL, "runs that are finished", NULL, get_number},
    {"failed", NULL, "finished runs that have no result; cells[i].error says why", NULL,
     get_number},
    {"unconverged", NULL, "finished runs that ended before their tolerance was met", NULL,
     get_number},
    {"damaged", NULL, "runs whose record in the store is damaged: they are computed again", NULL,
     get_number},
    {"tasks", NULL, "pieces of work handed out: chains of runs along lambda, C or B", NULL,
     get_number},
    {"resumed", NULL, "runs that the store had already", NULL, get_number},
    {"reused", NULL, "runs that other sweeps of the store had solved", NULL, get_number},
    {"extends", NULL, "the sweep that runs are taken from, and what differs; or nil", NULL,
     get_text},
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
    {"nested", "(metric | {metric=, rule=\"1se\", within=})",
     "nested folds: mean and sd of the outer scores, and what was chosen on each fold; "
     "within=\"method\" (or another axis): a row of these for each of its values",
     NULL, script_sweep_nested},
    {"splits", NULL,
     "what each split trains and scores on: rep, outer, inner, train and test, lists of rows", NULL,
     script_sweep_splits},
    {"predictions", "(config)",
     "of each split, kept with keep=\"predictions\": values, and rows, the rows out of the fold; "
     "of "
     "the best configuration unless numbered",
     NULL, script_sweep_predictions},
    {"supports", "(config)",
     "of each split, kept with keep=\"support\": support, the features chosen", NULL,
     script_sweep_supports},
    {"models", "(config)", "of each split, kept with keep=\"model\": model", NULL,
     script_sweep_models},
    {"refit", "(metric | {metric=, rule=\"1se\"})",
     "the best configuration on all rows, prepared as on each split: a run, waited for; with "
     "functions in prepare= also a function that prepares other rows like these",
     "run", script_sweep_refit},
    {"scores", "(config, column)",
     "a configuration's numbers on the splits that its mean is of (the inner ones of nested "
     "folds), "
     "nan where a run has none: pairs for tm.compare",
     NULL, script_sweep_scores},
    {"curve", "(x, y, {title=, xlog=, ...})",
     "a plot of means: x is an axis or a column (nnz, lambda, seconds, ...), y a column", "plot",
     script_sweep_curve},
    {"wait", "(seconds)", "waits until it has ended, or for that long; returns the sweep", "sweep",
     sweep_wait},
    {"cancel", "()", "stops it; finished runs are kept; returns the sweep", "sweep", sweep_cancel},
    {"pause", "()", "pauses it until :resume(); returns the sweep", "sweep", sweep_pause},
    {"resume", "()", "continues a paused sweep; returns the sweep", "sweep", sweep_resume},
    {"annotate", "({tags=, note=})",
     "replaces its tags (a word, or a list of words), its note or both, in the store, too; returns "
     "the sweep",
     "sweep", sweep_annotate},
    {NULL, NULL, NULL, NULL, NULL},
};

const script_class script_sweep_class = {
    .id = "sweep",
    .title = "a sweep",
    .summary = "many runs in the background; its results can be read at any time",
    .members = members,
    .tostring = sweep_tostring,
    .release = sweep_release,
    .news = script_sweep_news,
};
