/* The explore view's own runs: one solve at the form's parameters, and one path.
 *
 * Each change cancels the previous solve, so that only the newest request is worked on, and starts
 * from the last answer. Of changes that arrive at once, only the last one is solved. The path
 * depends on all parameters except the position along it; it waits for the solve, which the user is
 * looking at, unless that takes long. */
#ifndef TUI_EXPLORE_EXPLORE_RUNS_H
#define TUI_EXPLORE_EXPLORE_RUNS_H

#include "tui/pins/pins.h"
#include "tui/pins/undo.h"

#include "tamis/classes.h"

/* The state of the newest solve. */
typedef enum explore_stage {
    EXPLORE_ANSWERED,  /* its answer is shown, or will be in a moment (so that quick solves do not
                        * flicker) */
    EXPLORE_WORKING,   /* explore_runs_answer is that of an earlier solve */
    EXPLORE_PAUSED,    /* likewise */
    EXPLORE_CANCELLED, /* likewise */
    EXPLORE_FAILED,    /* explore_runs_error says why */
} explore_stage;

/* The classes of a response with more than two, and which of them is explored. */
typedef struct class_choice {
    tm_classes all; /* empty: the response has two classes or is numeric */
    char *label;    /* the class explored against the rest; NULL: the response is used as a
                     * number */
    bool named;     /* the classes are words and cannot be used as numbers */
} class_choice;

typedef struct explore_runs {
    tm_pool *pool;
    const tm_method *method;
    tm_params *params;
    tm_dataset *train, *test;    /* references; NULL before there are data */
    const class_choice *classes; /* the session's */
    tm_job *solve, *path;        /* the newest */
    tm_job *shown, *shown_path;  /* the newest that have something to show; may be the same as
                                  * above */
    tm_job *answered;            /* the newest solve that has an answer */
    bool solve_over, path_over;  /* the end of the newest one has been noticed */
    bool path_wanted;
    bool solve_wanted; /* a solve is to be started by explore_runs_go */
    bool cold;         /* the next solve starts from zero */
    unsigned solves;   /* number of solves requested */
    pins pins;         /* kept runs on these data */
    form_past before;  /* earlier states of the form */
    size_t point;      /* the point of shown_path that all views show; past its end: none */
} explore_runs;

tm_status explore_runs_open(explore_runs *e, tm_pool *pool, tm_error *err);
void explore_runs_close(explore_runs *e);
/* Sets new data: discards all runs and solves. */
tm_status explore_runs_data(explore_runs *e, tm_dataset *train, tm_dataset *test, tm_error *err);

/* Sets a parameter from text (NULL: restores its default) and solves. After an error the parameters
 * are unchanged. */
tm_status explore_runs_set(explore_runs *e, const char *name, const char *text, tm_error *err);
/* Changes to another method; parameters of the same name keep their values. */
tm_status explore_runs_method(explore_runs *e, const tm_method *method, tm_error *err);
/* Undoes the last change of the form and solves; *name is the parameter (NULL: the method). */
tm_status explore_runs_undo(explore_runs *e, const char **name, tm_error *err);
/* The form's parameters for a solve at one point; freed by the caller. */
tm_status explore_runs_params(const explore_runs *e, tm_params **out, tm_error *err);
/* Solves again from zero. */
tm_status explore_runs_restart(explore_runs *e, tm_error *err);
/* Pins the newest answer with its path; *added is the new pin. If it is pinned already, the pin is
 * removed and *added is NULL. */
tm_status explore_runs_pin(explore_runs *e, pin **added, tm_error *err);
/* Removes pin i and cancels a path that is computed only for it. */
void explore_runs_unpin(explore_runs *e, size_t i);
void explore_runs_pause(explore_runs *e, bool paused);
/* Cancels what runs; false when nothing did. */
bool explore_runs_cancel(explore_runs *e);

/* Starts the solve that the changes since the last call ask for. */
tm_status explore_runs_go(explore_runs *e, tm_error *err);
/* Processes what the workers report. An error is that of a failed run and is returned once. */
tm_status explore_runs_update(explore_runs *e, tm_error *err);
bool explore_runs_running(const explore_runs *e);
/* The newest answer, which remains available while the next one is computed; or NULL. */
const tm_point *explore_runs_answer(const explore_runs *e);
explore_stage explore_runs_stage(const explore_runs *e);
const char *explore_stage_name(explore_stage stage); /* "solving", ... */
const tm_error *explore_runs_error(const explore_runs *e);
/* The gap that a running solve has reached; infinite before the first one is known. */
double explore_runs_gap(const explore_runs *e);
/* What distinguishes this run from others: its strategy, or else its method. */
const char *explore_runs_label(const explore_runs *e);

/* Shared with explore_changes.c. */
/* When several changes arrive at once, as from a repeating key, only the last one is solved
 * (explore_runs_go). Invalid parameters are reported immediately. */
tm_status explore_runs_want(explore_runs *e, tm_error *err);
/* Cancels the path if it delays the answer, because there is a single worker; with path_too,
 * always. */
void explore_runs_clear_path(explore_runs *e, bool path_too);

#endif
