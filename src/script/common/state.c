#include "script/common/state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Instructions between two checks of the interrupt flag: a check costs about as much as 50
 * instructions, and up to this many unguarded C calls (see guard.h) may happen between two
 * checks. */
enum { HOOK_STEPS = 1000 };

/* ---- limits of the sandbox ------------------------------------------------------------------ */

/* The limits that are not given. A lesson's step or a script that computes for longer than this in
 * Lua itself is stuck; what its runs take is not counted. The output is what a disk spares. */
enum { SECONDS = 600, OUTPUT_MB = 1000 };

static double limit_seconds(const script *self)
{
    double given = self->host.sandbox.seconds;
    return given > 0 ? given : SECONDS;
}

static size_t limit_output(const script *self)
{
    size_t given = self->host.sandbox.output;
    return given > 0 ? given : (size_t)OUTPUT_MB * 1000000;
}

size_t script_limits_memory(const script_host *host)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t half = pages > 0 && page > 0 ? (size_t)pages / 2 * (size_t)page : SIZE_MAX / 2;
    size_t given = host->sandbox.on ? host->sandbox.memory : 0;
    return given > 0 && given < half ? given : half;
}

static unsigned long long nanoseconds(clockid_t clock)
{
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (unsigned long long)now.tv_sec * 1000000000ULL + (unsigned long long)now.tv_nsec;
}

static bool spend(script *self, script_spent what)
{
    int nothing = SPENT_NOTHING;
    atomic_compare_exchange_strong(&self->usage->spent, &nothing, what);
    return false;
}

void script_limits_begin(script *self)
{
    if (self->usage == &self->own_usage) {
        atomic_store(&self->usage->nanoseconds, 0);
        atomic_store(&self->usage->spent, SPENT_NOTHING);
    }
    atomic_store(&self->began, nanoseconds(CLOCK_THREAD_CPUTIME_ID));
}

void script_limits_end(script *self)
{
    if (self->usage != &self->own_usage)
        atomic_fetch_add(&self->usage->nanoseconds,
                         nanoseconds(CLOCK_THREAD_CPUTIME_ID) - atomic_load(&self->began));
}

bool script_limits_output(script *self, size_t bytes)
{
    if (!self->host.sandbox.on)
        return true;
    unsigned long long all = atomic_fetch_add(&self->usage->bytes, bytes) + bytes;
    return all <= limit_output(self) || spend(self, SPENT_OUTPUT);
}

bool script_limits_time(script *self)
{
    clockid_t clock;
    if (!self->host.sandbox.on || pthread_getcpuclockid(self->thread, &clock) != 0)
        return true;
    unsigned long long began = atomic_load(&self->began), now = nanoseconds(clock),
                       own = now > began ? now - began : 0;
    double all = 1e-9 * (double)(own + atomic_load(&self->usage->nanoseconds));
    return all <= limit_seconds(self) || spend(self, SPENT_SECONDS);
}

tm_status script_limits_fail(const script *self, script_spent spent, tm_error *err)
{
    if (spent == SPENT_SECONDS)
        return tm_fail(err, TM_EDATA,
                       "the sandbox lets a script compute for %g s, and they are used up",
                       limit_seconds(self));
    if (spent == SPENT_OUTPUT)
        return tm_fail(err, TM_EDATA,
                       "the sandbox lets a script print and write %g MB, and they are used up",
                       (double)limit_output(self) / 1e6);
    return TM_OK;
}

/* ---- stopping what runs -------------------------------------------------------------------- */

script *script_of(lua_State *L)
{
    script *self;
    memcpy(&self, lua_getextraspace(L), sizeof self);
    return self;
}

bool script_must_stop(const script *self)
{
    return self->stop.exiting ||
           atomic_load_explicit(&self->stop.interrupted, memory_order_relaxed) ||
           atomic_load_explicit(&self->usage->spent, memory_order_relaxed) != SPENT_NOTHING;
}

