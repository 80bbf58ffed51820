/* Graphs over features whose columns have no row in common, with the squared loss: images and
 * signals (X = I), places measured several times or not at all. The loss is then a sum of squares
 * of single weights, and the level sets of the answer are minimum cuts (Hochbaum 2001, Chambolle
 * and Darbon 2009): whatever the level c is, the features above c in the answer are those that a
 * minimum cut at c puts on the side of the supplies. Cutting at the mean, and then each side by
 * itself, ends with the exact answer and with the flow that certifies it. */
#ifndef SOLVE_STRUCTURE_FLOW_SEPARABLE_H
#define SOLVE_STRUCTURE_FLOW_SEPARABLE_H

#include "model/penalty/graph_kernel.h"
#include "solve/common/progress.h"

/* Whether the problem is of this kind. An intercept fits when it changes nothing: all weights
 * without a penalty together can do the same. */
bool separable_fits(const tm_dataset *data, const samples *of, const graph_terms *terms);

typedef struct separable separable;

/* Requires separable_fits. What `terms` points to must outlive it. */
tm_status separable_new(separable **out, const tm_dataset *data, const samples *of,
                        const graph_terms *terms, tm_error *err);
void separable_free(separable *s);

/* Starts the next solve without the flows of the one before. */
void separable_reset(separable *s);
/* Exact unless the progress has stopped. */
void separable_solve(separable *s, double lambda, solve_progress *progress);

/* The answer: p weights, and a value for each term. */
const double *separable_weights(const separable *s);
const double *separable_dual(const separable *s);
#endif
