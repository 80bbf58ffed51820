/* A graph of features as a graph of nodes: the features, and when some have a penalty of their own
 * one more node of weight 0. Its partition into connected components, and the small problem's edges
 * between them. */
#ifndef SOLVE_STRUCTURE_PARTITION_H
#define SOLVE_STRUCTURE_PARTITION_H

#include "model/penalty/graph_kernel.h"

#define PARTITION_ZERO UINT32_MAX

typedef struct partition {
    size_t p, nodes, edges, terms; /* the first `terms` edges are the graph's, in order */
    uint32_t *ends;                /* 2 an edge */
    double *weights;               /* one an edge */
    size_t *starts, *at;           /* the edges at each node */
    uint32_t *component; /* of each node; PARTITION_ZERO: joined to the node of weight 0 */
    size_t count;        /* components, without that */
    size_t *sizes;       /* of each component */
    /* Between components: their pairs, the sum of weights, and of each edge its pair or SIZE_MAX.
     */
    size_t pairs;
    uint32_t *pair_ends; /* PARTITION_ZERO for the component of weight 0, as the second */
    double *pair_weights;
    size_t *pair_of;
    uint32_t *queue; /* nodes */
    void *sort;      /* room for edges in the order of their pairs, and for nodes */
} partition;

tm_status partition_new(partition *a, const graph_terms *terms, tm_error *err);
void partition_clear(partition *a);

/* Whether an edge stays within a component. */
typedef bool partition_joins(const partition *a, size_t edge, void *payload);
/* The components that edges make which join. */
void partition_find(partition *a, partition_joins *joins, void *payload);
/* The components as they were. */
void partition_set(partition *a, const uint32_t *component);
/* Finds the pairs. */
void partition_find_pairs(partition *a);

#endif
