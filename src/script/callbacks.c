/* Jobs and sweeps under way: waiting for them, and the callbacks of tm.on. */
#include "script/common/state.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between two looks at the interrupt flag, and between two rounds of callbacks. */
static const double SLICE = 0.02, CALLBACK_SECONDS = 0.05;
static const char CALLBACKS[] = "tamis.on", SWEEPS[] = "tamis.sweeps";

void script_watch_reserve(lua_State *L)
{
    script *self = script_of(L);
    if (self->watched_count < self->watched_room)
        return;
    size_t room = self->watched_room ? 2 * self->watched_room : 16;
    script_watched *moved = realloc(self->watched, room * sizeof *moved);
    if (!moved)
        luaL_error(L, "not enough memory for one more run");
    self->watched = moved;
    self->watched_room = room;
}

void script_watch_add(script *self, tm_job *job)
{
    self->watched[self->watched_count++] = (script_watched){tm_job_ref(job), 0};
}

void script_watch_free(script *self)
{
    for (size_t i = 0; i < self->watched_count; i++)
        tm_job_unref(self->watched[i].job);
    free(self->watched);
}

bool script_watch_needed(const script *self)
{
    return self->callbacks > 0 && self->watched_count + self->sweeps > 0;
}

void script_watch_sweep(lua_State *L, int index)
{
    script *self = script_of(L);
    index = lua_absindex(L, index);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, SWEEPS);
    lua_pushvalue(L, index);
    lua_rawseti(L, -2, (lua_Integer)self->sweeps + 1);
    lua_pop(L, 1);
    self->sweeps++;
}

/* ---- callbacks ----------------------------------------------------------------------------- */

static void report_failure(lua_State *L, const char *event)
{
    const char *message = lua_tostring(L, -1);
    lua_pushfstring(L, "tm.on(\"%s\"): the callback failed and is removed: %s\n", event,
                    message ? message : "(error object is not text)");
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    script_print(script_of(L), text, size);
    lua_pop(L, 1);
}

static void remove_item(lua_State *L, int list, lua_Integer i)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, list);
    for (lua_Integer k = i; k <= count; k++) {
        lua_rawgeti(L, list, k + 1);
        lua_rawseti(L, list, k);
    }
}

/* Takes the function on top out of the list, unless a callback has changed the list meanwhile. */
static int remove_callback(lua_State *L, int list, lua_Integer i)
{
    bool there = lua_rawgeti(L, list, i) != LUA_TNIL && lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    if (!there)
        return 0;
    remove_item(L, list, i);
    script_of(L)->callbacks--;
    return 1;
}

/* Arguments: the event as light userdata, and a job as such or a sweep. Calls each function; one
 * that fails is taken out. */
