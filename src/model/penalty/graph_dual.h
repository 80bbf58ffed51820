/* The dual side of a structured penalty: for given products q = X'a a vector v with D'v + s = q,
 * where v belongs to the terms and s to the penalties of single features. A candidate is completed,
 * and the greatest of |v_k| and |s_j| / own_j tells how far it must be scaled down. */
#ifndef MODEL_PENALTY_GRAPH_DUAL_H
#define MODEL_PENALTY_GRAPH_DUAL_H

#include "model/penalty/graph_kernel.h"

typedef struct graph_dual graph_dual;

/* NULL when memory ran out. The graph and `own` must outlive it. */
graph_dual *graph_dual_new(const graph_terms *terms, size_t p);
void graph_dual_free(graph_dual *d);

/* out += D'v. */
void graph_add_transposed(const tm_graph *graph, const double *v, double *out);
/* sum_k |d_k'w| + sum_j own_j |w_j|. */
double graph_penalty(const graph_terms *terms, const double *w);

/* Adds to v (one value for each term) what D'v lacks of q: for edges along a spanning forest; at
 * features with a penalty of their own the remainder goes into s (p values; NULL without such
 * penalties). Returns the greatest of |v_k| and |s_j| / own_j; *left is set to the greatest entry
 * of q - D'v - s, which is a rounding error when q is orthogonal to the unpenalised weights. */
double graph_dual_complete(graph_dual *d, const double *q, double *v, double *s, double *left);
/* sum_j |w_j| times what the last completion left at feature j. */
double graph_dual_lost(const graph_dual *d, const double *w);

#endif
