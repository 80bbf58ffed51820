/* The files that `tamis fit` writes at its end: its trace and its screen log as CSV. */
#ifndef CLI_FIT_TRACE_H
#define CLI_FIT_TRACE_H

#include "tamis/job.h"

/* Checks before a long run that its result can be written; `path` is the option's value (NULL:
 * none). */
tm_status fit_check_writable(const char *option, const char *path, tm_error *err);
tm_status fit_write_trace(const char *path, const tm_trace *trace, tm_error *err);
/* A row for each item of each step of the job's screen log. */
tm_status fit_write_steps(const char *path, const tm_job *job, tm_error *err);

#endif
