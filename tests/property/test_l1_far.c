/* Problems with hundreds of rows and weights. One lambda far below lambda_max: `auto` goes there by
 * stages; its optimum has to be that of `gap`, which knows none, and of a path, and it must not
 * cost much more than the path. Paths, whose certificates rest on bounds and a copy of the data in
 * bytes: each has to be that of a pass over all features. */
#include "general.h"

enum { ROWS = 260, FEATURES = 1500, LAMBDAS = 40 };
static const double RATIO = 0.02;

typedef struct variant {
    const char *name;
    bool intercept, positive, weighted, free;
    double alpha;
} variant;

static const variant variants[] = {
    {"plain", false, false, false, false, 1},
    {"intercept", true, false, false, false, 1},
    {"positive", true, true, false, false, 1},
    {"weighted", true, false, true, false, 1},
    {"elastic net", true, false, false, false, 0.8},
    {"a free feature", true, false, false, true, 1},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static problem far_problem(uint64_t seed)
{
    problem q = {.seed = seed, .kind = "wide", .n = ROWS, .p = FEATURES};
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(seed));
    q.x = calloc(q.n * q.p, sizeof *q.x);
    q.y = calloc(q.n, sizeof *q.y);
    problem_fill(&q, &rng);
    for (size_t i = 0; i < q.n; i++) {
        q.y[i] = 3 * tm_rng_normal(&rng) + 5;
        for (size_t j = 0; j < 30; j++)
            q.y[i] += (j % 3 ? 1 : -1) * problem_column(&q, 40 * j)[i];
    }
    return q;
}

static general general_of(const problem *q, const variant *v)
{
    general g = {.q = q, .method = "lasso", .intercept = v->intercept, .alpha = v->alpha};
    if (v->positive) {
        g.lower = calloc(q->p, sizeof *g.lower);
        g.upper = calloc(q->p, sizeof *g.upper);
        for (size_t j = 0; j < q->p; j++)
            g.upper[j] = INFINITY;
    }
    if (v->weighted)
        g.weights = calloc(q->n, sizeof *g.weights);
    for (size_t i = 0; v->weighted && i < q->n; i++)
        g.weights[i] = 0.5 + (double)(i % 4);
    if (v->free)
        g.factors = calloc(q->p, sizeof *g.factors);
    for (size_t j = 0; v->free && j < q->p; j++)
        g.factors[j] = j == 7 ? 0 : 1;
    return g;
}

static void general_release(general *g)
{
    free(g->lower);
    free(g->upper);
    free(g->weights);
    free(g->factors);
}

static void same_optimum(const tm_solution *a, const tm_solution *b, const char *what)
{
    double slack = 1e-12 * a->null_objective;
    if (a->outcome != TM_CONVERGED || b->outcome != TM_CONVERGED || a->primal < b->dual - slack ||
        b->primal < a->dual - slack)
        fail_msg("%s: %.15g..%.15g against %.15g..%.15g", what, a->dual, a->primal, b->dual,
                 b->primal);
}

static double lambda_of(const general *g, const tm_dataset *data)
{
    tm_solution s = general_solve(g, data, "screen=auto", 1e9);
    double lambda = RATIO * s.lambda_max;
    tm_solution_clear(&s);
    return lambda;
}

CHECK(test_far_lambda_has_the_optimum_of_gap)
{
    for (size_t k = 0; k < VARIANTS; k++) {
        problem q = far_problem(k);
        general g = general_of(&q, &variants[k]);
        tm_dataset *data = general_dataset(&g);
        double lambda = lambda_of(&g, data);
        tm_solution a = general_solve(&g, data, "tol=1e-7 screen=auto", lambda);
        tm_solution b = general_solve(&g, data, "tol=1e-7 screen=gap", lambda);
        tm_solution c = general_solve(&g, data, "tol=1e-7 screen=auto threads=2", lambda);
        assert_true(a.lambda == lambda && tm_model_nnz(a.model) > 100);
        same_optimum(&a, &b, variants[k].name);
        assert_true(a.primal == c.primal && a.gap == c.gap && a.updates == c.updates);
        tm_solution_clear(&a);
        tm_solution_clear(&b);
        tm_solution_clear(&c);
        tm_dataset_unref(data);
        general_release(&g);
        problem_free(&q);
    }
}

