/* The Lua side: one lua_State on a thread of its own, fed by a queue of chunks.
 *
 * The prompt, a running file and callbacks are all chunks in the queue, so a chunk that never ends
 * blocks only the script thread; script_interrupt stops it through lua_sethook and cancels what it
 * waits for. Host callbacks are called on the script thread. */
#ifndef SCRIPT_SCRIPT_H
#define SCRIPT_SCRIPT_H

#include "script/common/host.h"

#include <stdint.h>

struct lua_State;

typedef struct script script;

/* Starts the thread. `args` (count may be 0) is made the global table `arg`. */
tm_status script_new(script **out, const script_host *host, tm_error *err);
/* Interrupts the running chunk, drops queued ones and joins the thread. False: the thread did not
 * end in time and was abandoned with its memory; its finalizers are not run, and its sweeps are
 * cancelled. The host is not called any more and should end the process with _exit. */
bool script_free(script *script);
/* Stops a chunk in the sandbox that has used up its time, as script_interrupt does, and whether it
 * has; to be called a few times a second while one runs, as code inside one C call does not look
 * itself. Any thread. */
bool script_watch(script *script);
/* Whether a chunk runs whose time is limited. Any thread. */
bool script_limited(const script *script);
/* Whether the running chunk was interrupted seconds ago but continues inside one C call that does
 * not check for interrupts (string.find with a pattern that never ends). Any thread. */
bool script_stuck(const script *script);
/* Abandons a stuck script, at the lowest priority, and replaces it by a new one for the same host,
 * without the old one's globals, with tickets from 1; chunks that were waiting run there. On
 * failure nothing changes. */
tm_status script_renew(script **script, tm_error *err);

/* Queues a chunk. `name` as in luaL_loadbuffer ("=prompt", "@file.lua"). With `echo`, an
 * expression's values are printed as at a prompt. Returns a ticket > 0, or 0 when memory runs
 * out. */
uint64_t script_submit(script *script, const char *text, const char *name, bool echo);
/* Queues a file with its arguments (arg[0] is the path, arg[1..] the rest). */
uint64_t script_submit_file(script *script, const char *path, char *const *args, size_t count);
/* Queues a C call with `payload` as a light userdata argument. */
uint64_t script_submit_call(script *script, int (*function)(struct lua_State *L), void *payload);
/* Waits for a chunk: true if it ended within `seconds` (negative: no limit); *status is its
 * status. */
bool script_wait(script *script, uint64_t ticket, double seconds, tm_status *status);
/* The argument of os.exit in the chunk that ended last, or -1 if it did not call it. */
int script_exit_code(const script *script);
/* Any thread (but not a signal handler): stops the running chunk and cancels the jobs that it waits
 * for. Does nothing when idle. */
void script_interrupt(script *script);
/* Any thread: sets the width of what is printed from now on. */
void script_set_columns(script *script, size_t columns);
bool script_busy(const script *script);
/* The number of running sweeps, even while the script is idle, and the first one's progress as text
 * ("" without one). Any thread. */
size_t script_sweeps(const script *script, char *text, size_t size);
void script_sweeps_cancel(script *script);
/* Any thread: calls `use` with each sweep that has not been freed; it is not freed during the
 * call. */
void script_each_sweep(script *script, void (*use)(tm_sweep *sweep, void *payload), void *payload);
/* Whether `text` is an incomplete chunk (the prompt should ask for another line). Any thread. */
bool script_incomplete(const char *text);

/* Completions of text[0..cursor): the words that may replace text[*start..cursor). Completes
 * tables, functions, methods of objects, parameters inside {...} of a method call, their choices,
 * and file names inside quotes. Waits at most 50 ms for a busy script; after that only fixed names
 * are completed. *out is a NULL-terminated malloc'ed array of malloc'ed strings, owned by the
 * caller; NULL when there are none. */
char **script_complete(script *script, const char *text, size_t cursor, size_t *start);

#endif
