/* What a sweep has in common with others of its store. */
#ifndef RUN_SWEEP_EXTEND_H
#define RUN_SWEEP_EXTEND_H

#include "run/sweep/work.h"

/* Looks for cells of the sweep that others have solved, and says in record.extends what differs.
 * Before the threads start. */
tm_status sweep_extend(tm_sweep *sweep, tm_error *err);

#endif