static int deliver(lua_State *L)
{
    script *self = script_of(L);
    const char *event = lua_touserdata(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, CALLBACKS);
    if (lua_getfield(L, -1, event) != LUA_TTABLE)
        return 0;
    int list = lua_gettop(L);
    if (lua_islightuserdata(L, 2))
        script_push_run(L, lua_touserdata(L, 2));
    else
        lua_pushvalue(L, 2);
    for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; i++) {
        lua_pushvalue(L, -1);
        lua_pushvalue(L, list + 1);
        if (script_call(L, 1, 0) != LUA_OK) {
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

/* Raises nothing: what is pushed outside the protected call takes no memory. */
static void notify(lua_State *L, const char *event, tm_job *job)
{
    lua_pushcfunction(L, deliver);
    lua_pushlightuserdata(L, (void *)event);
    lua_pushlightuserdata(L, job);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK)
        lua_pop(L, 1);
}

/* Takes the i-th watched job out; its reference is the caller's. */
static tm_job *take(script *self, size_t i)
{
    tm_job *job = self->watched[i].job;
    memmove(&self->watched[i], &self->watched[i + 1],
            (self->watched_count - i - 1) * sizeof *self->watched);
    self->watched_count--;
    return job;
}

static void poll_jobs(lua_State *L)
{
    script *self = script_of(L);
    if (self->dispatching || !lua_checkstack(L, LUA_MINSTACK))
        return;
    self->dispatching = true;
    for (size_t i = 0; i < self->watched_count && !script_must_stop(self);) {
        script_watched *watched = &self->watched[i];
        bool ended = tm_job_ended(watched->job);
        uint64_t total = tm_trace_total(tm_job_trace(watched->job));
        bool news = total != watched->seen;
        watched->seen = total;
        tm_job *job = ended ? take(self, i) : tm_job_ref(watched->job);
        if (self->callbacks > 0 && news)
            notify(L, "progress", job);
        if (self->callbacks > 0 && ended)
            notify(L, "done", job);
        tm_job_unref(job);
        i += !ended;
    }
    self->dispatching = false;
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

/* Of the sweeps in the table on top. One that has ended is let go of before its last callbacks. */
static void tell_sweeps(lua_State *L)
{
    script *self = script_of(L);
    int list = lua_gettop(L);
    for (size_t i = 1; i <= self->sweeps && !script_must_stop(self);) {
        lua_rawgeti(L, list, (lua_Integer)i);
        const tm_sweep *sweep = script_test_sweep(L, -1);
        tm_sweep_progress p = {.state = TM_SWEEP_DONE};
        if (sweep)
            p = tm_sweep_get_progress(sweep);
        bool ended = p.state != TM_SWEEP_RUNNING;
        size_t *seen = script_sweep_seen(L, -1);
        bool news = p.done != *seen;
        *seen = p.done;
        if (ended) {
            remove_item(L, list, (lua_Integer)i);
            self->sweeps--;
        }
        if (sweep && self->callbacks > 0 && news)
            notify_sweep(L, "progress");
        if (sweep && self->callbacks > 0 && ended)
            notify_sweep(L, "done");
        lua_settop(L, list);
        i += !ended;
    }
}

/* Protected by its caller: it may run out of memory. */
static int poll_sweeps(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, SWEEPS);
    tell_sweeps(L);
    return 0;
}

static void poll_all(lua_State *L)
{
    script *self = script_of(L);
    poll_jobs(L);
    if (self->sweeps == 0 || self->dispatching || !lua_checkstack(L, LUA_MINSTACK))
        return;
    self->dispatching = true;
    lua_pushcfunction(L, poll_sweeps);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK)
        lua_pop(L, 1);
    self->dispatching = false;
}

void script_watch_poll(lua_State *L)
{
    poll_all(L);
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
    for (; lua_isnil(L, 2) && count > 0; count--, self->callbacks--) {
        lua_pushnil(L);
        lua_rawseti(L, -2, (lua_Integer)count);
    }
    if (lua_isnil(L, 2))
        return 0;
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, (lua_Integer)count + 1);
    self->callbacks++;
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
        if (self->callbacks > 0 && clock_now() - *called >= CALLBACK_SECONDS) {
            poll_all(L);
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
    if (atomic_load(&self->interrupted))
        for (size_t i = 0; i < count; i++)
            tm_job_cancel(jobs[i]);
    script_check(L);
    script_watch_poll(L);
    return all;
}

/* Pushes a list of its own of the runs and sweeps to wait for: callbacks may change the script's.
 */
static void push_runs(lua_State *L)
{
    script *self = script_of(L);
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
    for (size_t i = 0; arguments == 0 && i < self->watched_count; i++) {
        script_push_run(L, self->watched[i].job);
        lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
    }
    luaL_getsubtable(L, LUA_REGISTRYINDEX, SWEEPS);
    for (size_t i = 1; arguments == 0 && i <= self->sweeps; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
    }
    lua_settop(L, list);
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
            poll_all(L);
        if (sweep && atomic_load(&self->interrupted))
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
