/* The run store: runs, their points and models in an SQLite file that outlives the program.
 *
 * Recording is the caller's choice: begin when a job is submitted, update while it runs if its
 * finished points should survive a crash, finish when it has ended. A run whose process died on the
 * way reads as "interrupted". Any number of threads may use one store, and any number of processes
 * one file; each call is one transaction, so that a failed one has changed nothing. */
#ifndef TAMIS_STORE_H
#define TAMIS_STORE_H

#include "tamis/job.h"
#include "tamis/sweep_table.h"

typedef struct tm_store tm_store;

typedef enum tm_store_mode {
    TM_STORE_READ,   /* the file must be there; it may be write-protected */
    TM_STORE_WRITE,  /* the file is made when it is not there */
    TM_STORE_SHARED, /* the same, on a file system that other hosts write to at the same time: it
                        needs locks that work between them, and no WAL is used */
} tm_store_mode;

/* Where a store is by default: $XDG_STATE_HOME/tamis/runs.db, or the same below
 * ~/.local/state. *out is malloc'ed and the caller's. TM_EUSAGE without a home. */
tm_status tm_store_default_path(char **out, tm_error *err);

/* `path` NULL: the default path, whose directories are made (mode 0700) when writing. A store of an
 * older version is brought up to date. TM_EIO: no such file, no permission, disk full, or locked by
 * another process for 5 s; TM_EDATA: the file is no run store, is damaged, or is of a newer
 * version. A file that is refused is not touched. */
tm_status tm_store_open(tm_store **out, const char *path, tm_store_mode mode, tm_error *err);
void tm_store_close(tm_store *store);
const char *tm_store_path(const tm_store *store);

/* ---- recording ----------------------------------------------------------------------------- */

/* A new run for the submitted job, "running" until it is finished; *id is its number, from 1, never
 * given twice. Computes the data's fingerprint when that is not known yet. */
tm_status tm_store_begin(tm_store *store, const tm_job *job, int64_t *id, tm_error *err);
/* Records the points finished since the last call; nothing when there are none. */
tm_status tm_store_update(tm_store *store, int64_t id, const tm_job *job, tm_error *err);
/* The job has ended: the remaining points, the thinned trace, status, times and error. */
tm_status tm_store_finish(tm_store *store, int64_t id, const tm_job *job, tm_error *err);

typedef enum tm_stored_kind { TM_STORED_RUN, TM_STORED_SWEEP } tm_stored_kind;

/* Replaces tags and note of a run or a sweep. TM_EUSAGE when there is none of this number. */
tm_status tm_store_annotate(tm_store *store, tm_stored_kind kind, int64_t id,
                            const tm_annotation *annotation, tm_error *err);
/* The number that tm_store_begin gave the job; 0 when it is in no store. */
int64_t tm_store_number(const tm_job *job);

/* ---- values -------------------------------------------------------------------------------- */

/* A value that was computed at a cost, by a key of the caller's that says all it follows from; what
 * has the key already is replaced. `name` is for people. */
tm_status tm_store_keep_value(tm_store *store, const char *key, const char *name, const void *value,
                              size_t size, tm_error *err);
/* *value is malloc'ed and the caller's; NULL when there is none. */
tm_status tm_store_find_value(tm_store *store, const char *key, void **value, size_t *size,
                              tm_error *err);

/* ---- reading ------------------------------------------------------------------------------- */

/* What is written on a run or a sweep. */
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
    const char *version; /* version of the tamis that ran it */
    /* "running", "interrupted", "converged", "max_iter", "cancelled" or "failed" */
    const char *status;
    double begun, ended; /* seconds since 1970; begun when it was submitted */
    double seconds;      /* running time, pauses left out */
    tm_stored_answer answer;
    const char *error; /* of a failed run */
    int64_t points;    /* recorded */
    tm_stored_label label;
} tm_stored_run;

typedef struct tm_stored_point {
    double lambda;
    const char *status; /* tm_outcome_name */
    double primal, dual, gap;
    int64_t nnz;
    double intercept, train_score, test_score, seconds;
    int64_t columns, updates, screened;
    double B, C; /* NaN for methods without, and of runs that were recorded before these were */
} tm_stored_point;

