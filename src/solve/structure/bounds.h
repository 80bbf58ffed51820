/* Bounds on the dual of a structured penalty, which show that terms are zero at the optimum: SAIF
 * (Ren 2017) sections 3.3.3 and 3.3.4, with the corrections that docs/structure.md lists.
 *
 * The optimal dual variables lie in a ball, so that every product q_j and every sum of products
 * lies in an interval. A term whose |v_k| stays below lambda for all v with D'v + s in those
 * intervals is zero. */
#ifndef SOLVE_STRUCTURE_BOUNDS_H
#define SOLVE_STRUCTURE_BOUNDS_H

#include "model/penalty/graph_kernel.h"

/* The ball around `scale` times the dual variables with products q, in the samples' metric. */
typedef struct dual_ball {
    const double *q; /* p */
    double scale, radius;
} dual_ball;

typedef struct bounds_of {
    const tm_dataset *data;
    const samples *of;
    graph_terms terms; /* edges */
    double lambda;
    bool transform; /* also uses sums over the subtrees attached to the graph by a single edge */
    size_t max_rounds;
} bounds_of;

/* low and high (a value for each term, then one for each feature if features have penalties of
 * their own) receive bounds on v, then on s. *columns is increased by the number of columns
 * read. */
tm_status bounds_find(const bounds_of *b, const dual_ball *ball, double *low, double *high,
                      uint64_t *columns, tm_error *err);

/* One inequality: low <= sum_i values[i] x[at[i]] <= high. Narrows the intervals of its variables;
 * true when one was narrowed by more than rounding. Unlike in the thesis, the ends are exchanged
 * when a coefficient is negative. */
typedef struct bounds_row {
    size_t count;
    const size_t *at;
    const double *values;
    double low, high;
} bounds_row;
bool bounds_propagate(const bounds_row *row, double *low, double *high);

#endif
