/* Certificates of structured problems and the flows behind them, on random graphs with circles,
 * several components, parallel edges and loops: D'v + s = X'a and the limits are computed here. */
#include "tests/core_check.h"

#include "model/certificate/graph.h"
#include "model/loss/losses.h"
#include "solve/structure/flow/contraction.h"
#include "solve/structure/flow/max_flow.h"
#include "solve/structure/flow/separable.h"
#include "tamis/rng.h"

#include <math.h>

enum { ROWS = 12, MOST = 14, EDGES = 30 };

typedef struct random_case {
    size_t p, edges;
    tm_dataset *data;
    tm_graph *graph;
    double own[MOST];
    bool held;
} random_case;

static random_case case_new(tm_rng *rng)
{
    random_case c = {.p = 1 + tm_rng_below(rng, MOST), .held = tm_rng_below(rng, 3) == 0};
    uint32_t ends[2 * EDGES];
    double weights[EDGES];
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {
        .name = "d", .response.numeric = true, .response.y = calloc(ROWS, sizeof(double))};
    double *values = calloc(ROWS * c.p, sizeof *values);
    for (size_t i = 0; i < ROWS * c.p; i++)
        values[i] = tm_rng_normal(rng);
    for (size_t i = 0; i < ROWS; i++)
        parts.response.y[i] = tm_rng_normal(rng);
    must(tm_matrix_new_dense(&parts.x, ROWS, c.p, values, &err), &err);
    must(tm_dataset_new(&c.data, &parts, &err), &err);
    c.edges = tm_rng_below(rng, EDGES);
    for (size_t e = 0; e < c.edges; e++) {
        ends[2 * e] = (uint32_t)tm_rng_below(rng, c.p);
        ends[2 * e + 1] = (uint32_t)tm_rng_below(rng, c.p);
        weights[e] = tm_rng_range(rng, 0.1, 3);
    }
    must(tm_graph_new(&c.graph, c.p, c.edges, ends, weights, &err), &err);
    for (size_t j = 0; j < c.p; j++)
        c.own[j] = tm_rng_below(rng, 2) ? tm_rng_range(rng, 0.1, 2) : 0;
    return c;
}

static void case_free(random_case *c)
{
    tm_dataset_unref(c->data);
    tm_graph_unref(c->graph);
}

/* What v and a prove at the greatest scale that keeps them within their limits: for squares the
 * best t in sum_i t a_i y_i - t^2 a_i^2 / 2. */
