/* genlasso on small random graphs with circles, several components, parallel edges and loops,
 * against conditions of optimality by brute force: where the penalty is the total variation of a
 * graph, a point is optimal when no set of features can be moved up or down together with profit
 * (the slope is the Lovasz extension of a submodular function of the set). And against the l1
 * methods, explicit transformations, and the same terms in other words. */
#include "general.h"

#include "model/certificate/graph.h"
#include "model/loss/losses.h"
#include "solve/structure/flow/chain.h"
#include "solve/structure/screening/reduced.h"

#include <unistd.h>

static const char *const losses[] = {"squared", "logistic", "squared_hinge"};
static const char *const singles[] = {"lasso", "l1logistic", "l1svm"};

enum { MOST = 9, EDGES = 18 };

typedef struct graph_case {
    problem q;
    size_t edges;
    uint32_t ends[2 * EDGES];
    double weights[EDGES];
    char text[30 * EDGES];
} graph_case;

/* At most MOST features, rows more or fewer than these. */
static graph_case case_new(uint64_t seed, int l)
{
    tm_rng rng;
    graph_case c = {.q = problem_new(seed)};
    tm_rng_seed(&rng, check_seed(seed + 1000));
    c.q.p = 1 + (seed + 2) % MOST < c.q.p ? 1 + (seed + 2) % MOST : c.q.p;
    if (l > 0)
        problem_make_binary(&c.q);
    c.edges = tm_rng_below(&rng, 2 * c.q.p);
    strcpy(c.text, "[");
    for (size_t e = 0; e < c.edges; e++) {
        char word[30];
        c.ends[2 * e] = (uint32_t)tm_rng_below(&rng, c.q.p);
        c.ends[2 * e + 1] = (uint32_t)tm_rng_below(&rng, c.q.p);
        c.weights[e] = seed % 2 ? 1 : tm_rng_range(&rng, 0.2, 2);
        snprintf(word, sizeof word, "%s%u,%u,%.15g", e ? ";" : "", c.ends[2 * e] + 1,
                 c.ends[2 * e + 1] + 1, c.weights[e]);
        strcat(c.text, word);
    }
    strcat(c.text, "]");
    return c;
}

static const general of_loss[] = {
    {.method = "lasso"}, {.method = "l1logistic"}, {.method = "l1svm"}};

static double step_penalty(double value, double move)
{
    return value > 0 ? move : value < 0 ? -move : fabs(move);
}

/* The derivative of the objective in the direction of +1 or -1 on the features of a set. */
static double derivative(const graph_case *c, const double *w, const double *slopes,
                         const double ratio_lambda[2], unsigned set, double sign)
{
    double sum = 0;
    for (size_t j = 0; j < c->q.p; j++) {
        double move = set >> j & 1 ? sign : 0;
        sum += slopes[j] * move + ratio_lambda[0] * step_penalty(w[j], move);
    }
    for (size_t e = 0; e < c->edges; e++) {
        uint32_t a = c->ends[2 * e], b = c->ends[2 * e + 1];
        double move = sign * ((double)(set >> a & 1) - (double)(set >> b & 1));
        sum += ratio_lambda[1] * c->weights[e] * step_penalty(w[a] - w[b], move);
    }
    return sum;
}

/* The objective after a move by t. */
static double objective_along(const graph_case *c, int l, const tm_model *model,
                              const double ratio_lambda[2], unsigned set, double t)
{
    double w[MOST], sum = 0;
    for (size_t j = 0; j < c->q.p; j++) {
        w[j] = tm_model_weight(model, j) + (set >> j & 1 ? t : 0);
        sum += ratio_lambda[0] * fabs(w[j]);
    }
    for (size_t e = 0; e < c->edges; e++)
        sum += ratio_lambda[1] * c->weights[e] * fabs(w[c->ends[2 * e]] - w[c->ends[2 * e + 1]]);
    for (size_t i = 0; i < c->q.n; i++) {
        double z = tm_model_intercept(model);
        for (size_t j = 0; j < c->q.p; j++)
            z += w[j] * problem_column(&c->q, j)[i];
        sum += general_loss(&of_loss[l], c->q.y[i], z);
    }
    return sum;
}

