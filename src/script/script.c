/* The script: its Lua state and the thread that runs it. */
#include "script/script.h"

#include "base/clock.h"
#include "base/text.h"
#include "script/api/classes.h"
#include "script/api/functions.h"
#include "script/api/help.h"
#include "script/api/standard.h"
#include "script/chunk.h"
#include "script/common/callbacks.h"
#include "script/common/running_sweeps.h"

#include <lualib.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    STACK_BYTES = 8 << 20, /* enough for the 200 nested C calls that Lua allows */
    LARGE_BLOCK = 1 << 20, /* allocations of this size are refused to a script that must stop */
    IDLE_POLL_MS = 50,     /* interval at which an idle script checks its jobs for news */
    CLOSE_SECONDS = 5,     /* after this time a thread that does not end is abandoned */
    STUCK_SECONDS = 2,     /* code that still runs this long after an interrupt does not check for
                            * it */
};

/* Refusing large blocks ends C functions of Lua that run no hook (string.rep, table.concat), and
 * still leaves finalizers the little memory they need. The limit keeps a runaway script from
 * exhausting the machine's memory. */
static void *allocate(void *payload, void *block, size_t old_size, size_t new_size)
{
    script *self = payload;
    size_t held = block ? old_size : 0;
    if (new_size == 0) {
        free(block);
        self->heap.used -= held;
        return NULL;
    }
    bool over = new_size > self->heap.limit || self->heap.used - held > self->heap.limit - new_size;
    bool large = new_size >= LARGE_BLOCK &&
                 (atomic_load_explicit(&self->stop.interrupted, memory_order_relaxed) ||
                  atomic_load_explicit(&self->usage->spent, memory_order_relaxed));
    if (new_size > held && (over || large))
        return NULL;
    void *moved = realloc(block, new_size);
    if (moved)
        self->heap.used += new_size - held;
    return moved;
}

/* With the mutex held. */
static void stop_running(script *self)
{
    if (!atomic_load(&self->stop.interrupted))
        self->queue.stopped_at = clock_now();
    atomic_store(&self->stop.interrupted, true);
    if (self->queue.cancel)
        tm_cancel_set(self->queue.cancel);
}

void script_interrupt(script *self)
{
    pthread_mutex_lock(&self->queue.mutex);
    if (self->queue.busy)
        stop_running(self);
    pthread_mutex_unlock(&self->queue.mutex);
}

/* ---- output -------------------------------------------------------------------------------- */

void script_set_columns(script *self, size_t columns)
{
    atomic_store(&self->columns, columns);
}

static int poll_protected(lua_State *L)
{
    script_callbacks_poll(L);
    return 0;
}

/* ---- the thread ---------------------------------------------------------------------------- */

/* With the mutex held: resets the state so that nothing is being stopped. */
static void set_idle(script *self)
{
    self->queue.busy = false;
    self->stop.exiting = false;
    if (!self->queue.closing)
        atomic_store(&self->stop.interrupted, false);
    script_hook(self->L);
    pthread_cond_broadcast(&self->queue.changed);
}

/* With the mutex held, which is released during the calls: calls the callbacks of jobs with
 * news. */
static void poll_idle(script *self)
{
    self->queue.busy = true;
    pthread_mutex_unlock(&self->queue.mutex);
    lua_pushcfunction(self->L, poll_protected);
    if (lua_pcall(self->L, 0, 0, 0) != LUA_OK)
        lua_settop(self->L, 0);
    pthread_mutex_lock(&self->queue.mutex);
    self->callbacks.next_poll = clock_now() + IDLE_POLL_MS / 1e3;
    set_idle(self);
}

/* With the mutex held: waits for a chunk and takes it from the queue; meanwhile calls the callbacks
 * of running jobs. NULL when the script closes. */
static script_chunk *next_chunk(script *self)
{
    while (!self->queue.closing && (!self->queue.first || self->queue.lent)) {
        if (self->queue.lent || !script_callbacks_needed(self)) {
            pthread_cond_wait(&self->queue.changed, &self->queue.mutex);
        } else if (clock_now() < self->callbacks.next_poll) {
            struct timespec until = script_moment(IDLE_POLL_MS / 1e3);
            pthread_cond_timedwait(&self->queue.changed, &self->queue.mutex, &until);
        } else {
            poll_idle(self);
        }
    }
    script_chunk *chunk = self->queue.closing ? NULL : self->queue.first;
    if (chunk) {
        self->queue.first = chunk->next;
        if (!self->queue.first)
            self->queue.last = NULL;
        self->queue.busy = true;
    }
    return chunk;
}

