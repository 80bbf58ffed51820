#include "solve/structure/flow/separable.h"

#include "base/memory.h"
#include "solve/structure/flow/max_flow.h"
#include "solve/structure/flow/partition.h"
#include "solve/structure/flow/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Features at order[from .. to - 1] that have one level so far. */
typedef struct level_set {
    size_t from, to;
    double level;
} level_set;

struct separable {
    partition graph; /* nodes and edges; its components are not used */
    max_flow *router;
    double *squares, *products; /* p: sum_i s_i x_ij^2, sum_i s_i x_ij (y_i - o_i) */
    double *w, *v;              /* p; terms */
    double *flow, *capacity; /* edges: 0 between level sets, whose edges the router must not use */
    double *crossing;        /* edges: the flow between level sets, at its bound */
    double *rest;            /* nodes: products - squares * level - what flows out */
    unsigned char *source;   /* nodes */
    uint32_t *order, *moved; /* p; moved: one more */
    level_set *sets;         /* a stack of at most p */
    size_t count;
    double small; /* amounts that count as zero */
};

/* ---- the kind of problem --------------------------------------------------------------------- */

/* Whether no two columns share a row. All entries are then visited once; *even: all are equal, and
 * there is one in each row. */
static bool disjoint(const tm_matrix *x, unsigned char *taken, double *scratch, bool *even)
{
    size_t used = 0, p = tm_matrix_cols(x);
    double first = 0;
    *even = true;
    for (size_t j = 0; j < p; j++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
        for (size_t k = 0; k < count; k++) {
            size_t i = rows ? rows[k] : k;
            if (values[k] == 0)
                continue;
            if (taken[i])
                return false;
            taken[i] = 1;
            first = used++ ? first : values[k];
            *even = *even && values[k] == first;
        }
    }
    *even = *even && used == tm_matrix_rows(x);
    return true;
}

bool separable_fits(const tm_dataset *data, const samples *of, const graph_terms *terms)
{
    if (!of->loss->quadratic || !tm_graph_is_edges(terms->graph) ||
        (terms->intercept && terms->own))
        return false;
    unsigned char *taken = mem_zeros(of->n, 1);
    double *scratch = mem_array(of->n, sizeof *scratch);
    bool even, fits = taken && scratch && disjoint(tm_dataset_x(data), taken, scratch, &even) &&
                      (even || !terms->intercept);
    free(taken);
    free(scratch);
    return fits;
}

/* ---- construction ---------------------------------------------------------------------------- */

void separable_free(separable *s)
{
    if (!s)
        return;
    partition_clear(&s->graph);
    max_flow_free(s->router);
    free(s->squares);
    free(s->products);
    free(s->w);
    free(s->v);
    free(s->flow);
    free(s->capacity);
    free(s->crossing);
    free(s->rest);
    free(s->source);
    free(s->order);
    free(s->moved);
    free(s->sets);
    free(s);
}

static bool allocate(separable *s)
{
    const partition *g = &s->graph;
    s->router = max_flow_new(g->nodes, g->edges, g->ends);
    s->squares = mem_zeros(g->p, sizeof *s->squares);
    s->products = mem_zeros(g->p, sizeof *s->products);
    s->w = mem_zeros(g->p, sizeof *s->w);
    s->v = mem_zeros(g->terms, sizeof *s->v);
    s->flow = mem_zeros(g->edges, sizeof *s->flow);
    s->capacity = mem_zeros(g->edges, sizeof *s->capacity);
    s->crossing = mem_zeros(g->edges, sizeof *s->crossing);
    s->rest = mem_zeros(g->nodes, sizeof *s->rest);
    s->source = mem_zeros(g->nodes, 1);
    s->order = mem_array(g->p, sizeof *s->order);
    s->moved = mem_array(g->p + 1, sizeof *s->moved);
    s->sets = mem_array(g->p + 1, sizeof *s->sets);
    return s->router && s->squares && s->products && s->w && s->v && s->flow && s->capacity &&
           s->crossing && s->rest && s->source && s->order && s->moved && s->sets;
}