/* What a path cost, and its last point. */
typedef struct totals {
    uint64_t updates, columns;
    tm_solution last;
} totals;

static tm_status add_up(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    (void)k, (void)err;
    totals *t = payload;
    t->updates += solution->updates;
    t->columns += solution->columns;
    tm_solution_clear(&t->last);
    t->last = *solution;
    return TM_OK;
}

static totals run_path(const general *g, const tm_dataset *data, double lambda)
{
    double lambdas[LAMBDAS];
    totals t = {.last = TM_SOLUTION_INIT};
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver = NULL;
    tm_params *params = general_params(g, "tol=1e-7 screen=auto");
    for (int k = 0; k < LAMBDAS; k++)
        lambdas[k] = lambda * pow(RATIO, (double)(k + 1) / LAMBDAS - 1);
    tm_status status =
        tm_solver_new(&solver, tm_method_find(g->method, NULL), data, params, NULL, &err);
    if (status == TM_OK)
        status = tm_solver_path(solver, params, lambdas, LAMBDAS, add_up, &t, &err);
    if (status != TM_OK)
        fail_msg("%s", err.message);
    tm_solver_free(solver);
    tm_params_free(params);
    return t;
}

CHECK(test_far_lambda_costs_about_as_much_as_the_path)
{
    for (uint64_t seed = 0; seed < 3; seed++) {
        problem q = far_problem(seed);
        general g = general_of(&q, &variants[1]);
        tm_dataset *data = general_dataset(&g);
        double lambda = lambda_of(&g, data);
        totals path = run_path(&g, data, lambda);
        tm_solution alone = general_solve(&g, data, "tol=1e-7 screen=auto", lambda);
        same_optimum(&alone, &path.last, "the path's last point");
        /* Updates are few either way: only features that enter have any. A path knows more of the
         * products at the next lambda, and begins with smaller sets. */
        bool dearer =
            alone.updates > 2 * path.updates || (double)alone.columns > 1.5 * (double)path.columns;
        if (check_committed() && dearer)
            fail_msg("%llu updates and %llu columns, the path %llu and %llu",
                     (unsigned long long)alone.updates, (unsigned long long)alone.columns,
                     (unsigned long long)path.updates, (unsigned long long)path.columns);
        tm_solution_clear(&alone);
        tm_solution_clear(&path.last);
        problem_end(&q, data);
    }
}

/* ---- certificates along paths ---------------------------------------------------------------- */

/* Columns far from zero, of two values, with heavy tails or an outlier, small and large ones. */
static void make_odd(problem *q)
{
    for (size_t j = 0; j < q->p; j++) {
        double *column = problem_column(q, j);
        for (size_t i = 0; i < q->n; i++) {
            double z = column[i];
            const double kinds[] = {z,        z + 1e5, z > 0.4, z * z * z, i == 7 ? 50 : z,
                                    1e-3 * z, 30 * z};
            column[i] = kinds[j % 7];
        }
    }
}

typedef struct compared {
    const general *g;
    const tm_dataset *data;
    tm_problem problem;
    uint64_t columns;
    size_t points;
} compared;

static tm_status compare_point(tm_solution *s, size_t k, void *payload, tm_error *err)
{
    compared *c = payload;
    double w[FEATURES] = {0}, slack = 1e-9 * s->null_objective;
    tm_certificate whole;
    (void)k;
    for (size_t i = 0; i < tm_model_nnz(s->model); i++)
        w[tm_model_features(s->model)[i]] = tm_model_weights(s->model)[i];
    c->problem.lambda = s->lambda;
    if (tm_certify(&whole, c->data, &c->problem, w, tm_model_intercept(s->model), err) != TM_OK)
        fail_msg("%s", err->message);
    /* A bound may be lower, where no product reaches the threshold; never higher. */
    if (s->outcome != TM_CONVERGED || fabs(s->primal - whole.primal) > slack ||
        s->dual > whole.dual + slack || s->gap < whole.gap - slack)
        fail_msg("%s at %g: %.12g..%.12g, with all features %.12g..%.12g", c->g->method, s->lambda,
                 s->dual, s->primal, whole.dual, whole.primal);
    c->columns += s->columns;
    c->points++;
    tm_solution_clear(s);
    return TM_OK;
}

