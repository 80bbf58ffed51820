#include "solve/structure/cut_pursuit.h"

#include "base/memory.h"
#include "solve/structure/dense.h"
#include "solve/structure/max_flow.h"
#include "solve/structure/partition.h"
#include "solve/structure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cut_pursuit {
    const tm_dataset *data;
    graph_terms terms;
    graph_certifier *certifier; /* not its own */
    partition parts;
    max_flow *router;
    double *w, b;            /* the answer */
    double share;            /* of the target that small problems are solved to */
    double *levels;          /* nodes: of each component */
    double *multipliers;     /* edges: of each pair, |u| <= lambda times the pair's weight */
    double *flow, *capacity; /* edges */
    double *rest;            /* nodes */
    double *v;               /* terms: the flows as multiples of the weights */
    unsigned char *source;   /* nodes: the side of the cut */
    bool *merged;            /* edges: pairs whose levels are one */
};

void cut_pursuit_free(cut_pursuit *c)
{
    if (!c)
        return;
    partition_clear(&c->parts);
    max_flow_free(c->router);
    free(c->w);
    free(c->levels);
    free(c->multipliers);
    free(c->flow);
    free(c->capacity);
    free(c->rest);
    free(c->v);
    free(c->source);
    free(c->merged);
    free(c);
}

static bool allocate(cut_pursuit *c)
{
    const partition *a = &c->parts;
    c->router = max_flow_new(a->nodes, a->edges, a->ends);
    c->w = mem_zeros(a->p, sizeof *c->w);
    c->levels = mem_zeros(a->nodes, sizeof *c->levels);
    c->multipliers = mem_zeros(a->edges, sizeof *c->multipliers);
    c->flow = mem_zeros(a->edges, sizeof *c->flow);
    c->capacity = mem_zeros(a->edges, sizeof *c->capacity);
    c->rest = mem_zeros(a->nodes, sizeof *c->rest);
    c->v = mem_zeros(a->terms, sizeof *c->v);
    c->source = mem_zeros(a->nodes, 1);
    c->merged = mem_zeros(a->edges, sizeof *c->merged);
    return c->router && c->w && c->levels && c->multipliers && c->flow && c->capacity && c->rest &&
           c->v && c->source && c->merged;
}

tm_status cut_pursuit_new(cut_pursuit **out, const tm_dataset *data, const graph_terms *terms,
                          graph_certifier *certifier, tm_error *err)
{
    cut_pursuit *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return tm_fail_memory(err, "cut pursuit");
    c->data = data;
    c->terms = *terms;
    c->certifier = certifier;
    tm_status status = partition_new(&c->parts, terms, err);
    if (status == TM_OK && !allocate(c))
        status = tm_fail_memory(err, "cut pursuit");
    if (status != TM_OK) {
        cut_pursuit_free(c);
        return status;
    }
    cut_pursuit_reset(c);
    *out = c;
    return TM_OK;
}

/* ---- partitions ------------------------------------------------------------------------------ */

static bool join_all(const partition *a, size_t edge, void *payload)
{
    (void)a;
    (void)edge;
    (void)payload;
    return true;
}

static bool join_equal(const partition *a, size_t edge, void *payload)
{
    const double *w = payload;
    uint32_t x = a->ends[2 * edge], y = a->ends[2 * edge + 1];
    return w[x] == (y < a->p ? w[y] : 0);
}

static bool join_merged(const partition *a, size_t edge, void *payload)
{
    const cut_pursuit *c = payload;
    return a->pair_of[edge] == SIZE_MAX || c->merged[a->pair_of[edge]];
}

static bool join_uncut(const partition *a, size_t edge, void *payload)
{
    const cut_pursuit *c = payload;
    uint32_t x = a->ends[2 * edge], y = a->ends[2 * edge + 1];
    return a->component[x] == a->component[y] && c->source[x] == c->source[y];
}

void cut_pursuit_reset(cut_pursuit *c)
{
    partition_find(&c->parts, join_all, NULL);
    memset(c->levels, 0, c->parts.nodes * sizeof *c->levels);
    memset(c->flow, 0, c->parts.edges * sizeof *c->flow);
}

