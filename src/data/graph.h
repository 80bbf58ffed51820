/* The internals of tm_graph, for the reader. */
#ifndef DATA_GRAPH_H
#define DATA_GRAPH_H

#include "tamis/graph.h"
#include "tamis/params.h"

#include <stdatomic.h>

struct tm_graph {
    atomic_size_t references;
    size_t p, terms;
    size_t *starts;     /* terms + 1 */
    uint32_t *features; /* of term k at starts[k] .. starts[k+1]-1 */
    double *values;
    bool edges, forest;
    size_t order; /* for trend filtering */
    size_t sizes[3];
};

/* An edge during construction. */
typedef struct graph_edge {
    uint32_t a, b;
    double weight;
} graph_edge;

/* Makes a graph of edges in any order; they are sorted and merged in place. */
tm_status graph_from_edges(tm_graph **out, size_t p, graph_edge *edges, size_t count,
                           tm_error *err);

/* The number of connected sets of features with the same weight, other than 0, in a graph of edges;
 * `roots`: room for p. */
size_t graph_levels(const tm_graph *graph, const double *weights, uint32_t *roots);

/* The words of the parameter's text, other than files and edges. */
extern const tm_choice graph_words[];

#endif
