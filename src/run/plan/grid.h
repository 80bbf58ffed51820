/* The ranges that random searches draw from. */
#ifndef RUN_PLAN_GRID_H
#define RUN_PLAN_GRID_H

#include "tamis/sweep.h"

/* TM_EUSAGE for a range that is none. */
tm_status sweep_axis_check(const tm_sweep_axis *axis, tm_error *err);
/* The value of a range at `place`, 0 to 1, as text; NULL when memory ran out. A place that is drawn
 * uniformly makes each whole number as likely as the others, or each factor. */
char *sweep_axis_text(const tm_sweep_axis *axis, double place);
/* The place of a value, in the middle of those that give it; within 0 and 1. */
double sweep_axis_place(const tm_sweep_axis *axis, double value);

#endif
