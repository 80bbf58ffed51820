/* The run store: runs, their points and models in an SQLite file that outlives the program.
 *
 * The caller records runs: begin when a job is submitted, update while it runs if its finished
 * points should survive a crash, finish when it has ended. A run whose process died before that
 * reads as "interrupted". Any number of threads may use one store, and any number of processes one
 * file; each call is one transaction, so that a failed one has changed nothing. */
#ifndef TAMIS_STORE_H
#define TAMIS_STORE_H

#include "tamis/job.h"
#include "tamis/sweep_table.h"

typedef struct tm_store tm_store;

typedef enum tm_store_mode {
    TM_STORE_READ,   /* the file must exist; it may be write-protected */
    TM_STORE_WRITE,  /* the file is created if it does not exist */
    TM_STORE_SHARED, /* the same on a file system that other hosts write to at the same time: it
                      * needs locks that work across hosts, and WAL is not used */
} tm_store_mode;

/* The default location of a store: $XDG_STATE_HOME/tamis/runs.db, or the same below ~/.local/state.
 * *out is malloc'ed and freed by the caller. TM_EUSAGE without a home directory. */
tm_status tm_store_default_path(char **out, tm_error *err);

/* `path` NULL: the default path, whose directories are created (mode 0700) when writing. A store of
 * an older version is migrated. TM_EIO: no such file, no permission, disk full, or locked by
 * another process for 5 s; TM_EDATA: the file is not a run store, is damaged, or is of a newer
 * version. A file that is rejected is not modified. */
tm_status tm_store_open(tm_store **out, const char *path, tm_store_mode mode, tm_error *err);
void tm_store_close(tm_store *store);
const char *tm_store_path(const tm_store *store);

/* ---- recording ----------------------------------------------------------------------------- */

/* A new run for the submitted job, "running" until it is finished; *id is its number, from 1, never
 * reused. Computes the data's fingerprint if it is not known yet. */
tm_status tm_store_begin(tm_store *store, const tm_job *job, int64_t *id, tm_error *err);
/* Records the points finished since the last call, if any. */
tm_status tm_store_update(tm_store *store, int64_t id, const tm_job *job, tm_error *err);
/* To be called when the job has ended: records the remaining points, the thinned trace, status,
 * times and error. */
tm_status tm_store_finish(tm_store *store, int64_t id, const tm_job *job, tm_error *err);

typedef enum tm_stored_kind { TM_STORED_RUN, TM_STORED_SWEEP } tm_stored_kind;

/* Replaces tags and note of a run or a sweep. TM_EUSAGE when there is none with this number. */
tm_status tm_store_annotate(tm_store *store, tm_stored_kind kind, int64_t id,
                            const tm_annotation *annotation, tm_error *err);
/* The number that tm_store_begin gave the job; 0 when it is in no store. */
int64_t tm_store_number(const tm_job *job);

/* ---- values -------------------------------------------------------------------------------- */

/* A value that was expensive to compute, stored under a key of the caller's that identifies all its
 * inputs; replaces the value of an existing key. `name` is for display. */
tm_status tm_store_keep_value(tm_store *store, const char *key, const char *name, const void *value,
                              size_t size, tm_error *err);
/* *value is malloc'ed and freed by the caller; NULL when there is none. */
tm_status tm_store_find_value(tm_store *store, const char *key, void **value, size_t *size,
                              tm_error *err);

/* ---- reading ------------------------------------------------------------------------------- */

/* The annotation of a run or a sweep. */
typedef struct tm_stored_label {
    const char *tags; /* words with single blanks between them; "": none */
    const char *note; /* NULL: none */
} tm_stored_label;

/* Real values that are not known are NaN, texts NULL. Results are those of the last point. */
/* The last point of a run. */
typedef struct tm_stored_answer {
    double lambda, lambda_max, primal, dual, gap;
    int64_t nnz; /* -1: not known */
    double train_score, test_score;
} tm_stored_answer;

typedef struct tm_stored_run {
    int64_t id;
    const char *name, *method;
    const char *params; /* a JSON object of the parameters that have a value */
    const char *data, *sha256;
    const char *test, *test_sha256; /* NULL without test data */
    int64_t n, p;
    int64_t seed;        /* -1: the method has none */
    const char *version; /* the version of tamis that ran it */
    /* "running", "interrupted", "converged", "max_iter", "cancelled" or "failed" */
    const char *status;
    double begun, ended; /* seconds since 1970; begun when it was submitted */
    double seconds;      /* running time, without pauses */
    tm_stored_answer answer;
    const char *error; /* of a failed run */
    int64_t points;    /* number of recorded points */
    tm_stored_label label;
} tm_stored_run;

