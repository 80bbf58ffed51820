/* Random graphs over features, for structured synthetic data. */
#ifndef DATA_SYNTH_RANDOM_GRAPH_H
#define DATA_SYNTH_RANDOM_GRAPH_H

#include "tamis/error.h"
#include "tamis/rng.h"

typedef struct random_graph {
    size_t nodes, edge_count;
    uint32_t *edges; /* 2 * edge_count: pairs (a, b) with a < b, ascending */
    uint64_t
        *starts; /* nodes + 1: the neighbours of node i are at starts[i] .. starts[i + 1] - 1 */
    uint32_t *neighbours;
} random_graph;

/* Fewer than nodes - 1 edges give a forest of nodes - edges trees. Otherwise a tree with
 * additional edges, so that the graph is connected. Edges are distinct; TM_EUSAGE for more than
 * are possible. */
tm_status random_graph_make(random_graph *out, size_t nodes, size_t edges, tm_rng *rng,
                            tm_error *err);
void random_graph_clear(random_graph *graph);

/* Up to `most` nodes by increasing distance from `from`, that node first, without passing through
 * nodes whose `blocked` is set; sets it for those found. Returns how many. */
size_t random_graph_ball(const random_graph *graph, size_t from, size_t most,
                         unsigned char *blocked, uint32_t *ball);

#endif
