/* Running jobs and sweeps: waiting for them, and the callbacks of tm.on. */
#include "script/common/callbacks.h"

#include "base/clock.h"
#include "script/common/class.h"
#include "script/common/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between two checks of the interrupt flag, and between two rounds of callbacks. */
static const double SLICE = 0.02, CALLBACK_SECONDS = 0.05;
static const char CALLBACKS[] = "tamis.on", SWEEPS[] = "tamis.sweeps";

void script_callbacks_reserve(lua_State *L)
{
    script *self = script_of(L);
    if (self->callbacks.count < self->callbacks.capacity)
        return;
    size_t capacity = self->callbacks.capacity ? 2 * self->callbacks.capacity : 16;
    script_watched *moved = realloc(self->callbacks.jobs, capacity * sizeof *moved);
    if (!moved)
        luaL_error(L, "not enough memory for one more run");
    self->callbacks.jobs = moved;
    self->callbacks.capacity = capacity;
}

void script_callbacks_add(script *self, tm_job *job, void (*push)(lua_State *, const tm_job *))
{
    self->callbacks.jobs[self->callbacks.count++] = (script_watched){tm_job_ref(job), push, 0};
}

void script_callbacks_free(script *self)
{
    for (size_t i = 0; i < self->callbacks.count; i++)
        tm_job_unref(self->callbacks.jobs[i].job);
    free(self->callbacks.jobs);
}

bool script_callbacks_needed(const script *self)
{
    return self->callbacks.functions > 0 && self->callbacks.count + self->callbacks.sweeps > 0;
}

void script_callbacks_add_sweep(lua_State *L, int index)
{
    script *self = script_of(L);
    index = lua_absindex(L, index);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, SWEEPS);
    lua_pushvalue(L, index);
    lua_rawseti(L, -2, (lua_Integer)self->callbacks.sweeps + 1);
    lua_pop(L, 1);
    self->callbacks.sweeps++;
}

void script_callbacks_push_all(lua_State *L, int list)
{
    script *self = script_of(L);
    for (size_t i = 0; i < self->callbacks.count; i++) {
        self->callbacks.jobs[i].push(L, self->callbacks.jobs[i].job);
        lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
    }
    luaL_getsubtable(L, LUA_REGISTRYINDEX, SWEEPS);
    for (size_t i = 1; i <= self->callbacks.sweeps; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
    }
    lua_pop(L, 1);
}

/* ---- callbacks ----------------------------------------------------------------------------- */

static void report_failure(lua_State *L, const char *event)
{
    const char *message = lua_tostring(L, -1);
    script_remark(script_of(L), false, "tm.on(\"%s\"): the callback failed and is removed: %s",
                  event, message ? message : "(error object is not text)");
}

static void remove_item(lua_State *L, int list, lua_Integer i)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, list);
    for (lua_Integer k = i; k <= count; k++) {
        lua_rawgeti(L, list, k + 1);
        lua_rawseti(L, list, k);
    }
}

/* Removes the function on top from the list, unless a callback has changed the list meanwhile. */
static int remove_callback(lua_State *L, int list, lua_Integer i)
{
    bool there = lua_rawgeti(L, list, i) != LUA_TNIL && lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    if (!there)
        return 0;
    remove_item(L, list, i);
    script_of(L)->callbacks.functions--;
    return 1;
}

/* Arguments: the event, and a watched job as light userdata or an object. Calls each function; one
 * that fails is removed. */
static int deliver(lua_State *L)
{
    script *self = script_of(L);
    const char *event = lua_touserdata(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, CALLBACKS);
    if (lua_getfield(L, -1, event) != LUA_TTABLE)
        return 0;
    int list = lua_gettop(L);
    if (lua_islightuserdata(L, 2)) {
        const script_watched *watched = lua_touserdata(L, 2);
        watched->push(L, watched->job);
    } else {
        lua_pushvalue(L, 2);
    }
    for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; i++) {
        lua_pushvalue(L, -1);
        lua_pushvalue(L, list + 1);
        lua_pushstring(L, script_class_of(L, list + 1)->id);
        if (script_call(L, 2, 0) != LUA_OK) {
            if (script_must_stop(self))
                return lua_error(L);
            report_failure(L, event);
            lua_pop(L, 1);
            i -= remove_callback(L, list, i);
        }
        lua_settop(L, list + 1);
    }
    return 0;
}

/* Raises nothing: values pushed outside the protected call need no memory. */
static void notify(lua_State *L, const char *event, script_watched *watched)
{
    lua_pushcfunction(L, deliver);
    lua_pushlightuserdata(L, (void *)event);
    lua_pushlightuserdata(L, watched);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK)
        lua_pop(L, 1);
}

/* Returns the i-th watched job with a reference for the caller; a job that has ended is removed. */
static script_watched take(script *self, size_t i, bool ended)
{
    script_watched one = self->callbacks.jobs[i];
    if (!ended) {
        tm_job_ref(one.job);
        return one;
    }
    memmove(&self->callbacks.jobs[i], &self->callbacks.jobs[i + 1],
            (self->callbacks.count - i - 1) * sizeof *self->callbacks.jobs);
    self->callbacks.count--;
    return one;
}

