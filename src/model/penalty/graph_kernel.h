/* The unpenalised part of a structured problem: the weights w with D w = 0, and with them the
 * intercept. For a graph they are constant on each component; for trend filtering of order k they
 * are polynomials of that degree. A feature with a penalty of its own is joined to 0.
 *
 * Given the other weights this part is fitted up to rounding, so that the dual variables are
 * orthogonal to its columns and D'u = X'a can be solved (docs/structure.md). */
#ifndef MODEL_PENALTY_GRAPH_KERNEL_H
#define MODEL_PENALTY_GRAPH_KERNEL_H

#include "model/penalty/dual_residual.h"

#include "tamis/cancel.h"
#include "tamis/graph.h"

typedef struct graph_kernel graph_kernel;

/* The penalty of the problem: |D w|_1 + sum_j own_j |w_j|. */
typedef struct graph_terms {
    const tm_graph *graph;
    const double *own; /* p nonnegative values: the penalty of each single feature; NULL: none */
    bool intercept;
} graph_terms;

/* TM_EUSAGE when there are too many such weights, TM_EDATA when their columns separate the classes.
 * The data, the graph and `own` must outlive it. */
tm_status graph_kernel_new(graph_kernel **out, const tm_dataset *data, const samples *of,
                           const graph_terms *terms, const tm_cancel *cancel, tm_error *err);
void graph_kernel_free(graph_kernel *k);
/* The dimension of the weights without a penalty. */
size_t graph_kernel_count(const graph_kernel *k);

/* Changes the predictions z to the best that this part can achieve given the other weights, and
 * computes the dual variables there into a. */
void graph_kernel_fit(graph_kernel *k, double *z, double *a);
/* What a, in the domain of the conjugate, lacks in orthogonality to this part, at the predictions
 * of the last fit. */
dual_residual graph_kernel_residual(graph_kernel *k, const double *z, const double *a);
/* The null model: p weights w, *b, predictions z and dual variables a, which are exactly zero when
 * squares are fitted perfectly. Returns its loss. */
double graph_kernel_null(graph_kernel *k, double *w, double *b, double *z, double *a);

#endif
