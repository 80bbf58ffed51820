/* What a sweep shares with others of its store. */
#ifndef RUN_SWEEP_EXTEND_H
#define RUN_SWEEP_EXTEND_H

#include "run/sweep/work.h"

/* Looks for cells of the sweep that others have solved, and describes the differences in
 * record.extends. Called before the threads start. */
tm_status sweep_extend(tm_sweep *sweep, tm_error *err);

#endif