static double bound_by_hand(const random_case *c, const graph_point *at, const double *v,
                            double lambda)
{
    double most = 0, rest[MOST], linear = 0, squares = 0;
    memcpy(rest, at->q, c->p * sizeof *rest);
    for (size_t t = 0; t < tm_graph_terms(c->graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(c->graph, t, &values, &count);
        for (size_t i = 0; i < count; i++)
            rest[f[i]] -= values[i] * v[t];
        most = fmax(most, fabs(v[t]));
    }
    for (size_t j = 0; j < c->p; j++)
        if (c->held && c->own[j] > 0)
            most = fmax(most, fabs(rest[j]) / c->own[j]);
        else
            assert_true(fabs(rest[j]) <= 1e-9);
    for (size_t i = 0; i < ROWS; i++) {
        linear += at->a[i] * tm_dataset_y(c->data)[i];
        squares += at->a[i] * at->a[i];
    }
    double t = squares > 0 ? linear / squares : 0;
    if (most > 0)
        t = fmax(fmin(t, lambda / most), -lambda / most);
    return t * linear - t * t * squares / 2;
}

/* Any weights and any candidate, good or not: the bound is what the completed v proves, and it is
 * below the value at other weights. */
CHECK(a_completed_candidate_proves_its_bound)
{
    tm_rng rng;
    tm_rng_seed(&rng, 3);
    for (int k = 0; k < 1000; k++) {
        random_case c = case_new(&rng);
        tm_error err = TM_ERROR_INIT;
        graph_certifier *certifier;
        graph_terms terms = {c.graph, c.held ? c.own : NULL, k % 2 == 0};
        must(graph_certifier_new(&certifier, c.data, "squared", &terms, NULL, &err), &err);
        double w[MOST], v[EDGES], lambda = tm_rng_range(&rng, 0.1, 10), least = INFINITY;
        for (int trial = 0; trial < 20; trial++) {
            for (size_t j = 0; j < c.p; j++)
                w[j] = trial ? 0.3 * tm_rng_normal(&rng) : 0;
            least = fmin(least, graph_certifier_point(certifier, lambda, w, 0, NULL)->primal);
        }
        for (size_t t = 0; t < tm_graph_terms(c.graph); t++)
            v[t] = k % 3 ? lambda * tm_rng_normal(&rng) : k % 2 ? NAN : 0;
        const graph_point *at = graph_certifier_point(certifier, lambda, w, 0, NULL);
        double bound = graph_certifier_bound(certifier, lambda, v);
        double expected = bound_by_hand(&c, at, v, lambda);
        if (fabs(bound - expected) > 1e-9 * (1 + fabs(expected)) || bound > least + 1e-9)
            fail_msg("case %d: bound %.15g, by hand %.15g, a value is %.15g", k, bound, expected,
                     least);
        graph_certifier_free(certifier);
        case_free(&c);
    }
}

/* Theorem 8's example: every |q_j| is within lambda |D_j|_1, and v = (1, 2, 1) is not. */
CHECK(products_within_column_sums_are_not_enough)
{
    tm_graph *graph;
    size_t four = 4;
    must(tm_graph_grid(&graph, &four, 1, NULL), &(tm_error)TM_ERROR_INIT);
    graph_terms terms = {graph, NULL, false};
    graph_dual *dual = graph_dual_new(&terms, 4);
    double v[3] = {0, 0, 0}, left;
    double most = graph_dual_complete(dual, (double[]){1, 1, -1, -1}, v, NULL, &left);
    assert_true(most == 2 && v[0] == 1 && v[1] == 2 && v[2] == 1 && left == 0);
    graph_dual_free(dual);
    tm_graph_unref(graph);
}

/* What cannot be routed is what the best set of nodes has more than its edges carry, by trying all
 * sets. */
CHECK(what_is_left_of_a_flow_is_what_the_best_cut_says)
{
    tm_rng rng;
    tm_rng_seed(&rng, 5);
    for (int k = 0; k < 300; k++) {
        size_t nodes = 2 + tm_rng_below(&rng, 8), edges = tm_rng_below(&rng, 20);
        uint32_t ends[40];
        double capacity[20], flow[20], rest[10], supply[10], excess = 0, sent = 0;
        unsigned char source[10];
        for (size_t e = 0; e < edges; e++) {
            ends[2 * e] = (uint32_t)tm_rng_below(&rng, nodes);
            ends[2 * e + 1] = (uint32_t)((ends[2 * e] + 1 + tm_rng_below(&rng, nodes - 1)) % nodes);
            capacity[e] = (double)tm_rng_below(&rng, 8);
            flow[e] = 0;
        }
        for (size_t j = 0; j < nodes; j++)
            rest[j] = supply[j] = (double)tm_rng_below(&rng, 21) - 10;
        max_flow *f = max_flow_new(nodes, edges, ends);
        double left = max_flow_route(f, NULL, capacity, flow, rest, 1e-12, source);
        for (unsigned set = 0; set < 1U << nodes; set++) {
            double more = 0;
            for (size_t j = 0; j < nodes; j++)
                more += set >> j & 1 ? supply[j] : 0;
            /* Demands within the set take what they ask for; none is made to send. */
            for (size_t e = 0; e < edges; e++)
                more -= (set >> ends[2 * e] & 1) != (set >> ends[2 * e + 1] & 1) ? capacity[e] : 0;
            excess = fmax(excess, more);
        }
        for (size_t e = 0; e < edges; e++) {
            assert_true(fabs(flow[e]) <= capacity[e]);
            supply[ends[2 * e]] -= flow[e];
            supply[ends[2 * e + 1]] += flow[e];
        }
        for (size_t j = 0; j < nodes; j++) {
            assert_true(fabs(supply[j] - rest[j]) < 1e-12);
            sent += source[j] ? fmax(rest[j], 0) : 0;
        }
        assert_true(fabs(left - excess) < 1e-9 && fabs(sent - left) < 1e-9);
        /* Once more only shows that nothing can be routed, by trees and labels from both sides. */
        uint64_t before = max_flow_steps(f);
        assert_true(max_flow_route(f, NULL, capacity, flow, rest, 1e-12, source) == left);
        assert_true(max_flow_steps(f) - before <= 2 * (nodes + 2 * edges) + 4 * nodes);
        max_flow_free(f);
    }
}

/* ---- flows between groups -------------------------------------------------------------------- */

enum { NODES = 9 };

typedef struct grouped {
    tm_graph *graph;
    partition parts;
    uint32_t group[NODES];
    double capacity[EDGES], flow[EDGES], supply[NODES], rest[NODES];
    unsigned char source[NODES];
} grouped;

static bool join_some(const partition *a, size_t edge, void *payload)
{
    (void)a;
    (void)edge;
    return tm_rng_below(payload, 3) == 0;
}

/* A graph in connected groups, some joined to the node of weight 0. */
static void grouped_make(grouped *c, tm_rng *rng)
{
    size_t p = 2 + tm_rng_below(rng, NODES - 2), edges = tm_rng_below(rng, 16);
    uint32_t ends[2 * EDGES];
    double weights[EDGES], own[NODES];
    tm_error err = TM_ERROR_INIT;
    for (size_t e = 0; e < edges; e++) {
        ends[2 * e] = (uint32_t)tm_rng_below(rng, p);
        ends[2 * e + 1] = (uint32_t)((ends[2 * e] + 1 + tm_rng_below(rng, p - 1)) % p);
        weights[e] = (double)(1 + tm_rng_below(rng, 8));
    }
    for (size_t j = 0; j < p; j++)
        own[j] = (double)tm_rng_below(rng, 3);
    must(tm_graph_new(&c->graph, p, edges, ends, weights, &err), &err);
    must(partition_new(&c->parts,
                       &(graph_terms){c->graph, tm_rng_below(rng, 2) ? own : NULL, false}, &err),
         &err);
    partition_find(&c->parts, join_some, rng);
    memcpy(c->group, c->parts.component, c->parts.nodes * sizeof *c->group);
    for (size_t e = 0; e < c->parts.edges; e++) {
        c->capacity[e] = 2 * c->parts.weights[e];
        c->flow[e] = tm_rng_range(rng, -1, 1) * c->capacity[e];
    }
    for (size_t j = 0; j < c->parts.nodes; j++)
        c->rest[j] = c->supply[j] = tm_rng_range(rng, -6, 6);
    for (size_t e = 0; e < c->parts.edges; e++) {
        c->supply[c->parts.ends[2 * e]] += c->flow[e];
        c->supply[c->parts.ends[2 * e + 1]] -= c->flow[e];
    }
}

/* Flows are within their capacities, and rest is what they leave of the supplies. */
static void check_flows(const grouped *c)
{
    double left[NODES];
    memcpy(left, c->supply, sizeof left);
    for (size_t e = 0; e < c->parts.edges; e++) {
        assert_true(fabs(c->flow[e]) <= c->capacity[e] + 1e-12);
        left[c->parts.ends[2 * e]] -= c->flow[e];
        left[c->parts.ends[2 * e + 1]] += c->flow[e];
    }
    for (size_t j = 0; j < c->parts.nodes; j++)
        assert_true(fabs(left[j] - c->rest[j]) < 1e-9);
}

static size_t number_of(const grouped *c, size_t j)
{
    return c->group[j] == UINT32_MAX ? c->parts.count : c->group[j];
}

/* The greatest excess of a set of groups over what its edges carry, flows within groups as they
 * were. */
static double best_cut(const grouped *c)
{
    double excess = 0;
    for (unsigned set = 0; set < 2U << c->parts.count; set++) {
        double more = 0;
        for (size_t j = 0; j < c->parts.nodes; j++)
            more += set >> number_of(c, j) & 1 ? c->supply[j] : 0;
        for (size_t e = 0; e < c->parts.edges; e++)
            more -= (set >> number_of(c, c->parts.ends[2 * e]) & 1) !=
                            (set >> number_of(c, c->parts.ends[2 * e + 1]) & 1)
                        ? c->capacity[e]
                        : 0;
        excess = fmax(excess, more);
    }
    return excess;
}

/* The sums of what is left in groups and the number of their nodes with something left; returns the
 * sum of the supplies among the former. */
static double sum_groups(const grouped *c, double sums[NODES + 1], size_t left[NODES + 1])
{
    double supplies = 0;
    for (size_t g = 0; g <= c->parts.count; g++) {
        sums[g] = 0;
        left[g] = 0;
    }
    for (size_t j = 0; j < c->parts.nodes; j++) {
        sums[number_of(c, j)] += c->rest[j];
        left[number_of(c, j)] += fabs(c->rest[j]) > 1e-9;
    }
    for (size_t g = 0; g <= c->parts.count; g++)
        supplies += fmax(sums[g], 0);
    return supplies;
}

CHECK(flows_between_groups_leave_what_the_best_cut_says_and_fit_along_their_trees)
{
    tm_rng rng;
    tm_rng_seed(&rng, 6);
    int complete = 0, runs = 300;
    for (int k = 0; k < runs; k++) {
        grouped c = {0};
        contraction *f;
        tm_error err = TM_ERROR_INIT;
        double sums[NODES + 1], before[EDGES], rest[NODES];
        size_t left[NODES + 1];
        grouped_make(&c, &rng);
        must(contraction_new(&f, &c.parts, c.group, c.parts.count, &err), &err);
        contraction_route(f, c.capacity, c.flow, c.rest, 1e-12, c.source);
        check_flows(&c);
        assert_true(fabs(sum_groups(&c, sums, left) - best_cut(&c)) < 1e-9);
        memcpy(before, c.flow, sizeof before);
        memcpy(rest, c.rest, sizeof rest);
        if (contraction_complete(f, c.capacity, c.flow, c.rest, 1e-12)) {
            complete++;
            check_flows(&c);
            sum_groups(&c, sums, left);
            for (size_t g = 0; g <= c.parts.count; g++)
                assert_true(left[g] <= 1);
        } else {
            assert_memory_equal(before, c.flow, sizeof before);
            assert_memory_equal(rest, c.rest, sizeof rest);
        }
        contraction_free(f);
        partition_clear(&c.parts);
        tm_graph_unref(c.graph);
    }
    assert_in_range(complete, runs / 10, runs - runs / 10);
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Graphs over columns without a common row: the weights and the flows of the exact solver satisfy
 * the conditions of optimality, with features without data, repeated rows, sample weights, offsets
 * and penalties of single features. */
enum { PROBLEMS = 400, PIXELS = 40 };

typedef struct image {
    size_t n, p, edges;
    tm_dataset *data;
    tm_graph *graph;
    double own[PIXELS], d[PIXELS], r[PIXELS]; /* d, r: squares and products, computed on the way */
    bool held;
} image;

static void add_rows(image *c, tm_rng *rng, tm_dataset_parts *parts)
{
    uint64_t *starts = calloc(c->p + 1, sizeof *starts);
    uint32_t *rows = calloc(3 * PIXELS + 1, sizeof *rows);
    double *values = calloc(3 * PIXELS + 1, sizeof *values);
    tm_error err = TM_ERROR_INIT;
    bool coarse = tm_rng_below(rng, 3) == 0;
    parts->response.y = calloc(3 * PIXELS + 1, sizeof(double));
    parts->rows.weights = calloc(3 * PIXELS + 1, sizeof(double));
    parts->rows.offset = calloc(3 * PIXELS + 1, sizeof(double));
    for (size_t j = 0; j < c->p; j++) {
        c->d[j] = c->r[j] = 0;
        for (size_t k = tm_rng_below(rng, 4); k > 0; k--, c->n++) {
            double x = coarse ? 1 : tm_rng_range(rng, 0.5, 2);
            double y = coarse ? (double)tm_rng_below(rng, 4) : 3 * tm_rng_normal(rng);
            double weight = coarse ? 1 : tm_rng_range(rng, 0.1, 3), offset = coarse ? 0 : 0.5;
            rows[c->n] = (uint32_t)c->n;
            values[c->n] = x;
            parts->response.y[c->n] = y;
            parts->rows.weights[c->n] = weight;
            parts->rows.offset[c->n] = offset;
            c->d[j] += weight * x * x;
            c->r[j] += weight * x * (y - offset);
        }
        starts[j + 1] = c->n;
    }
    if (c->n == 0) { /* a row without any feature */
        c->n = 1;
        parts->rows.weights[0] = 1;
    }
    must(tm_matrix_new_csc(&parts->x, c->n, c->p, starts, rows, values, &err), &err);
}

static image image_new(tm_rng *rng)
{
    image c = {.p = 1 + tm_rng_below(rng, PIXELS), .held = tm_rng_below(rng, 3) == 0};
    uint32_t ends[6 * PIXELS];
    double weights[3 * PIXELS];
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {.name = "image", .response.numeric = true};
    bool even = tm_rng_below(rng, 2);
    add_rows(&c, rng, &parts);
    must(tm_dataset_new(&c.data, &parts, &err), &err);
    c.edges = tm_rng_below(rng, 3 * c.p);
    for (size_t e = 0; e < c.edges; e++) {
        ends[2 * e] = (uint32_t)tm_rng_below(rng, c.p);
        ends[2 * e + 1] = (uint32_t)tm_rng_below(rng, c.p);
        weights[e] = even ? 1 : tm_rng_range(rng, 0.1, 2);
    }
    must(tm_graph_new(&c.graph, c.p, c.edges, ends, weights, &err), &err);
    for (size_t j = 0; j < c.p; j++)
        c.own[j] = tm_rng_below(rng, 4) ? tm_rng_range(rng, 0.1, 2) : 0;
    return c;
}

static void image_free(image *c)
{
    tm_dataset_unref(c->data);
    tm_graph_unref(c->graph);
}

/* D'v + s = q with |v| <= lambda, |s_j| <= lambda own_j, and equality where w differs. */
static void check_conditions(const image *c, const separable *s, double lambda, int k)
{
    const double *w = separable_weights(s), *v = separable_dual(s);
    double rest[PIXELS], size = 1;
    for (size_t j = 0; j < c->p; j++) {
        rest[j] = c->r[j] - c->d[j] * w[j];
        size = fmax(size, fmax(fabs(c->r[j]), lambda));
    }
    double room = 1e-11 * size * (double)c->p;
    for (size_t t = 0; t < tm_graph_terms(c->graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(c->graph, t, &values, &count);
        double step = w[f[0]] - w[f[1]];
        rest[f[0]] -= values[0] * v[t];
        rest[f[1]] += values[0] * v[t];
        if (fabs(v[t]) > lambda * (1 + 1e-12) || lambda * fabs(step) - v[t] * step > room)
            fail_msg("image %d, lambda %g, term %zu: step %g, v %g", k, lambda, t, step, v[t]);
    }
    for (size_t j = 0; j < c->p; j++) {
        double most = c->held ? lambda * c->own[j] : 0;
        if (fabs(rest[j]) > most + room || most * fabs(w[j]) - rest[j] * w[j] > room)
            fail_msg("image %d, lambda %g, feature %zu: weight %g, %g left of at most %g", k,
                     lambda, j, w[j], rest[j], most);
    }
}

CHECK(images_satisfy_the_conditions_of_optimality)
{
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, check_seed(17));
    for (int k = 0; k < PROBLEMS; k++) {
        image c = image_new(&rng);
        samples of = samples_of(c.data, loss_find("squared", &err));
        graph_terms terms = {c.graph, c.held ? c.own : NULL, false};
        separable *s;
        solve_progress progress;
        progress_begin(&progress, NULL);
        assert_true(separable_fits(c.data, &of, &terms));
        must(separable_new(&s, c.data, &of, &terms, &err), &err);
        for (double lambda = 4; lambda > 0.01; lambda /= 3) {
            if (k % 2)
                separable_reset(s);
            separable_solve(s, lambda, &progress);
            check_conditions(&c, s, lambda, k);
        }
        separable_free(s);
        image_free(&c);
    }
}

RUN_TESTS(a_completed_candidate_proves_its_bound, products_within_column_sums_are_not_enough,
          what_is_left_of_a_flow_is_what_the_best_cut_says,
          flows_between_groups_leave_what_the_best_cut_says_and_fit_along_their_trees,
          images_satisfy_the_conditions_of_optimality)
