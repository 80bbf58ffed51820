/* A run from its submission to its end, for tests. */
#ifndef RUN_CHECK_H
#define RUN_CHECK_H

#include "tests/check.h"

#include "tamis/job.h"

/* A reference; the run is done. */
static inline tm_job *run_to_end(const tm_job_spec *spec)
{
    tm_pool *pool = NULL;
    tm_job *job = NULL;
    assert_int_equal(tm_pool_new(&pool, 1, NULL, NULL, NULL), TM_OK);
    assert_int_equal(tm_pool_submit(pool, spec, &job, NULL), TM_OK);
    assert_true(tm_job_wait(job, -1, NULL));
    if (tm_job_get_state(job) != TM_JOB_DONE)
        fail_msg("%s: %s", tm_job_name(job), tm_job_error(job)->message);
    tm_pool_free(pool);
    return job;
}

#endif
