/* Graphs over features: the terms d_k'w of the penalty |D w|_1 of structured methods.
 *
 * Most often a term is an edge of a graph, weight (w_a - w_b); trend filtering and matrices from
 * files have terms of more features. Immutable and reference counted; threads share them without
 * locks.
 *
 * As a parameter (see tm_graph_parse) it is text:
 *     auto                  the graph that is part of the data, else chain
 *     chain                 each feature is joined to the next
 *     grid:64x48            pixels of an image, row by row; grid:16x16x16 voxels, the last index
 *                           fastest
 *     trend:2               differences of order 3: w is close to piecewise quadratic; trend:0 is
 *                           the chain
 *     data                  the graph that is part of the data
 *     [1 2; 2 3 0.5; a b]   edges, with ";" between them
 *     genes.edges           a file, one edge a line, or a square Matrix Market file of weights
 *     parents:genes.tree    a file, one line a feature: its parent, or 0
 *     rows:d.mtx            the matrix D itself
 * An edge consists of two features separated by blanks or commas, numbers from 1 or names (in
 * double quotes if they look like numbers), and a positive weight, 1 by default. "#" starts a
 * comment. An edge from a feature to itself is ignored; the weights of parallel edges are added. */
#ifndef TAMIS_GRAPH_H
#define TAMIS_GRAPH_H

#include "tamis/dataset.h"

typedef struct tm_graph tm_graph;

/* Edge k joins features edges[2 k] and edges[2 k + 1], from 0, with a positive weight; weights
 * NULL: 1. The arrays are copied. TM_EDATA for a feature out of range or a weight that is not
 * positive and finite. */
tm_status tm_graph_new(tm_graph **out, size_t p, size_t count, const uint32_t *edges,
                       const double *weights, tm_error *err);
enum { TM_GRAPH_MAX_ORDER = 10 };
/* Differences of order k + 1 of consecutive features: p - k - 1 terms, or none; k = 0 is the
 * chain. */
tm_status tm_graph_trend(tm_graph **out, size_t p, size_t k, tm_error *err);
/* A grid of sizes[0] x ... x sizes[rank - 1] features, rank 1 to 3, the last index fastest. */
tm_status tm_graph_grid(tm_graph **out, const size_t *sizes, size_t rank, tm_error *err);
/* Term k is a row of d, which has p columns. Rows without entries are skipped. */
tm_status tm_graph_rows(tm_graph **out, const tm_matrix *d, tm_error *err);
/* Parses the parameter's text, see above. `data` gives the number of features, their names and the
 * graph. TM_EUSAGE, or TM_EDATA with file, line and column. */
tm_status tm_graph_parse(tm_graph **out, const char *text, const tm_dataset *data, tm_error *err);
/* A file of edges or a Matrix Market file, plain or compressed; "-" is standard input. */
tm_status tm_graph_read(tm_graph **out, const char *path, const tm_dataset *data, tm_error *err);

tm_graph *tm_graph_ref(const tm_graph *graph);
void tm_graph_unref(tm_graph *graph);

size_t tm_graph_features(const tm_graph *graph); /* p */
size_t tm_graph_terms(const tm_graph *graph);
/* The *count features of term k, ascending unless it is an edge, and their coefficients; pointers
 * into the graph. */
const uint32_t *tm_graph_term(const tm_graph *graph, size_t k, const double **values,
                              size_t *count);
/* Whether every term is an edge, weight (w_a - w_b). */
bool tm_graph_is_edges(const tm_graph *graph);
/* Whether the edges contain no cycle. */
bool tm_graph_is_forest(const tm_graph *graph);
/* The order k of trend filtering; 0 for every other graph. */
size_t tm_graph_order(const tm_graph *graph);
/* The dimensions of a grid, 3 values, 1 for missing ones; 0, 0, 0 when it is not a grid. */
const size_t *tm_graph_sizes(const tm_graph *graph);

#endif