static void end_chunk(script *self, const script_chunk *chunk, tm_status status,
                      const tm_error *err)
{
    pthread_mutex_lock(&self->queue.mutex);
    set_idle(self);
    pthread_mutex_unlock(&self->queue.mutex);
    if (self->host.ended && !atomic_load(&self->stop.abandoned))
        self->host.ended(chunk->ticket, status == TM_OK ? NULL : err, self->host.payload);
    pthread_mutex_lock(&self->queue.mutex);
    self->queue.ends[chunk->ticket - 1] = (uint8_t)status;
    self->queue.ended = chunk->ticket;
    pthread_cond_broadcast(&self->queue.changed);
    pthread_mutex_unlock(&self->queue.mutex);
}

static void *thread_main(void *payload)
{
    script *self = payload;
    for (;;) {
        pthread_mutex_lock(&self->queue.mutex);
        script_chunk *chunk = next_chunk(self);
        pthread_mutex_unlock(&self->queue.mutex);
        if (!chunk)
            break;
        tm_error err = TM_ERROR_INIT;
        tm_status status = script_chunk_run(self, chunk, &err);
        end_chunk(self, chunk, status, &err);
        script_chunk_free(chunk);
    }
    if (atomic_load(&self->stop.abandoned))
        return NULL;
    lua_close(self->L); /* here, on this thread, because a finalizer of the script may never end */
    pthread_mutex_lock(&self->queue.mutex);
    self->queue.finished = true;
    pthread_cond_broadcast(&self->queue.changed);
    pthread_mutex_unlock(&self->queue.mutex);
    return NULL;
}

static int open_protected(lua_State *L)
{
    luaL_openlibs(L);
    script_classes_open(L);
    script_functions_open(L);
    script_standard_open(L);
    lua_pushcfunction(L, script_help);
    lua_setglobal(L, "help");
    return 0;
}

static tm_status open_lua(script *self, tm_error *err)
{
    self->L = lua_newstate(allocate, self);
    if (!self->L)
        return tm_fail_memory(err, "the Lua state");
    memcpy(lua_getextraspace(self->L), &self, sizeof self);
    lua_pushcfunction(self->L, open_protected);
    if (lua_pcall(self->L, 0, 0, 0) != LUA_OK) {
        const char *message = lua_tostring(self->L, -1);
        return tm_fail(err, TM_ENOMEM, "Lua could not start: %s", message ? message : "?");
    }
    script_hook(self->L);
    return TM_OK;
}

/* Signals are handled by the host's threads; this one blocks them all. */
static int start_thread(script *self)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return -1;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&self->thread, &attributes, thread_main, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failed;
}

static void release(script *self)
{
    while (self->queue.first) {
        script_chunk *next = self->queue.first->next;
        script_chunk_free(self->queue.first);
        self->queue.first = next;
    }
    script_callbacks_free(self);
    free(self->queue.ends);
    pthread_cond_destroy(&self->queue.changed);
    pthread_mutex_destroy(&self->queue.mutex);
    pthread_mutex_destroy(&self->running.lock);
    free(self->running.sweeps);
    free(self);
}

static const script_children children;

tm_status script_new(script **out, const script_host *host, tm_error *err)
{
    *out = NULL;
    script *self = calloc(1, sizeof *self);
    if (!self)
        return tm_fail_memory(err, "the script");
    self->host = *host;
    self->children = &children;
    self->heap.limit = script_limits_memory(host);
    self->usage = &self->own_usage;
    atomic_init(&self->own_usage.nanoseconds, 0);
    atomic_init(&self->own_usage.bytes, 0);
    atomic_init(&self->own_usage.spent, SPENT_NOTHING);
    atomic_init(&self->began, 0);
    atomic_init(&self->stop.interrupted, false);
    atomic_init(&self->stop.abandoned, false);
    atomic_init(&self->columns, host->columns);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&self->queue.changed, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&self->queue.mutex, NULL);
    pthread_mutex_init(&self->running.lock, NULL);
    tm_status status = open_lua(self, err);
    if (status == TM_OK && start_thread(self) != 0)
        status = tm_fail(err, TM_ENOMEM, "the script's thread could not be started");
    if (status != TM_OK) {
        if (self->L)
            lua_close(self->L);
        release(self);
        return status;
    }
    *out = self;
    return TM_OK;
}

bool script_watch(script *self)
{
    pthread_mutex_lock(&self->queue.mutex);
    bool over = self->queue.busy && !script_limits_time(self);
    if (over)
        stop_running(self);
    pthread_mutex_unlock(&self->queue.mutex);
    return over;
}

