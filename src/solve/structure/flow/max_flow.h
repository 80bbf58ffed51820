/* Maximum flows in undirected graphs with supplies and demands at the nodes (push-relabel, first
 * in first out). An existing flow is augmented, so that a sequence of similar problems costs
 * little. */
#ifndef SOLVE_STRUCTURE_FLOW_MAX_FLOW_H
#define SOLVE_STRUCTURE_FLOW_MAX_FLOW_H

#include "solve/common/progress.h"

typedef struct max_flow max_flow;

/* Edge e joins nodes ends[2 e] and ends[2 e + 1]; copied. NULL when memory ran out. */
max_flow *max_flow_new(size_t nodes, size_t edges, const uint32_t *ends);
void max_flow_free(max_flow *f);

/* Long searches account for their work and end early when the progress has stopped: what remains of
 * the supplies is then not all that must remain. */
void max_flow_watch(max_flow *f, solve_progress *progress);

/* Some of the nodes. Edges that leave them must have capacity 0. */
typedef struct flow_members {
    const uint32_t *nodes;
    size_t count;
} flow_members;

/* Routes as much of the supplies (rest_j > 0) to demands (rest_j < 0) as the capacities permit:
 * |flow_e| <= capacity_e before and after, positive from the first end to the second. `rest`
 * receives what remains of both; amounts up to `small` count as zero. `source` (nodes) marks the
 * nodes that the remaining supplies can reach: the edges that leave them are saturated. Returns the
 * sum of the remaining supplies. With `members` (or NULL: all) other nodes are not visited. */
double max_flow_route(max_flow *f, const flow_members *members, const double *capacity,
                      double *flow, double *rest, double small, unsigned char *source);
/* The work of all calls so far: nodes and arcs looked at. */
uint64_t max_flow_steps(const max_flow *f);

#endif
