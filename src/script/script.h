/* The Lua side: one lua_State on a thread of its own, fed by a queue of chunks.
 *
 * The prompt, a running file and callbacks are all chunks in the queue, so a chunk that never ends
 * freezes nothing but the script thread; script_interrupt stops it through lua_sethook and cancels
 * what it waits for. Host callbacks are called on the script thread. */
#ifndef SCRIPT_SCRIPT_H
#define SCRIPT_SCRIPT_H

#include "script/common/host.h"

#include <stdint.h>

struct lua_State;

typedef struct script script;

/* Starts the thread. `args` (count may be 0) become the global table `arg`. */
tm_status script_new(script **out, const script_host *host, tm_error *err);
/* Interrupts what runs, drops what is queued, joins the thread. False: the thread did not end in
 * time and was left behind with its memory, its finalizers never run and its sweeps are cancelled;
 * the host is not called any more, but should end the process by _exit. */
bool script_free(script *script);
/* Whether what runs was interrupted seconds ago and goes on all the same, in one call of C that
 * looks at nothing (string.find with a pattern that never ends, os.execute). Any thread. */
bool script_stuck(const script *script);
/* Leaves a stuck script behind, at the lowest priority, and makes a new one for the same host in
 * its place: without the old one's globals, its tickets from 1; chunks that were waiting behind it
 * run there. On failure all is as before. */
tm_status script_renew(script **script, tm_error *err);

/* Queues a chunk. `name` as in luaL_loadbuffer ("=prompt", "@file.lua"). With `echo`, an
 * expression's values are printed as at a prompt. Returns a ticket > 0, or 0 without memory. */
uint64_t script_submit(script *script, const char *text, const char *name, bool echo);
/* Queues a file with its arguments (arg[0] is the path, arg[1..] the rest). */
uint64_t script_submit_file(script *script, const char *path, char *const *args, size_t count);
/* Queues a call of C, with `payload` as light userdata for its argument. */
uint64_t script_submit_call(script *script, int (*function)(struct lua_State *L), void *payload);
/* Waits for a chunk: true when it ended within `seconds` (negative: no limit); *status its end. */
bool script_wait(script *script, uint64_t ticket, double seconds, tm_status *status);
/* What the chunk that ended last gave os.exit, or -1 when it did not call it. */
int script_exit_code(const script *script);
/* Any thread, also a signal-driven loop (not from a signal handler): stops the running chunk and
 * cancels the jobs it waits for. Nothing when idle. */
void script_interrupt(script *script);
/* Any thread: the width of what is printed from now on. */
void script_set_columns(script *script, size_t columns);
bool script_busy(const script *script);
/* How many sweeps run, also while the script is idle; the first one's progress as text ("" without
 * one). Any thread. */
size_t script_sweeps(const script *script, char *text, size_t size);
void script_sweeps_cancel(script *script);
/* Any thread: calls `use` with each sweep that has not been freed, which stays alive meanwhile. */
void script_each_sweep(script *script, void (*use)(tm_sweep *sweep, void *payload), void *payload);
/* true when `text` is an unfinished chunk (the prompt should ask for another line). Any thread. */
bool script_incomplete(const char *text);

/* Completions of text[0..cursor): the words that may replace text[*start..cursor). Knows tables,
 * functions, methods of objects, parameters inside {...} of a method call, their choices, and file
 * names inside quotes. Waits at most 50 ms for a busy script, then knows the fixed names only.
 * *out is a NULL-ended malloc'ed array of malloc'ed strings, the caller's; NULL when none. */
char **script_complete(script *script, const char *text, size_t cursor, size_t *start);

#endif
