/* The rows of the runs view: which runs, in which order. */
#ifndef TUI_VIEWS_RUN_LIST_H
#define TUI_VIEWS_RUN_LIST_H

#include "tui/explore/explore_runs.h"
#include "tui/session/session.h"

#include <regex.h>

typedef enum run_order {
    BY_AGE, /* the explore view's own, then the script's, then the store's, newest first */
    BY_NAME,
    BY_STATE,
    BY_LAMBDA,
    BY_GAP,
    BY_NNZ,
    BY_SECONDS,
    BY_DATA,
    RUN_ORDERS,
} run_order;

typedef struct run_row {
    tm_job *job;  /* borrowed from the session or the explore_runs; NULL: a run of the store */
    size_t index; /* index in session.runs; SIZE_MAX: the explore view's own, or the store's */
    stored_run *stored; /* run of the store, borrowed from the session; NULL: a job */
    size_t age;         /* place before any sorting */
    double key;         /* the sort key if it is a number; NaN: last */
    const char *text;   /* the sort key if it is text, else NULL */
} run_row;

typedef struct run_list {
    run_row *rows;
    size_t count, capacity;
    size_t total; /* number of rows without the filter */
    run_order order;
    bool backwards;
    char filter[128]; /* "": none */
    regex_t regex;    /* compiled from it */
} run_list;

const char *run_order_name(run_order order); /* "age", "name", ... */
/* The last answer of a run, or NULL. */
const tm_solution *run_answer(const tm_job *job);
const char *run_name(const run_row *row);
const char *run_method(const run_row *row);
const char *run_data(const run_row *row);
const char *run_state(const run_row *row); /* "done", ..., or the store's status: "converged",
                                            * ... */
double run_seconds(const run_row *row);
/* A copy of its tags and its note, which the caller clears; empty if memory ran out. */
tm_annotation run_annotation(const run_row *row);
/* Facts of the last answer; false when there is none. */
bool run_result(const run_row *row, double *lambda, double *gap, double *nnz);

/* Keeps the runs whose name, method, data, state, tags or note matches an extended regular
 * expression, ignoring case; "" keeps all. TM_EUSAGE: the expression is invalid, and the old filter
 * stays. */
tm_status run_list_filter(run_list *list, const char *pattern, tm_error *err);
/* Collects the rows again. If memory runs out, the list is shorter. */
void run_list_fill(run_list *list, const explore_runs *e, const session *s);
void run_list_free(run_list *list);

#endif
