#include "solve/structure/screening/reduced.h"

#include "base/memory.h"
#include "solve/structure/screening/derived.h"
#include "solve/structure/screening/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void reduced_clear(reduced_problem *r)
{
    tm_dataset_unref(r->data);
    tm_graph_unref(r->graph);
    free(r->own);
    free(r->group);
    *r = (reduced_problem){0};
}

static uint32_t find_root(uint32_t *parent, uint32_t at)
{
    for (; parent[at] != at; at = parent[at])
        parent[at] = parent[parent[at]];
    return at;
}

/* Node p is the one of weight 0. */
static void join_proven(reduced_problem *r, const bounds *b, const graph_terms *of, double lambda,
                        uint32_t *parent)
{
    size_t p = r->p, terms = tm_graph_terms(of->graph), two;
    const double *values;
    /* Those of consecutive edges are consecutive. */
    const uint32_t *ends = terms > 0 ? tm_graph_term(of->graph, 0, &values, &two) : NULL;
    for (size_t j = 0; j <= p; j++)
        parent[j] = (uint32_t)j;
    for (size_t t = 0; t < terms; t++) {
        if (!bounds_prove(b, t, lambda))
            continue;
        parent[find_root(parent, ends[2 * t])] = find_root(parent, ends[2 * t + 1]);
        r->rejected++;
    }
    for (size_t j = 0; of->own && j < p; j++) {
        if (!bounds_prove(b, terms + j, lambda))
            continue;
        parent[find_root(parent, (uint32_t)j)] = find_root(parent, (uint32_t)p);
        r->rejected++;
    }
}

static void number_groups(reduced_problem *r, uint32_t *parent)
{
    size_t p = r->p, count = 0;
    uint32_t zero = find_root(parent, (uint32_t)p);
    for (size_t j = 0; j < p; j++)
        r->group[j] = parent[j] == j && j != zero ? (uint32_t)count++ : UINT32_MAX;
    for (size_t j = 0; j < p; j++) {
        uint32_t root = find_root(parent, (uint32_t)j);
        if (root != j && root != zero)
            r->group[j] = r->group[root];
    }
    r->count = count;
}

tm_status reduced_prove(reduced_problem *r, const bounds *b, const graph_terms *terms,
                        double lambda, tm_error *err)
{
    size_t p = tm_graph_features(terms->graph);
    *r = (reduced_problem){.p = p, .group = mem_array(p, sizeof *r->group)};
    uint32_t *parent = mem_array(p + 1, sizeof *parent);
    if (r->group && parent) {
        join_proven(r, b, terms, lambda, parent);
        number_groups(r, parent);
    }
    tm_status status = r->group && parent ? TM_OK : tm_fail_memory(err, "the screened problem");
    free(parent);
    return status;
}

/* ---- the smaller problem --------------------------------------------------------------------- */

/* The mean of each column and the sum of squared deviations from it, which only tell the size of
 * columns here: the difference of two sums will do. */
static void take_statistics(const tm_matrix *x, const double *values, double *means,
                            double *deviations)
{
    size_t n = tm_matrix_rows(x);
    for (size_t k = 0; k < tm_matrix_cols(x); k++) {
        double sum = 0, squares;
        for (size_t i = 0; i < n; i++)
            sum += values[k * n + i];
        tm_matrix_dot_range(x, k, 1, values + k * n, &squares);
        means[k] = sum / (double)n;
        deviations[k] = fmax(squares - sum * means[k], 0);
    }
}

/* The first column of a group is copied, the others are added to it. */
static void add_columns(const reduced_problem *r, const tm_matrix *x, size_t n, bool *begun,
                        double *values)
{
    for (size_t j = 0; j < r->p; j++) {
        uint32_t group = r->group[j];
        if (group == UINT32_MAX)
            continue;
        if (begun[group])
            tm_matrix_axpy(x, j, 1, values + group * n);
        else
            tm_matrix_column(x, j, values + group * n);
        begun[group] = true;
    }
}

static tm_status make_data(reduced_problem *r, const tm_dataset *data, const samples *of,
                           tm_error *err)
{
    double *values = mem_array(r->count, of->n * sizeof *values);
    double *means = mem_array(r->count, sizeof *means);
    double *deviations = mem_array(r->count, sizeof *deviations);
    bool *begun = mem_zeros(r->count, sizeof *begun);
    tm_matrix *x = NULL;
    bool enough = values && means && deviations && begun;
    if (enough)
        add_columns(r, tm_dataset_x(data), of->n, begun, values);
    free(begun);
    tm_status status = enough ? tm_matrix_new_dense(&x, of->n, r->count, values, err)
                              : tm_fail_memory(err, "the screened problem");
    if (!enough)
        free(values);
    if (status == TM_OK) {
        take_statistics(x, values, means, deviations);
        return derived_data(&r->data, data, of, x, means, deviations, err);
    }
    free(means);
    free(deviations);
    return status;
}

/* The remaining terms: those between two groups, and those between a group and 0, which are
 * penalties of single groups. */
static tm_status make_terms(reduced_problem *r, const graph_terms *of, tm_error *err)
{
    size_t terms = tm_graph_terms(of->graph), kept = 0;
    uint32_t *ends = mem_array(2 * terms, sizeof *ends);
    double *weights = mem_array(terms, sizeof *weights);
    r->own = of->own ? mem_zeros(r->count, sizeof *r->own) : NULL;
    bool enough = ends && weights && (!of->own || r->own);
    for (size_t t = 0; enough && t < terms; t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(of->graph, t, &values, &count);
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
    for (size_t j = 0; enough && r->own && j < r->p; j++)
        if (r->group[j] != UINT32_MAX)
            r->own[r->group[j]] += of->own[j];
    tm_status status = enough ? tm_graph_new(&r->graph, r->count, kept, ends, weights, err)
                              : tm_fail_memory(err, "the screened problem");
    free(ends);
    free(weights);
    return status;
}

tm_status reduced_build(reduced_problem *r, const tm_dataset *data, const samples *of,
                        const graph_terms *terms, tm_error *err)
{
    tm_status status = make_data(r, data, of, err);
    return status == TM_OK ? make_terms(r, terms, err) : status;
}

void reduced_lift(const reduced_problem *r, const double *small, double *w)
{
    for (size_t j = 0; j < r->p; j++)
        w[j] = r->group[j] == UINT32_MAX ? 0 : small[r->group[j]];
}

void reduced_lower(const reduced_problem *r, const double *w, double *small)
{
    memset(small, 0, r->count * sizeof *small);
    for (size_t j = 0; j < r->p; j++)
        if (r->group[j] != UINT32_MAX)
            small[r->group[j]] = w[j];
}