static void hook(lua_State *L, lua_Debug *event)
{
    script *self = script_of(L);
    if (event && self->host.sandbox.on)
        script_limits_time(self);
    if (!script_must_stop(self)) {
        if (lua_gethookcount(L) != HOOK_STEPS) /* a coroutine left from an interrupt */
            lua_sethook(L, hook, LUA_MASKCOUNT, HOOK_STEPS);
        return;
    }
    /* From here on every instruction raises the error, so that no pcall can continue. */
    lua_sethook(L, hook, LUA_MASKCOUNT, 1);
    lua_sethook(self->L, hook, LUA_MASKCOUNT, 1);
    lua_pushliteral(L, "interrupted");
    lua_error(L);
}

void script_hook(lua_State *L)
{
    lua_sethook(L, hook, LUA_MASKCOUNT, HOOK_STEPS);
}

void script_check(lua_State *L)
{
    if (script_must_stop(script_of(L)))
        hook(L, NULL);
}

tm_cancel *script_cancel_begin(script *self)
{
    tm_cancel *token = tm_cancel_new();
    if (!token)
        return NULL;
    pthread_mutex_lock(&self->queue.mutex);
    self->queue.cancel = token;
    if (script_must_stop(self))
        tm_cancel_set(token);
    pthread_mutex_unlock(&self->queue.mutex);
    return token;
}

void script_cancel_end(script *self, tm_cancel *token)
{
    pthread_mutex_lock(&self->queue.mutex);
    self->queue.cancel = NULL;
    pthread_mutex_unlock(&self->queue.mutex);
    tm_cancel_free(token);
}

/* ---- output -------------------------------------------------------------------------------- */

size_t script_columns(const script *self)
{
    return atomic_load(&self->columns);
}

/* Appends printed text to the capture; text for which there is no memory is dropped. */
static void keep_printed(script_capture *into, const char *text, size_t length)
{
    if (into->length + length > into->capacity) {
        size_t capacity = 2 * (into->length + length) + 256;
        char *grown = realloc(into->text, capacity);
        if (!grown)
            return;
        into->text = grown;
        into->capacity = capacity;
    }
    memcpy(into->text + into->length, text, length);
    into->length += length;
}

void script_print(script *self, const char *text, size_t length)
{
    if (!script_limits_output(self, length))
        return;
    if (self->capture) {
        keep_printed(self->capture, text, length);
        return;
    }
    if (self->host.print && !atomic_load(&self->stop.abandoned))
        self->host.print(text, length, self->host.payload);
}

void script_remark(script *self, bool failed, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text - 1, format, args);
    va_end(args);
    if (self->host.remark && !atomic_load(&self->stop.abandoned)) {
        self->host.remark(text, failed, self->host.payload);
        return;
    }
    size_t length = strlen(text);
    text[length] = '\n';
    script_print(self, text, length + 1);
}

/* ---- lending the idle state ---------------------------------------------------------------- */

struct timespec script_moment(double seconds)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    double whole = floor(fmin(seconds, 1e9));
    at.tv_sec += (time_t)whole;
    at.tv_nsec += (long)((fmin(seconds, 1e9) - whole) * 1e9);
    if (at.tv_nsec >= 1000000000L) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000L;
    }
    return at;
}

lua_State *script_borrow(script *self, double seconds)
{
    struct timespec until = script_moment(seconds);
    pthread_mutex_lock(&self->queue.mutex);
    int timed_out = 0;
    while ((self->queue.busy || self->queue.first || self->queue.lent) && !timed_out)
        timed_out = pthread_cond_timedwait(&self->queue.changed, &self->queue.mutex, &until);
    bool free_now =
        !self->queue.busy && !self->queue.first && !self->queue.lent && !self->queue.closing;
    self->queue.lent = self->queue.lent || free_now;
    pthread_mutex_unlock(&self->queue.mutex);
    return free_now ? self->L : NULL;
}

void script_give_back(script *self)
{
    pthread_mutex_lock(&self->queue.mutex);
    self->queue.lent = false;
    pthread_cond_broadcast(&self->queue.changed);
    pthread_mutex_unlock(&self->queue.mutex);
}