/* The level of each component, from the weights of its features. */
static void take_levels(cut_pursuit *c, const double *w)
{
    const partition *a = &c->parts;
    memset(c->levels, 0, a->count * sizeof *c->levels);
    for (size_t j = 0; j < a->p; j++)
        if (a->component[j] != PARTITION_ZERO)
            c->levels[a->component[j]] += w[j] / (double)a->sizes[a->component[j]];
}

void cut_pursuit_start(cut_pursuit *c, const double *w, double b)
{
    c->b = b;
    memcpy(c->w, w, c->parts.p * sizeof *w);
    memset(c->flow, 0, c->parts.edges * sizeof *c->flow);
    partition_find(&c->parts, join_equal, c->w);
    take_levels(c, c->w);
}

/* ---- the small problem ----------------------------------------------------------------------- */

/* The sums of the columns of each component. */
static void fill_columns(const cut_pursuit *c, double *columns, solve_progress *progress)
{
    const tm_matrix *x = tm_dataset_x(c->data);
    size_t n = tm_dataset_rows(c->data);
    for (size_t j = 0; j < c->parts.p; j++)
        if (c->parts.component[j] != PARTITION_ZERO)
            tm_matrix_axpy(x, j, 1, columns + c->parts.component[j] * n);
    progress->columns += c->parts.p;
}

/* The pairs as terms: a level minus another, or a level alone. */
static void fill_terms(const partition *a, double lambda, size_t *starts, uint32_t *cols,
                       double *values, double *bound)
{
    size_t used = 0;
    for (size_t k = 0; k < a->pairs; k++) {
        starts[k] = used;
        cols[used] = a->pair_ends[2 * k];
        values[used++] = 1;
        if (a->pair_ends[2 * k + 1] != PARTITION_ZERO) {
            cols[used] = a->pair_ends[2 * k + 1];
            values[used++] = -1;
        }
        bound[k] = lambda * a->pair_weights[k];
    }
    starts[a->pairs] = used;
}

/* The small problem in dense form. */
typedef struct small_problem {
    double *columns; /* n x components */
    size_t *starts;
    uint32_t *cols, *before; /* before: of each node its component before neighbours were merged */
    double *values, *bound, *linear;
} small_problem;

static void small_free(small_problem *small)
{
    free(small->columns);
    free(small->starts);
    free(small->cols);
    free(small->before);
    free(small->values);
    free(small->linear);
}

static tm_status small_make(small_problem *small, cut_pursuit *c, double lambda,
                            solve_progress *progress, tm_error *err)
{
    partition *a = &c->parts;
    partition_find_pairs(a);
    small->columns = mem_zeros(a->count, tm_dataset_rows(c->data) * sizeof(double));
    small->starts = mem_array(a->pairs + 1, sizeof *small->starts);
    small->cols = mem_array(2 * a->pairs, sizeof *small->cols);
    small->before = mem_array(a->nodes, sizeof *small->before);
    small->values = mem_array(3 * a->pairs, sizeof *small->values);
    small->linear = mem_array(a->count, sizeof *small->linear);
    if (!small->columns || !small->starts || !small->cols || !small->before || !small->values ||
        !small->linear)
        return tm_fail_memory(err, "cut pursuit");
    small->bound = small->values + 2 * a->pairs;
    fill_columns(c, small->columns, progress);
    fill_terms(a, lambda, small->starts, small->cols, small->values, small->bound);
    return TM_OK;
}

static tm_status small_solve(small_problem *small, cut_pursuit *c, double target,
                             solve_progress *progress, tm_error *err)
{
    const partition *a = &c->parts;
    dense_problem q = {.of = graph_certifier_samples(c->certifier),
                       .columns = small->columns,
                       .width = a->count,
                       .intercept = c->terms.intercept,
                       .terms = {a->pairs, small->starts, small->cols, small->values, small->bound},
                       .target = target};
    return dense_solve(&q, c->levels, &c->b, c->multipliers, progress, err);
}

