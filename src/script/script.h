/* The Lua side: one lua_State on a thread of its own, fed by a queue of chunks.
 *
 * The prompt, a running file and callbacks are all chunks in the queue, so a chunk that never ends
 * freezes nothing but the script thread; script_interrupt stops it through lua_sethook and cancels
 * what it waits for. Host callbacks are called on the script thread. */
#ifndef SCRIPT_SCRIPT_H
#define SCRIPT_SCRIPT_H

#include "plot/figure.h"
#include "tamis/job.h"
#include "tamis/store.h"

#include <stdint.h>

typedef struct script script;

/* What a script asks of the workbench: "screen" {view}, "view" {name}, "request" {name}, "set"
 * {name, value}, "command" {name, help}, "bind" {view, key, request, command}, "theme" {base,
 * roles}. Words that are not needed are NULL. */
typedef struct script_ui {
    const char *verb;
    const char *words[4];
} script_ui;

typedef struct script_host {
    tm_pool *pool;        /* jobs go here; must outlive the script */
    uint64_t seed;        /* default of every `seed` argument */
    tm_store *store;      /* sweeps are recorded here; or NULL; must outlive the script */
    size_t shard, shards; /* of sweeps: see tm_sweep_spec */
    size_t ranks;         /* processes that run the same script; 0 counts as 1 */
    bool utf8;            /* glyphs of printed plots */
    plot_colours colours;
    size_t columns; /* width of printed plots and tables; 0: 80 */
    /* Output of print and of values at the prompt, text with newlines. */
    void (*print)(const char *text, size_t length, void *payload);
    /* A figure's :show(). NULL: it is printed as text. The figure is the callee's. */
    void (*show)(plot_figure *figure, void *payload);
    /* A job the script started; take a reference to keep it. May be NULL. */
    void (*started)(tm_job *job, void *payload);
    /* A data set the script loaded (tm.load, tm.synth, tm.dataset); take a reference to keep it.
     * May be NULL. */
    void (*loaded)(tm_dataset *data, void *payload);
    /* A sweep could not record everything it has found; it goes on all the same, and its table has
     * it. NULL: printed. */
    void (*trouble)(const tm_error *error, void *payload);
    /* Carries out a wish and returns when that is done, or `cancel` is set; *answer is malloc'ed
     * text for the script, or NULL. NULL: there is no workbench. */
    tm_status (*ui)(const script_ui *wish, tm_cancel *cancel, char **answer, void *payload,
                    tm_error *err);
    /* A chunk ended: ticket as given by submit; error NULL when all went well. May be NULL. */
    void (*ended)(uint64_t ticket, const tm_error *error, void *payload);
    void *payload;
} script_host;

/* Starts the thread. `args` (count may be 0) become the global table `arg`. */
tm_status script_new(script **out, const script_host *host, tm_error *err);
/* Interrupts what runs, drops what is queued, joins the thread. */
void script_free(script *script);

/* Queues a chunk. `name` as in luaL_loadbuffer ("=prompt", "@file.lua"). With `echo`, an
 * expression's values are printed as at a prompt. Returns a ticket > 0, or 0 without memory. */
uint64_t script_submit(script *script, const char *text, const char *name, bool echo);
/* Queues a file with its arguments (arg[0] is the path, arg[1..] the rest). */
uint64_t script_submit_file(script *script, const char *path, char *const *args, size_t count);
/* Waits for a chunk: true when it ended within `seconds` (negative: no limit); *status its end. */
bool script_wait(script *script, uint64_t ticket, double seconds, tm_status *status);
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
/* true when `text` is an unfinished chunk (the prompt should ask for another line). Any thread. */
bool script_incomplete(const char *text);

/* Completions of text[0..cursor): the words that may replace text[*start..cursor). Knows tables,
 * functions, methods of objects, parameters inside {...} of a method call, their choices, and file
 * names inside quotes. Waits at most 50 ms for a busy script, then knows the fixed names only.
 * *out is a NULL-ended malloc'ed array of malloc'ed strings, the caller's; NULL when none. */
char **script_complete(script *script, const char *text, size_t cursor, size_t *start);

#endif
