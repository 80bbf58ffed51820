/* Epochs over an active set, with the duality gap computed every few epochs: the basis of most
 * strategies. */
#ifndef SOLVE_L1_STRATEGY_EPOCHS_H
#define SOLVE_L1_STRATEGY_EPOCHS_H

#include "solve/l1/strategy/strategy.h"

typedef struct l1_epochs {
    double target; /* stop at this gap; -INFINITY: never */
    double steady; /* stop when the greatest change |d| |x_j| of a sweep is at most this; 0:
                    * never */
    bool screens;  /* tests the features against the gap's ball: the active set has to contain all
                    * that can have a weight */
    /* The dual value reported in events: a bound proven elsewhere, when the active set is part of a
     * larger problem; none is sent while it is -INFINITY. NULL: the active set's own dual value. */
    const double *whole_dual;
} l1_epochs;

void l1_minimise(l1_state *s, solve_progress *progress, const l1_epochs *epochs, l1_end *end);

/* `gap`, for any rule: epochs over the features that the gap's ball does not exclude. */
l1_solver l1_solve_gap;

/* Removes from the active set the features that the present rule's region certifies inactive. */
tm_status l1_screen_by_region(l1_state *s, solve_progress *progress, tm_error *err);

#endif