static double level_of(const cut_pursuit *c, uint32_t component)
{
    return component == PARTITION_ZERO ? 0 : c->levels[component];
}

static double pair_step(const cut_pursuit *c, size_t k)
{
    return level_of(c, c->parts.pair_ends[2 * k]) - level_of(c, c->parts.pair_ends[2 * k + 1]);
}

/* The flow along each edge between components is its share of its pair's multiplier. */
static void take_flows(cut_pursuit *c)
{
    const partition *a = &c->parts;
    for (size_t e = 0; e < a->edges; e++) {
        size_t k = a->pair_of[e];
        if (k == SIZE_MAX)
            continue;
        bool same = a->component[a->ends[2 * e]] == a->pair_ends[2 * k];
        double flow = c->multipliers[k] * a->weights[e] / a->pair_weights[k];
        c->flow[e] = same ? flow : -flow;
    }
}

static void take_weights(cut_pursuit *c)
{
    for (size_t j = 0; j < c->parts.p; j++)
        c->w[j] = level_of(c, c->parts.component[j]);
}

/* Neighbours whose levels are one become one component. */
static tm_status merge(cut_pursuit *c, small_problem *small, double lambda, tm_error *err)
{
    partition *a = &c->parts;
    size_t n = tm_dataset_rows(c->data), before = a->count;
    double greatest = 0;
    for (size_t k = 0; k < before; k++)
        greatest = fmax(greatest, fabs(c->levels[k]));
    for (size_t k = 0; k < a->pairs; k++) {
        double bound = lambda * a->pair_weights[k];
        double slack = (bound - fabs(c->multipliers[k])) / bound;
        c->merged[k] = fabs(pair_step(c, k)) <= MERGE_RATIO * slack * greatest;
    }
    memcpy(small->before, a->component, a->nodes * sizeof *small->before);
    partition_find(a, join_merged, c);
    take_levels(c, c->w);
    partition_find_pairs(a);
    double *columns = mem_zeros(a->count, n * sizeof *columns), *old = small->columns;
    if (!columns)
        return tm_fail_memory(err, "cut pursuit");
    memset(c->source, 0, before);
    for (size_t j = 0; j < a->p; j++) {
        uint32_t from = small->before[j], to = a->component[j];
        if (from == PARTITION_ZERO || c->source[from])
            continue;
        c->source[from] = 1; /* taken */
        for (size_t i = 0; to != PARTITION_ZERO && i < n; i++)
            columns[to * n + i] += old[from * n + i];
    }
    small->columns = columns;
    free(old);
    return TM_OK;
}

/* The pairs' multipliers at their bounds, as a linear part. */
static void fill_linear(const cut_pursuit *c, small_problem *small, double lambda)
{
    const partition *a = &c->parts;
    memset(small->linear, 0, a->count * sizeof *small->linear);
    for (size_t k = 0; k < a->pairs; k++) {
        double pull = copysign(lambda * a->pair_weights[k], pair_step(c, k));
        uint32_t from = a->pair_ends[2 * k], to = a->pair_ends[2 * k + 1];
        small->bound[k] = pull;
        small->linear[from] += pull;
        if (to != PARTITION_ZERO)
            small->linear[to] -= pull;
    }
}

/* With the signs of all steps between components fixed nothing but the loss is curved: Newton's
 * steps lead to the optimum to rounding, and with it to slopes that flows can balance. It counts
 * when the steps keep their signs. */
static tm_status polish(cut_pursuit *c, small_problem *small, double lambda,
                        solve_progress *progress, tm_error *err)
{
    partition *a = &c->parts;
    double b = c->b;
    dense_problem q = {.of = graph_certifier_samples(c->certifier),
                       .columns = small->columns,
                       .width = a->count,
                       .intercept = c->terms.intercept,
                       .linear = small->linear};
    fill_linear(c, small, lambda);
    tm_status status = dense_solve(&q, c->levels, &c->b, c->multipliers, progress, err);
    bool kept = true;
    for (size_t k = 0; k < a->pairs; k++)
        kept = kept && pair_step(c, k) * small->bound[k] > 0;
    if (!kept || !isfinite(c->b)) {
        partition_set(a, small->before);
        take_levels(c, c->w);
        c->b = b;
    } else {
        memcpy(c->multipliers, small->bound, a->pairs * sizeof *c->multipliers);
        take_flows(c);
    }
    take_weights(c);
    return status;
}

