/* Total variation along a line, solved exactly in time proportional to its length (Johnson 2013):
 * the squared loss with X = I, where the features are the samples themselves and edges join
 * neighbours. */
#ifndef SOLVE_STRUCTURE_FLOW_CHAIN_H
#define SOLVE_STRUCTURE_FLOW_CHAIN_H

#include "model/penalty/graph_kernel.h"

/* Whether the problem is of this kind: the identity matrix, no sample weights, edges between
 * consecutive features, and no penalties of single features. */
bool chain_fits(const tm_dataset *data, const samples *of, const graph_terms *terms);

/* min over w of sum_i (y_i - w_i)^2 / 2 + sum_k bound_k |w_k - w_(k+1)|, with n values y and w and
 * n - 1 nonnegative bounds. False when memory ran out. */
bool chain_solve(size_t n, const double *y, const double *bound, double *w);

#endif
