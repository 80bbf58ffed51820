/* The inside of a job, shared by the job itself and the pool that runs it. */
#ifndef RUN_JOB_H
#define RUN_JOB_H

#include "tamis/job.h"

#include <pthread.h>
#include <stdatomic.h>

/* What the solver is given. */
typedef struct job_problem {
    const tm_method *method;
    tm_params *params;
    tm_params *asked; /* those of the method that another one runs in place of; or NULL */
    tm_dataset *train, *test;
    tm_model *warm;
} job_problem;

/* What it has found; read by any thread. */
typedef struct job_results {
    tm_point *points; /* room for point_count, published before point_count is set */
    atomic_size_t point_count, points_done;
    _Atomic double lambda_max, null_objective;
    _Atomic double first_gap, last_gap; /* of the lambda being solved, to estimate progress */
} job_results;

struct tm_job {
    atomic_size_t references;
    uint64_t id;
    char *name;
    job_problem problem;
    tm_cancel *cancel;
    tm_trace *trace;
    tm_screen_log *log; /* or NULL */

    pthread_mutex_t lock; /* guards state, error, began, ended and the condition */
    pthread_cond_t changed;
    tm_job_state state;  /* never TM_JOB_PAUSED: that is read off the token */
    char *remark;        /* or NULL */
    char *early;         /* written by the worker before the job has ended; or NULL */
    tm_error *error;     /* of a failed or cancelled one; NULL as well when memory ran out */
    double began, ended; /* clock; 0 before */

    job_results results;

    void (*news)(void *payload); /* called after anything readers may want to see changed */
    void *news_payload;
};

tm_status job_new(tm_job **out, const tm_job_spec *spec, uint64_t id, void (*news)(void *payload),
                  void *payload, tm_error *err);
/* Runs to its end on the calling thread; nothing when it was cancelled in the queue. */
void job_run(tm_job *job);
/* The job was still queued when its pool ended. */
void job_abandon(tm_job *job);

#endif
