#include "state.h"

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
    TRACE_LEVELS = 6,      /* longer tracebacks are left out */
    IDLE_POLL_MS = 50,     /* how often an idle script looks for news of its jobs */
    CLOSE_SECONDS = 5,     /* then a thread stuck inside one C call is left behind */
};

typedef struct script_chunk {
    struct script_chunk *next;
    uint64_t ticket;
    char *text; /* NULL: a file */
    char *name; /* chunk name, or the file's path */
    char **args;
    size_t arg_count;
    bool echo;
    bool unreadable; /* set when the file could not be read */
} script_chunk;

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

/* ---- output and errors --------------------------------------------------------------------- */

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

int script_raise(lua_State *L, const tm_error *err)
{
    script_check(L);
    luaL_where(L, 1);
    lua_pushstring(L, err->message);
    lua_concat(L, 2);
    return lua_error(L);
}

/* The calls that led to an error inside functions, when they are few. */
static void add_traceback(lua_State *L, luaL_Buffer *out)
{
    lua_Debug at;
    int lines = 0, level;
    for (level = 1; level < 2 * TRACE_LEVELS && lua_getstack(L, level, &at); level++)
        if (lua_getinfo(L, "S", &at) && strcmp(at.what, "C") != 0)
            lines++;
    if (lines < 2 || lines > TRACE_LEVELS || level == 2 * TRACE_LEVELS)
        return;
    for (level = 1; lua_getstack(L, level, &at); level++) {
        if (!lua_getinfo(L, "nSl", &at) || strcmp(at.what, "C") == 0)
            continue;
        char line[200];
        if (strcmp(at.what, "main") == 0)
            snprintf(line, sizeof line, "\n  called from %s:%d", at.short_src, at.currentline);
        else
            snprintf(line, sizeof line, "\n  in function '%s' (%s:%d)", at.name ? at.name : "?",
                     at.short_src, at.currentline);
        luaL_addstring(out, line);
    }
}

static int on_error(lua_State *L)
{
    if (script_must_stop(script_of(L)))
        return 1; /* the chunk's end tells what happened */
    if (lua_type(L, 1) != LUA_TSTRING && !luaL_callmeta(L, 1, "__tostring"))
        lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
    if (lua_type(L, -1) != LUA_TSTRING)
        return 1;
    luaL_Buffer out;
    int message = lua_gettop(L);
    luaL_buffinit(L, &out);
    lua_pushvalue(L, message);
    luaL_addvalue(&out);
    add_traceback(L, &out);
    luaL_pushresult(&out);
    return 1;
}

int script_call(lua_State *L, int arguments, int results)
{
    int base = lua_gettop(L) - arguments;
    lua_pushcfunction(L, on_error);
    lua_insert(L, base);
    int status = lua_pcall(L, arguments, results, base);
    lua_remove(L, base);
    return status;
}

/* ---- chunks -------------------------------------------------------------------------------- */

static void chunk_free(script_chunk *chunk)
{
    if (!chunk)
        return;
    for (size_t i = 0; i < chunk->arg_count; i++)
        free(chunk->args[i]);
    free(chunk->args);
    free(chunk->text);
    free(chunk->name);
    free(chunk);
}

