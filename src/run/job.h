/* The internals of a job, shared by the job and the pool that runs it. */
#ifndef RUN_JOB_H
#define RUN_JOB_H

#include "tamis/job.h"

#include <pthread.h>
#include <stdatomic.h>

/* The input of the solver. */
typedef struct job_problem {
    const tm_method *method;
    tm_params *params;
    tm_params *asked; /* parameters of the requested method if another one runs in its place; or
                       * NULL */
    tm_dataset *train, *test;
    tm_model *warm;
    tm_point *known; /* points that are not solved */
    size_t known_count;
} job_problem;

/* The results so far; read by any thread. */
typedef struct job_results {
    tm_point *points; /* room for all points; a point is written before point_count is increased */
    atomic_size_t point_count, points_done;
    _Atomic double lambda_max, null_objective;
    _Atomic double first_gap, last_gap; /* gaps of the lambda being solved, to estimate progress */
} job_results;

/* The tags and note of a job, and where it is recorded. */
typedef struct job_label {
    tm_annotation annotation;
    int64_t stored; /* its number in the run store; 0: in no store */
} job_label;

struct tm_job {
    atomic_size_t references;
    uint64_t id;
    char *name;
    job_problem problem;
    tm_cancel *cancel;
    tm_trace *trace;
    tm_screen_log *log; /* or NULL */

    pthread_mutex_t lock; /* guards label, state, error, began, ended and the condition */
    pthread_cond_t changed;
    job_label label;
    tm_job_state state;  /* never TM_JOB_PAUSED, which is read from the token */
    char *remark;        /* or NULL */
    char *early;         /* written by the worker before the job has ended; or NULL */
    tm_error *error;     /* error of a failed or cancelled job; also NULL if memory ran out */
    double began, ended; /* clock; 0 before that */

    job_results results;
    struct tm_solver *solver; /* while the worker runs it; its alone */

    void (*news)(void *payload); /* called after anything readers may want to see changed */
    void *news_payload;
};

tm_status job_new(tm_job **out, const tm_job_spec *spec, uint64_t id, void (*news)(void *payload),
                  void *payload, tm_error *err);
/* Points at the start of the path that are known, from an earlier run that was stopped: the job
 * publishes them as they are, and solves those after them. Takes references to their models. */
tm_status job_know(tm_job *job, const tm_point *points, size_t count, tm_error *err);
/* How a job begins that is more than its description. */
typedef struct job_start {
    const tm_point *points; /* the first points of a path if they are known; the spec's `warm` is
                             * where it goes on */
    size_t count;
    bool told_time; /* it works in lockstep with other processes: see base/cancel_time.h */
} job_start;
/* tm_pool_submit with that. */
tm_status pool_submit_from(tm_pool *pool, const tm_job_spec *spec, const job_start *start,
                           tm_job **out, tm_error *err);
/* Runs to its end on the calling thread; does nothing if it was cancelled in the queue. */
void job_run(tm_job *job);
/* Ends a job that was still queued when its pool ended. */
void job_abandon(tm_job *job);

#endif
