/* The features whose relative product |x_j'r| / f_j, as last computed, reaches a threshold (> 0).
 */
#ifndef SOLVE_L1_STRATEGY_ABOVE_H
#define SOLVE_L1_STRATEGY_ABOVE_H

#include "solve/l1/core/state.h"

/* How many there are outside the active set. */
size_t l1_count_above(const l1_state *s, double threshold);
/* Those outside the active set with the greatest relative products, at most `most`, the greatest
 * first. False when memory ran out. */
bool l1_best_above(const l1_state *s, size_t most, double threshold, size_t *chosen, size_t *count);
/* Adds them to the active set, unless there are more than `most`: then it stays as it is. Returns
 * whether they were added. */
bool l1_activate_above(l1_state *s, double threshold, size_t most);

#endif