static void check_optimal(const graph_case *c, int l, const tm_solution *s, double lambda,
                          double ratio)
{
    const problem *q = &c->q;
    double w[MOST], slopes[MOST] = {0}, size = 0, sums[2] = {ratio * lambda, lambda}, all = 0;
    for (size_t j = 0; j < q->p; j++)
        w[j] = tm_model_weight(s->model, j);
    for (size_t i = 0; i < q->n; i++) {
        double z = tm_model_intercept(s->model);
        for (size_t j = 0; j < q->p; j++)
            z += w[j] * problem_column(q, j)[i];
        double slope = general_slope(&of_loss[l], q->y[i], z);
        all += slope;
        for (size_t j = 0; j < q->p; j++) {
            slopes[j] += slope * problem_column(q, j)[i];
            size = fmax(size, fabs(slope * problem_column(q, j)[i]));
        }
    }
    for (unsigned set = 1; set < 1U << q->p; set++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double d = derivative(c, w, slopes, sums, set, sign), least = INFINITY;
            if (d >= -1e-5 * (double)q->n * size)
                continue;
            /* In rounds of scripts/soak a weight may be zero but for rounding. */
            for (double t = 1e6; !check_committed() && t > 1e-15; t /= 1.2)
                least = fmin(least, objective_along(c, l, s->model, sums, set, sign * t));
            if (check_committed() || least < s->dual - 1e-10 * s->null_objective)
                fail_msg("problem %llu %s %s: features %x %+d fall by %g",
                         (unsigned long long)q->seed, losses[l], c->text, set, sign, d);
        }
    assert_true(fabs(all) <= 1e-5 * (double)q->n * fmax(size, 1));
}

/* Where the null model fits the data but for rounding, there is no lambda to solve at. */
static const double NO_LAMBDA = 1e-10;

CHECK(no_set_of_features_can_be_moved_with_profit)
{
    size_t unbounded = 0, crawled = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        int l = (int)(seed % 3);
        double ratio = seed % 4 == 3 ? 0.7 : 0;
        graph_case c = case_new(seed, l);
        tm_dataset *data = problem_dataset_of(&c.q, l == 0);
        char words[900];
        snprintf(words, sizeof words, "tol=1e-9 loss=%s l1_ratio=%g graph=%s", losses[l], ratio,
                 c.text);
        if (!genlasso_has_optimum(data, words)) {
            unbounded++;
            problem_end(&c.q, data);
            continue;
        }
        tm_solution probe = method_solve("genlasso", data, words, 1e30);
        double lambda = (seed % 5 ? 0.3 : 0.02) * probe.lambda_max;
        /* Sparse columns that are free can leave a loss for two classes without a minimum, and a
         * null model without a loss leaves the gap nothing to be a share of. */
        bool posed = (l == 0 || !c.q.sparse || ratio > 0) && probe.null_objective > 1e-3;
        if (probe.lambda_max > NO_LAMBDA && posed) {
            tm_solution s = method_solve("genlasso", data, words, lambda);
            if (s.outcome == TM_CONVERGED)
                check_optimal(&c, l, &s, lambda, ratio);
            else
                crawled++;
            tm_solution_clear(&s);
        }
        tm_solution_clear(&probe);
        problem_end(&c.q, data);
    }
    assert_true(unbounded < 20);
    assert_true(crawled <= (check_committed() ? 0 : 5));
}

/* ---- the same problems in other words -------------------------------------------------------- */

/* Both are certified, so that one's bound is below the other's value. The second may crawl on
 * columns that are sums of sums; whether the first has converged. */
static bool same_value(const tm_solution *a, const tm_solution *b, const char *what, uint64_t seed)
{
    double room = 1e-10 * a->null_objective;
    if (a->primal < b->dual - room || b->primal < a->dual - room)
        fail_msg("problem %llu, %s: [%.12g, %.12g] and [%.12g, %.12g] do not meet",
                 (unsigned long long)seed, what, a->dual, a->primal, b->dual, b->primal);
    return a->outcome == TM_CONVERGED;
}

