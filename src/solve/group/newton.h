/* Block coordinate descent on a group_state's working set, within proximal Newton. */
#ifndef SOLVE_GROUP_NEWTON_H
#define SOLVE_GROUP_NEWTON_H

#include "solve/group/state.h"

/* Up to `epochs` epochs over the working set on the second-order model of the loss at the iterate,
 * then one step. Keeps z, b and a up to date. Returns the greatest change |d| |X_b| of a block. */
double group_sweep(group_state *s, long epochs, solve_progress *progress);

#endif
