/* The ranges that random searches draw from. */
#ifndef RUN_PLAN_GRID_H
#define RUN_PLAN_GRID_H

#include "tamis/sweep.h"

/* TM_EUSAGE for an invalid range. */
tm_status sweep_axis_check(const tm_sweep_axis *axis, tm_error *err);
/* The value of a range at `place`, 0 to 1, as text; NULL when memory runs out. A uniformly drawn
 * place makes all whole numbers equally likely or, on a logarithmic range, all factors. */
char *sweep_axis_text(const tm_sweep_axis *axis, double place);
/* The place of a value, between 0 and 1: the middle of those that give it. */
double sweep_axis_place(const tm_sweep_axis *axis, double value);

#endif
