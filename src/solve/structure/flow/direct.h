/* Structured problems that have an exact solver: total variation along a line, and graphs whose
 * columns have no row in common. */
#ifndef SOLVE_STRUCTURE_FLOW_DIRECT_H
#define SOLVE_STRUCTURE_FLOW_DIRECT_H

#include "solve/common/progress.h"
#include "solve/structure/flow/separable.h"

typedef struct direct_solver direct_solver;

/* *out is NULL when the problem is of neither kind. What `of` and `terms` point to must outlive
 * it. */
tm_status direct_new(direct_solver **out, const tm_dataset *data, const samples *of,
                     const graph_terms *terms, tm_error *err);
void direct_free(direct_solver *d);

/* With `warm` the flows of the last answer are where the next begins. The answer is exact unless
 * the progress has stopped. */
tm_status direct_solve(direct_solver *d, double lambda, bool warm, solve_progress *progress,
                       tm_error *err);
/* p weights. */
const double *direct_weights(const direct_solver *d);
/* A value for each term; NULL: the terms are a line, whose values are unique. */
const double *direct_dual(const direct_solver *d);

#endif
