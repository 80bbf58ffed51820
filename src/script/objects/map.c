/* tm.map: a Lua function for each item of a list, on several workers. Each task has a Lua state of
 * its own, so that it cannot see effects of other tasks, whichever worker it runs on. */
#include "script/objects/map.h"

#include "base/text.h"
#include "script/common/args.h"
#include "script/common/callbacks.h"
#include "script/objects/pack.h"
#include "tamis/rng.h"
#include "tamis/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWNER "map"

enum { MAX_WORKERS = 64 };

/* Seconds between two checks of the running tasks and of the interrupt flag. */
static const double LOOK_SECONDS = 0.002;

typedef struct task {
    script_packed item; /* the function, the item, its place */
    script_packed result;
    uint64_t seed;
    char key[33];
    char *module_path; /* module path of the calling script */
    char *error;       /* NULL: none */
} task;

typedef struct worker {
    script *child; /* NULL: idle */
    task *task;    /* not in Lua's memory: a task that cannot be stopped keeps it */
    size_t place;
} worker;

/* Owned by a Lua object, so that an error frees it. */
typedef struct map {
    worker workers[MAX_WORKERS];
    size_t worker_count;
    size_t count, begun, done, failed, reused;
    char *name;
    uint64_t seed;
    bool fresh;
} map;

static const tm_param_info params_table[] = {
    {"name", TM_PARAM_TEXT, "map", 0, 0, NULL, "under which results are recorded", NULL, 0},
    {"seed", TM_PARAM_INT, NULL, 0, 9007199254740991.0, NULL, "of the seeds of the tasks", NULL, 0},
    {"jobs", TM_PARAM_INT, NULL, 1, MAX_WORKERS, NULL, "workers; the program's --jobs", NULL, 0},
    {"fresh", TM_PARAM_BOOL, "false", 0, 0, NULL, "do again what is recorded", NULL, 0},
};
const char *const script_map_extras[] = {"progress", NULL};

const tm_param_info *script_map_params(size_t *count)
{
    *count = sizeof params_table / sizeof *params_table;
    return params_table;
}

/* ---- in the task's own state --------------------------------------------------------------- */

/* Keeps the error on top for the parent. */
static void keep_error(lua_State *L, task *t)
{
    char text[80];
    const char *message = lua_tostring(L, -1);
    const script_stop *stop = &script_of(L)->stop;
    if (stop->exiting) {
        snprintf(text, sizeof text, "the task called os.exit(%d)", stop->exit_code);
        message = text;
    }
    t->error = text_copy(message ? message : "(error object is not text)");
}

static int compute(lua_State *L)
{
    task *t = lua_touserdata(L, lua_upvalueindex(1));
    lua_getglobal(L, "package");
    lua_pushstring(L, t->module_path);
    lua_setfield(L, -2, "path");
    lua_settop(L, 0);
    script_unpack(L, &t->item); /* {function, item, place} */
    for (lua_Integer i = 1; i <= 3; i++)
        lua_rawgeti(L, 1, i);
    lua_call(L, 2, 1);
    script_pack(L, -1, &t->result, "tm.map: the result");
    return 0;
}

static int run_task(lua_State *L)
{
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, compute, 1);
    if (script_call(L, 0, 0) != LUA_OK)
        keep_error(L, lua_touserdata(L, 1));
    return 0;
}

/* ---- in the script's ----------------------------------------------------------------------- */

static void task_free(task *t)
{
    if (!t)
        return;
    script_packed_free(&t->item);
    script_packed_free(&t->result);
    free(t->module_path);
    free(t->error);
    free(t);
}

static void drop_task(worker *w)
{
    task_free(w->task);
    w->task = NULL;
}

static void stop_all(script *self, map *m)
{
    for (size_t i = 0; i < m->worker_count; i++)
        if (m->workers[i].child)
            self->children->interrupt(m->workers[i].child);
    for (size_t i = 0; i < m->worker_count; i++) {
        worker *w = &m->workers[i];
        if (w->child && !self->children->free(w->child))
            w->task = NULL; /* abandoned, but it may still write to the task */
        w->child = NULL;
        drop_task(w);
    }
}

static int map_gc(lua_State *L)
{
    map *m = lua_touserdata(L, 1);
    stop_all(script_of(L), m);
    free(m->name);
    m->name = NULL;
    return 0;
}

