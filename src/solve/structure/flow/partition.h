/* A graph of features as a graph of nodes: the features and, when some have a penalty of their own,
 * an additional node of weight 0. Its partition into connected components, and the small problem's
 * edges between them. */
#ifndef SOLVE_STRUCTURE_FLOW_PARTITION_H
#define SOLVE_STRUCTURE_FLOW_PARTITION_H

#include "model/penalty/graph_kernel.h"

#define PARTITION_ZERO UINT32_MAX

typedef struct partition {
    size_t p, nodes, edges, terms; /* the first `terms` edges are the graph's, in order */
    uint32_t *ends;                /* two for each edge */
    double *weights;               /* one for each edge */
    size_t *starts, *at;           /* the edges at each node */
    uint32_t *component; /* for each node; PARTITION_ZERO: joined to the node of weight 0 */
    size_t count;        /* number of components, without that one */
    size_t *sizes;       /* of each component */
    /* Adjacent pairs of components, the sum of weights between them, and for each edge its pair or
     * SIZE_MAX. */
    size_t pairs;
    uint32_t *pair_ends; /* the second is PARTITION_ZERO for the component of weight 0 */
    double *pair_weights;
    size_t *pair_of;
    uint32_t *queue; /* nodes */
    void *sort;      /* scratch for sorting edges by their pairs, and for nodes */
} partition;

tm_status partition_new(partition *a, const graph_terms *terms, tm_error *err);
void partition_clear(partition *a);

/* Whether an edge lies within a component. */
typedef bool partition_joins(const partition *a, size_t edge, void *payload);
/* Sets the partition to the connected components of the edges for which `joins` is true. */
void partition_find(partition *a, partition_joins *joins, void *payload);
/* Sets the partition to the given components. */
void partition_set(partition *a, const uint32_t *component);
/* Finds the pairs. */
void partition_find_pairs(partition *a);

#endif
