/* The runs that were in the store when the workbench was started, from earlier sessions and
 * other programs. Their points and traces are read when they are to be drawn; their models are
 * not read. */
#ifndef TUI_SESSION_STORED_RUNS_H
#define TUI_SESSION_STORED_RUNS_H

#include "tamis/store.h"
#include "tui/session/place.h"

/* The stored facts of a run's last point; NaN: not known. */
typedef struct stored_result {
    int64_t nnz; /* -1: not known */
    double lambda, lambda_max, primal, dual, gap, train_score, test_score;
} stored_result;

/* What stored_runs_load has read. */
typedef struct stored_trace {
    tm_stored_point *points; /* without their status; NULL: not read yet */
    size_t count, capacity;
    tm_event *events; /* NULL: the run has no trace */
    size_t event_count;
} stored_trace;

/* A run of the store; it owns its texts. */
typedef struct stored_run {
    int64_t id, n, p, points;
    char *name, *method, *params, *data, *sha256, *status, *error, *tags, *note;
    double seconds, begun; /* begun: seconds since 1970 */
    stored_result result;
    stored_trace loaded;
    bool marked; /* to be drawn in the explore view */
    int colour;  /* colour of its name, once it is loaded */
} stored_run;

typedef struct stored_runs {
    tm_store *store;
    stored_run **runs; /* oldest first; the address of each is stable until it is deleted */
    size_t count, capacity;
} stored_runs;

/* Reads the runs of the store, which is borrowed until stored_runs_free; NULL: there are none. */
tm_status stored_runs_open(stored_runs *h, tm_store *store, tm_error *err);
void stored_runs_free(stored_runs *h);
/* Reads a run's points and trace, unless they were read before. */
tm_status stored_runs_load(stored_runs *h, stored_run *run, tm_error *err);
/* Where a loaded run's points lie along its path. */
place_kind stored_run_kind(const stored_run *run);
place_facts stored_run_place(const stored_run *run, const tm_stored_point *point);
/* Deletes a run for good, with its points and its model. TM_EUSAGE when it is still running. */
tm_status stored_runs_delete(stored_runs *h, int64_t id, tm_error *err);

#endif
