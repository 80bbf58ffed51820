/* The script: its Lua state, the thread that runs it, and the queue of chunks. */
#include "script/chunk.h"

#include "base/clock.h"
#include "base/text.h"

#include <lualib.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    HOOK_STEPS = 10000,    /* instructions between two looks at the interrupt flag */
    STACK_BYTES = 8 << 20, /* Lua allows 200 nested C calls; this holds them */
    LARGE_BLOCK = 1 << 20, /* bytes refused to a script that must stop */
    IDLE_POLL_MS = 50,     /* how often an idle script looks for news of its jobs */
    CLOSE_SECONDS = 5,     /* then a thread stuck inside one C call is left behind */
};

/* ---- stopping what runs -------------------------------------------------------------------- */

script *script_of(lua_State *L)
{
    script *self;
    memcpy(&self, lua_getextraspace(L), sizeof self);
    return self;
}

bool script_must_stop(const script *self)
{
    return self->exiting || atomic_load_explicit(&self->interrupted, memory_order_relaxed);
}

static void hook(lua_State *L, lua_Debug *event)
{
    (void)event;
    script *self = script_of(L);
    if (!script_must_stop(self)) {
        if (lua_gethookcount(L) != HOOK_STEPS) /* a coroutine left over from an interrupt */
            lua_sethook(L, hook, LUA_MASKCOUNT, HOOK_STEPS);
        return;
    }
    /* From here every instruction raises, so that no pcall can go on. */
    lua_sethook(L, hook, LUA_MASKCOUNT, 1);
    lua_sethook(self->L, hook, LUA_MASKCOUNT, 1);
    lua_pushliteral(L, "interrupted");
    lua_error(L);
}

void script_check(lua_State *L)
{
    if (script_must_stop(script_of(L)))
        hook(L, NULL);
}

/* Refusing large blocks ends C functions of Lua that run no hook (string.rep, table.concat), and
 * leaves finalizers the little they need. The limit keeps a runaway script from taking the machine
 * with it. */
static void *allocate(void *payload, void *block, size_t old_size, size_t new_size)
{
    script *self = payload;
    size_t held = block ? old_size : 0;
    if (new_size == 0) {
        free(block);
        self->heap -= held;
        return NULL;
    }
    bool over = new_size > self->heap_max || self->heap - held > self->heap_max - new_size;
    bool large =
        new_size >= LARGE_BLOCK && atomic_load_explicit(&self->interrupted, memory_order_relaxed);
    if (new_size > held && (over || large))
        return NULL;
    void *moved = realloc(block, new_size);
    if (moved)
        self->heap += new_size - held;
    return moved;
}

static size_t memory_limit(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return SIZE_MAX / 2;
    return (size_t)pages / 2 * (size_t)page;
}

tm_cancel *script_cancel_begin(script *self)
{
    tm_cancel *token = tm_cancel_new();
    if (!token)
        return NULL;
    pthread_mutex_lock(&self->mutex);
    self->cancel = token;
    if (script_must_stop(self))
        tm_cancel_set(token);
    pthread_mutex_unlock(&self->mutex);
    return token;
}

void script_cancel_end(script *self, tm_cancel *token)
{
    pthread_mutex_lock(&self->mutex);
    self->cancel = NULL;
    pthread_mutex_unlock(&self->mutex);
    tm_cancel_free(token);
}

/* With the mutex held. */
static void stop_running(script *self)
{
    atomic_store(&self->interrupted, true);
    if (self->cancel)
        tm_cancel_set(self->cancel);
}

void script_interrupt(script *self)
{
    pthread_mutex_lock(&self->mutex);
    if (self->busy)
        stop_running(self);
    pthread_mutex_unlock(&self->mutex);
}

/* ---- output -------------------------------------------------------------------------------- */

size_t script_columns(const script *self)
{
    return atomic_load(&self->columns);
}

void script_set_columns(script *self, size_t columns)
{
    atomic_store(&self->columns, columns);
}

void script_print(script *self, const char *text, size_t length)
{
    if (self->host.print && !atomic_load(&self->abandoned))
        self->host.print(text, length, self->host.payload);
}

static int poll_protected(lua_State *L)
{
    script_watch_poll(L);
    return 0;
}

/* ---- the thread ---------------------------------------------------------------------------- */

