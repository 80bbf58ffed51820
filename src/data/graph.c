#include "data/graph.h"

#include "base/memory.h"
#include "base/references.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tm_graph *graph_allocate(size_t p, size_t terms, size_t entries)
{
    tm_graph *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->references = 1;
    g->p = p;
    g->terms = terms;
    g->starts = mem_zeros(terms + 1, sizeof *g->starts);
    g->features = mem_array(entries, sizeof *g->features);
    g->values = mem_array(entries, sizeof *g->values);
    if (g->starts && g->features && g->values)
        return g;
    tm_graph_unref(g);
    return NULL;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static int compare_edges(const void *a, const void *b)
{
    const graph_edge *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static bool in_order(const graph_edge *edges, size_t count)
{
    for (size_t k = 1; k < count; k++)
        if (compare_edges(&edges[k - 1], &edges[k]) > 0)
            return false;
    return true;
}

/* Sorts the edges, removes self-loops and merges parallel edges; returns how many are left. */
static size_t merge_edges(graph_edge *edges, size_t count)
{
    size_t kept = 0, merged = 0;
    for (size_t k = 0; k < count; k++) {
        graph_edge e = edges[k];
        if (e.a == e.b)
            continue;
        edges[kept++] = e.a < e.b ? e : (graph_edge){e.b, e.a, e.weight};
    }
    if (!in_order(edges, kept))
        qsort(edges, kept, sizeof *edges, compare_edges);
    for (size_t k = 0; k < kept; k++)
        if (merged > 0 && compare_edges(&edges[merged - 1], &edges[k]) == 0)
            edges[merged - 1].weight += edges[k].weight;
        else
            edges[merged++] = edges[k];
    return merged;
}

static uint32_t find_root(uint32_t *parent, uint32_t at)
{
    while (parent[at] != at) {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    return at;
}

/* Whether there is no cycle, in *found. False when memory ran out. */
static bool find_forest(bool *found, size_t p, const graph_edge *edges, size_t count)
{
    uint32_t *parent = mem_array(p, sizeof *parent);
    if (!parent)
        return false;
    for (size_t j = 0; j < p; j++)
        parent[j] = (uint32_t)j;
    *found = count < p;
    for (size_t k = 0; *found && k < count; k++) {
        uint32_t a = find_root(parent, edges[k].a), b = find_root(parent, edges[k].b);
        *found = a != b;
        parent[a] = b;
    }
    free(parent);
    return true;
}

/* The weights of parallel edges may add up to more than a double holds. */
static tm_status check_sums(const graph_edge *edges, size_t count, tm_error *err)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(edges[k].weight))
            return tm_fail(err, TM_EDATA,
                           "the weights of the edges between features %zu and %zu add up to "
                           "infinity",
                           (size_t)edges[k].a + 1, (size_t)edges[k].b + 1);
    return TM_OK;
}

tm_status graph_from_edges(tm_graph **out, size_t p, graph_edge *edges, size_t count, tm_error *err)
{
    bool forest = true;
    *out = NULL;
    count = merge_edges(edges, count);
    tm_status status = check_sums(edges, count, err);
    if (status != TM_OK)
        return status;
    tm_graph *g = graph_allocate(p, count, 2 * count);
    if (!g || !find_forest(&forest, p, edges, count)) {
        tm_graph_unref(g);
        return tm_fail_memory(err, "the graph");
    }
    for (size_t k = 0; k < count; k++) {
        g->starts[k + 1] = 2 * (k + 1);
        g->features[2 * k] = edges[k].a;
        g->features[2 * k + 1] = edges[k].b;
        g->values[2 * k] = edges[k].weight;
        g->values[2 * k + 1] = -edges[k].weight;
    }
    g->edges = true;
    g->forest = forest;
    *out = g;
    return TM_OK;
}

tm_status tm_graph_new(tm_graph **out, size_t p, size_t count, const uint32_t *edges,
                       const double *weights, tm_error *err)
{
    *out = NULL;
    graph_edge *list = mem_array(count, sizeof *list);
    if (!list)
        return tm_fail_memory(err, "the graph");
    tm_status status = TM_OK;
    for (size_t k = 0; status == TM_OK && k < count; k++) {
        list[k] = (graph_edge){edges[2 * k], edges[2 * k + 1], weights ? weights[k] : 1};
        if (list[k].a >= p || list[k].b >= p)
            status = tm_fail(err, TM_EDATA, "edge %zu joins features %zu and %zu; there are %zu",
                             k + 1, (size_t)list[k].a + 1, (size_t)list[k].b + 1, p);
        else if (!(list[k].weight > 0) || !isfinite(list[k].weight))
            status = tm_fail(err, TM_EDATA, "edge %zu has weight %g; expected a number above 0",
                             k + 1, list[k].weight);
    }
    if (status == TM_OK)
        status = graph_from_edges(out, p, list, count, err);
    free(list);
    return status;
}

/* Adds the edges of a grid along one direction, from each feature to the one `step` after it. */
static size_t add_direction(graph_edge *edges, size_t count, const size_t *sizes, size_t d)
{
    size_t step = 1, p = sizes[0] * sizes[1] * sizes[2];
    for (size_t k = d + 1; k < 3; k++)
        step *= sizes[k];
    for (size_t j = 0; j + step < p; j++)
        if (j / step % sizes[d] + 1 < sizes[d])
            edges[count++] = (graph_edge){(uint32_t)j, (uint32_t)(j + step), 1};
    return count;
}

tm_status tm_graph_grid(tm_graph **out, const size_t *sizes, size_t rank, tm_error *err)
{
    size_t all[3] = {1, 1, 1}, p = 1, count = 0;
    bool fits = rank >= 1 && rank <= 3;
    *out = NULL;
    for (size_t d = 0; fits && d < rank; d++) {
        all[d] = sizes[d];
        fits = sizes[d] > 0 && !__builtin_mul_overflow(p, sizes[d], &p) && p <= UINT32_MAX;
    }
    if (!fits)
        return tm_fail(err, TM_EUSAGE,
                       "a grid has one to three sizes above 0 and at most 2^32 - 1 features");
    graph_edge *edges = mem_array(3 * p, sizeof *edges);
    if (!edges)
        return tm_fail_memory(err, "the graph");
    for (size_t d = 0; d < 3; d++)
        count = add_direction(edges, count, all, d);
    tm_status status = graph_from_edges(out, p, edges, count, err);
    free(edges);
    if (status == TM_OK && rank > 1)
        memcpy((*out)->sizes, all, sizeof all);
    return status;
}

/* ---- other terms ----------------------------------------------------------------------------- */

tm_status tm_graph_trend(tm_graph **out, size_t p, size_t k, tm_error *err)
{
    *out = NULL;
    if (k == 0)
        return tm_graph_grid(out, &p, 1, err);
    if (k > TM_GRAPH_MAX_ORDER)
        return tm_fail(err, TM_EUSAGE, "trend filtering has an order from 0 to %d, not %zu",
                       TM_GRAPH_MAX_ORDER, k);
    size_t width = k + 2, terms = p >= width ? p - k - 1 : 0, entries;
    if (__builtin_mul_overflow(terms, width, &entries) || p > UINT32_MAX)
        return tm_fail_memory(err, "the differences");
    tm_graph *g = graph_allocate(p, terms, entries);
    if (!g)
        return tm_fail_memory(err, "the differences");
    for (size_t t = 0; t < terms; t++) {
        double value = 1;
        g->starts[t + 1] = (t + 1) * width;
        for (size_t i = 0; i < width; i++) {
            g->features[t * width + i] = (uint32_t)(t + i);
            g->values[t * width + i] = value;
            value *= -(double)(width - 1 - i) / (double)(i + 1);
        }
    }
    g->order = k;
    *out = g;
    return TM_OK;
}

/* Whether all terms are edges: two coefficients with sum 0. */
static bool terms_are_edges(const tm_graph *g)
{
    for (size_t k = 0; k < g->terms; k++) {
        size_t from = g->starts[k];
        if (g->starts[k + 1] != from + 2 || g->values[from] + g->values[from + 1] != 0)
            return false;
    }
    return true;
}

/* Rows that are all edges are converted to an ordinary graph. */
static tm_status rows_to_edges(tm_graph **graph, tm_error *err)
{
    tm_graph *g = *graph;
    graph_edge *edges = mem_array(g->terms, sizeof *edges);
    if (!edges)
        return tm_fail_memory(err, "the matrix D");
    for (size_t k = 0; k < g->terms; k++)
        edges[k] = (graph_edge){g->features[2 * k], g->features[2 * k + 1], fabs(g->values[2 * k])};
    tm_graph *made;
    tm_status status = graph_from_edges(&made, g->p, edges, g->terms, err);
    free(edges);
    if (status != TM_OK)
        return status;
    tm_graph_unref(g);
    *graph = made;
    return TM_OK;
}

/* Moves the entries of d to their rows; afterwards starts[k + 1] is the end of row k. */
static void fill_rows(tm_graph *g, const tm_matrix *d, double *scratch)
{
    for (size_t j = 0; j < g->p; j++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(d, j, scratch, &rows, &values);
        for (size_t i = 0; i < count; i++) {
            if (values[i] == 0)
                continue;
            size_t to = g->starts[(rows ? rows[i] : i) + 1]++;
            g->features[to] = (uint32_t)j;
            g->values[to] = values[i];
        }
    }
}

static void count_rows(tm_graph *g, const tm_matrix *d, double *scratch)
{
    for (size_t j = 0; j < g->p; j++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(d, j, scratch, &rows, &values);
        for (size_t i = 0; i < count; i++)
            g->starts[(rows ? rows[i] : i) + 1] += values[i] != 0;
    }
    size_t before = 0;
    for (size_t k = 1; k <= g->terms; k++) {
        size_t count = g->starts[k];
        g->starts[k] = before;
        before += count;
    }
}

static void leave_out_empty(tm_graph *g)
{
    size_t kept = 0;
    for (size_t k = 0; k < g->terms; k++)
        if (g->starts[k + 1] > g->starts[k])
            g->starts[++kept] = g->starts[k + 1];
    g->terms = kept;
}

tm_status tm_graph_rows(tm_graph **out, const tm_matrix *d, tm_error *err)
{
    size_t m = tm_matrix_rows(d), p = tm_matrix_cols(d);
    double *scratch = mem_array(m, sizeof *scratch);
    tm_graph *g = graph_allocate(p, m, tm_matrix_nnz(d));
    *out = NULL;
    if (!scratch || !g || p > UINT32_MAX) {
        free(scratch);
        tm_graph_unref(g);
        return tm_fail_memory(err, "the matrix D");
    }
    count_rows(g, d, scratch);
    fill_rows(g, d, scratch);
    free(scratch);
    leave_out_empty(g);
    tm_status status = terms_are_edges(g) ? rows_to_edges(&g, err) : TM_OK;
    if (status == TM_OK)
        *out = g;
    else
        tm_graph_unref(g);
    return status;
}

/* ---- properties ------------------------------------------------------------------------------ */

tm_graph *tm_graph_ref(const tm_graph *graph)
{
    return graph ? reference_take(graph, &graph->references) : NULL;
}

void tm_graph_unref(tm_graph *graph)
{
    if (!graph || !reference_drop(&graph->references))
        return;
    free(graph->starts);
    free(graph->features);
    free(graph->values);
    free(graph);
}

size_t tm_graph_features(const tm_graph *graph)
{
    return graph->p;
}

size_t tm_graph_terms(const tm_graph *graph)
{
    return graph->terms;
}

const uint32_t *tm_graph_term(const tm_graph *graph, size_t k, const double **values, size_t *count)
{
    size_t from = graph->starts[k];
    *count = graph->starts[k + 1] - from;
    *values = graph->values + from;
    return graph->features + from;
}

bool tm_graph_is_edges(const tm_graph *graph)
{
    return graph->edges;
}

bool tm_graph_is_forest(const tm_graph *graph)
{
    return graph->forest;
}

size_t graph_levels(const tm_graph *graph, const double *weights, uint32_t *roots)
{
    size_t levels = 0;
    for (size_t j = 0; j < graph->p; j++) {
        roots[j] = (uint32_t)j;
        levels += weights[j] != 0;
    }
    for (size_t k = 0; k < graph->terms; k++) {
        const uint32_t *ends = graph->features + graph->starts[k];
        if (weights[ends[0]] != weights[ends[1]] || weights[ends[0]] == 0)
            continue;
        uint32_t a = find_root(roots, ends[0]), b = find_root(roots, ends[1]);
        levels -= a != b;
        roots[a] = b;
    }
    return levels;
}

size_t tm_graph_order(const tm_graph *graph)
{
    return graph->order;
}

const size_t *tm_graph_sizes(const tm_graph *graph)
{
    return graph->sizes;
}
