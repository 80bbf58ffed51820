/* Why a feature has no weight: what a run's screen log says of it, in two sentences. */
#ifndef TAMIS_EXPLAIN_H
#define TAMIS_EXPLAIN_H

#include "tamis/job.h"

enum { TM_EXPLAIN_MAX = 1024 };

/* The same problem as the job's, solved with a log of every step from zero; *out is a reference of
 * the caller's. With `screen` by that strategy in place of the job's. */
tm_status tm_explain_start(tm_job **out, tm_pool *pool, const tm_job *job, const char *screen,
                           tm_error *err);
/* Says of feature j (from 0), at the last point of `logged`, a job with a log that has ended: which
 * rule excluded it, at which step, with the numbers; or that nothing did although its weight is 0;
 * or that it has a weight. Written to buffer[TM_EXPLAIN_MAX]. */
tm_status tm_explain(char *buffer, const tm_job *logged, size_t j, tm_error *err);

#endif
