/* Cost counters, clock, limits and monitor of a running solve. */
#ifndef SOLVE_COMMON_PROGRESS_H
#define SOLVE_COMMON_PROGRESS_H

#include "base/threads/team.h"
#include "tamis/solve.h"

typedef struct solve_progress {
    tm_monitor monitor;
    uint64_t columns, updates; /* cumulative over the workspace's lifetime */
    double began;              /* clock at the start of the run */
    double slept_before;       /* the token's total pause when the run began */
    double deadline;           /* progress_time at which max_seconds is reached; INFINITY: no
                                * limit */
    thread_team *team;         /* for passes over the data */
    uint32_t point;
    double lambda, C; /* of the point being solved; NaN when the method has none */
    double inner_gap; /* inner gap of the following events; NaN except in two-level methods */
    uint64_t rejected, aggregated; /* of the following events; TM_NO_COUNT: not known of */
    uint64_t unpolled;             /* multiply-adds since the last poll */
    bool stopped;                  /* cancelled, or past the deadline */
    bool cancelled;
} solve_progress;

void progress_begin(solve_progress *p, const tm_monitor *monitor);

/* Run time in seconds, without pauses. */
double progress_seconds(const solve_progress *p);

/* The run time that limits are compared with: the same in processes that work in lockstep. */
double progress_time(const solve_progress *p);

/* Accounts for `work` multiply-adds; polls the token and the deadline about once a millisecond of
 * work. True when the solver must stop. */
bool progress_work(solve_progress *p, uint64_t work);

/* Reports a step; fills in seconds, lambda, point and counters. */
void progress_emit(solve_progress *p, tm_event_kind kind, double primal, double dual, double gap,
                   size_t active, size_t features);

/* Reports that a feature was added, and its score. */
void progress_emit_feature(const solve_progress *p, uint64_t feature, double score, double upper,
                           double lower, size_t active, size_t features);

#endif
