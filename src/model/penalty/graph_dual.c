#include "model/penalty/graph_dual.h"

#include "base/memory.h"
#include "model/penalty/rows_factor.h"
#include "model/penalty/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Greatest number of features in a term of trend filtering. */
enum { MAX_BAND = TM_GRAPH_MAX_ORDER + 2 };

struct graph_dual {
    graph_terms terms;
    size_t p;
    /* For edges, a spanning forest: features in the order of a search from the roots, and the edge
     * to each one's parent, SIZE_MAX for roots. */
    uint32_t *order;
    size_t *edge_to;
    double *rest;        /* p: q - D'v - s */
    double *room;        /* for other terms: 3 values for each term, or the width of a band */
    rows_factor *factor; /* of a matrix D, made when first needed */
};

void graph_dual_free(graph_dual *d)
{
    if (!d)
        return;
    free(d->order);
    free(d->edge_to);
    free(d->rest);
    free(d->room);
    rows_factor_free(d->factor);
    free(d);
}

/* ---- the spanning forest --------------------------------------------------------------------- */

/* The edges at each feature: at[starts[j] .. starts[j + 1] - 1]. */
typedef struct edge_lists {
    size_t *starts, *at;
} edge_lists;

static void lists_free(edge_lists *lists)
{
    free(lists->starts);
    free(lists->at);
}

static bool lists_make(edge_lists *lists, const tm_graph *graph, size_t p)
{
    size_t terms = tm_graph_terms(graph), count;
    const double *values;
    lists->starts = mem_zeros(p + 2, sizeof *lists->starts);
    lists->at = mem_array(2 * terms, sizeof *lists->at);
    if (!lists->starts || !lists->at)
        return false;
    for (size_t t = 0; t < terms; t++) {
        const uint32_t *f = tm_graph_term(graph, t, &values, &count);
        lists->starts[f[0] + 2]++;
        lists->starts[f[1] + 2]++;
    }
    for (size_t j = 0; j < p; j++)
        lists->starts[j + 2] += lists->starts[j + 1];
    for (size_t t = 0; t < terms; t++) {
        const uint32_t *f = tm_graph_term(graph, t, &values, &count);
        lists->at[lists->starts[f[0] + 1]++] = t;
        lists->at[lists->starts[f[1] + 1]++] = t;
    }
    return true;
}

/* Searches from root j all features that can be reached by edges. */
static size_t search_from(graph_dual *d, const edge_lists *lists, unsigned char *seen, size_t j,
                          size_t found)
{
    const double *values;
    size_t count, next = found;
    seen[j] = 1;
    d->edge_to[j] = SIZE_MAX;
    d->order[found++] = (uint32_t)j;
    for (; next < found; next++) {
        uint32_t at = d->order[next];
        for (size_t l = lists->starts[at]; l < lists->starts[at + 1]; l++) {
            const uint32_t *f = tm_graph_term(d->terms.graph, lists->at[l], &values, &count);
            uint32_t other = f[0] == at ? f[1] : f[0];
            if (seen[other])
                continue;
            seen[other] = 1;
            d->edge_to[other] = lists->at[l];
            d->order[found++] = other;
        }
    }
    return found;
}

/* Features with a penalty of their own become roots, if there are any. */
static bool find_forest(graph_dual *d)
{
    edge_lists lists = {0};
    size_t found = 0;
    unsigned char *seen = mem_zeros(d->p, 1);
    d->order = mem_array(d->p, sizeof *d->order);
    d->edge_to = mem_array(d->p, sizeof *d->edge_to);
    bool made = seen && d->order && d->edge_to && lists_make(&lists, d->terms.graph, d->p);
    for (size_t j = 0; made && d->terms.own && j < d->p; j++)
        if (d->terms.own[j] > 0 && !seen[j])
            found = search_from(d, &lists, seen, j, found);
    for (size_t j = 0; made && j < d->p; j++)
        if (!seen[j])
            found = search_from(d, &lists, seen, j, found);
    lists_free(&lists);
    free(seen);
    return made;
}

graph_dual *graph_dual_new(const graph_terms *terms, size_t p)
{
    graph_dual *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->terms = *terms;
    d->p = p;
    d->rest = mem_array(p, sizeof *d->rest);
    bool edges = tm_graph_is_edges(terms->graph);
    size_t width = tm_graph_order(terms->graph) + 2;
    if (!edges)
        d->room = mem_array(tm_graph_terms(terms->graph), (width > 3 ? width : 3) * sizeof(double));
    if (d->rest && (edges ? find_forest(d) : d->room != NULL))
        return d;
    graph_dual_free(d);
    return NULL;
}

/* ---- products with D ------------------------------------------------------------------------- */

/* The edges of a graph as arrays: edge t joins ends[2 t] and ends[2 t + 1], and weights[2 t] is its
 * weight. */
typedef struct edge_arrays {
    size_t count;
    const uint32_t *ends;
    const double *weights;
} edge_arrays;

