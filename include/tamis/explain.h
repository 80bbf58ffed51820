/* Explains why a feature has no weight (or a sample is no support vector, or an edge no
 * difference), from a run's screen log, in two sentences. */
#ifndef TAMIS_EXPLAIN_H
#define TAMIS_EXPLAIN_H

#include "tamis/job.h"

enum { TM_EXPLAIN_MAX = 1024 };

/* Solves the same problem as the job's from a cold start, with a log of every step; *out is a
 * reference owned by the caller. `screen` replaces the job's strategy; NULL: the same. */
tm_status tm_explain_start(tm_job **out, tm_pool *pool, const tm_job *job, const char *screen,
                           tm_error *err);
/* Explains item j (from 0) of the log, for example a feature or an edge, at the last point of
 * `logged`, a finished job with a log: which rule excluded it, at which step, with the numbers; or
 * that no rule did although its weight is 0; or that it has a weight. Written to
 * buffer[TM_EXPLAIN_MAX]. */
tm_status tm_explain(char *buffer, const tm_job *logged, size_t j, tm_error *err);

#endif
