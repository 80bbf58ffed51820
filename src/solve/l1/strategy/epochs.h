/* Epochs over an active set, with a duality gap every few of them: the base of most strategies. */
#ifndef SOLVE_L1_STRATEGY_EPOCHS_H
#define SOLVE_L1_STRATEGY_EPOCHS_H

#include "solve/l1/strategy/strategy.h"

typedef struct l1_epochs {
    double target; /* the gap to stop at; -INFINITY: none */
    double steady; /* or the greatest change |d| |x_j| of a sweep to stop at; 0: none */
    bool screens;  /* tests the features against the gap's ball: the active set has to hold all that
                    * matter */
    /* What events say of the dual: a bound proven elsewhere, when the active set is a part of the
     * problem; none is sent while it is -INFINITY. NULL: the active set's own. */
    const double *whole_dual;
} l1_epochs;

void l1_minimise(l1_state *s, solve_progress *progress, const l1_epochs *epochs, l1_end *end);

/* `gap`, whatever the rule: epochs over the features that the gap's ball does not exclude. */
l1_solver l1_solve_gap;

/* Drops from the active set what the present rule's region certifies inactive. */
tm_status l1_screen_by_region(l1_state *s, solve_progress *progress, tm_error *err);

#endif
