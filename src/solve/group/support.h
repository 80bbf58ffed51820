/* The second-order model of the group lasso on the members of nonzero groups, where it is smooth.
 */
#ifndef SOLVE_GROUP_SUPPORT_H
#define SOLVE_GROUP_SUPPORT_H

#include "solve/group/state.h"

/* Minimises the model at u over the nonzero members of the working set by Newton's method; a group
 * that a step leads past zero is set to zero. Writes the values of the working set, block by block.
 * False, without values, when there are none or too many, or when the run must stop. */
bool group_support_minimise(group_state *s, double *values, solve_progress *progress);

#endif
