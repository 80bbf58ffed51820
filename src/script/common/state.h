/* The script's state, and the functions on it that all files of the script use. */
#ifndef SCRIPT_COMMON_STATE_H
#define SCRIPT_COMMON_STATE_H

#include "script/common/host.h"
#include "tamis/sweep.h"

#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

typedef struct script script;

/* The memory that Lua uses and its limit, in bytes. */
typedef struct script_heap {
    size_t used, limit;
} script_heap;

/* A job that the script started and that callbacks are notified of. */
typedef struct script_watched {
    tm_job *job;
    void (*push)(lua_State *L, const tm_job *job); /* pushes it as an object of the script */
    uint64_t seen; /* tm_trace_total when the callbacks were last called */
} script_watched;

/* Used only by the script thread: see callbacks.h. */
typedef struct script_callbacks {
    script_watched *jobs;
    size_t count, capacity;
    size_t sweeps;    /* number of sweeps started whose end has not been noticed */
    size_t functions; /* number of functions given to tm.on */
    bool calling;     /* inside a callback */
    double next_poll; /* clock_now at which an idle script next checks its jobs for news */
} script_callbacks;

typedef enum script_spent { SPENT_NOTHING, SPENT_SECONDS, SPENT_OUTPUT } script_spent;

/* What a script in the sandbox and its tasks have used: see the limits below. Any thread. */
typedef struct script_usage {
    atomic_ullong nanoseconds; /* of the tasks that have ended */
    atomic_ullong bytes;       /* printed and written */
    atomic_int spent;          /* script_spent: what there is no more of */
} script_usage;

typedef struct script_stop {
    bool exiting; /* os.exit was called and the chunk unwinds; used only by the script thread */
    int exit_code;
    atomic_int exited; /* argument of os.exit in the chunk that ended last; -1: not called */
    /* Written by any thread: running code must unwind; the host must not be called any more. */
    atomic_bool interrupted, abandoned;
} script_stop;

typedef struct script_running_sweep {
    tm_sweep *sweep;
    unsigned told; /* messages already given: bits of script_sweep_news_kind */
} script_running_sweep;

/* The sweeps that have not been freed, for any thread: see running_sweeps.h. */
typedef struct script_running_sweeps {
    pthread_mutex_t lock; /* guards what follows */
    script_running_sweep *sweeps;
    size_t count, capacity;
} script_running_sweeps;

/* A task for another script: one protected C call with `payload` as its argument. */
typedef struct script_call_spec {
    int (*function)(lua_State *L); /* gets the payload as light userdata */
    void *payload;
    uint64_t seed;
} script_call_spec;

/* Functions for starting child scripts, implemented in the room above. `ended` waits for this many
 * seconds; `free` is script_free. */
typedef struct script_children {
    tm_status (*start)(script **out, const script *parent, const script_call_spec *call,
                       tm_error *err);
    bool (*ended)(script *child, double seconds);
    void (*interrupt)(script *child);
    bool (*free)(script *child);
} script_children;

typedef struct script_queue {
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    struct script_chunk *first, *last;
    uint8_t *ends; /* tm_status of ticket t at ends[t - 1] */
    size_t ends_capacity;
    uint64_t submitted, ended; /* last ticket issued, last ticket that ended */
    bool busy;                 /* Lua code is running */
    bool lent;                 /* another thread reads the idle state */
    bool closing;
    bool finished;     /* the thread is about to return */
    double stopped_at; /* clock_now when the running code was first told to stop */
    tm_cancel *cancel; /* token of the library call in progress on the script thread, or NULL */
} script_queue;

/* The parts of a Lua warning received so far. */
typedef struct script_warning {
    char text[1000];
    size_t used;
} script_warning;

/* Collects printed text instead of printing it. */
typedef struct script_capture {
    char *text; /* malloc'ed, or NULL */
    size_t length, capacity;
} script_capture;

struct script {
    script_host host;
    lua_State *L; /* used only by the script thread */
    const script_children *children;
    pthread_t thread;
    script_heap heap;
    script_usage *usage; /* own_usage, or that of the script that started this one */
    script_usage own_usage;
    atomic_ullong began; /* the thread's clock when its chunk began, in nanoseconds */
    script_callbacks callbacks;
    script_warning warning;
    script_capture *capture; /* NULL: output goes to the host */
    script_stop stop;
    atomic_size_t columns; /* width of printed plots and pages; 0: not known */
    script_running_sweeps running;
    bool task; /* another script has started it: it makes no remark on what it reuses */
    script_queue queue;
};

script *script_of(lua_State *L);
/* Installs the hook that checks the interrupt flag every HOOK_STEPS instructions. */
void script_hook(lua_State *L);
/* Raises an error if the running code must unwind. */
void script_check(lua_State *L);
bool script_must_stop(const script *self);
size_t script_columns(const script *self);
void script_print(script *self, const char *text, size_t length);
/* Reports a line for standard error; with `failed`, the exit status will show it. */
void script_remark(script *self, bool failed, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A token that script_interrupt sets while a library call runs; NULL when memory ran out. Nothing
 * between the two calls may raise an error. */
tm_cancel *script_cancel_begin(script *self);
void script_cancel_end(script *self, tm_cancel *token);
/* Lends the idle state to another thread; NULL if it is still busy after `seconds`. */
lua_State *script_borrow(script *self, double seconds);
void script_give_back(script *self);
/* The time `seconds` from now on the clock of the queue's condition variable. */
struct timespec script_moment(double seconds);

/* The limits of a script in the sandbox: time, output, memory. Without the sandbox there are none
 * but that of the memory. */
/* The bytes that Lua may hold: half of the machine's memory, or the sandbox's limit. */
size_t script_limits_memory(const script_host *host);
/* On the script's thread, when a chunk begins and when it has ended. */
void script_limits_begin(script *self);
void script_limits_end(script *self);
/* Counts output; false when the limit is passed, and then the code must stop. */
bool script_limits_output(script *self, size_t bytes);
/* Counts the time until now; false as above. Any thread. */
bool script_limits_time(script *self);
/* The error of a chunk that has passed a limit; SPENT_NOTHING is TM_OK. */
tm_status script_limits_fail(const script *self, script_spent spent, tm_error *err);

#endif
