#include "solve/structure/screening.h"

#include "base/memory.h"
#include "solve/structure/derived.h"
#include "solve/structure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void reduced_clear(reduced_problem *r)
{
    tm_dataset_unref(r->data);
    tm_graph_unref(r->graph);
    free(r->own);
    free(r->group);
    free(r->low);
    *r = (reduced_problem){0};
}

static uint32_t find_root(uint32_t *parent, uint32_t at)
{
    for (; parent[at] != at; at = parent[at])
        parent[at] = parent[parent[at]];
    return at;
}

/* Node p is the one of weight 0. */
static void join_proven(reduced_problem *r, const bounds_of *b, const double *low,
                        const double *high, uint32_t *parent)
{
    size_t p = tm_dataset_cols(b->data), terms = tm_graph_terms(b->terms.graph);
    double limit = (1 - SAFE_SHARE) * b->lambda;
    for (size_t j = 0; j <= p; j++)
        parent[j] = (uint32_t)j;
    for (size_t t = 0; t < terms; t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(b->terms.graph, t, &values, &count);
        if (fmax(-low[t], high[t]) >= limit)
            continue;
        parent[find_root(parent, f[0])] = find_root(parent, f[1]);
        r->rejected++;
    }
    for (size_t j = 0; b->terms.own && j < p; j++) {
        if (fmax(-low[terms + j], high[terms + j]) >= limit * b->terms.own[j])
            continue;
        parent[find_root(parent, (uint32_t)j)] = find_root(parent, (uint32_t)p);
        r->rejected++;
    }
}

static void number_groups(reduced_problem *r, size_t p, uint32_t *parent)
{
    uint32_t zero = find_root(parent, (uint32_t)p);
    for (size_t j = 0; j < p; j++)
        r->group[j] = UINT32_MAX;
    size_t count = 0;
    for (size_t j = 0; j < p; j++)
        if (find_root(parent, (uint32_t)j) == j && j != zero)
            r->group[j] = (uint32_t)count++;
    for (size_t j = 0; j < p; j++) {
        uint32_t root = find_root(parent, (uint32_t)j);
        if (root != j && root != zero)
            r->group[j] = r->group[root];
    }
    r->count = count;
}

static tm_status make_data(reduced_problem *r, const bounds_of *b, tm_error *err)
{
    size_t n = b->of->n, p = tm_dataset_cols(b->data);
    double *values = mem_zeros(r->count, n * sizeof *values);
    tm_matrix *x;
    if (!values)
        return tm_fail_memory(err, "the screened problem");
    for (size_t j = 0; j < p; j++)
        if (r->group[j] != UINT32_MAX)
            tm_matrix_axpy(tm_dataset_x(b->data), j, 1, values + r->group[j] * n);
    tm_status status = tm_matrix_new_dense(&x, n, r->count, values, err);
    return status == TM_OK ? derived_data(&r->data, b->data, b->of, x, NULL, NULL, err) : status;
}

/* The remaining terms: those between two groups, and those between a group and 0, which are
 * penalties of single groups. */
static tm_status make_terms(reduced_problem *r, const bounds_of *b, tm_error *err)
{
    size_t p = tm_dataset_cols(b->data), terms = tm_graph_terms(b->terms.graph), kept = 0;
    uint32_t *ends = mem_array(2 * terms, sizeof *ends);
    double *weights = mem_array(terms, sizeof *weights);
    r->own = b->terms.own ? mem_zeros(r->count, sizeof *r->own) : NULL;
    bool enough = ends && weights && (!b->terms.own || r->own);
    for (size_t t = 0; enough && t < terms; t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(b->terms.graph, t, &values, &count);
        uint32_t x = r->group[f[0]], y = r->group[f[1]];
        if (x == y)
            continue;
        if (x == UINT32_MAX || y == UINT32_MAX) {
            r->own[x == UINT32_MAX ? y : x] += values[0];
            continue;
        }
        ends[2 * kept] = x;
        ends[2 * kept + 1] = y;
        weights[kept++] = values[0];
    }
    for (size_t j = 0; enough && r->own && j < p; j++)
        if (r->group[j] != UINT32_MAX)
            r->own[r->group[j]] += b->terms.own[j];
    tm_status status = enough ? tm_graph_new(&r->graph, r->count, kept, ends, weights, err)
                              : tm_fail_memory(err, "the screened problem");
    free(ends);
    free(weights);
    return status;
}

tm_status reduced_make(reduced_problem *r, const bounds_of *b, const dual_ball *ball,
                       uint64_t *columns, tm_error *err)
{
    size_t p = tm_dataset_cols(b->data), all = tm_graph_terms(b->terms.graph) + p;
    *r = (reduced_problem){.group = mem_array(p, sizeof *r->group)};
    uint32_t *parent = mem_array(p + 1, sizeof *parent);
    r->low = mem_array(2 * all, sizeof *r->low);
    r->high = r->low ? r->low + all : NULL;
    tm_status status = r->group && parent && r->low
                           ? bounds_find(b, ball, r->low, r->high, columns, err)
                           : tm_fail_memory(err, "bounds");
    if (status == TM_OK) {
        join_proven(r, b, r->low, r->high, parent);
        number_groups(r, p, parent);
    }
    bool pays = r->count > 0 && (double)r->count <= MOST_LEFT * (double)p;
    if (status == TM_OK && pays) {
        *columns += p;
        status = make_data(r, b, err);
        if (status == TM_OK)
            status = make_terms(r, b, err);
    }
    free(parent);
    return status;
}

void reduced_lift(const reduced_problem *r, const double *small, size_t p, double *w)
{
    for (size_t j = 0; j < p; j++)
        w[j] = r->group[j] == UINT32_MAX ? 0 : small[r->group[j]];
}

void reduced_lower(const reduced_problem *r, const double *w, size_t p, double *small)
{
    memset(small, 0, r->count * sizeof *small);
    for (size_t j = 0; j < p; j++)
        if (r->group[j] != UINT32_MAX)
            small[r->group[j]] = w[j];
}