static bool fill_columns(separable *s, const tm_dataset *data, const samples *of)
{
    double *scratch = mem_array(of->n, sizeof *scratch);
    for (size_t j = 0; scratch && j < s->graph.p; j++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(tm_dataset_x(data), j, scratch, &rows, &values);
        for (size_t k = 0; k < count; k++) {
            size_t i = rows ? rows[k] : k;
            double weighted = samples_weight(of, i) * values[k];
            s->squares[j] += weighted * values[k];
            s->products[j] += weighted * (of->y[i] - (of->offset ? of->offset[i] : 0));
        }
    }
    free(scratch);
    return scratch != NULL;
}

tm_status separable_new(separable **out, const tm_dataset *data, const samples *of,
                        const graph_terms *terms, tm_error *err)
{
    separable *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return tm_fail_memory(err, "the solver");
    tm_status status = partition_new(&s->graph, terms, err);
    if (status == TM_OK && (!allocate(s) || !fill_columns(s, data, of)))
        status = tm_fail_memory(err, "the solver");
    if (status == TM_OK)
        *out = s;
    else
        separable_free(s);
    return status;
}

void separable_reset(separable *s)
{
    memset(s->flow, 0, s->graph.edges * sizeof *s->flow);
}

/* ---- level sets ------------------------------------------------------------------------------ */

static void push_set(separable *s, size_t from, size_t to, double level)
{
    if (to > from)
        s->sets[s->count++] = (level_set){from, to, level};
}

/* Begins with the flows of the last answer, within the new capacities. */
static void begin(separable *s, double lambda)
{
    const partition *g = &s->graph;
    double supply = 0, greatest = 0, widest = 0;
    memcpy(s->rest, s->products, g->p * sizeof *s->rest);
    s->count = 0;
    for (size_t j = 0; j < g->p; j++) {
        s->order[j] = (uint32_t)j;
        s->w[j] = 0;
        supply += fabs(s->products[j]);
        greatest = fmax(greatest, fabs(s->products[j]));
    }
    for (size_t e = 0; e < g->edges; e++) {
        s->capacity[e] = lambda * g->weights[e];
        s->flow[e] = fmin(fmax(s->flow[e], -s->capacity[e]), s->capacity[e]);
        s->rest[g->ends[2 * e]] -= s->flow[e];
        s->rest[g->ends[2 * e + 1]] += s->flow[e];
        s->crossing[e] = 0;
        widest = fmax(widest, s->capacity[e]);
    }
    s->small = SMALL_FLOW * fmax(greatest, fmin(widest, supply));
}

/* Changes the level of a set to the mean that its features have with what flows in from outside;
 * without any data it stays. What rounding leaves over goes to one feature, because the router ends
 * only where supplies and demands are equal. */
static void centre(separable *s, level_set *set)
{
    long double squares = 0, rest = 0, left = 0;
    for (size_t k = set->from; k < set->to; k++) {
        squares += s->squares[s->order[k]];
        rest += s->rest[s->order[k]];
    }
    double before = set->level;
    if (squares > 0)
        set->level += (double)(rest / squares);
    for (size_t k = set->from; k < set->to; k++) {
        uint32_t j = s->order[k];
        s->rest[j] -= s->squares[j] * (set->level - before);
        left += s->rest[j];
    }
    s->rest[s->order[set->from]] -= (double)left;
}

/* The edges between features on both sides of a cut are at their bounds from now on. */
static void close_edges(separable *s, uint32_t j)
{
    const partition *g = &s->graph;
    for (size_t k = g->starts[j]; k < g->starts[j + 1]; k++) {
        size_t e = g->at[k];
        uint32_t first = g->ends[2 * e], second = g->ends[2 * e + 1];
        if (s->capacity[e] == 0 || s->source[first] == s->source[second])
            continue;
        double bound = s->source[first] ? s->capacity[e] : -s->capacity[e];
        s->rest[first] -= bound - s->flow[e];
        s->rest[second] += bound - s->flow[e];
        s->crossing[e] = bound;
        s->flow[e] = s->capacity[e] = 0;
    }
}

