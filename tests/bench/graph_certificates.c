/* Solves genlasso on small random graphs with circles, several components, parallel edges and
 * self-loops, and prints each problem with its answer and dual point, so that another program can
 * recompute the certificate (tests/cli/test_graph_certificates.py).
 * usage: graph_certificates COUNT. A problem is one line of numbers: seed, binary, n, p, edges,
 * terms, lambda, l1_ratio, primal, dual, b; y, X by columns, edges as first, second, weight; terms
 * the same way; w; the dual variables; v. */
#include "solve/structure/cut_pursuit.h"

#include "tamis/tamis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 9, ROWS = 14, EDGES = 24 };

typedef struct graph_problem {
    size_t n, p, edges;
    uint32_t ends[2 * EDGES];
    double weights[EDGES], own[MOST], ratio;
    bool binary;
} graph_problem;

static void must(tm_status status, const tm_error *err)
{
    if (status == TM_OK)
        return;
    fprintf(stderr, "graph_certificates: %s\n", err->message);
    exit(1);
}

static graph_problem problem_of(tm_rng *rng, uint64_t seed)
{
    graph_problem q = {.n = 6 + tm_rng_below(rng, ROWS - 6),
                       .p = 1 + tm_rng_below(rng, MOST),
                       .binary = seed % 2 == 1,
                       .ratio = seed % 3 == 2 ? 0.6 : 0};
    q.edges = tm_rng_below(rng, 2 * q.p + 1);
    for (size_t e = 0; e < q.edges; e++) {
        q.ends[2 * e] = (uint32_t)tm_rng_below(rng, q.p);
        q.ends[2 * e + 1] = (uint32_t)tm_rng_below(rng, q.p);
        q.weights[e] = tm_rng_range(rng, 0.2, 2);
    }
    for (size_t j = 0; j < q.p; j++)
        q.own[j] = q.ratio;
    return q;
}

static tm_dataset *data_of(const graph_problem *q, tm_rng *rng)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data;
    double *x = malloc(q->n * q->p * sizeof *x), *y = malloc(q->n * sizeof *y);
    for (size_t k = 0; k < q->n * q->p; k++)
        x[k] = tm_rng_normal(rng);
    for (size_t i = 0; i < q->n; i++)
        y[i] = q->binary ? (i % 2 ? 1 : -1) : x[i] + tm_rng_normal(rng);
    tm_dataset_parts parts = {.name = "random", .response = {.y = y, .numeric = !q->binary}};
    must(tm_matrix_new_dense(&parts.x, q->n, q->p, x, &err), &err);
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

static void print_values(const double *values, size_t count, double scale)
{
    for (size_t k = 0; k < count; k++)
        printf(" %.17g", scale * values[k]);
}

static void print_problem(const graph_problem *q, const tm_dataset *data, const tm_graph *graph)
{
    double column[ROWS];
    print_values(tm_dataset_y(data), q->n, 1);
    for (size_t j = 0; j < q->p; j++) {
        tm_matrix_column(tm_dataset_x(data), j, column);
        print_values(column, q->n, 1);
    }
    for (size_t e = 0; e < q->edges; e++)
        printf(" %u %u %.17g", q->ends[2 * e], q->ends[2 * e + 1], q->weights[e]);
    for (size_t t = 0; t < tm_graph_terms(graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(graph, t, &values, &count);
        printf(" %u %u %.17g", f[0], f[1], values[0]);
    }
}

/* False when there is no optimum: what has no penalty separates the classes. */
static bool solve(const graph_problem *q, const tm_dataset *data, uint64_t seed)
{
    tm_error err = TM_ERROR_INIT;
    tm_graph *graph;
    graph_certifier *certifier;
    cut_pursuit *cut;
    solve_progress progress;
    structure_end end;
    double w[MOST] = {0}, v[EDGES], greatest = 0;
    progress_begin(&progress, NULL);
    must(tm_graph_new(&graph, q->p, q->edges, q->ends, q->weights, &err), &err);
    graph_terms terms = {graph, q->ratio > 0 ? q->own : NULL, true};
    tm_status status = graph_certifier_new(&certifier, data, q->binary ? "logistic" : "squared",
                                           &terms, NULL, &err);
    if (status == TM_EDATA) {
        tm_graph_unref(graph);
        return false;
    }
    must(status, &err);
    const graph_point *at = graph_certifier_point(certifier, 1, w, 0, NULL);
    for (size_t j = 0; j < q->p; j++)
        greatest = fmax(greatest, fabs(at->q[j]));
    double lambda = 0.1 * greatest + 0.01, null = at->primal;
    must(cut_pursuit_new(&cut, data, &terms, certifier, &err), &err);
    must(cut_pursuit_solve(cut, lambda, 1e-9 * null, 500, &progress, &end, &err), &err);
    double b = cut_pursuit_intercept(cut);
    at = graph_certifier_point(certifier, lambda, cut_pursuit_weights(cut), b, NULL);
    for (size_t t = 0; t < tm_graph_terms(graph); t++)
        v[t] = cut_pursuit_dual(cut)[t];
    double dual = graph_certifier_bound(certifier, lambda, v);
    double scale = graph_certifier_scale(certifier);
    printf("%llu %d %zu %zu %zu %zu %.17g %.17g %.17g %.17g %.17g", (unsigned long long)seed,
           q->binary, q->n, q->p, q->edges, tm_graph_terms(graph), lambda, q->ratio, at->primal,
           dual, b);
    print_problem(q, data, graph);
    print_values(cut_pursuit_weights(cut), q->p, 1);
    print_values(at->a, q->n, scale);
    print_values(v, tm_graph_terms(graph), scale);
    printf("\n");
    cut_pursuit_free(cut);
    graph_certifier_free(certifier);
    tm_graph_unref(graph);
    return true;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? strtol(argv[1], NULL, 10) : 10;
    for (uint64_t seed = 1; count > 0; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        graph_problem q = problem_of(&rng, seed);
        tm_dataset *data = data_of(&q, &rng);
        count -= solve(&q, data, seed);
        tm_dataset_unref(data);
    }
    return 0;
}
