#include "solve/structure/flow/contraction.h"

#include "base/memory.h"
#include "solve/structure/flow/max_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct contraction {
    const partition *of;
    uint32_t *group; /* nodes */
    size_t groups;   /* without that of the node of weight 0, whose number here is `groups` */
    size_t edges;    /* between groups */
    size_t *edge;    /* their numbers in the whole graph */
    uint32_t *ends;
    double *capacity, *flow; /* edges between groups */
    double *rest;            /* groups + 1 */
    unsigned char *source;   /* groups + 1 */
    max_flow *router;
    uint32_t *sizes;  /* groups + 1 */
    uint32_t *order;  /* nodes of groups of several, each after its parent in the group's tree */
    size_t ordered;   /* number of them */
    uint32_t *parent; /* nodes; a root is its own */
    size_t *through;  /* nodes: the edge to the parent */
    double *tried;    /* edges of the whole graph, then nodes: flows and what is left */
};

void contraction_free(contraction *c)
{
    if (!c)
        return;
    max_flow_free(c->router);
    free(c->group);
    free(c->edge);
    free(c->ends);
    free(c->capacity);
    free(c->flow);
    free(c->rest);
    free(c->source);
    free(c->sizes);
    free(c->order);
    free(c->parent);
    free(c->through);
    free(c->tried);
    free(c);
}

static size_t node_of(const contraction *c, size_t j)
{
    return c->group[j] == UINT32_MAX ? c->groups : c->group[j];
}

static size_t count_between(const partition *a, const uint32_t *group)
{
    size_t count = 0;
    for (size_t e = 0; e < a->edges; e++)
        count += group[a->ends[2 * e]] != group[a->ends[2 * e + 1]];
    return count;
}

static bool allocate(contraction *c)
{
    const partition *a = c->of;
    c->group = mem_array(a->nodes, sizeof *c->group);
    c->edge = mem_array(c->edges, sizeof *c->edge);
    c->ends = mem_array(2 * c->edges, sizeof *c->ends);
    c->capacity = mem_array(c->edges, sizeof *c->capacity);
    c->flow = mem_array(c->edges, sizeof *c->flow);
    c->rest = mem_array(c->groups + 1, sizeof *c->rest);
    c->source = mem_array(c->groups + 1, 1);
    c->sizes = mem_zeros(c->groups + 1, sizeof *c->sizes);
    c->order = mem_array(a->nodes, sizeof *c->order);
    c->parent = mem_array(a->nodes, sizeof *c->parent);
    c->through = mem_array(a->nodes, sizeof *c->through);
    c->tried = mem_array(a->edges + a->nodes, sizeof *c->tried);
    return c->group && c->edge && c->ends && c->capacity && c->flow && c->rest && c->source &&
           c->sizes && c->order && c->parent && c->through && c->tried;
}

static void list_edges(contraction *c)
{
    const partition *a = c->of;
    size_t k = 0;
    for (size_t e = 0; e < a->edges; e++) {
        size_t x = node_of(c, a->ends[2 * e]), y = node_of(c, a->ends[2 * e + 1]);
        if (x == y)
            continue;
        c->edge[k] = e;
        c->ends[2 * k] = (uint32_t)x;
        c->ends[2 * k + 1] = (uint32_t)y;
        k++;
    }
}

/* Breadth first within each group, from the node of weight 0 in its own: the edges to it take
 * most. */
static void grow_trees(contraction *c)
{
    const partition *a = c->of;
    size_t count = 0;
    for (size_t j = 0; j < a->nodes; j++) {
        c->parent[j] = UINT32_MAX;
        c->sizes[node_of(c, j)]++;
    }
    for (size_t root = a->nodes; root-- > 0;) {
        if (c->parent[root] != UINT32_MAX || c->sizes[node_of(c, root)] == 1)
            continue;
        size_t next = count;
        c->parent[root] = (uint32_t)root;
        c->order[count++] = (uint32_t)root;
        for (; next < count; next++) {
            uint32_t j = c->order[next];
            for (size_t k = a->starts[j]; k < a->starts[j + 1]; k++) {
                const uint32_t *ends = a->ends + 2 * a->at[k];
                uint32_t other = ends[0] == j ? ends[1] : ends[0];
                if (c->group[other] != c->group[j] || c->parent[other] != UINT32_MAX)
                    continue;
                c->parent[other] = j;
                c->through[other] = a->at[k];
                c->order[count++] = other;
            }
        }
    }
    c->ordered = count;
}

tm_status contraction_new(contraction **out, const partition *of, const uint32_t *group,
                          size_t groups, tm_error *err)
{
    contraction *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return tm_fail_memory(err, "flows between groups");
    c->of = of;
    c->groups = groups;
    c->edges = count_between(of, group);
    if (allocate(c)) {
        memcpy(c->group, group, of->nodes * sizeof *group);
        list_edges(c);
        grow_trees(c);
        c->router = max_flow_new(groups + 1, c->edges, c->ends);
    }
    if (!c->router) {
        contraction_free(c);
        return tm_fail_memory(err, "flows between groups");
    }
    *out = c;
    return TM_OK;
}

void contraction_watch(contraction *c, solve_progress *progress)
{
    max_flow_watch(c->router, progress);
}

size_t contraction_groups(const contraction *c)
{
    return c->groups;
}

const uint32_t *contraction_group(const contraction *c)
{
    return c->group;
}

void contraction_route(contraction *c, const double *capacity, double *flow, double *rest,
                       double small, unsigned char *source)
{
    const partition *a = c->of;
    memset(c->rest, 0, (c->groups + 1) * sizeof *c->rest);
    for (size_t j = 0; j < a->nodes; j++)
        c->rest[node_of(c, j)] += rest[j];
    for (size_t k = 0; k < c->edges; k++) {
        c->capacity[k] = capacity[c->edge[k]];
        c->flow[k] = flow[c->edge[k]];
    }
    max_flow_route(c->router, NULL, c->capacity, c->flow, c->rest, small, c->source);
    for (size_t k = 0; k < c->edges; k++) {
        size_t e = c->edge[k];
        double sent = c->flow[k] - flow[e];
        flow[e] = c->flow[k];
        rest[a->ends[2 * e]] -= sent;
        rest[a->ends[2 * e + 1]] += sent;
    }
    for (size_t j = 0; j < a->nodes; j++)
        source[j] = c->source[node_of(c, j)];
}

bool contraction_complete(contraction *c, const double *capacity, double *flow, double *rest,
                          double small)
{
    const partition *a = c->of;
    double *tried = c->tried, *left = c->tried + a->edges;
    memcpy(tried, flow, a->edges * sizeof *flow);
    memcpy(left, rest, a->nodes * sizeof *rest);
    for (size_t k = c->ordered; k-- > 0;) {
        uint32_t j = c->order[k], parent = c->parent[j];
        if (parent == j)
            continue;
        size_t e = c->through[j];
        tried[e] += a->ends[2 * e] == j ? left[j] : -left[j];
        if (fabs(tried[e]) > capacity[e] + small)
            return false;
        left[parent] += left[j];
        left[j] = 0;
    }
    memcpy(flow, tried, a->edges * sizeof *flow);
    memcpy(rest, left, a->nodes * sizeof *rest);
    return true;
}