static void set_arguments(lua_State *L, const script_chunk *chunk)
{
    lua_createtable(L, (int)chunk->arg_count, 1);
    lua_pushstring(L, chunk->name);
    lua_rawseti(L, -2, 0);
    for (size_t i = 0; i < chunk->arg_count; i++) {
        lua_pushstring(L, chunk->args[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setglobal(L, "arg");
}

/* Pushes the compiled chunk or raises. An echoed chunk is tried as an expression first. Text only:
 * malformed bytecode could crash the interpreter. */
static void load_chunk(lua_State *L, script_chunk *chunk)
{
    int status;
    if (!chunk->text) {
        set_arguments(L, chunk);
        const char *path = strcmp(chunk->name, "-") == 0 ? NULL : chunk->name;
        status = luaL_loadfilex(L, path, "t");
        chunk->unreadable = status == LUA_ERRFILE;
    } else {
        status = LUA_ERRSYNTAX;
        if (chunk->echo) {
            lua_pushfstring(L, "return %s", chunk->text);
            size_t size;
            const char *text = lua_tolstring(L, -1, &size);
            status = luaL_loadbufferx(L, text, size, chunk->name, "t");
            lua_remove(L, -2);
            if (status == LUA_ERRSYNTAX)
                lua_pop(L, 1);
        }
        if (status == LUA_ERRSYNTAX)
            status = luaL_loadbufferx(L, chunk->text, strlen(chunk->text), chunk->name, "t");
    }
    if (status != LUA_OK)
        lua_error(L);
}

/* A plot is shown where figures can be; other values are printed. */
static bool echo_plot(lua_State *L, int index)
{
    if (!script_of(L)->host.show || script_class_of(L, index) != &script_plot_class)
        return false;
    lua_getfield(L, index, "show");
    lua_pushvalue(L, index);
    lua_call(L, 1, 0);
    return true;
}

static void echo_values(lua_State *L, int first)
{
    int last = lua_gettop(L);
    for (int i = first; i <= last; i++) {
        if (echo_plot(L, i))
            continue;
        script_push_shown(L, i);
        lua_pushliteral(L, "\n");
        lua_concat(L, 2);
        size_t size;
        const char *text = lua_tolstring(L, -1, &size);
        script_print(script_of(L), text, size);
        lua_pop(L, 1);
    }
}

/* Argument 1: the chunk as light userdata. */
static int run_protected(lua_State *L)
{
    script_chunk *chunk = lua_touserdata(L, 1);
    load_chunk(L, chunk);
    luaL_checkstack(L, (int)chunk->arg_count + LUA_MINSTACK, "too many arguments");
    for (size_t i = 0; i < chunk->arg_count; i++)
        lua_pushstring(L, chunk->args[i]);
    if (script_call(L, (int)chunk->arg_count, LUA_MULTRET) != LUA_OK)
        lua_error(L);
    if (chunk->echo) {
        luaL_checkstack(L, LUA_MINSTACK, "too many values");
        echo_values(L, 2);
    }
    return 0;
}

/* What the chunk's end means; the message is on the stack when status is not LUA_OK. */
static tm_status chunk_end(script *self, const script_chunk *chunk, int status, tm_error *err)
{
    lua_State *L = self->L;
    if (atomic_load(&self->interrupted))
        return tm_fail(err, TM_ECANCELLED, "interrupted");
    if (self->exiting && self->exit_code == 0)
        return TM_OK;
    if (self->exiting)
        return tm_fail(err, TM_EDATA, "the script called os.exit(%d)", self->exit_code);
    if (status == LUA_OK)
        return TM_OK;
    const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (status == LUA_ERRMEM)
        return tm_fail(err, TM_ENOMEM, "not enough memory: the script may hold %zu MiB",
                       self->heap_max >> 20);
    return tm_fail(err, chunk->unreadable ? TM_EIO : TM_EDATA, "%s",
                   message ? message : "(error object is not text)");
}

static tm_status run_chunk(script *self, script_chunk *chunk, tm_error *err)
{
    lua_State *L = self->L;
    lua_pushcfunction(L, run_protected);
    lua_pushlightuserdata(L, chunk);
    int status = lua_pcall(L, 1, 0, 0);
    tm_status end = chunk_end(self, chunk, status, err);
    lua_settop(L, 0);
    return end;
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
        tm_status status = run_chunk(self, chunk, &err);
        end_chunk(self, chunk, status, &err);
        chunk_free(chunk);
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
        chunk_free(self->first);
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
        chunk_free(chunk);
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
        chunk_free(chunk);
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
        chunk_free(chunk);
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
