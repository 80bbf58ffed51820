/* How solvers write the screen log of their monitor. Without a log every call returns at once; what
 * is computed for the log alone is guarded by screen_log_wanted. */
#ifndef SOLVE_COMMON_SCREEN_LOG_H
#define SOLVE_COMMON_SCREEN_LOG_H

#include "solve/common/progress.h"

#include "tamis/screen_log.h"

static inline bool screen_log_wanted(const solve_progress *p)
{
    return p->monitor.log != NULL;
}

/* A step with only `what` and `active` known; set the rest, then begin it. */
tm_screen_step screen_log_step(const char *what, size_t active);
/* Begins a step: lambda is filled in; its changes and records follow, and belong to it
 * until the next one begins. */
void screen_log_begin(solve_progress *p, const tm_screen_step *step);
/* Room for a vector of n entries that a step's `at` is to point to; the log's. NULL: there is none.
 */
double *screen_log_vector(solve_progress *p, size_t n);
/* The constraints that bounds are about: those of `count` features with these factors (NULL: 1) and
 * limits of their weights (NULL: none). Copied the first time. */
void screen_log_terms(solve_progress *p, const double *factors, const double *lower,
                      const double *upper, size_t count);
/* One feature of the step begun last. */
void screen_log_feature(solve_progress *p, size_t feature, double bound, tm_screen_action action);
/* How many features are worked on once the step begun last is done. */
void screen_log_active(solve_progress *p, size_t active);

#endif