/* Moves the features on the side of the supplies to the end of the set; returns where they begin.
 */
static size_t divide(separable *s, const level_set *set)
{
    size_t kept = set->from, moved = 0;
    for (size_t k = set->from; k < set->to; k++) {
        uint32_t j = s->order[k];
        if (s->source[j])
            s->moved[moved++] = j;
        else
            s->order[kept++] = j;
    }
    memcpy(s->order + kept, s->moved, moved * sizeof *s->moved);
    for (size_t k = kept; k < set->to; k++)
        close_edges(s, s->order[k]);
    return kept;
}

static void cut_set(separable *s, level_set set)
{
    centre(s, &set);
    for (size_t k = set.from; k < set.to; k++)
        s->w[s->order[k]] = set.level;
    if (set.to - set.from == 1)
        return;
    flow_members members = {s->order + set.from, set.to - set.from};
    max_flow_route(s->router, &members, s->capacity, s->flow, s->rest, s->small, s->source);
    size_t middle = divide(s, &set);
    if (middle == set.from || middle == set.to)
        return;
    push_set(s, set.from, middle, set.level);
    push_set(s, middle, set.to, set.level);
}

/* ---- penalties of single features ------------------------------------------------------------ */

/* Cuts off the features on one side of 0, which is where the node that the single penalties join
 * to takes any amount. Features from `from` on; returns where those cut off begin. */
static size_t cut_at_zero(separable *s, size_t from)
{
    const partition *g = &s->graph;
    const level_set set = {from, g->p, 0};
    double all = 0;
    for (size_t k = from; k < g->p; k++)
        all += fabs(s->rest[s->order[k]]);
    uint32_t *last = s->moved; /* the members and the node of weight 0 */
    size_t count = g->p - from;
    memcpy(last, s->order + from, count * sizeof *last);
    last[count] = (uint32_t)g->p;
    s->rest[g->p] = -2 * all - 1;
    flow_members members = {last, count + 1};
    max_flow_route(s->router, &members, s->capacity, s->flow, s->rest, s->small, s->source);
    s->rest[g->p] = 0;
    s->source[g->p] = 0;
    return divide(s, &set);
}

static void negate(double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        values[k] = -values[k];
}

/* Finds the features that are above, below and at 0. Those below are found as those above of the
 * negated problem. */
static void split_at_zero(separable *s)
{
    const partition *g = &s->graph;
    size_t middle = cut_at_zero(s, 0), above = g->p - middle;
    memcpy(s->moved, s->order + middle, above * sizeof *s->moved);
    memmove(s->order + above, s->order, middle * sizeof *s->order);
    memcpy(s->order, s->moved, above * sizeof *s->moved);
    negate(s->rest, g->nodes);
    negate(s->flow, g->edges);
    negate(s->crossing, g->edges);
    size_t below = cut_at_zero(s, above);
    negate(s->rest, g->nodes);
    negate(s->flow, g->edges);
    negate(s->crossing, g->edges);
    push_set(s, 0, above, 0);
    push_set(s, below, g->p, 0);
}

/* ---- solving --------------------------------------------------------------------------------- */

void separable_solve(separable *s, double lambda, solve_progress *progress)
{
    const partition *g = &s->graph;
    begin(s, lambda);
    max_flow_watch(s->router, progress);
    if (g->nodes > g->p)
        split_at_zero(s);
    else
        push_set(s, 0, g->p, 0);
    while (s->count > 0 && !progress->stopped) {
        level_set set = s->sets[--s->count];
        progress->updates += set.to - set.from;
        progress_work(progress, set.to - set.from);
        cut_set(s, set);
    }
    for (size_t e = 0; e < g->edges; e++)
        s->flow[e] += s->crossing[e];
    for (size_t t = 0; t < g->terms; t++)
        s->v[t] = s->flow[t] / g->weights[t];
}

const double *separable_weights(const separable *s)
{
    return s->w;
}

const double *separable_dual(const separable *s)
{
    return s->v;
}
