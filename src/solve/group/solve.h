/* The solvers of the group lasso. */
#ifndef SOLVE_GROUP_SOLVE_H
#define SOLVE_GROUP_SOLVE_H

#include "solve/group/state.h"

typedef struct group_end {
    bool converged, stalled;
} group_end;

/* Accelerated proximal gradient over all blocks (FISTA, Beck and Teboulle 2009), with backtracking
 * and a restart when the momentum would increase the objective (O'Donoghue and Candes 2015). */
tm_status group_solve_fista(group_state *s, solve_progress *progress, double target, group_end *end,
                            tm_error *err);
/* Block coordinate descent over all blocks. */
tm_status group_solve_bcd(group_state *s, solve_progress *progress, double target, group_end *end,
                          tm_error *err);
/* Block coordinate descent on a working set: the blocks of the last answer and those the strong
 * rule selects, then those that violate their constraint and that the Gap Safe ball does not prove
 * zero. Only the certificate's products check the other blocks, so that it is called again until
 * the certificate is met. */
tm_status group_solve_active(group_state *s, solve_progress *progress, double target,
                             group_end *end, tm_error *err);

#endif