/* Without edges, and a penalty of each feature's own, it is the plain l1 problem. */
CHECK(without_edges_it_is_the_lasso)
{
    for (uint64_t seed = 0; seed < 18; seed++) {
        int l = (int)(seed % 3);
        problem q = problem_new(seed);
        if (l > 0)
            problem_make_binary(&q);
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        char words[100];
        snprintf(words, sizeof words, "tol=1e-8 l1_ratio=1 graph=[] loss=%s", losses[l]);
        tm_solution single = method_solve(singles[l], data, "tol=1e-8", 1e30);
        double lambda = 0.3 * single.lambda_max;
        tm_solution_clear(&single);
        single = method_solve(singles[l], data, "tol=1e-8", lambda);
        tm_solution s = method_solve("genlasso", data, words, lambda);
        assert_true(fabs(s.lambda_max - single.lambda_max) <= 1e-11 * s.lambda_max);
        assert_true(same_value(&s, &single, words, seed));
        tm_solution_clear(&s);
        tm_solution_clear(&single);
        problem_end(&q, data);
    }
}

/* The problem whose columns are the sums of those after each place of a chain, `order` + 1 times
 * over: its first columns are free, the others the differences of the chain or of trend filtering.
 */
static problem summed(const problem *q, size_t order)
{
    problem t = *q;
    t.sparse = false;
    t.x = malloc(q->n * q->p * sizeof *t.x);
    t.y = malloc(q->n * sizeof *t.y);
    memcpy(t.x, q->x, q->n * q->p * sizeof *t.x);
    memcpy(t.y, q->y, q->n * sizeof *t.y);
    for (size_t k = 0; k <= order; k++)
        for (size_t j = q->p - 1; j-- > k;)
            for (size_t i = 0; i < q->n; i++)
                t.x[j * q->n + i] += t.x[(j + 1) * q->n + i];
    return t;
}

/* 1 when the general solver has not converged, whose bounds must hold all the same. */
static size_t check_summed(const tm_dataset *data, const char *words, const tm_dataset *sums,
                           const char *factors, int l)
{
    if (!genlasso_has_optimum(data, words))
        return 0;
    bool met = true;
    tm_solution probe = method_solve("genlasso", data, words, 1e30);
    double lambda = 0.2 * probe.lambda_max;
    if (probe.lambda_max > NO_LAMBDA) {
        tm_solution s = method_solve("genlasso", data, words, lambda);
        tm_solution single = method_solve(singles[l], sums, factors, lambda);
        if (fabs(single.lambda_max - s.lambda_max) > 1e-7 * s.lambda_max)
            fail_msg("%s: lambda_max %.12g and %.12g", words, s.lambda_max, single.lambda_max);
        met = same_value(&s, &single, words, 0);
        tm_solution_clear(&s);
        tm_solution_clear(&single);
    }
    tm_solution_clear(&probe);
    return !met;
}

CHECK(chains_and_trends_are_transformed_lassos)
{
    size_t crawled = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        int l = (int)(seed / 6 % 3);
        size_t order = seed % 3;
        problem q = problem_new(seed);
        if (q.p > 40)
            q.p = 40;
        if (l > 0)
            problem_make_binary(&q);
        problem t = summed(&q, order);
        tm_dataset *data = problem_dataset_of(&q, l == 0), *sums = problem_dataset_of(&t, l == 0);
        char words[200], factors[400] = "tol=1e-8 factors=";
        snprintf(words, sizeof words, "tol=%g graph=trend:%zu loss=%s",
                 l > 0 && order > 0 ? 1e-6 : 1e-8, order, losses[l]);
        for (size_t j = 0; j < q.p; j++)
            strcat(factors, j == 0 ? "0" : j <= order ? ",0" : ",1");
        crawled += check_summed(data, words, sums, factors, l);
        problem_end(&q, data);
        problem_end(&t, sums);
    }
    /* Trends of losses of two classes may end at max_iter, and say so. */
    assert_true(crawled <= (check_committed() ? 0 : 5));
}