bool script_limited(const script *self)
{
    return self->host.sandbox.on && script_busy(self);
}

bool script_stuck(const script *self)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)&self->queue.mutex;
    pthread_mutex_lock(mutex);
    bool stuck = self->queue.busy && atomic_load(&self->stop.interrupted) &&
                 clock_now() - self->queue.stopped_at >= STUCK_SECONDS;
    pthread_mutex_unlock(mutex);
    return stuck;
}

/* Asks the thread to end and waits for that; false if it did not within `seconds`, and then it is
 * marked as abandoned. */
static bool close_within(script *self, double seconds)
{
    pthread_mutex_lock(&self->queue.mutex);
    self->queue.closing = true;
    stop_running(self);
    pthread_cond_broadcast(&self->queue.changed);
    struct timespec until = script_moment(seconds);
    int timed_out = 0;
    while (!self->queue.finished && !timed_out)
        timed_out = pthread_cond_timedwait(&self->queue.changed, &self->queue.mutex, &until);
    bool finished = self->queue.finished;
    if (!finished)
        atomic_store(&self->stop.abandoned, true);
    pthread_mutex_unlock(&self->queue.mutex);
    return finished;
}

/* A thread inside one endless C call (a pathological pattern) does not see the flag. It is
 * abandoned with its memory and does not call the host any more. */
bool script_free(script *self)
{
    if (!self)
        return true;
    if (close_within(self, script_stuck(self) ? 0 : CLOSE_SECONDS)) {
        pthread_join(self->thread, NULL);
        release(self);
        return true;
    }
    script_running_sweeps_leave(self);
#ifdef SCHED_IDLE
    pthread_setschedparam(self->thread, SCHED_IDLE, &(struct sched_param){0});
#endif
    pthread_detach(self->thread);
    return false;
}

int script_exit_code(const script *self)
{
    return atomic_load(&self->stop.exited);
}

bool script_wait(script *self, uint64_t ticket, double seconds, tm_status *status)
{
    struct timespec until = script_moment(seconds < 0 ? 0 : seconds);
    pthread_mutex_lock(&self->queue.mutex);
    int timed_out = 0;
    while (ticket > self->queue.ended && ticket <= self->queue.submitted && !self->queue.finished &&
           !timed_out)
        timed_out = seconds < 0
                        ? pthread_cond_wait(&self->queue.changed, &self->queue.mutex)
                        : pthread_cond_timedwait(&self->queue.changed, &self->queue.mutex, &until);
    bool ended = ticket > 0 && ticket <= self->queue.ended;
    if (ended && status)
        *status = (tm_status)self->queue.ends[ticket - 1];
    pthread_mutex_unlock(&self->queue.mutex);
    return ended;
}

size_t script_sweeps(const script *self, char *text, size_t size)
{
    return script_running_sweeps_describe(self, text, size);
}

void script_sweeps_cancel(script *self)
{
    script_running_sweeps_cancel(self);
}

void script_each_sweep(script *self, void (*use)(tm_sweep *sweep, void *payload), void *payload)
{
    script_running_sweeps_each(self, use, payload);
}

bool script_busy(const script *self)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)&self->queue.mutex;
    pthread_mutex_lock(mutex);
    bool busy = self->queue.busy || self->queue.first;
    pthread_mutex_unlock(mutex);
    return busy;
}

/* ---- scripts that a script starts
 * ---------------------------------------------------------------- */

/* Figures and output go to the parent's host; runs are not listed, and there is no workbench. */
static tm_status start_child(script **out, const script *parent, const script_call_spec *call,
                             tm_error *err)
{
    script_host host = parent->host;
    host.seed = call->seed;
    host.columns = script_columns(parent);
    host.started = NULL;
    host.loaded = NULL;
    host.ui = NULL;
    host.ended = NULL;
    tm_status status = script_new(out, &host, err);
    if (status != TM_OK)
        return status;
    (*out)->task = true;
    (*out)->usage = parent->usage;
    if (script_submit_call(*out, call->function, call->payload) == 0) {
        script_free(*out);
        *out = NULL;
        return tm_fail_memory(err, "a task");
    }
    return TM_OK;
}

/* A task that is over the limit has its parent stop, too, as they share what they use. */
static bool child_ended(script *child, double seconds)
{
    script_watch(child);
    return script_wait(child, 1, seconds, NULL);
}

static const script_children children = {start_child, child_ended, script_interrupt, script_free};
