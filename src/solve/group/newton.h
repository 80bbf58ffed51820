/* Block coordinate descent on the blocks that a group_state works on, inside proximal Newton. */
#ifndef SOLVE_GROUP_NEWTON_H
#define SOLVE_GROUP_NEWTON_H

#include "solve/group/state.h"

/* Up to `epochs` epochs over the blocks worked on, on the second-order model of the loss at the
 * iterate, then one step. z, b and a are kept. Returns the greatest change |d| |X_b| of a block. */
double group_sweep(group_state *s, long epochs, solve_progress *progress);

#endif