/* D from a file: the same as in words, and lambda_max of rows is where the terms become zero. */
CHECK(matrices_of_differences)
{
    problem q = problem_new(7);
    q.p = 12;
    tm_dataset *data = problem_dataset(&q);
    char path[] = "/tmp/tamis_rows_XXXXXX", words[200];
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n10 12 30\n");
    for (int t = 1; t <= 10; t++)
        fprintf(file, "%d %d 1\n%d %d -2\n%d %d 1\n", t, t, t, t + 1, t, t + 2);
    fclose(file);
    for (int held = 0; held < 2; held++) {
        char rows[200];
        snprintf(words, sizeof words, "tol=1e-8 l1_ratio=%g graph=trend:1", held * 0.5);
        snprintf(rows, sizeof rows, "tol=1e-8 l1_ratio=%g graph=rows:%s", held * 0.5, path);
        tm_solution probe = method_solve("genlasso", data, words, 1e30);
        tm_solution a = method_solve("genlasso", data, words, 0.2 * probe.lambda_max);
        tm_solution b = method_solve("genlasso", data, rows, 0.2 * probe.lambda_max);
        assert_true(fabs(a.lambda_max - b.lambda_max) <= 1e-6 * a.lambda_max);
        assert_true(same_value(&a, &b, rows, 7));
        tm_solution_clear(&probe);
        tm_solution_clear(&a);
        tm_solution_clear(&b);
    }
    unlink(path);
    problem_end(&q, data);
}

/* Just above lambda_max the terms are all zero, just below one is not. */
CHECK(lambda_max_is_where_terms_appear)
{
    static const char *const graphs[] = {"chain", "grid:4x6", "trend:1", "trend:2"};
    for (uint64_t seed = 0; seed < 16; seed++) {
        problem q = problem_new(seed);
        if (q.p < 24) {
            problem_free(&q);
            continue;
        }
        q.p = 24;
        tm_dataset *data = problem_dataset(&q);
        char words[100];
        snprintf(words, sizeof words, "tol=1e-10 l1_ratio=%g graph=%s", seed / 4 % 2 ? 0.5 : 0,
                 graphs[seed % 4]);
        tm_solution probe = method_solve("genlasso", data, words, 1e30);
        tm_solution above = method_solve("genlasso", data, words, 1.001 * probe.lambda_max);
        tm_solution below = method_solve("genlasso", data, words, 0.99 * probe.lambda_max);
        assert_true(fabs(above.primal - probe.null_objective) <= 1e-9 * probe.null_objective);
        assert_true(below.primal < probe.null_objective * (1 - 1e-9));
        tm_solution_clear(&probe);
        tm_solution_clear(&above);
        tm_solution_clear(&below);
        problem_end(&q, data);
    }
}

/* Two pixels and X = I: each moves by lambda, until they meet. */
CHECK(closed_form_of_two)
{
    double values[] = {1, 0, 0, 1};
    problem q = {.kind = "two", .n = 2, .p = 2, .x = values, .y = (double[]){3, 1}};
    tm_dataset *data = problem_dataset(&q);
    tm_solution s = method_solve("genlasso", data, "intercept=false tol=1e-12", 0.25);
    assert_true(fabs(s.lambda_max - 1) < 1e-12);
    assert_true(fabs(tm_model_weight(s.model, 0) - 2.75) < 1e-6);
    assert_true(fabs(tm_model_weight(s.model, 1) - 1.25) < 1e-6);
    tm_solution_clear(&s);
    tm_dataset_unref(data);
}

/* The exact answer of a line is certified by what hangs on each edge: running sums of y - w are
 * within the bounds, and at them where w steps. */
