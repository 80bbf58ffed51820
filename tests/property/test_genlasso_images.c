/* Graphs over columns without a common row (images): the weights and the flows that the exact
 * solver returns satisfy the conditions of optimality, which are computed here, on random graphs
 * with circles, several components, parallel edges and loops, features without data, repeated rows,
 * sample weights, offsets and penalties of single features. */
#include "problem.h"

#include "tests/core_check.h"

#include "model/loss/losses.h"

#include "solve/structure/separable.h"

enum { PROBLEMS = 400, MOST = 40 };

typedef struct image {
    size_t n, p, edges;
    tm_dataset *data;
    tm_graph *graph;
    double own[MOST], d[MOST], r[MOST]; /* d, r: squares and products, computed on the way */
    bool held;
} image;

static void add_rows(image *c, tm_rng *rng, tm_dataset_parts *parts)
{
    uint64_t *starts = calloc(c->p + 1, sizeof *starts);
    uint32_t *rows = calloc(3 * MOST + 1, sizeof *rows);
    double *values = calloc(3 * MOST + 1, sizeof *values);
    tm_error err = TM_ERROR_INIT;
    bool coarse = tm_rng_below(rng, 3) == 0;
    parts->response.y = calloc(3 * MOST + 1, sizeof(double));
    parts->rows.weights = calloc(3 * MOST + 1, sizeof(double));
    parts->rows.offset = calloc(3 * MOST + 1, sizeof(double));
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
    image c = {.p = 1 + tm_rng_below(rng, MOST), .held = tm_rng_below(rng, 3) == 0};
    uint32_t ends[6 * MOST];
    double weights[3 * MOST];
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
    double rest[MOST], size = 1;
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

/* The method takes the exact solver: one pass for the null model and one for the certificate. With
 * an additional row on which all features stand the columns have a row in common, and the general
 * solver has nearly the same problem when the row weighs next to nothing. */
CHECK(an_image_takes_two_passes_and_the_general_solver_agrees)
{
    enum { SIDE = 12, PIXELS = SIDE * SIDE };
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, check_seed(4));
    for (int general = 0; general < 2; general++) {
        double *x = calloc(PIXELS * (PIXELS + 1), sizeof *x), *y = calloc(PIXELS + 1, sizeof *y);
        double *weights = calloc(PIXELS + 1, sizeof *weights);
        size_t n = PIXELS + (size_t)general;
        tm_rng_seed(&rng, check_seed(4));
        for (size_t j = 0; j < PIXELS; j++) {
            x[j * n + j] = 1;
            y[j] = (j % SIDE > 5 ? 2 : 0) + tm_rng_normal(&rng);
            weights[j] = 1;
            if (general)
                x[j * n + PIXELS] = 1e-9;
        }
        if (general)
            weights[PIXELS] = 1;
        tm_dataset_parts parts = {
            .name = "image", .response = {.y = y, .numeric = true}, .rows.weights = weights};
        must(tm_matrix_new_dense(&parts.x, n, PIXELS, x, &err), &err);
        tm_dataset *data;
        must(tm_dataset_new(&data, &parts, &err), &err);
        tm_solution s =
            method_solve("genlasso", data, "graph=grid:12x12 tol=1e-9 intercept=false", 0.7);
        static double primal;
        assert_int_equal(s.outcome, TM_CONVERGED);
        if (general)
            assert_true(fabs(s.primal - primal) <= 2e-9 * s.null_objective);
        else
            assert_true(s.columns == 2 * PIXELS && fabs(s.gap) <= 1e-12 * s.null_objective);
        primal = s.primal;
        tm_solution_clear(&s);
        tm_dataset_unref(data);
    }
}

RUN_TESTS(images_satisfy_the_conditions_of_optimality,
          an_image_takes_two_passes_and_the_general_solver_agrees)