/* Entries of consecutive terms are consecutive. */
static edge_arrays edges_of(const tm_graph *graph)
{
    edge_arrays edges = {.count = tm_graph_terms(graph)};
    size_t two;
    if (edges.count > 0)
        edges.ends = tm_graph_term(graph, 0, &edges.weights, &two);
    return edges;
}

static double term_value(const tm_graph *graph, size_t t, const double *w)
{
    const double *values;
    size_t count;
    double sum = 0;
    const uint32_t *f = tm_graph_term(graph, t, &values, &count);
    for (size_t i = 0; i < count; i++)
        sum += values[i] * w[f[i]];
    return sum;
}

static void add_transposed_edges(const edge_arrays *edges, const double *v, double *out)
{
    for (size_t t = 0; t < edges->count; t++) {
        double amount = edges->weights[2 * t] * v[t];
        out[edges->ends[2 * t]] += amount;
        out[edges->ends[2 * t + 1]] -= amount;
    }
}

void graph_add_transposed(const tm_graph *graph, const double *v, double *out)
{
    if (tm_graph_is_edges(graph)) {
        edge_arrays edges = edges_of(graph);
        add_transposed_edges(&edges, v, out);
        return;
    }
    for (size_t t = 0; t < tm_graph_terms(graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(graph, t, &values, &count);
        for (size_t i = 0; i < count; i++)
            out[f[i]] += values[i] * v[t];
    }
}

static double edges_penalty(const tm_graph *graph, const double *w)
{
    edge_arrays edges = edges_of(graph);
    double sum = 0;
    for (size_t t = 0; t < edges.count; t++)
        sum += edges.weights[2 * t] * fabs(w[edges.ends[2 * t]] - w[edges.ends[2 * t + 1]]);
    return sum;
}

double graph_penalty(const graph_terms *terms, const double *w)
{
    const tm_graph *graph = terms->graph;
    bool edges = tm_graph_is_edges(graph);
    double sum = edges ? edges_penalty(graph, w) : 0;
    for (size_t t = 0; !edges && t < tm_graph_terms(graph); t++)
        sum += fabs(term_value(graph, t, w));
    for (size_t j = 0; terms->own && j < tm_graph_features(graph); j++)
        sum += terms->own[j] * fabs(w[j]);
    return sum;
}

/* ---- completion ------------------------------------------------------------------------------ */

static bool is_held(const graph_dual *d, size_t j)
{
    return d->terms.own && d->terms.own[j] > 0;
}

/* Moves the remainder at each feature along the edge to its parent, from the leaves up. */
static void complete_edges(graph_dual *d, double *v)
{
    edge_arrays edges = edges_of(d->terms.graph);
    for (size_t i = d->p; i-- > 0;) {
        uint32_t j = d->order[i];
        size_t t = d->edge_to[j];
        if (t == SIZE_MAX || is_held(d, j))
            continue;
        const uint32_t *f = edges.ends + 2 * t;
        uint32_t before = f[0] == j ? f[1] : f[0];
        v[t] += d->rest[j] / edges.weights[f[0] == j ? 2 * t : 2 * t + 1];
        d->rest[before] += d->rest[j];
        d->rest[j] = 0;
    }
}

/* Rows of a band of D': row i of the window is row t + i of D', from column t on. */
typedef double trend_window[MAX_BAND][MAX_BAND];

/* Rotates two rows so that the first entry of the second becomes 0. */
static void rotate_rows(double *first, double *second, size_t width, double *rest)
{
    double length = hypot(first[0], second[0]);
    if (length == 0)
        return;
    double c = first[0] / length, s = second[0] / length;
    for (size_t i = 0; i < width; i++) {
        double x = first[i], y = second[i];
        first[i] = c * x + s * y;
        second[i] = c * y - s * x;
    }
    double x = rest[0], y = rest[1];
    rest[0] = c * x + s * y;
    rest[1] = c * y - s * x;
}

/* Entry (row, col) of D' of trend filtering: every term has the same coefficients. */
static double trend_entry(const double *coefficients, size_t width, size_t m, size_t row,
                          size_t col)
{
    return col < m && row >= col && row - col < width ? coefficients[row - col] : 0;
}

/* Trend filtering: D' is a band matrix, and its QR factorisation removes the remainder up to
 * rounding, even though its condition number grows with a power of the number of features. */
static void complete_trend(graph_dual *d, double *v)
{
    const double *values;
    size_t m = tm_graph_terms(d->terms.graph), width, p = d->p;
    if (m == 0)
        return;
    tm_graph_term(d->terms.graph, 0, &values, &width);
    trend_window window = {{0}};
    double *r = d->room;
    for (size_t i = 0; i < width; i++)
        for (size_t c = 0; c < width; c++)
            window[i][c] = trend_entry(values, width, m, i, c);
    for (size_t t = 0; t < m; t++) {
        /* From below, so that each rotation is of adjacent rows. */
        for (size_t i = width - 1; i > 0; i--)
            rotate_rows(window[i - 1], window[i], width, d->rest + t + i - 1);
        memcpy(r + t * width, window[0], width * sizeof *r);
        for (size_t i = 0; i + 1 < width; i++) {
            memcpy(window[i], window[i + 1] + 1, (width - 1) * sizeof *r);
            window[i][width - 1] = 0;
        }
        for (size_t c = 0; c < width && t + width < p; c++)
            window[width - 1][c] = trend_entry(values, width, m, t + width, t + 1 + c);
    }
    for (size_t t = m; t-- > 0;) {
        double value = d->rest[t];
        for (size_t i = 1; i < width && t + i < m; i++)
            value -= r[t * width + i] * d->rest[t + i];
        d->rest[t] = value / r[t * width];
        v[t] += d->rest[t];
    }
}

/* The shortest change of v with D'v = rest: conjugate gradients on D D'. */
static void step_rows(graph_dual *d, double *v)
{
    const tm_graph *graph = d->terms.graph;
    size_t m = tm_graph_terms(graph);
    double *gradient = d->room, *step = gradient + m, first = 0, squares = 0;
    for (size_t t = 0; t < m; t++) {
        step[t] = gradient[t] = term_value(graph, t, d->rest);
        first += gradient[t] * gradient[t];
    }
    squares = first;
    for (size_t round = 0; squares > SMALL * SMALL * first && round < MAX_STEPS * m; round++) {
        double *moved = d->room + 2 * m, length = 0, before = squares;
        double *image = mem_zeros(d->p, sizeof *image);
        if (!image)
            return;
        graph_add_transposed(graph, step, image);
        for (size_t j = 0; j < d->p; j++)
            length += image[j] * image[j];
        length = length > 0 ? squares / length : 0;
        for (size_t j = 0; j < d->p; j++)
            d->rest[j] -= length * image[j];
        free(image);
        squares = 0;
        for (size_t t = 0; t < m; t++) {
            v[t] += length * step[t];
            moved[t] = term_value(graph, t, d->rest);
            squares += moved[t] * moved[t];
        }
        for (size_t t = 0; t < m; t++)
            step[t] = moved[t] + squares / before * step[t];
        if (length == 0)
            return;
    }
}

/* fmax, inline: NaN is not greater than `most`. */
static double greater(double most, double value)
{
    return value > most ? value : most;
}

static void find_rest(graph_dual *d, const double *q, double *v)
{
    memset(d->rest, 0, d->p * sizeof *d->rest);
    graph_add_transposed(d->terms.graph, v, d->rest);
    for (size_t j = 0; j < d->p; j++)
        d->rest[j] = q[j] - d->rest[j];
}

/* Repeated sums of the remainder, as in trend filtering, grow with the number of features: when the
 * candidate is exact up to rounding, completing it would add more error than it removes. */
static bool is_complete(const graph_dual *d, const double *q)
{
    double greatest = 0, rest = 0;
    for (size_t j = 0; j < d->p; j++) {
        greatest = greater(greatest, fabs(q[j]));
        rest = greater(rest, fabs(d->rest[j]));
    }
    return rest <= COMPLETE * greatest;
}

/* A matrix D: where conjugate gradients leave more than rounding errors, as with high differences
 * of many features, its factorisation removes the remainder, from then on. */
static void complete_rows(graph_dual *d, const double *q, double *v)
{
    if (!d->factor) {
        step_rows(d, v);
        find_rest(d, q, v);
        if (is_complete(d, q) || !rows_factor_fits(d->terms.graph))
            return;
        d->factor = rows_factor_new(d->terms.graph);
    }
    if (d->factor)
        rows_factor_solve(d->factor, d->rest, v);
}

double graph_dual_complete(graph_dual *d, const double *q, double *v, double *s, double *left)
{
    const tm_graph *graph = d->terms.graph;
    bool edges = tm_graph_is_edges(graph);
    double most = 0, most_left = 0;
    find_rest(d, q, v);
    bool needed = !edges && !d->terms.own && !is_complete(d, q);
    if (edges)
        complete_edges(d, v);
    else if (needed && tm_graph_order(graph) > 0)
        complete_trend(d, v);
    else if (needed)
        complete_rows(d, q, v);
    if (edges || needed)
        find_rest(d, q, v);
    for (size_t j = 0; j < d->p; j++) {
        double size = fabs(d->rest[j]);
        if (d->terms.own)
            s[j] = is_held(d, j) ? d->rest[j] : 0;
        if (is_held(d, j))
            most = greater(most, size / d->terms.own[j]);
        else
            most_left = greater(most_left, size);
    }
    for (size_t t = 0; t < tm_graph_terms(graph); t++)
        most = greater(most, fabs(v[t]));
    *left = most_left;
    return most;
}

double graph_dual_lost(const graph_dual *d, const double *w)
{
    double sum = 0;
    for (size_t j = 0; j < d->p; j++)
        if (!is_held(d, j))
            sum += fabs(d->rest[j] * w[j]);
    return sum;
}
