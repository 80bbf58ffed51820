#include "run/job.h"

#include "base/clock.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

uint64_t tm_job_id(const tm_job *job)
{
    return job->id;
}

const char *tm_job_name(const tm_job *job)
{
    return job->name;
}

const tm_method *tm_job_method(const tm_job *job)
{
    return job->problem.method;
}

const tm_params *tm_job_params(const tm_job *job)
{
    return job->problem.params;
}

const tm_dataset *tm_job_train(const tm_job *job)
{
    return job->problem.train;
}

const tm_dataset *tm_job_test(const tm_job *job)
{
    return job->problem.test;
}

const tm_model *tm_job_warm(const tm_job *job)
{
    return job->problem.warm;
}

static pthread_mutex_t *lock_of(const tm_job *job)
{
    return &((tm_job *)(uintptr_t)job)->lock;
}

static tm_job_state stored_state(const tm_job *job)
{
    pthread_mutex_lock(lock_of(job));
    tm_job_state state = job->state;
    pthread_mutex_unlock(lock_of(job));
    return state;
}

tm_job_state tm_job_get_state(const tm_job *job)
{
    tm_job_state state = stored_state(job);
    bool paused = tm_cancel_is_paused(job->cancel) && !tm_cancel_is_set(job->cancel);
    return state == TM_JOB_RUNNING && paused ? TM_JOB_PAUSED : state;
}

bool tm_job_ended(const tm_job *job)
{
    return stored_state(job) >= TM_JOB_DONE;
}

const tm_error *tm_job_error(const tm_job *job)
{
    static const tm_error none = TM_ERROR_INIT, lost = {TM_ENOMEM, "not enough memory"};
    if (job->error)
        return job->error;
    tm_job_state state = stored_state(job);
    return state == TM_JOB_FAILED ? &lost : &none;
}

double tm_job_seconds(const tm_job *job)
{
    pthread_mutex_lock(lock_of(job));
    double began = job->began, until = job->ended > 0 ? job->ended : clock_now();
    pthread_mutex_unlock(lock_of(job));
    return began > 0 ? until - began - tm_cancel_slept(job->cancel) : 0;
}

/* The share of the current lambda that is done: gaps decrease about geometrically, so progress is
 * measured on their logarithm. */
static double point_progress(const tm_job *job)
{
    double first = atomic_load(&((tm_job *)(uintptr_t)job)->results.first_gap);
    double last = atomic_load(&((tm_job *)(uintptr_t)job)->results.last_gap);
    double goal = atomic_load(&((tm_job *)(uintptr_t)job)->results.null_objective) *
                  tm_params_real(job->problem.params, "tol");
    if (!(first > goal) || !(last > 0) || !(goal > 0))
        return 0;
    double share = log(first / last) / log(first / goal);
    return fmin(fmax(share, 0), 1);
}

double tm_job_progress(const tm_job *job)
{
    size_t count = tm_job_point_count(job);
    size_t done = atomic_load_explicit(&((tm_job *)(uintptr_t)job)->results.points_done,
                                       memory_order_acquire);
    if (stored_state(job) == TM_JOB_DONE)
        return 1;
    if (count == 0)
        return 0;
    double part = done < count ? point_progress(job) : 0;
    return ((double)done + part) / (double)count;
}

const tm_trace *tm_job_trace(const tm_job *job)
{
    return job->trace;
}

const tm_screen_log *tm_job_screen_log(const tm_job *job)
{
    return tm_job_ended(job) ? job->log : NULL;
}

tm_status tm_job_annotate(tm_job *job, const tm_annotation *annotation, tm_error *err)
{
    tm_annotation own;
    tm_status status = tm_annotation_copy(&own, annotation, err);
    if (status != TM_OK) {
        tm_annotation_clear(&own);
        return status;
    }
    pthread_mutex_lock(&job->lock);
    tm_annotation before = job->label.annotation;
    job->label.annotation = own;
    pthread_mutex_unlock(&job->lock);
    tm_annotation_clear(&before);
    return TM_OK;
}

tm_status tm_job_annotation(const tm_job *job, tm_annotation *out, tm_error *err)
{
    pthread_mutex_lock(lock_of(job));
    tm_status status = tm_annotation_copy(out, &job->label.annotation, err);
    pthread_mutex_unlock(lock_of(job));
    return status;
}

const char *tm_job_early(const tm_job *job)
{
    return tm_job_ended(job) ? job->early : NULL;
}

const char *tm_job_remark(const tm_job *job)
{
    return job->remark;
}

size_t tm_job_point_count(const tm_job *job)
{
    return atomic_load_explicit(&((tm_job *)(uintptr_t)job)->results.point_count,
                                memory_order_acquire);
}

size_t tm_job_points(const tm_job *job, const tm_point **points)
{
    size_t done = atomic_load_explicit(&((tm_job *)(uintptr_t)job)->results.points_done,
                                       memory_order_acquire);
    *points = done ? job->results.points
                   : NULL; /* the worker may be setting it until the first point is done */
    return done;
}

double tm_job_lambda_max(const tm_job *job)
{
    return atomic_load(&((tm_job *)(uintptr_t)job)->results.lambda_max);
}

double tm_job_null_objective(const tm_job *job)
{
    return atomic_load(&((tm_job *)(uintptr_t)job)->results.null_objective);
}