static map *new_map(lua_State *L)
{
    map *m = lua_newuserdatauv(L, sizeof *m, 0);
    memset(m, 0, sizeof *m);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, map_gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return m;
}

/* The seed of the task at a place, independent of the worker and of the number of workers. */
static uint64_t task_seed(uint64_t seed, size_t place)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    uint64_t first = tm_rng_next(&rng);
    tm_rng_seed(&rng, first ^ (place * 0x9e3779b97f4a7c15u));
    return tm_rng_next(&rng) >> 12; /* seeds are at most 2^53 */
}

/* Stack positions from here on: 1 list, 2 function, 3 options, 4 map, 5 results, 6 failures. */
enum { LIST = 1, FUNCTION, OPTIONS, MAP, RESULTS, FAILURES };

static void pack_task(lua_State *L, script_packed *out, size_t place)
{
    lua_createtable(L, 3, 0);
    lua_pushvalue(L, FUNCTION);
    lua_rawseti(L, -2, 1);
    lua_geti(L, LIST, (lua_Integer)place);
    lua_rawseti(L, -2, 2);
    lua_pushinteger(L, (lua_Integer)place);
    lua_rawseti(L, -2, 3);
    script_pack(L, -1, out, "tm.map: what a task is given");
    lua_pop(L, 1);
}

/* Sets the task's seed, key and packed item. */
static void prepare(lua_State *L, map *m, task *t, size_t place)
{
    t->seed = task_seed(m->seed, place);
    t->item.plain_code = true;
    pack_task(L, &t->item, place);
    script_packed_key(&t->item, t->seed, t->key);
    script_packed_free(&t->item);
    pack_task(L, &t->item, place);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "path");
    t->module_path = text_copy(luaL_optstring(L, -1, ""));
    lua_pop(L, 2);
    t->result.plain = true;
    if (!t->module_path)
        luaL_error(L, "not enough memory for a task");
}

static void set_result(lua_State *L, map *m, const task *t, size_t place)
{
    script_unpack(L, &t->result);
    lua_rawseti(L, RESULTS, (lua_Integer)place);
    m->done++;
}

/* True if the store has the result, which is then used. */
static bool find_recorded(lua_State *L, map *m, task *t, size_t place)
{
    tm_error err = TM_ERROR_INIT;
    script *self = script_of(L);
    void *value;
    size_t size;
    if (!self->host.store || m->fresh)
        return false;
    if (tm_store_find_value(self->host.store, t->key, &value, &size, &err) != TM_OK)
        script_raise(L, &err);
    if (!value)
        return false;
    t->result.bytes = value;
    t->result.size = t->result.capacity = size;
    set_result(L, m, t, place);
    m->reused++;
    return true;
}

static void keep_result(lua_State *L, const map *m, const task *t)
{
    tm_error err = TM_ERROR_INIT;
    script *self = script_of(L);
    if (self->host.store && tm_store_keep_value(self->host.store, t->key, m->name, t->result.bytes,
                                                t->result.size, &err) != TM_OK)
        script_raise(L, &err);
}

static void set_failure(lua_State *L, map *m, const char *message, size_t place)
{
    lua_pushstring(L, message);
    lua_rawseti(L, FAILURES, (lua_Integer)place);
    m->done++;
    m->failed++;
}

/* Collects the result of the worker's ended task. */
static void collect(lua_State *L, map *m, worker *w)
{
    script *child = w->child;
    w->child = NULL;
    script_of(L)->children->free(child);
    script_check(L);
    if (w->task->error) {
        set_failure(L, m, w->task->error, w->place);
    } else if (w->task->result.size == 0) {
        set_failure(L, m, "not enough memory for the task", w->place);
    } else {
        keep_result(L, m, w->task);
        set_result(L, m, w->task, w->place);
    }
    drop_task(w);
}

/* Whether the task belongs to this shard. */
static bool is_mine(const script *self, size_t place)
{
    return self->host.shards < 2 || place % self->host.shards == self->host.shard;
}

