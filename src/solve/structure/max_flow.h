/* Maximum flows in undirected graphs with supplies and demands at the nodes (Dinic's algorithm). An
 * existing flow is augmented, so that a sequence of similar problems costs little. */
#ifndef SOLVE_STRUCTURE_MAX_FLOW_H
#define SOLVE_STRUCTURE_MAX_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct max_flow max_flow;

/* Edge e joins nodes ends[2 e] and ends[2 e + 1]; copied. NULL when memory ran out. */
max_flow *max_flow_new(size_t nodes, size_t edges, const uint32_t *ends);
void max_flow_free(max_flow *f);

/* Routes as much of the supplies (rest_j > 0) to demands (rest_j < 0) as the capacities permit:
 * |flow_e| <= capacity_e before and after, positive from the first end to the second. `rest`
 * receives what remains of both; amounts up to `small` count as zero. `source` (nodes) marks the
 * nodes that the remaining supplies can reach: the edges that leave them are saturated. Returns the
 * sum of the remaining supplies. */
double max_flow_route(max_flow *f, const double *capacity, double *flow, double *rest, double small,
                      unsigned char *source);
/* The work of all calls so far: nodes and arcs looked at. */
uint64_t max_flow_steps(const max_flow *f);

#endif