/* With the mutex held: back to a state in which nothing is being stopped. */
static void set_idle(script *self)
{
    self->busy = false;
    self->exiting = false;
    if (!self->closing)
        atomic_store(&self->interrupted, false);
    lua_sethook(self->L, hook, LUA_MASKCOUNT, HOOK_STEPS);
    pthread_cond_broadcast(&self->changed);
}

static struct timespec moment(double seconds)
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

/* With the mutex held, which is let go meanwhile: calls the callbacks of jobs with news. */
static void poll_idle(script *self)
{
    self->busy = true;
    pthread_mutex_unlock(&self->mutex);
    lua_pushcfunction(self->L, poll_protected);
    if (lua_pcall(self->L, 0, 0, 0) != LUA_OK)
        lua_settop(self->L, 0);
    pthread_mutex_lock(&self->mutex);
    self->next_poll = clock_now() + IDLE_POLL_MS / 1e3;
    set_idle(self);
}

/* With the mutex held: waits for a chunk; while jobs with callbacks run, calls them. The chunk is
 * taken from the queue; NULL when the script closes. */
static script_chunk *next_chunk(script *self)
{
    while (!self->closing && (!self->first || self->lent)) {
        if (self->lent || !script_watch_needed(self)) {
            pthread_cond_wait(&self->changed, &self->mutex);
        } else if (clock_now() < self->next_poll) {
            struct timespec until = moment(IDLE_POLL_MS / 1e3);
            pthread_cond_timedwait(&self->changed, &self->mutex, &until);
        } else {
            poll_idle(self);
        }
    }
    script_chunk *chunk = self->closing ? NULL : self->first;
    if (chunk) {
        self->first = chunk->next;
        if (!self->first)
            self->last = NULL;
        self->busy = true;
    }
    return chunk;
}

static void end_chunk(script *self, const script_chunk *chunk, tm_status status,
                      const tm_error *err)
{
    pthread_mutex_lock(&self->mutex);
    set_idle(self);
    pthread_mutex_unlock(&self->mutex);
    if (self->host.ended && !atomic_load(&self->abandoned))
        self->host.ended(chunk->ticket, status == TM_OK ? NULL : err, self->host.payload);
    pthread_mutex_lock(&self->mutex);
    self->ends[chunk->ticket - 1] = (uint8_t)status;
    self->ended = chunk->ticket;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->mutex);
}

static void *thread_main(void *payload)
{
    script *self = payload;
    for (;;) {
        pthread_mutex_lock(&self->mutex);
        script_chunk *chunk = next_chunk(self);
        pthread_mutex_unlock(&self->mutex);
        if (!chunk)
            break;
        tm_error err = TM_ERROR_INIT;
        tm_status status = script_chunk_run(self, chunk, &err);
        end_chunk(self, chunk, status, &err);
        script_chunk_free(chunk);
    }
    lua_close(self->L); /* here: a finalizer of the script's may never end */
    pthread_mutex_lock(&self->mutex);
    self->finished = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->mutex);
    return NULL;
}

static int open_protected(lua_State *L)
{
    luaL_openlibs(L);
    script_class_open(L);
    script_api_open(L);
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
    lua_sethook(self->L, hook, LUA_MASKCOUNT, HOOK_STEPS);
    return TM_OK;
}

/* Signals are the business of the host's threads: this one blocks them all. */
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
    while (self->first) {
        script_chunk *next = self->first->next;
        script_chunk_free(self->first);
        self->first = next;
    }
    script_watch_free(self);
    free(self->ends);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->mutex);
    pthread_mutex_destroy(&self->live_lock);
    free(self->live);
    free(self);
}

tm_status script_new(script **out, const script_host *host, tm_error *err)
{
    *out = NULL;
    script *self = calloc(1, sizeof *self);
    if (!self)
        return tm_fail_memory(err, "the script");
    self->host = *host;
    self->heap_max = memory_limit();
    atomic_init(&self->interrupted, false);
    atomic_init(&self->abandoned, false);
    atomic_init(&self->columns, host->columns);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&self->changed, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&self->mutex, NULL);
    pthread_mutex_init(&self->live_lock, NULL);
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

/* A thread inside one endless call of C (a pathological pattern) sees no flag. It is left behind,
 * with its memory, and keeps its hands off the host. */