/* Starts the next task that is not recorded; false when there is none. */
static bool start_next(lua_State *L, map *m, worker *w)
{
    tm_error err = TM_ERROR_INIT;
    script *self = script_of(L);
    while (m->begun < m->count) {
        w->place = ++m->begun;
        drop_task(w);
        w->task = calloc(1, sizeof *w->task);
        if (!w->task)
            luaL_error(L, "not enough memory for a task");
        prepare(L, m, w->task, w->place);
        if (find_recorded(L, m, w->task, w->place))
            continue;
        if (!is_mine(self, w->place - 1)) {
            set_failure(L, m, "left to another part (--shard)", w->place);
            continue;
        }
        const script_call_spec call = {run_task, w->task, w->task->seed};
        if (self->children->start(&w->child, self, &call, &err) != TM_OK)
            script_raise(L, &err);
        return true;
    }
    return false;
}

/* Calls options.progress(done, count, failed); false when it returned false. */
static bool tell_progress(lua_State *L, const map *m)
{
    if (!lua_istable(L, OPTIONS))
        return true;
    if (lua_getfield(L, OPTIONS, "progress") == LUA_TNIL) {
        lua_pop(L, 1);
        return true;
    }
    lua_pushinteger(L, (lua_Integer)m->done);
    lua_pushinteger(L, (lua_Integer)m->count);
    lua_pushinteger(L, (lua_Integer)m->failed);
    lua_call(L, 3, 1);
    bool on = lua_isnil(L, -1) || lua_toboolean(L, -1);
    lua_pop(L, 1);
    return on;
}

static void run_all(lua_State *L, map *m)
{
    script *self = script_of(L);
    size_t told = 0;
    for (bool working = true; working;) {
        working = false;
        for (size_t w = 0; w < m->worker_count; w++) {
            worker *at = &m->workers[w];
            if (at->child && self->children->ended(at->child, working ? 0 : LOOK_SECONDS))
                collect(L, m, at);
            if (!at->child && !start_next(L, m, at))
                continue;
            working = true;
        }
        script_callbacks_poll(L); /* raises on an interrupt; freeing the map stops running tasks */
        if (m->done == told)
            continue;
        told = m->done;
        if (!tell_progress(L, m))
            return;
    }
}

/* Reports failed tasks; if all have failed, raises an error. */
static void report(lua_State *L, const map *m)
{
    if (m->failed == 0)
        return;
    const char *first = "?";
    for (size_t i = 1; i <= m->count; i++, lua_pop(L, 1))
        if (lua_rawgeti(L, FAILURES, (lua_Integer)i) != LUA_TNIL) {
            first = lua_tostring(L, -1); /* the list keeps it alive */
            lua_pop(L, 1);
            break;
        }
    if (m->failed == m->count)
        script_error(L, "tm.map: all %zu tasks failed, the first one: %s", m->count, first);
    script_remark(script_of(L), false, "tm.map: %zu of %zu tasks failed, the first one: %s",
                  m->failed, m->count, first);
}

static void read_options(lua_State *L, map *m)
{
    size_t count;
    script *self = script_of(L);
    const tm_param_info *table = script_map_params(&count);
    const tm_params *params =
        script_args_params(L, OPTIONS, OWNER, table, count, script_map_extras);
    m->seed =
        tm_params_has(params, "seed") ? (uint64_t)tm_params_int(params, "seed") : self->host.seed;
    m->fresh = tm_params_bool(params, "fresh");
    m->name = text_copy(tm_params_text(params, "name"));
    m->worker_count = tm_params_has(params, "jobs") ? (size_t)tm_params_int(params, "jobs")
                                                    : (size_t)tm_pool_workers(self->host.pool);
    m->worker_count = m->worker_count < MAX_WORKERS ? m->worker_count : MAX_WORKERS;
    if (!m->name)
        luaL_error(L, "not enough memory for a map");
    lua_pop(L, 1);
}

int script_tm_map(lua_State *L)
{
    if (!lua_istable(L, 1))
        script_error(L, "tm.map: expected a list and a function, not %s", script_what_is(L, 1));
    if (!lua_isfunction(L, 2) || lua_iscfunction(L, 2))
        script_error(L, "tm.map: expected a function written in Lua, not %s",
                     lua_isfunction(L, 2) ? "one of C" : script_what_is(L, 2));
    script_args_options(L, 3, OWNER);
    lua_settop(L, 3);
    map *m = new_map(L);
    m->count = lua_rawlen(L, LIST);
    lua_createtable(L, (int)m->count, 0);
    lua_newtable(L);
    read_options(L, m);
    run_all(L, m);
    stop_all(script_of(L), m);
    report(L, m);
    lua_pushinteger(L, (lua_Integer)m->reused);
    return 3;
}
