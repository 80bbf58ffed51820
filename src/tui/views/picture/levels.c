#include "tui/views/picture/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void levels_clear(levels *v)
{
    free(v->at);
    free(v->of);
    *v = (levels){0};
}

static size_t root_of(size_t *parents, size_t j)
{
    while (parents[j] != j) {
        parents[j] = parents[parents[j]];
        j = parents[j];
    }
    return j;
}

/* Joins two parts; the smallest feature of a part is its root. */
static void join(size_t *parents, size_t a, size_t b)
{
    a = root_of(parents, a);
    b = root_of(parents, b);
    parents[a > b ? a : b] = a > b ? b : a;
}

/* Joins neighbours of equal weight: the ends of an edge, or features next to each other on a
 * line. */
static void join_equal(size_t *parents, const layout *l, const double *weights)
{
    for (size_t k = 0; l->graph && k < tm_graph_terms(l->graph); k++) {
        size_t count;
        const double *values;
        const uint32_t *at = tm_graph_term(l->graph, k, &values, &count);
        if (count == 2 && weights[at[0]] == weights[at[1]])
            join(parents, at[0], at[1]);
    }
}

static void join_groups(size_t *parents, const layout *l)
{
    for (size_t g = 0; g < tm_groups_count(l->groups); g++) {
        size_t count, first = SIZE_MAX;
        const size_t *members = tm_groups_members(l->groups, g, &count);
        for (size_t i = 0; i < count; i++) {
            if (layout_group(l, members[i]) != g)
                continue;
            if (first != SIZE_MAX)
                join(parents, first, members[i]);
            first = first == SIZE_MAX ? members[i] : first;
        }
    }
}

static int by_strength(const void *a, const void *b)
{
    const level *x = a, *y = b;
    double u = fabs(x->value), v = fabs(y->value);
    return u != v ? (u < v) - (u > v) : (x->first > y->first) - (x->first < y->first);
}

static void add_feature(level *part, const layout *l, size_t j, double weight)
{
    part->last = j;
    part->size++;
    part->value = l->groups ? part->value + weight * weight : weight;
}

/* On entry of[j] is the root of feature j, on return its level. */
static tm_status gather(levels *v, const layout *l, const double *weights, tm_error *err)
{
    size_t *number = malloc((l->p + 1) * sizeof *number);
    v->at = malloc((l->p + 1) * sizeof *v->at);
    if (!number || !v->at) {
        free(number);
        return tm_fail_memory(err, "the levels");
    }
    for (size_t j = 0; j < l->p; j++) {
        size_t root = v->of[j];
        if (root == j) {
            number[j] = v->count;
            v->at[v->count++] =
                (level){.first = j, .group = l->groups ? layout_group(l, j) : TM_NO_GROUP};
        }
        add_feature(&v->at[number[root]], l, j, weights[j]);
    }
    size_t kept = 0;
    for (size_t i = 0; i < v->count; i++)
        if (v->at[i].value != 0)
            v->at[kept++] = v->at[i];
    v->count = kept;
    for (size_t i = 0; l->groups && i < kept; i++)
        v->at[i].value = sqrt(v->at[i].value);
    qsort(v->at, kept, sizeof *v->at, by_strength);
    for (size_t j = 0; j < l->p; j++)
        number[j] = SIZE_MAX;
    for (size_t i = 0; i < kept; i++)
        number[v->at[i].first] = i;
    for (size_t j = 0; j < l->p; j++)
        v->of[j] = number[v->of[j]];
    free(number);
    return TM_OK;
}

tm_status levels_make(levels *out, const layout *l, const double *weights, tm_error *err)
{
    levels_clear(out);
    size_t *parents = malloc((l->p + 1) * sizeof *parents);
    if (!parents)
        return tm_fail_memory(err, "the levels");
    for (size_t j = 0; j < l->p; j++)
        parents[j] = j;
    if (l->groups)
        join_groups(parents, l);
    else
        join_equal(parents, l, weights);
    for (size_t j = 0; j < l->p; j++)
        parents[j] = root_of(parents, j);
    out->of = parents;
    tm_status status = gather(out, l, weights, err);
    if (status != TM_OK)
        levels_clear(out);
    return status;
}
