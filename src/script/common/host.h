/* What a script asks of the program that runs it. */
#ifndef SCRIPT_COMMON_HOST_H
#define SCRIPT_COMMON_HOST_H

#include "plot/figure.h"
#include "tamis/dataset.h"
#include "tamis/job.h"
#include "tamis/store.h"
#include "tamis/sweep.h"

/* What a script asks of the workbench: "screen" {view}, "view" {name}, "request" {name}, "set"
 * {name, value}, "command" {name, help}, "bind" {view, key, request, command}, "theme" {base,
 * roles}, "open" with data; "data" and "run", whose answer is what is explored (NULL: nothing is);
 * of lessons "lesson" {name, page}, "study" {run's id, "form" or ""}, "beside" {view, side}, "at"
 * {view, what, value}. Words that are not needed are NULL. */
typedef struct script_ui {
    const char *verb;
    const char *words[4];
    const tm_dataset *data;
    struct script_ui_answer *objects; /* filled in, references of the caller; or NULL */
} script_ui;

typedef struct script_ui_answer {
    tm_dataset *data;
    tm_job *run;
} script_ui_answer;

typedef struct script_host {
    tm_pool *pool;        /* jobs go here; must outlive the script */
    uint64_t seed;        /* default of every `seed` argument */
    tm_store *store;      /* sweeps are recorded here; or NULL; must outlive the script */
    size_t shard, shards; /* of sweeps: see tm_sweep_spec */
    size_t ranks;         /* processes that run the same script; 0 counts as 1 */
    bool sandbox;         /* the script is not the user's own: see api/sandbox.h */
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
    /* A line for standard error, apart from what the script prints; `failed`: the exit
     * status is to tell that something went wrong. NULL: printed. */
    void (*remark)(const char *text, bool failed, void *payload);
    /* Whether the program ends when a chunk does: it then waits for what the chunk started. */
    bool waits;
    /* Carries out a request and returns when that is done, or `cancel` is set; *answer is malloc'ed
     * text for the script, or NULL. NULL: there is no workbench. */
    tm_status (*ui)(const script_ui *request, tm_cancel *cancel, char **answer, void *payload,
                    tm_error *err);
    /* A chunk ended: ticket as given by submit; error NULL when all went well. May be NULL. */
    void (*ended)(uint64_t ticket, const tm_error *error, void *payload);
    void *payload;
} script_host;

#endif