static tm_status solve_small(cut_pursuit *c, double lambda, double target, solve_progress *progress,
                             tm_error *err)
{
    small_problem small = {0};
    tm_status status = small_make(&small, c, lambda, progress, err);
    if (status == TM_OK)
        status = small_solve(&small, c, target, progress, err);
    if (status == TM_OK) {
        take_weights(c);
        take_flows(c);
        status = merge(c, &small, lambda, err);
    }
    if (status == TM_OK)
        status = polish(c, &small, lambda, progress, err);
    small_free(&small);
    return status;
}

/* ---- flows ----------------------------------------------------------------------------------- */

static bool within(const partition *a, size_t e)
{
    return a->component[a->ends[2 * e]] == a->component[a->ends[2 * e + 1]];
}

/* What flows leave open at each node of the products q: all of it within components. The node of
 * weight 0 takes whatever it is sent. */
static void find_rest(cut_pursuit *c, const double *q)
{
    const partition *a = &c->parts;
    memcpy(c->rest, q, a->p * sizeof *q);
    if (a->nodes > a->p)
        c->rest[a->p] = 0;
    for (size_t e = 0; e < a->edges; e++) {
        c->rest[a->ends[2 * e]] -= c->flow[e];
        c->rest[a->ends[2 * e + 1]] += c->flow[e];
    }
    if (a->nodes == a->p)
        return;
    double sum = 0;
    for (size_t j = 0; j < a->p; j++)
        if (a->component[j] == PARTITION_ZERO)
            sum += c->rest[j];
    c->rest[a->p] = -sum;
}

/* Within components flows go up to lambda times the weight, what was there before is cut to it. */
static double set_capacities(cut_pursuit *c, double lambda)
{
    const partition *a = &c->parts;
    double greatest = 0;
    for (size_t e = 0; e < a->edges; e++) {
        bool inside = within(a, e);
        c->capacity[e] = inside ? lambda * a->weights[e] : fabs(c->flow[e]);
        greatest = fmax(greatest, c->capacity[e]);
        if (inside)
            c->flow[e] = fmin(fmax(c->flow[e], -c->capacity[e]), c->capacity[e]);
    }
    return greatest;
}

/* An edge between components is full in both directions for the router. */
static void close_crossings(cut_pursuit *c, double *kept)
{
    const partition *a = &c->parts;
    for (size_t e = 0; e < a->edges; e++)
        if (!within(a, e)) {
            kept[e] = c->flow[e];
            c->flow[e] = c->capacity[e] = 0;
        }
}

static void open_crossings(cut_pursuit *c, const double *kept)
{
    for (size_t e = 0; e < c->parts.edges; e++)
        if (!within(&c->parts, e))
            c->flow[e] = kept[e];
}

static double greatest_rest(const cut_pursuit *c)
{
    double greatest = 0;
    for (size_t j = 0; j < c->parts.nodes; j++)
        greatest = fmax(greatest, fabs(c->rest[j]));
    return greatest;
}