static void poll_jobs(lua_State *L)
{
    script *self = script_of(L);
    if (self->callbacks.calling || !lua_checkstack(L, LUA_MINSTACK))
        return;
    self->callbacks.calling = true;
    for (size_t i = 0; i < self->callbacks.count && !script_must_stop(self);) {
        script_watched *watched = &self->callbacks.jobs[i];
        bool ended = tm_job_ended(watched->job);
        uint64_t total = tm_trace_total(tm_job_trace(watched->job));
        bool news = total != watched->seen;
        watched->seen = total;
        script_watched one = take(self, i, ended);
        if (self->callbacks.functions > 0 && news)
            notify(L, "progress", &one);
        if (self->callbacks.functions > 0 && ended)
            notify(L, "done", &one);
        tm_job_unref(one.job);
        i += !ended;
    }
    self->callbacks.calling = false;
}

/* The same for the sweep on top of the stack. */
static void notify_sweep(lua_State *L, const char *event)
{
    lua_pushcfunction(L, deliver);
    lua_pushlightuserdata(L, (void *)event);
    lua_pushvalue(L, -3);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK)
        lua_pop(L, 1);
}

/* Notifies of the sweeps in the table on top. One that has ended is removed before its last
 * callbacks. */
static void tell_sweeps(lua_State *L)
{
    script *self = script_of(L);
    int list = lua_gettop(L);
    for (size_t i = 1; i <= self->callbacks.sweeps && !script_must_stop(self);) {
        lua_rawgeti(L, list, (lua_Integer)i);
        script_news news = script_class_of(L, -1)->news(L, -1);
        if (news.ended) {
            remove_item(L, list, (lua_Integer)i);
            self->callbacks.sweeps--;
        }
        if (news.open && self->callbacks.functions > 0 && news.fresh)
            notify_sweep(L, "progress");
        if (news.open && self->callbacks.functions > 0 && news.ended)
            notify_sweep(L, "done");
        lua_settop(L, list);
        i += !news.ended;
    }
}

/* Called in protected mode, as it may run out of memory. */
static int poll_sweeps(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, SWEEPS);
    tell_sweeps(L);
    return 0;
}

void script_callbacks_call(lua_State *L)
{
    script *self = script_of(L);
    poll_jobs(L);
    if (self->callbacks.sweeps == 0 || self->callbacks.calling || !lua_checkstack(L, LUA_MINSTACK))
        return;
    self->callbacks.calling = true;
    lua_pushcfunction(L, poll_sweeps);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK)
        lua_pop(L, 1);
    self->callbacks.calling = false;
}

void script_callbacks_poll(lua_State *L)
{
    script_callbacks_call(L);
    script_check(L);
}

int script_tm_on(lua_State *L)
{
    script *self = script_of(L);
    const char *event = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
    if (!event)
        return luaL_error(L, "tm.on: the event is %s; expected 'progress' or 'done'",
                          script_what_is(L, 1));
    if (strcmp(event, "progress") != 0 && strcmp(event, "done") != 0)
        return luaL_error(L, "tm.on: there is no event '%s'; expected 'progress' or 'done'", event);
    lua_settop(L, 2);
    if (!lua_isnil(L, 2))
        luaL_checktype(L, 2, LUA_TFUNCTION);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, CALLBACKS);
    luaL_getsubtable(L, -1, event);
    size_t count = lua_rawlen(L, -1);
    for (; lua_isnil(L, 2) && count > 0; count--, self->callbacks.functions--) {
        lua_pushnil(L);
        lua_rawseti(L, -2, (lua_Integer)count);
    }
    if (lua_isnil(L, 2))
        return 0;
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, (lua_Integer)count + 1);
    self->callbacks.functions++;
    return 0;
}

/* ---- waiting ------------------------------------------------------------------------------- */

static bool wait_one(lua_State *L, tm_job *job, double deadline, double *called)
{
    script *self = script_of(L);
    while (!tm_job_ended(job)) {
        if (script_must_stop(self))
            return false;
        double left = deadline - clock_now();
        if (left <= 0)
            return false;
        tm_job_wait(job, fmin(left, SLICE), NULL);
        if (self->callbacks.functions > 0 && clock_now() - *called >= CALLBACK_SECONDS) {
            script_callbacks_call(L);
            *called = clock_now();
        }
    }
    return true;
}

bool script_wait_jobs(lua_State *L, tm_job *const *jobs, size_t count, double seconds)
{
    script *self = script_of(L);
    double deadline = seconds < 0 ? INFINITY : clock_now() + seconds;
    double called = 0;
    bool all = true;
    for (size_t i = 0; i < count && all; i++)
        all = wait_one(L, jobs[i], deadline, &called);
    if (atomic_load(&self->stop.interrupted))
        for (size_t i = 0; i < count; i++)
            tm_job_cancel(jobs[i]);
    script_check(L);
    script_callbacks_poll(L);
    return all;
}
