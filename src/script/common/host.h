/* The interface between a script and the program that runs it. */
#ifndef SCRIPT_COMMON_HOST_H
#define SCRIPT_COMMON_HOST_H

#include "plot/figure.h"
#include "tamis/dataset.h"
#include "tamis/job.h"
#include "tamis/store.h"
#include "tamis/sweep.h"

/* A request of a script to the workbench: "screen" {view}, "view" {name}, "request" {name}, "set"
 * {name, value}, "command" {name, help}, "bind" {view, key, request, command}, "theme" {base,
 * roles}, "open" with data; "data" and "run", whose answer is the data explored and the form's run
 * (NULL: none); for lessons "lesson" {name, page}, "study" {run's id, "form" or ""}, "beside"
 * {view, side}, "at" {view, what, value}. Unused words are NULL. */
typedef struct script_ui {
    const char *verb;
    const char *words[4];
    const tm_dataset *data;
    struct script_ui_answer *objects; /* filled in with references for the caller; or NULL */
} script_ui;

typedef struct script_ui_answer {
    tm_dataset *data;
    tm_job *run;
} script_ui_answer;

/* What an untrusted script may use (see api/sandbox.h); a limit of 0 is the default one of state.c.
 * The limits hold for a script with all its tasks: seconds of a processor that a chunk computes in
 * Lua, bytes that are printed and written, bytes that Lua holds. */
typedef struct script_sandbox {
    bool on;
    double seconds;
    size_t output, memory;
} script_sandbox;

typedef struct script_host {
    tm_pool *pool;        /* jobs are submitted here; must outlive the script */
    uint64_t seed;        /* default of every `seed` argument */
    tm_store *store;      /* sweeps are recorded here; or NULL; must outlive the script */
    size_t shard, shards; /* shard of sweeps: see tm_sweep_spec */
    size_t ranks;         /* number of processes that run the same script; 0 counts as 1 */
    script_sandbox sandbox;
    bool utf8; /* glyphs of printed plots */
    plot_colours colours;
    size_t columns; /* width of printed plots and tables; 0: 80 */
    /* Receives the output of print and values at the prompt, as text with newlines. */
    void (*print)(const char *text, size_t length, void *payload);
    /* Called by a figure's :show(). NULL: the figure is printed as text. The callee takes over the
     * figure. */
    void (*show)(plot_figure *figure, void *payload);
    /* Called with each job that the script starts; take a reference to keep it. May be NULL. */
    void (*started)(tm_job *job, void *payload);
    /* Called with each data set that the script makes (tm.load, tm.synth, tm.dataset); take a
     * reference to keep it. May be NULL. */
    void (*loaded)(tm_dataset *data, void *payload);
    /* Called when a sweep could not record all its results; the sweep continues, and its table has
     * them. NULL: printed. */
    void (*trouble)(const tm_error *error, void *payload);
    /* A line for standard error, separate from what the script prints; with `failed`, the exit
     * status must show that something went wrong. NULL: printed. */
    void (*remark)(const char *text, bool failed, void *payload);
    /* Whether the program ends with the chunk: it then waits for what the chunk has started. */
    bool waits;
    /* Carries out a request and returns when that is done or `cancel` is set; *answer is malloc'ed
     * text for the script, or NULL. If this is NULL, there is no workbench. */
    tm_status (*ui)(const script_ui *request, tm_cancel *cancel, char **answer, void *payload,
                    tm_error *err);
    /* Called when a chunk has ended, with the ticket that submit returned; error is NULL on
     * success. May be NULL. */
    void (*ended)(uint64_t ticket, const tm_error *error, void *payload);
    void *payload;
} script_host;

#endif