CHECK(lines_are_exact)
{
    enum { LENGTH = 60 };
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(9));
    for (int k = 0; k < 400; k++) {
        size_t n = 1 + tm_rng_below(&rng, LENGTH);
        double y[LENGTH], bound[LENGTH], w[LENGTH], sum = 0;
        for (size_t i = 0; i < n; i++) {
            y[i] =
                k % 3 ? tm_rng_normal(&rng) + (i > n / 2 ? 3 : 0) : (double)tm_rng_below(&rng, 3);
            bound[i] = k % 4 == 0 ? tm_rng_range(&rng, 0, 2) : k % 4 == 1 ? 0.5 : i % 5 ? 1 : 0;
        }
        assert_true(chain_solve(n, y, bound, w));
        for (size_t i = 0; i < n; i++) {
            sum += y[i] - w[i];
            double most = i + 1 < n ? bound[i] : 0, step = i + 1 < n ? w[i] - w[i + 1] : 0;
            if (fabs(sum) > most + 1e-11 || fabs(most * fabs(step) - sum * step) > 1e-10)
                fail_msg("line %d of %zu, place %zu: sum %g, bound %g, step %g", k, n, i, sum, most,
                         step);
        }
    }
}

/* No terms at all, and more features than rows: the response is fitted, and that is certified. */
CHECK(an_empty_graph_leaves_nothing_to_penalise)
{
    for (uint64_t seed = 1; seed < 6; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        tm_solution s = method_solve("genlasso", data, "graph=[]", 1);
        double room = s.null_objective * 1e-3;
        if (s.outcome != TM_CONVERGED || s.gap > room || s.gap < -room)
            fail_msg("problem %llu (%s %zux%zu): gap %g of %g", (unsigned long long)seed, q.kind,
                     q.n, q.p, s.gap, s.null_objective);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* ---- screening ------------------------------------------------------------------------------- */

CHECK(screening_changes_no_optimum)
{
    static const char *const graphs[] = {"chain", "grid:4x6", "[1,2;2,3;3,4;4,1;6,7;7,8,0.3;20,9]"};
    for (uint64_t seed = 0; seed < 72; seed++) {
        int l = (int)(seed / 3 % 3);
        problem q = problem_new(seed);
        bool large = q.p >= 24;
        q.p = large ? 24 : q.p;
        if (l > 0)
            problem_make_binary(&q);
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        char words[200], screened[260];
        static const char *const kinds[] = {"bounds", "transform", "paths"};
        snprintf(words, sizeof words, "tol=1e-8 l1_ratio=%g graph=%s loss=%s",
                 seed / 6 % 2 || seed / 9 % 3 == 2 ? 0.4 : 0, graphs[large ? seed / 9 % 3 : 0],
                 losses[l]);
        snprintf(screened, sizeof screened, "%s screen=%s dynamic=%s always=%s", words,
                 kinds[seed % 3 * 2 % 3], seed % 4 ? "true" : "false", seed % 5 ? "true" : "false");
        if (!genlasso_has_optimum(data, words)) {
            problem_end(&q, data);
            continue;
        }
        tm_solution probe = method_solve("genlasso", data, words, 1e30);
        double lambda = (seed % 5 == 0 ? 0.95 : seed % 2 ? 0.7 : 0.2) * probe.lambda_max;
        tm_solution a = method_solve("genlasso", data, words, lambda);
        tm_solution b = method_solve("genlasso", data, screened, lambda);
        if (lambda > 0 && probe.null_objective > 1e-3) {
            assert_true(same_value(&a, &b, screened, seed));
            assert_true(same_value(&b, &a, screened, seed));
        }
        tm_solution_clear(&probe);
        tm_solution_clear(&a);
        tm_solution_clear(&b);
        problem_end(&q, data);
    }
}

/* From the answer at another lambda, which is no optimum here, features that are said to be equal
 * are, and those that are said to be zero too. */
static size_t check_proven(const graph_case *c, const tm_dataset *data, const tm_solution *at,
                           const tm_solution *other, bounds_kind kind)
{
    tm_error err = TM_ERROR_INIT;
    tm_graph *graph;
    graph_certifier *certifier;
    reduced_problem r;
    double w[MOST], v[EDGES] = {0}, own[MOST], lambda = tm_model_lambda(at->model), greatest = 0;
    uint64_t columns = 0;
    for (size_t j = 0; j < c->q.p; j++) {
        w[j] = tm_model_weight(other->model, j);
        own[j] = 0.7;
        greatest = fmax(greatest, fabs(tm_model_weight(at->model, j)));
    }
    assert_int_equal(tm_graph_parse(&graph, c->text, data, &err), TM_OK);
    graph_terms terms = {graph, c->q.seed % 4 == 3 ? own : NULL, true};
    assert_int_equal(graph_certifier_new(&certifier, data, "squared", &terms, NULL, &err), TM_OK);
    const graph_point *point =
        graph_certifier_point(certifier, lambda, w, tm_model_intercept(other->model), NULL);
    double gap = point->primal - graph_certifier_bound(certifier, lambda, v);
    dual_ball ball = {point->q, graph_certifier_scale(certifier), sqrt(2 * fmax(gap, 0))};
    bounds *b;
    const samples *of = graph_certifier_samples(certifier);
    assert_int_equal(bounds_new(&b, data, of, &terms, kind, &columns, &err), TM_OK);
    bounds_find(b, &ball, lambda, false);
    assert_int_equal(reduced_prove(&r, b, &terms, lambda, &err), TM_OK);
    for (size_t i = 0; i < c->q.p; i++)
        for (size_t j = 0; j <= i; j++) {
            bool zero = r.group[i] == UINT32_MAX;
            double step =
                tm_model_weight(at->model, i) - (zero ? 0 : tm_model_weight(at->model, j));
            if ((zero || r.group[i] == r.group[j]) && fabs(step) > 1e-6 * greatest)
                fail_msg("problem %llu %s: features %zu and %zu differ by %g of %g",
                         (unsigned long long)c->q.seed, c->text, i + 1, j + 1, step, greatest);
        }
    size_t rejected = r.rejected;
    reduced_clear(&r);
    bounds_free(b);
    graph_certifier_free(certifier);
    tm_graph_unref(graph);
    return rejected;
}

CHECK(what_is_screened_is_zero_from_inexact_points)
{
    size_t rejected = 0, transformed = 0, paths = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        graph_case c = case_new(seed, 0);
        tm_dataset *data = problem_dataset(&c.q);
        char words[900];
        snprintf(words, sizeof words, "tol=1e-11 l1_ratio=%g graph=%s", seed % 4 == 3 ? 0.7 : 0,
                 c.text);
        tm_solution probe = method_solve("genlasso", data, words, 1e30), at, other;
        if (probe.lambda_max > 1e-12) { /* not a rounding error */
            at = method_solve("genlasso", data, words, 0.8 * probe.lambda_max);
            other = method_solve("genlasso", data, words, 0.84 * probe.lambda_max);
            rejected += check_proven(&c, data, &at, &other, BOUNDS_FEATURES);
            transformed += check_proven(&c, data, &at, &other, BOUNDS_SUBTREES);
            paths += check_proven(&c, data, &at, &other, BOUNDS_PATHS);
            tm_solution_clear(&at);
            tm_solution_clear(&other);
        }
        tm_solution_clear(&probe);
        problem_end(&c.q, data);
    }
    bool grow = transformed >= rejected && paths >= transformed; /* in sum, not for every term */
    if (!(rejected > 20 && (grow || !check_committed())))
        fail_msg("%zu, %zu and %zu terms are rejected", rejected, transformed, paths);
}

RUN_TESTS(no_set_of_features_can_be_moved_with_profit, without_edges_it_is_the_lasso,
          chains_and_trends_are_transformed_lassos, matrices_of_differences,
          lambda_max_is_where_terms_appear, closed_form_of_two, lines_are_exact,
          an_empty_graph_leaves_nothing_to_penalise, screening_changes_no_optimum,
          what_is_screened_is_zero_from_inexact_points)
