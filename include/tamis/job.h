/* Jobs: solver runs on worker threads.
 *
 * A pool has `workers` threads, each running one job at a time with its own workspace. All
 * functions may be called from any thread. What a job publishes (trace, points) may be read while
 * it runs. */
#ifndef TAMIS_JOB_H
#define TAMIS_JOB_H

#include "tamis/annotation.h"
#include "tamis/metric.h"
#include "tamis/trace.h"

typedef struct tm_pool tm_pool;
typedef struct tm_job tm_job;

typedef enum tm_job_state {
    TM_JOB_QUEUED,
    TM_JOB_RUNNING,
    TM_JOB_PAUSED,
    TM_JOB_DONE,      /* every point was solved, each with its outcome */
    TM_JOB_FAILED,    /* see tm_job_error */
    TM_JOB_CANCELLED, /* the points finished before are kept */
} tm_job_state;

const char *tm_job_state_name(tm_job_state state);

/* One lambda of a run. */
typedef struct tm_point {
    tm_solution solution; /* owned by the job: its model lives as long as the job */
    double train_score;   /* default metric (tm_metric_default) on the training data */
    double test_score;    /* NaN without test data */
} tm_point;

typedef struct tm_job_spec {
    const char *name; /* label in plots and lists; copied; NULL: made from parameters */
    const tm_method *method;
    const tm_params *params;         /* copied */
    const tm_dataset *train;         /* a reference is taken */
    const tm_dataset *test;          /* or NULL; a reference is taken */
    const tm_model *warm;            /* or NULL; a reference is taken */
    size_t log_room;                 /* capacity of the screen log in records; 0: no log */
    const tm_annotation *annotation; /* or NULL; copied */
} tm_job_spec;

#define TM_JOB_SPEC_INIT                                                                           \
    {                                                                                              \
        NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL                                                \
    }

/* `notify` (or NULL) is called from worker threads when a job has news; calls are coalesced: after
 * one call there is none until tm_pool_acknowledge. It must not block. */
tm_status tm_pool_new(tm_pool **out, int workers, void (*notify)(void *payload), void *payload,
                      tm_error *err);
void tm_pool_acknowledge(tm_pool *pool);
/* Cancels all jobs, waits for the workers and frees the pool. Jobs that are still referenced stay
 * readable. */
void tm_pool_free(tm_pool *pool);
int tm_pool_workers(const tm_pool *pool);
void tm_pool_counts(const tm_pool *pool, size_t *queued, size_t *running, size_t *ended);
size_t tm_pool_failed(const tm_pool *pool); /* of those that have ended */

/* Validates the parameters for the data and queues the job. *out is a reference owned by the
 * caller. */
tm_status tm_pool_submit(tm_pool *pool, const tm_job_spec *spec, tm_job **out, tm_error *err);

tm_job *tm_job_ref(const tm_job *job);
void tm_job_unref(tm_job *job);

uint64_t tm_job_id(const tm_job *job); /* 1, 2, ... within the pool */
const char *tm_job_name(const tm_job *job);
const tm_method *tm_job_method(const tm_job *job);
const tm_params *tm_job_params(const tm_job *job);
const tm_dataset *tm_job_train(const tm_job *job);
const tm_dataset *tm_job_test(const tm_job *job); /* or NULL */
const tm_model *tm_job_warm(const tm_job *job);   /* or NULL */
tm_job_state tm_job_get_state(const tm_job *job);
bool tm_job_ended(const tm_job *job);
const tm_error *tm_job_error(const tm_job *job); /* TM_JOB_FAILED only */
double tm_job_seconds(const tm_job *job);        /* running time so far, without pauses */
double tm_job_progress(const tm_job *job);       /* 0..1, an estimate */
const tm_trace *tm_job_trace(const tm_job *job);
/* The job's log once it has ended; NULL before, and when none was requested. */
const tm_screen_log *tm_job_screen_log(const tm_job *job);
/* The reason that a path ended early (tm_solver_early); NULL when it did not, or has not ended. */
const char *tm_job_early(const tm_job *job);
/* A remark about the run, available before it begins, for example that another method runs than the
 * one requested; NULL: none. */
const char *tm_job_remark(const tm_job *job);
size_t tm_job_point_count(const tm_job *job); /* number of points requested; 0 before it is known */
/* Points finished so far; the first (returned) entries of the array do not change any more. NULL
 * while there are none. */
size_t tm_job_points(const tm_job *job, const tm_point **points);
double tm_job_lambda_max(const tm_job *job);     /* NaN before it is known */
double tm_job_null_objective(const tm_job *job); /* NaN before it is known */

/* A copy, cleared by the caller. */
tm_status tm_job_annotation(const tm_job *job, tm_annotation *out, tm_error *err);
/* Replaces the annotation. That of the run in a store is changed with tm_store_annotate. */
tm_status tm_job_annotate(tm_job *job, const tm_annotation *annotation, tm_error *err);

void tm_job_cancel(tm_job *job);
void tm_job_pause(tm_job *job, bool paused);
/* Waits until the job has ended, `seconds` (negative: no limit) have passed, or `wake` (or NULL) is
 * set; true when it has ended. */
bool tm_job_wait(tm_job *job, double seconds, tm_cancel *wake);

#endif