typedef struct tm_stored_point {
    double lambda;
    const char *status; /* tm_outcome_name */
    double primal, dual, gap;
    int64_t nnz;
    double intercept, train_score, test_score, seconds;
    int64_t columns, updates, screened;
    double B, C; /* NaN for methods without them, and for runs recorded before these fields
                  * existed */
} tm_stored_point;

/* Selects runs: all fields that are set must match. */
typedef struct tm_store_filter {
    int64_t id;         /* 0: any */
    const char *method; /* NULL: any */
    const char *status; /* NULL: any */
    double before;      /* begun before this moment, seconds since 1970; 0: any */
    const char *name;   /* a substring of the run's name; NULL: any */
    const char *tag;    /* one of its tags; NULL: any */
    const char *note;   /* a substring of its note; NULL: any */
} tm_store_filter;

#define TM_STORE_FILTER_INIT                                                                       \
    {                                                                                              \
        0, NULL, NULL, 0, NULL, NULL, NULL                                                         \
    }

/* Called for each run or point, which is valid until the callback returns. The callback must not
 * call the store; an error ends the iteration. */
typedef tm_status tm_store_run(const tm_stored_run *run, void *payload, tm_error *err);
typedef tm_status tm_store_point(const tm_stored_point *point, void *payload, tm_error *err);

/* The runs that match, oldest first; `filter` may be NULL. TM_EUSAGE for an unknown status. */
tm_status tm_store_each_run(tm_store *store, const tm_store_filter *filter, tm_store_run *use,
                            void *payload, tm_error *err);
/* One run. TM_EUSAGE when there is none with this number. */
tm_status tm_store_get(tm_store *store, int64_t id, tm_store_run *use, void *payload,
                       tm_error *err);
/* The points of a run in the order in which they were solved. */
tm_status tm_store_each_point(tm_store *store, int64_t id, tm_store_point *use, void *payload,
                              tm_error *err);
/* The model of the run's last point, owned by the caller. TM_EDATA when there is none. */
tm_status tm_store_model(tm_store *store, int64_t id, tm_model **out, tm_error *err);

/* Greatest number of events in a recorded trace. */
#define TM_STORE_TRACE 512

/* The trace of a run that has ended, thinned like any trace; malloc'ed and freed by the caller,
 * NULL when there is none: for a run that was interrupted, or recorded before traces were kept. */
tm_status tm_store_trace(tm_store *store, int64_t id, tm_event **out, size_t *count, tm_error *err);

/* ---- sweeps (recorded by tm_sweep_start, see tamis/sweep.h) --------------------------------- */

typedef struct tm_stored_sweep {
    int64_t id;
    const char *key; /* equal for sweeps of the same description */
    const char *name;
    const char *method;      /* NULL: it is an axis */
    const char *description; /* a JSON object */
    const char *version;
    const char *status;  /* "running", "interrupted", "done" */
    double begun, ended; /* seconds since 1970; ended is NaN before a task has ended */
    int64_t tasks, done; /* number of tasks, and of those that are done */
    int64_t failed;      /* cells */
    int64_t unconverged; /* cells that ended before their tolerance was met */
    tm_stored_label label;
} tm_stored_sweep;

typedef tm_status tm_store_sweep(const tm_stored_sweep *sweep, void *payload, tm_error *err);

/* All sweeps (id 0), oldest first, or the one with this id. */
tm_status tm_store_each_sweep(tm_store *store, int64_t id, tm_store_sweep *use, void *payload,
                              tm_error *err);
/* The results of a sweep so far, owned by the caller. TM_EUSAGE when there is none with this
 * number. */
tm_status tm_store_sweep_table(tm_store *store, int64_t id, tm_sweep_table **out, tm_error *err);

/* ---- maintenance --------------------------------------------------------------------------- */

typedef struct tm_merge_counts {
    size_t runs, sweeps, tasks; /* number added; sweeps that were new */
} tm_merge_counts;

/* Adds the content of the store at `path`: its runs, with new numbers, except those that exist
 * already (begun at the same moment, by the same process); the finished tasks of its sweeps, merged
 * with those of sweeps of the same description. The other store is only read, except that an older
 * one is migrated. All or nothing. */
tm_status tm_store_merge(tm_store *store, const char *path, tm_merge_counts *counts, tm_error *err);
/* Returns the space of deleted content to the file system, after a check of the file. TM_EDATA:
 * damaged. */
tm_status tm_store_vacuum(tm_store *store, tm_error *err);
/* Deletes a sweep with its tasks and results. TM_EUSAGE when there is none with this number, or
 * when a process is working on it. */
tm_status tm_store_delete_sweep(tm_store *store, int64_t id, tm_error *err);

/* ---- deleting ------------------------------------------------------------------------------ */

/* Deletes the matching runs with their points and models, except those that are running; *count is
 * set to their number. */
tm_status tm_store_prune(tm_store *store, const tm_store_filter *filter, size_t *count,
                         tm_error *err);

#endif