/* Balances the products by flows within the components; returns what cannot be. */
static double balance(cut_pursuit *c, double lambda, const double *q)
{
    double greatest = set_capacities(c, lambda);
    find_rest(c, q);
    double small = SMALL_FLOW * fmax(greatest, greatest_rest(c));
    close_crossings(c, c->multipliers);
    double left = max_flow_route(c->router, c->capacity, c->flow, c->rest, small, c->source);
    open_crossings(c, c->multipliers);
    for (size_t t = 0; t < c->parts.terms; t++)
        c->v[t] = c->flow[t] / c->parts.weights[t];
    return left;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* One round: small problem, certificate, flows, split. */
static tm_status round_once(cut_pursuit *c, double lambda, double target, solve_progress *progress,
                            structure_end *end, tm_error *err)
{
    partition *a = &c->parts;
    tm_status status = solve_small(c, lambda, c->share * target, progress, err);
    if (status != TM_OK)
        return status;
    const graph_point *at =
        graph_certifier_point(c->certifier, lambda, c->w, c->b, progress->threads);
    progress->columns += a->p;
    balance(c, lambda, at->q);
    double dual = graph_certifier_bound(c->certifier, lambda, c->v), gap = at->primal - dual;
    progress_emit(progress, TM_EVENT_CHECK, at->primal, dual, gap, a->count, a->p);
    end->converged = gap <= target;
    size_t before = a->count;
    if (end->converged)
        return TM_OK;
    partition_find(a, join_uncut, c);
    take_levels(c, c->w);
    bool grown = a->count > before;
    if (!grown)
        c->share *= TIGHTER;
    end->stalled = c->share < LEAST_SHARE;
    return TM_OK;
}

tm_status cut_pursuit_solve(cut_pursuit *c, double lambda, double target, size_t max_rounds,
                            solve_progress *progress, structure_end *end, tm_error *err)
{
    tm_status status = TM_OK;
    *end = (structure_end){0};
    c->share = INNER_SHARE;
    while (status == TM_OK && !end->converged && !end->stalled && end->rounds < max_rounds &&
           !progress->stopped) {
        status = round_once(c, lambda, target, progress, end, err);
        end->rounds++;
    }
    return status;
}

const double *cut_pursuit_weights(const cut_pursuit *c)
{
    return c->w;
}

double cut_pursuit_intercept(const cut_pursuit *c)
{
    return c->b;
}

size_t cut_pursuit_components(const cut_pursuit *c)
{
    return c->parts.count;
}

double *cut_pursuit_dual(cut_pursuit *c)
{
    return c->v;
}

/* ---- lambda_max ------------------------------------------------------------------------------ */

/* The ratio of what a set of nodes has to send and the weight of the edges that leave it. */
static double cut_ratio(const cut_pursuit *c, const double *q)
{
    const partition *a = &c->parts;
    double sum = 0, weight = 0, all = 0;
    for (size_t j = 0; j < a->p; j++) {
        sum += c->source[j] ? q[j] : 0;
        all += a->component[j] == PARTITION_ZERO ? q[j] : 0;
    }
    if (a->nodes > a->p && c->source[a->p])
        sum -= all;
    for (size_t e = 0; e < a->edges; e++)
        if (c->source[a->ends[2 * e]] != c->source[a->ends[2 * e + 1]])
            weight += a->weights[e];
    return weight > 0 ? sum / weight : 0;
}

/* No single feature may have more to send than its edges carry. */
static double single_ratio(const partition *a, const double *q)
{
    double greatest = 0;
    for (size_t j = 0; j < a->p; j++) {
        double weight = 0;
        for (size_t k = a->starts[j]; k < a->starts[j + 1]; k++)
            weight += a->weights[a->at[k]];
        if (weight > 0)
            greatest = fmax(greatest, fabs(q[j]) / weight);
    }
    return greatest;
}

/* The greatest ratio over all sets of nodes: each minimum cut at a lambda that is too small has a
 * greater one (Dinkelbach's iteration), and there are finitely many. */
tm_status cut_pursuit_lambda_max(cut_pursuit *c, const double *q, double *lambda_max, tm_error *err)
{
    (void)err;
    cut_pursuit_reset(c);
    double lambda = single_ratio(&c->parts, q);
    for (;;) {
        balance(c, lambda, q);
        double ratio = cut_ratio(c, q);
        if (!(ratio > lambda * (1 + SAME_LAMBDA)))
            break;
        lambda = ratio;
    }
    *lambda_max = lambda;
    cut_pursuit_reset(c);
    return TM_OK;
}