/* Which runs: all of those fields that are set must fit. */
typedef struct tm_store_filter {
    int64_t id;         /* 0: any */
    const char *method; /* NULL: any */
    const char *status; /* NULL: any */
    double before;      /* begun before this moment, seconds since 1970; 0: any */
    const char *name;   /* a part of the run's name; NULL: any */
    const char *tag;    /* one of its tags; NULL: any */
    const char *note;   /* a part of its note; NULL: any */
} tm_store_filter;

#define TM_STORE_FILTER_INIT                                                                       \
    {                                                                                              \
        0, NULL, NULL, 0, NULL, NULL, NULL                                                         \
    }

/* What is done with each run or point, which lives until the callback returns. The callback must
 * not call the store; an error ends the reading. */
typedef tm_status tm_store_run(const tm_stored_run *run, void *payload, tm_error *err);
typedef tm_status tm_store_point(const tm_stored_point *point, void *payload, tm_error *err);

/* The runs that fit, oldest first; `filter` may be NULL. TM_EUSAGE for an unknown status. */
tm_status tm_store_each_run(tm_store *store, const tm_store_filter *filter, tm_store_run *use,
                            void *payload, tm_error *err);
/* One run. TM_EUSAGE when there is none of this number. */
tm_status tm_store_get(tm_store *store, int64_t id, tm_store_run *use, void *payload,
                       tm_error *err);
/* The points of a run in the order they were solved in. */
tm_status tm_store_each_point(tm_store *store, int64_t id, tm_store_point *use, void *payload,
                              tm_error *err);
/* The model of the run's last point, the caller's. TM_EDATA when there is none. */
tm_status tm_store_model(tm_store *store, int64_t id, tm_model **out, tm_error *err);

/* Events of a recorded trace, at most. */
#define TM_STORE_TRACE 512

/* The trace of a run that has ended, thinned as traces are; malloc'ed and the caller's, NULL when
 * there is none: of a run that was interrupted, or recorded before traces were kept. */
tm_status tm_store_trace(tm_store *store, int64_t id, tm_event **out, size_t *count, tm_error *err);

/* ---- sweeps (recorded by tm_sweep_start, see tamis/sweep.h) --------------------------------- */

typedef struct tm_stored_sweep {
    int64_t id;
    const char *key; /* equal for sweeps of the same description */
    const char *name;
    const char *method;      /* NULL: an axis */
    const char *description; /* a JSON object */
    const char *version;
    const char *status;  /* "running", "interrupted", "done" */
    double begun, ended; /* seconds since 1970; ended NaN before a task has */
    int64_t tasks, done; /* done of them */
    int64_t failed;      /* cells */
    int64_t unconverged; /* cells that ended before their tolerance was met */
    tm_stored_label label;
} tm_stored_sweep;

typedef tm_status tm_store_sweep(const tm_stored_sweep *sweep, void *payload, tm_error *err);

/* All sweeps (id 0), oldest first, or that one. */
tm_status tm_store_each_sweep(tm_store *store, int64_t id, tm_store_sweep *use, void *payload,
                              tm_error *err);
/* What a sweep has found so far, the caller's. TM_EUSAGE when there is none of this number. */
tm_status tm_store_sweep_table(tm_store *store, int64_t id, tm_sweep_table **out, tm_error *err);

/* ---- keeping house ------------------------------------------------------------------------- */

typedef struct tm_merge_counts {
    size_t runs, sweeps, tasks; /* added; sweeps that were new */
} tm_merge_counts;

/* Adds what the store at `path` has: its runs, with new numbers, unless an equal one (begun at the
 * same moment, by the same process) is there; its sweeps' finished tasks, joined with those of the
 * sweep of the same description. The other store is only read, except that an older one is brought
 * up to date. All or nothing. */
tm_status tm_store_merge(tm_store *store, const char *path, tm_merge_counts *counts, tm_error *err);
/* Gives the room of what was deleted back to the disk, after a check of the file. TM_EDATA:
 * damaged. */
tm_status tm_store_vacuum(tm_store *store, tm_error *err);
/* Deletes a sweep with its tasks and results. TM_EUSAGE when there is none of this number, or when
 * a process works on it. */
tm_status tm_store_delete_sweep(tm_store *store, int64_t id, tm_error *err);

/* ---- deleting ------------------------------------------------------------------------------ */

/* Deletes the runs that fit with their points and models, those that are running never; *count of
 * them. */
tm_status tm_store_prune(tm_store *store, const tm_store_filter *filter, size_t *count,
                         tm_error *err);

#endif
