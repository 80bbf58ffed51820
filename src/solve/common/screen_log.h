/* How solvers write to their monitor's screen log. Without a log every call returns at once; what
 * is computed only for the log is guarded by screen_log_wanted. */
#ifndef SOLVE_COMMON_SCREEN_LOG_H
#define SOLVE_COMMON_SCREEN_LOG_H

#include "solve/common/progress.h"

#include "tamis/screen_log.h"

static inline bool screen_log_wanted(const solve_progress *p)
{
    return p->monitor.log != NULL;
}

/* Says what the records are and how many of these there are; `list` (count, copied; NULL: all of
 * this kind, in order) has each item. The solver of a method calls it first with the
 * method's own kind; a later call before the first step replaces it. */
void screen_log_items(solve_progress *p, tm_item item, size_t count, const tm_screen_item *list);
/* A step with only `what` and `active` set; fill in the rest, then begin it. */
tm_screen_step screen_log_step(const char *what, size_t active);
/* Begins a step and fills in lambda; changes and records that follow belong to it until the next
 * step begins. */
void screen_log_begin(solve_progress *p, const tm_screen_step *step);
/* Memory for a vector of n entries that a step's `at` is to point to, owned by the log. NULL when
 * the log is full. */
double *screen_log_vector(solve_progress *p, size_t n);
/* The constraints that the bounds refer to: those of `count` features with these factors (NULL: 1)
 * and limits on their weights (NULL: none). Copied by the first call. */
void screen_log_terms(solve_progress *p, const double *factors, const double *lower,
                      const double *upper, size_t count);
/* Records one item in the step begun last. */
void screen_log_feature(solve_progress *p, size_t feature, double bound, tm_screen_action action);
/* Sets how many features remain in the working set after the step begun last. */
void screen_log_active(solve_progress *p, size_t active);

#endif