void script_free(script *self)
{
    if (!self)
        return;
    pthread_mutex_lock(&self->mutex);
    self->closing = true;
    stop_running(self);
    pthread_cond_broadcast(&self->changed);
    struct timespec until = moment(CLOSE_SECONDS);
    int timed_out = 0;
    while (!self->finished && !timed_out)
        timed_out = pthread_cond_timedwait(&self->changed, &self->mutex, &until);
    bool finished = self->finished;
    if (!finished)
        atomic_store(&self->abandoned, true);
    pthread_mutex_unlock(&self->mutex);
    if (finished) {
        pthread_join(self->thread, NULL);
        release(self);
    } else {
        pthread_detach(self->thread);
    }
}

/* ---- the queue ----------------------------------------------------------------------------- */

/* With the mutex held. */
static bool reserve_end(script *self)
{
    if (self->submitted < self->ends_room)
        return true;
    size_t room = self->ends_room ? 2 * self->ends_room : 64;
    uint8_t *ends = realloc(self->ends, room);
    if (!ends)
        return false;
    self->ends = ends;
    self->ends_room = room;
    return true;
}

static uint64_t enqueue(script *self, script_chunk *chunk)
{
    if (!chunk)
        return 0;
    pthread_mutex_lock(&self->mutex);
    uint64_t ticket = 0;
    if (reserve_end(self)) {
        ticket = chunk->ticket = ++self->submitted;
        if (self->last)
            self->last->next = chunk;
        else
            self->first = chunk;
        self->last = chunk;
        pthread_cond_broadcast(&self->changed);
    }
    pthread_mutex_unlock(&self->mutex);
    if (!ticket)
        script_chunk_free(chunk);
    return ticket;
}

uint64_t script_submit(script *self, const char *text, const char *name, bool echo)
{
    script_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return 0;
    chunk->text = text_copy(text);
    chunk->name = text_copy(name);
    chunk->echo = echo;
    if (!chunk->text || !chunk->name) {
        script_chunk_free(chunk);
        return 0;
    }
    return enqueue(self, chunk);
}

uint64_t script_submit_file(script *self, const char *path, char *const *args, size_t count)
{
    script_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return 0;
    chunk->name = text_copy(path);
    chunk->args = calloc(count ? count : 1, sizeof *chunk->args);
    bool complete = chunk->name && chunk->args;
    for (size_t i = 0; complete && i < count; i++) {
        chunk->args[i] = text_copy(args[i]);
        complete = chunk->args[i] != NULL;
        chunk->arg_count = i + 1;
    }
    if (!complete) {
        script_chunk_free(chunk);
        return 0;
    }
    return enqueue(self, chunk);
}

bool script_wait(script *self, uint64_t ticket, double seconds, tm_status *status)
{
    struct timespec until = moment(seconds < 0 ? 0 : seconds);
    pthread_mutex_lock(&self->mutex);
    int timed_out = 0;
    while (ticket > self->ended && ticket <= self->submitted && !self->finished && !timed_out)
        timed_out = seconds < 0 ? pthread_cond_wait(&self->changed, &self->mutex)
                                : pthread_cond_timedwait(&self->changed, &self->mutex, &until);
    bool ended = ticket > 0 && ticket <= self->ended;
    if (ended && status)
        *status = (tm_status)self->ends[ticket - 1];
    pthread_mutex_unlock(&self->mutex);
    return ended;
}

bool script_busy(const script *self)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)&self->mutex;
    pthread_mutex_lock(mutex);
    bool busy = self->busy || self->first;
    pthread_mutex_unlock(mutex);
    return busy;
}

lua_State *script_borrow(script *self, double seconds)
{
    struct timespec until = moment(seconds);
    pthread_mutex_lock(&self->mutex);
    int timed_out = 0;
    while ((self->busy || self->first || self->lent) && !timed_out)
        timed_out = pthread_cond_timedwait(&self->changed, &self->mutex, &until);
    bool free_now = !self->busy && !self->first && !self->lent && !self->closing;
    self->lent = self->lent || free_now;
    pthread_mutex_unlock(&self->mutex);
    return free_now ? self->L : NULL;
}

void script_give_back(script *self)
{
    pthread_mutex_lock(&self->mutex);
    self->lent = false;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->mutex);
}
