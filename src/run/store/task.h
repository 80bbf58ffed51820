/* Declarations shared by the files that store sweeps. */
#ifndef RUN_STORE_TASK_H
#define RUN_STORE_TASK_H

#include "run/plan/plan.h"

/* One task of a sweep that is in the store. */
typedef struct store_task {
    int64_t sweep;
    size_t task;
    const sweep_plan *plan;
} store_task;

#endif
