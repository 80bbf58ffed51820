#include "solve/structure/flow/partition.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* An edge between two components, for sorting. */
typedef struct crossing {
    uint32_t a, b;
    size_t edge;
} crossing;

void partition_clear(partition *a)
{
    free(a->ends);
    free(a->weights);
    free(a->starts);
    free(a->at);
    free(a->component);
    free(a->sizes);
    free(a->pair_ends);
    free(a->pair_weights);
    free(a->pair_of);
    free(a->queue);
    free(a->sort);
    *a = (partition){0};
}

static void fill_edges(partition *a, const graph_terms *terms)
{
    size_t e = 0;
    for (; e < a->terms; e++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(terms->graph, e, &values, &count);
        a->ends[2 * e] = f[0];
        a->ends[2 * e + 1] = f[1];
        a->weights[e] = values[0];
    }
    for (size_t j = 0; terms->own && j < a->p; j++) {
        if (!(terms->own[j] > 0))
            continue;
        a->ends[2 * e] = (uint32_t)j;
        a->ends[2 * e + 1] = (uint32_t)a->p;
        a->weights[e++] = terms->own[j];
    }
}

static void list_edges(partition *a)
{
    for (size_t k = 0; k < 2 * a->edges; k++)
        a->starts[a->ends[k] + 2]++;
    for (size_t j = 0; j < a->nodes; j++)
        a->starts[j + 2] += a->starts[j + 1];
    for (size_t k = 0; k < 2 * a->edges; k++)
        a->at[a->starts[a->ends[k] + 1]++] = k / 2;
}

tm_status partition_new(partition *a, const graph_terms *terms, tm_error *err)
{
    size_t held = 0;
    *a = (partition){.p = tm_graph_features(terms->graph), .terms = tm_graph_terms(terms->graph)};
    for (size_t j = 0; terms->own && j < a->p; j++)
        held += terms->own[j] > 0;
    a->nodes = a->p + (held > 0);
    a->edges = a->terms + held;
    a->ends = mem_array(2 * a->edges, sizeof *a->ends);
    a->weights = mem_array(a->edges, sizeof *a->weights);
    a->starts = mem_zeros(a->nodes + 2, sizeof *a->starts);
    a->at = mem_array(2 * a->edges, sizeof *a->at);
    a->component = mem_array(a->nodes, sizeof *a->component);
    a->sizes = mem_array(a->nodes, sizeof *a->sizes);
    a->pair_ends = mem_array(2 * a->edges, sizeof *a->pair_ends);
    a->pair_weights = mem_array(a->edges, sizeof *a->pair_weights);
    a->pair_of = mem_array(a->edges, sizeof *a->pair_of);
    a->queue = mem_array(a->nodes, sizeof *a->queue);
    a->sort = mem_array(a->edges + a->nodes, sizeof(crossing));
    if (a->ends && a->weights && a->starts && a->at && a->component && a->sizes && a->pair_ends &&
        a->pair_weights && a->pair_of && a->queue && a->sort) {
        fill_edges(a, terms);
        list_edges(a);
        return TM_OK;
    }
    partition_clear(a);
    return tm_fail_memory(err, "the graph");
}

/* ---- components ------------------------------------------------------------------------------ */

typedef struct finding {
    partition_joins *joins;
    void *payload;
    uint32_t *found; /* nodes: the new component, or NOT_FOUND */
} finding;

static const uint32_t NOT_FOUND = UINT32_MAX - 1;

/* Gives this number to all nodes reachable from a node; returns how many there are. */

static size_t spread(partition *a, const finding *f, uint32_t from, uint32_t number)
{
    size_t count = 0;
    f->found[from] = number;
    a->queue[count++] = from;
    for (size_t next = 0; next < count; next++) {
        uint32_t j = a->queue[next];
        for (size_t k = a->starts[j]; k < a->starts[j + 1]; k++) {
            const uint32_t *ends = a->ends + 2 * a->at[k];
            uint32_t other = ends[0] == j ? ends[1] : ends[0];
            if (f->found[other] != NOT_FOUND || !f->joins(a, a->at[k], f->payload))
                continue;
            f->found[other] = number;
            a->queue[count++] = other;
        }
    }
    return count;
}

void partition_find(partition *a, partition_joins *joins, void *payload)
{
    finding f = {joins, payload, a->sort};
    for (size_t j = 0; j < a->nodes; j++)
        f.found[j] = NOT_FOUND;
    if (a->nodes > a->p)
        spread(a, &f, (uint32_t)a->p, PARTITION_ZERO);
    a->count = 0;
    for (size_t j = 0; j < a->p; j++)
        if (f.found[j] == NOT_FOUND) {
            a->sizes[a->count] = spread(a, &f, (uint32_t)j, (uint32_t)a->count);
            a->count++;
        }
    memcpy(a->component, f.found, a->nodes * sizeof *f.found);
}

void partition_set(partition *a, const uint32_t *component)
{
    memcpy(a->component, component, a->nodes * sizeof *component);
    a->count = 0;
    memset(a->sizes, 0, a->nodes * sizeof *a->sizes);
    for (size_t j = 0; j < a->p; j++) {
        if (component[j] == PARTITION_ZERO)
            continue;
        a->sizes[component[j]]++;
        if (component[j] >= a->count)
            a->count = component[j] + 1;
    }
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static int compare_crossings(const void *a, const void *b)
{
    const crossing *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

void partition_find_pairs(partition *a)
{
    crossing *list = a->sort;
    size_t count = 0;
    for (size_t e = 0; e < a->edges; e++) {
        uint32_t x = a->component[a->ends[2 * e]], y = a->component[a->ends[2 * e + 1]];
        a->pair_of[e] = SIZE_MAX;
        if (x != y)
            list[count++] = x < y ? (crossing){x, y, e} : (crossing){y, x, e};
    }
    qsort(list, count, sizeof *list, compare_crossings);
    a->pairs = 0;
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || list[k].a != list[k - 1].a || list[k].b != list[k - 1].b) {
            a->pair_ends[2 * a->pairs] = list[k].a;
            a->pair_ends[2 * a->pairs + 1] = list[k].b;
            a->pair_weights[a->pairs++] = 0;
        }
        a->pair_weights[a->pairs - 1] += a->weights[list[k].edge];
        a->pair_of[list[k].edge] = a->pairs - 1;
    }
}