static const char *const path_losses[] = {"squared", "logistic", "squared_hinge"};
static const char *const path_methods[] = {"lasso", "l1logistic", "l1svm"};

static void compare_path(uint64_t seed, const variant *v, int method)
{
    enum { POINTS = 25 };
    problem q = far_problem(seed);
    if (seed % 3)
        make_odd(&q);
    if (method > 0)
        problem_make_binary(&q);
    general g = general_of(&q, v);
    g.method = path_methods[method];
    tm_dataset *data = general_dataset(&g);
    double factors[FEATURES], ridge[FEATURES], lambdas[POINTS];
    for (size_t j = 0; j < FEATURES; j++) {
        factors[j] = v->alpha * general_factor(&g, j);
        ridge[j] = (1 - v->alpha) * general_factor(&g, j);
    }
    compared c = {.g = &g,
                  .data = data,
                  .problem = {.loss = path_losses[method],
                              .intercept = v->intercept,
                              .factors = factors,
                              .ridge = v->alpha < 1 ? ridge : NULL,
                              .lower = g.lower,
                              .upper = g.upper}};
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver = NULL;
    tm_params *params = general_params(&g, "tol=1e-6");
    tm_status status =
        tm_solver_new(&solver, tm_method_find(g.method, NULL), data, params, NULL, &err);
    for (int k = 0; status == TM_OK && k < POINTS; k++)
        lambdas[k] = tm_solver_lambda_max(solver) * pow(method ? 0.2 : 0.05, (k + 1.0) / POINTS);
    if (status == TM_OK)
        status = tm_solver_path(solver, params, lambdas, POINTS, compare_point, &c, &err);
    if (status != TM_OK || c.points != POINTS)
        fail_msg("%s", err.message);
    tm_solver_free(solver);
    tm_params_free(params);
    general_release(&g);
    problem_end(&q, data);
}

CHECK(certificates_along_paths_are_those_of_all_features)
{
    for (uint64_t seed = 0; seed < SOME_OF(36); seed++)
        compare_path(seed, &variants[seed / 3 % VARIANTS], (int)(seed % 3));
}

/* By the clock, wherever that is, and by epochs: the answer is of the lambda asked for. */
CHECK(test_stages_can_be_cut_short)
{
    problem q = far_problem(9);
    general g = general_of(&q, &variants[1]);
    tm_dataset *data = general_dataset(&g);
    double lambda = lambda_of(&g, data);
    for (int k = 1; k <= 8; k++) {
        char words[60];
        snprintf(words, sizeof words, "tol=1e-7 screen=auto max_seconds=%g", k * 2e-3);
        tm_solution s = general_solve(&g, data, words, lambda);
        assert_true(s.lambda == lambda && isfinite(s.gap) && s.gap >= 0);
        tm_solution_clear(&s);
    }
    for (int epochs = 1; epochs < 100; epochs += 20) {
        char words[60];
        snprintf(words, sizeof words, "tol=1e-12 screen=auto max_iter=%d", epochs);
        tm_solution s = general_solve(&g, data, words, lambda);
        assert_true(s.outcome == TM_MAX_ITER ||
                    (s.outcome == TM_CONVERGED && s.gap <= 1e-12 * s.null_objective));
        assert_true(s.lambda == lambda && isfinite(s.gap));
        assert_true(s.primal <= s.null_objective * (1 + 1e-12));
        tm_solution_clear(&s);
    }
    problem_end(&q, data);
}

RUN_TESTS(test_far_lambda_has_the_optimum_of_gap, test_far_lambda_costs_about_as_much_as_the_path,
          certificates_along_paths_are_those_of_all_features, test_stages_can_be_cut_short)
