/* The explore view's own runs: one solve at the form's parameters, and one path.
 *
 * Each change cancels the solve before it, so that the newest request is what is worked on, and
 * starts from the last answer. Of changes that arrive at once the last one is solved. The path
 * depends on everything but the place along it; it waits for the solve, which is what the user
 * looks at, unless that takes long. */
#ifndef TUI_SESSION_EXPLORE_RUNS_H
#define TUI_SESSION_EXPLORE_RUNS_H

#include "tamis/job.h"

typedef struct explorer {
    tm_pool *pool;
    const tm_method *method;
    tm_params *params;
    tm_dataset *train, *test;   /* references; NULL before there are data */
    tm_job *solve, *path;       /* the newest */
    tm_job *shown, *shown_path; /* the newest that have something to show; may equal those above */
    tm_job *answered;           /* the newest solve that has an answer */
    bool solve_over, path_over; /* the end of the newest was noticed */
    bool path_wanted;
    bool solve_wanted; /* started by explorer_go */
    bool cold;         /* the next solve starts from zero */
    unsigned solves;   /* counts solves asked for */
    size_t point;      /* of shown_path that is looked at, in every view; past its end: none */
} explorer;

tm_status explorer_open(explorer *e, tm_pool *pool, tm_error *err);
void explorer_close(explorer *e);
/* New data: forgets all runs and solves. */
tm_status explorer_data(explorer *e, tm_dataset *train, tm_dataset *test, tm_error *err);

/* Sets a parameter from text (NULL: back to its default) and solves. After an error the parameters
 * are what they were. */
tm_status explorer_set(explorer *e, const char *name, const char *text, tm_error *err);
/* Changes to another method; parameters of the same name keep their values. */
tm_status explorer_method(explorer *e, const tm_method *method, tm_error *err);
/* Solves again from zero. */
tm_status explorer_restart(explorer *e, tm_error *err);
void explorer_pause(explorer *e, bool paused);
/* Cancels what runs; false when nothing did. */
bool explorer_cancel(explorer *e);

/* Starts the solve that the changes since the last call ask for. */
tm_status explorer_go(explorer *e, tm_error *err);
/* Takes in what the workers report. An error is that of a failed run, told once. */
tm_status explorer_update(explorer *e, tm_error *err);
bool explorer_running(const explorer *e);
/* The newest answer, or NULL: also while the next one is being worked on. */
const tm_point *explorer_answer(const explorer *e);
/* What distinguishes this run from others: its strategy, or else its method. */
const char *explorer_label(const explorer *e);

#endif
