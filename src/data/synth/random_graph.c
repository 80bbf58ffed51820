#include "data/synth/random_graph.h"

#include "base/memory.h"

#include <string.h>

static uint64_t edge_key(size_t a, size_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static size_t sort_unique(uint64_t *keys, size_t count)
{
    size_t kept = 0;
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t k = 0; k < count; k++)
        if (kept == 0 || keys[k] != keys[kept - 1])
            keys[kept++] = keys[k];
    return kept;
}

/* Every node except the first ones, the roots, becomes the child of an earlier one in a random
 * order. */
static size_t grow_trees(uint64_t *keys, const size_t *order, size_t nodes, size_t roots,
                         tm_rng *rng)
{
    size_t count = 0;
    for (size_t i = roots; i < nodes; i++)
        keys[count++] = edge_key(order[i], order[tm_rng_below(rng, i)]);
    return count;
}

static void draw_edges(uint64_t *keys, size_t edges, const size_t *order, size_t nodes, tm_rng *rng)
{
    size_t roots = edges + 1 < nodes ? nodes - edges : 1;
    size_t count = grow_trees(keys, order, nodes, roots, rng);
    while (count < edges) {
        for (; count < edges; count++) {
            size_t a = tm_rng_below(rng, nodes), b = tm_rng_below(rng, nodes - 1);
            keys[count] = edge_key(a, b < a ? b : b + 1);
        }
        count = sort_unique(keys, count);
    }
    sort_unique(keys, count);
}

static void link_nodes(random_graph *graph)
{
    uint64_t *starts = graph->starts;
    for (size_t e = 0; e < 2 * graph->edge_count; e++)
        starts[graph->edges[e] + 1]++;
    for (size_t i = 0; i < graph->nodes; i++)
        starts[i + 1] += starts[i];
    for (size_t e = 0; e < 2 * graph->edge_count; e++)
        graph->neighbours[--starts[graph->edges[e] + 1]] = graph->edges[e ^ 1];
    /* starts[i + 1] is now the start of node i. */
    memmove(starts, starts + 1, graph->nodes * sizeof *starts);
    starts[graph->nodes] = 2 * graph->edge_count;
}

static tm_status make_edges(random_graph *graph, tm_rng *rng, tm_error *err)
{
    size_t *order = mem_array(graph->nodes, sizeof *order);
    uint64_t *keys = mem_array(graph->edge_count, sizeof *keys);
    tm_status status = TM_OK;
    if (order && keys) {
        tm_rng_permutation(rng, order, graph->nodes);
        draw_edges(keys, graph->edge_count, order, graph->nodes, rng);
        for (size_t e = 0; e < graph->edge_count; e++) {
            graph->edges[2 * e] = (uint32_t)(keys[e] >> 32);
            graph->edges[2 * e + 1] = (uint32_t)keys[e];
        }
        link_nodes(graph);
    } else {
        status = tm_fail_memory(err, "a graph");
    }
    free(order);
    free(keys);
    return status;
}

tm_status random_graph_make(random_graph *out, size_t nodes, size_t edges, tm_rng *rng,
                            tm_error *err)
{
    *out = (random_graph){.nodes = nodes, .edge_count = edges};
    double most = (double)nodes * ((double)nodes - 1) / 2;
    if ((double)edges > most)
        return tm_fail(err, TM_EUSAGE, "edges = %zu: a graph of %zu nodes has at most %.0f", edges,
                       nodes, most);
    out->edges = mem_array(2 * edges, sizeof *out->edges);
    out->neighbours = mem_array(2 * edges, sizeof *out->neighbours);
    out->starts = mem_zeros(nodes + 1, sizeof *out->starts);
    tm_status status = out->edges && out->neighbours && out->starts
                           ? make_edges(out, rng, err)
                           : tm_fail_memory(err, "a graph");
    if (status != TM_OK)
        random_graph_clear(out);
    return status;
}

void random_graph_clear(random_graph *graph)
{
    free(graph->edges);
    free(graph->neighbours);
    free(graph->starts);
    *graph = (random_graph){0};
}

size_t random_graph_ball(const random_graph *graph, size_t from, size_t most,
                         unsigned char *blocked, uint32_t *ball)
{
    size_t found = 0;
    if (most == 0 || blocked[from])
        return 0;
    blocked[from] = 1;
    ball[found++] = (uint32_t)from;
    for (size_t at = 0; at < found; at++)
        for (uint64_t k = graph->starts[ball[at]]; k < graph->starts[ball[at] + 1]; k++) {
            uint32_t next = graph->neighbours[k];
            if (blocked[next] || found == most)
                continue;
            blocked[next] = 1;
            ball[found++] = next;
        }
    return found;
}
