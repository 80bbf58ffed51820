/* Writes the l1 strategies' entries of the screen log (screen_log.h). Without a log each call
 * returns at once. */
#ifndef SOLVE_L1_CORE_LOG_H
#define SOLVE_L1_CORE_LOG_H

#include "solve/common/screen_log.h"
#include "solve/l1/core/state.h"

/* What a step of the log is based on; `b` may be NULL. */
typedef struct l1_log_ground {
    const char *what; /* static text */
    const l1_gap *g;
    const ball *b;
    double delta;     /* the ball's radius is this fraction of the full one */
    const bool *gone; /* p: features that have been discarded for good, or NULL */
} l1_log_ground;

/* A copy, kept by the log, of share (v + shift s), which are n dual variables; NULL when the log is
 * full or when dual points also have entries for features because of a squared penalty. */
const double *l1_log_vector(const l1_state *s, solve_progress *progress, double share,
                            const double *v, double shift);
/* Passes the constraints of this problem, for steps that a strategy begins itself. */
void l1_log_terms(const l1_state *s, solve_progress *progress);
/* Begins a step, without records. */
void l1_log_begin(const l1_state *s, solve_progress *progress, const l1_log_ground *ground);
/* Tests the active set against the ball: to be called before l1_drop, which removes those below 1.
 * These are recorded as `gone`, the others as kept. */
void l1_log_test(const l1_state *s, solve_progress *progress, const l1_log_ground *ground,
                 tm_screen_action gone);
/* Tests the features outside the active set against the ball, or without one by |x_j'r| / (lambda
 * f_j). Those in chosen[0..count) are recorded as `action`, the others as `others`. To be called
 * before they are activated. */
void l1_log_join(const l1_state *s, solve_progress *progress, const l1_log_ground *ground,
                 const size_t *chosen, size_t count, tm_screen_action action,
                 tm_screen_action others);
/* Records the initial active set of a run: against `b` (radius 0: a point), or when it is NULL by
 * |x_j'r| / (lambda f_j). */
void l1_log_start(const l1_state *s, solve_progress *progress, const char *what, const ball *b);

#endif
