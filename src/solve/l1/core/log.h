/* The l1 strategies' entries in the screen log (screen_log.h). Each call returns at once without
 * one. */
#ifndef SOLVE_L1_CORE_LOG_H
#define SOLVE_L1_CORE_LOG_H

#include "solve/common/screen_log.h"
#include "solve/l1/core/state.h"

/* What a step is made from; `b` may be NULL. */
typedef struct l1_log_ground {
    const char *what; /* static text */
    const l1_gap *g;
    const ball *b;
    double delta;     /* the ball's radius is this share of the full one */
    const bool *gone; /* p: features that have nothing to do with it any more, or NULL */
} l1_log_ground;

/* share (v + shift s), of n dual variables, as the log keeps it; NULL: it has no room, or
 * a squared penalty gives dual points entries of features too. */
const double *l1_log_vector(const l1_state *s, solve_progress *progress, double share,
                            const double *v, double shift);
/* The constraints of this problem, for steps that a strategy begins itself. */
void l1_log_terms(const l1_state *s, solve_progress *progress);
/* Begins a step, without records. */
void l1_log_begin(const l1_state *s, solve_progress *progress, const l1_log_ground *ground);
/* The ball against the active set: call it before l1_drop, which removes those below 1. They are
 * recorded as `gone`, the others as kept. */
void l1_log_test(const l1_state *s, solve_progress *progress, const l1_log_ground *ground,
                 tm_screen_action gone);
/* The features that are not active against the ball, or without one by |x_j'r| / (lambda f_j). The
 * chosen[0..count) are recorded as `action`, the others as `others`. Call it before they are
 * activated. */
void l1_log_join(const l1_state *s, solve_progress *progress, const l1_log_ground *ground,
                 const size_t *chosen, size_t count, tm_screen_action action,
                 tm_screen_action others);
/* The active set as a run begins with it: against `b` (radius 0: a point), or NULL: |x_j'r| /
 * (lambda f_j). */
void l1_log_start(const l1_state *s, solve_progress *progress, const char *what, const ball *b);

#endif
