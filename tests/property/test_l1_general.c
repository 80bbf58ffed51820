/* The general l1 problem under every strategy: each answer is certified, keeps its limits, and
 * agrees with a reference that shares no code with the library. */
#include "general.h"

#include "tests/core_check.h"

enum { PROBLEMS = SOME_OF(90) };
/* The first six know every term; the others refuse what they are not defined for. */
static const char *const strategies[] = {"none",   "gap",  "saif", "auto",    "shrink",
                                         "strong", "safe", "vi",   "hessian", "blitz",
                                         "ws",     "dpp",  "edpp"};
enum { STRATEGIES = sizeof strategies / sizeof strategies[0], KNOW_ALL = 6 };
static int solved[STRATEGIES];
static const char *const methods[] = {"lasso", "l1logistic", "l1svm"};

/* ---- random terms -------------------------------------------------------------------------- */

static void make_weights(general *g, tm_rng *rng)
{
    size_t n = g->q->n;
    g->weights = malloc(n * sizeof *g->weights);
    for (size_t i = 0; i < n; i++)
        g->weights[i] = i > 5 && tm_rng_below(rng, 5) == 0 ? 0 : tm_rng_range(rng, 0.1, 4);
}

static void make_offset(general *g, tm_rng *rng)
{
    g->offset = malloc(g->q->n * sizeof *g->offset);
    for (size_t i = 0; i < g->q->n; i++)
        g->offset[i] = tm_rng_normal(rng);
}

/* Free features are few, so that they do not separate the classes. */
static void make_factors(general *g, tm_rng *rng)
{
    size_t p = g->q->p;
    g->factors = malloc(p * sizeof *g->factors);
    for (size_t j = 0; j < p; j++)
        g->factors[j] = tm_rng_below(rng, 10) == 0 ? INFINITY : tm_rng_range(rng, 0.2, 2);
    g->factors[tm_rng_below(rng, p)] = 0;
    g->factors[tm_rng_below(rng, p)] = 0;
}

static void make_limits(general *g, tm_rng *rng, int kind)
{
    size_t p = g->q->p;
    g->lower = malloc(p * sizeof *g->lower);
    g->upper = malloc(p * sizeof *g->upper);
    for (size_t j = 0; j < p; j++) {
        g->lower[j] = kind == 1 || tm_rng_below(rng, 3) == 0 ? 0 : -tm_rng_range(rng, 0.01, 0.5);
        g->upper[j] = kind == 1 ? INFINITY : tm_rng_range(rng, 0, 0.5);
        if (kind == 3 && tm_rng_below(rng, 2) == 0)
            g->upper[j] = tm_rng_below(rng, 2) ? 0 : INFINITY;
        if (kind == 3 && tm_rng_below(rng, 2) == 0)
            g->lower[j] = -INFINITY;
    }
}

static general general_new(const problem *q, const char *method, uint64_t seed)
{
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(1000 + seed));
    general g = {.q = q, .method = method, .alpha = 1};
    /* Far from the origin without an intercept all columns are nearly parallel, and epochs crawl.
     */
    g.intercept = tm_rng_below(&rng, 3) > 0 || strcmp(q->kind, "offset") == 0;
    g.standardize = tm_rng_below(&rng, 3) == 0;
    g.alpha = tm_rng_below(&rng, 2) ? 1 : tm_rng_range(&rng, 0.05, 1);
    if (tm_rng_below(&rng, 2))
        make_weights(&g, &rng);
    if (tm_rng_below(&rng, 3) == 0)
        make_offset(&g, &rng);
    if (tm_rng_below(&rng, 2))
        make_factors(&g, &rng);
    int limits = (int)tm_rng_below(&rng, 6);
    if (limits > 0 && limits < 4)
        make_limits(&g, &rng, limits);
    return g;
}

static void general_free(general *g)
{
    free(g->weights);
    free(g->offset);
    free(g->factors);
    free(g->lower);
    free(g->upper);
}

/* ---- checks -------------------------------------------------------------------------------- */

static void check_limits(const general *g, const tm_solution *s)
{
    for (size_t j = 0; j < g->q->p; j++) {
        double w = tm_model_weight(s->model, j);
        assert_true(w >= general_lower(g, j) && w <= general_upper(g, j));
        assert_true(w == 0 || !isinf(general_factor(g, j)));
    }
}

static double own_objective(const general *g, double lambda, const tm_model *model)
{
    double *w = malloc(g->q->p * sizeof *w);
    for (size_t j = 0; j < g->q->p; j++)
        w[j] = tm_model_weight(model, j);
    double value = general_objective(g, lambda, w, tm_model_intercept(model));
    free(w);
    return value;
}

static int complaints;

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* All that is wrong is said before the test fails. */
static void complain(const char *format, ...)
{
    char text[600];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    print_message("%s\n", text);
    complaints++;
}

static void check_answer(const general *g, const char *what, double lambda, double least,
                         const tm_solution *s)
{
    /* An objective of 0 is reached within the squares of rounding errors. */
    double own = own_objective(g, lambda, s->model);
    double size = 1e-15 + s->null_objective + fabs(s->primal);
    if (s->outcome != TM_CONVERGED)
        complain("%s: %s, gap %g of %g", what, tm_outcome_name(s->outcome), s->gap,
                 s->null_objective);
    if (!(fabs(own - s->primal) <= 1e-9 * size))
        complain("%s: primal %.17g, recomputed %.17g", what, s->primal, own);
    if (!(s->dual <= least + 1e-9 * size))
        complain("%s: lower bound %.17g above the value %.17g of a point", what, s->dual, least);
    if (!(s->primal <= least + 1.1e-7 * s->null_objective + 1e-9 * size))
        complain("%s: primal %.17g, reference %.17g", what, s->primal, least);
    check_limits(g, s);
}

/* Just below lambda_max a penalised feature has a weight, at it none has. */
static void check_lambda_max(const general *g, const tm_dataset *data, double lambda_max)
{
    tm_solution at = general_solve(g, data, "screen=gap tol=1e-9", lambda_max * (1 + 1e-12));
    tm_solution below = general_solve(g, data, "screen=gap tol=1e-12", lambda_max * 0.999);
    size_t with = 0;
    for (size_t j = 0; j < g->q->p; j++) {
        assert_true(tm_model_weight(at.model, j) == 0 || general_factor(g, j) == 0);
        with += tm_model_weight(below.model, j) != 0 && general_factor(g, j) > 0;
    }
    assert_true(with > 0);
    tm_solution_clear(&at);
    tm_solution_clear(&below);
}

static general general_with_free_limits(const problem *q, const char *method, uint64_t seed)
{
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(2000 + seed));
    general g = {.q = q, .method = method, .alpha = 1, .intercept = seed % 2};
    make_factors(&g, &rng);
    make_limits(&g, &rng, 1);
    for (size_t j = 0; j < q->p && j < q->n / 2; j += 3)
        g.factors[j] = 0;
    return g;
}

static void check_problem(uint64_t seed, const char *method,
                          general make(const problem *q, const char *method, uint64_t seed))
{
    problem q = problem_new(seed);
    if (strcmp(method, "lasso") != 0)
        problem_make_binary(&q);
    general g = make(&q, method, seed);
    tm_dataset *data = general_dataset(&g);
    tm_error err = TM_ERROR_INIT;
    tm_solution probe;
    tm_status status = general_try(&g, data, "screen=auto tol=1e-7", 1e6, &probe, &err);
    if (status == TM_EDATA && strstr(err.message, "separate")) { /* rightly refused */
        general_free(&g);
        problem_end(&q, data);
        return;
    }
    assert_int_equal(status, TM_OK);
    /* In other rounds unpenalised features may separate some of the rows: their weights grow until
     * digits end. */
    double lambda_max = check_committed() || probe.outcome == TM_CONVERGED ? probe.lambda_max : 0;
    tm_solution_clear(&probe);
    for (int k = 0; lambda_max > 0 && k < 2; k++) {
        double lambda = lambda_max * (k ? 0.05 : 0.4);
        descent d = descent_new(&g, lambda);
        double least = descent_run(&d, 20000);
        descent_free(&d);
        for (size_t s = 0; s < STRATEGIES; s++) {
            char words[80], what[200];
            snprintf(words, sizeof words, "tol=1e-7 screen=%s max_iter=3000000", strategies[s]);
            snprintf(what, sizeof what,
                     "problem %llu (%s) %s %s lambda %d: intercept %d standardize %d alpha %g "
                     "weights %d offset %d factors %d limits %d",
                     (unsigned long long)seed, q.kind, method, strategies[s], k, g.intercept,
                     g.standardize, g.alpha, !!g.weights, !!g.offset, !!g.factors, !!g.lower);
            tm_solution answer;
            status = general_try(&g, data, words, lambda, &answer, &err);
            if (status == TM_EUSAGE && s >= KNOW_ALL && strstr(err.message, "defined for"))
                continue;
            assert_int_equal(status, TM_OK);
            check_answer(&g, what, lambda, least, &answer);
            tm_solution_clear(&answer);
            solved[s]++;
        }
    }
    if (lambda_max > 0)
        check_lambda_max(&g, data, lambda_max);
    general_free(&g);
    problem_end(&q, data);
}

CHECK(test_strategies)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++)
        check_problem(seed, methods[seed / PROBLEM_KINDS % 3], general_new);
    assert_int_equal(complaints, 0);
    /* In rounds of scripts/soak more problems may be without a penalty or an optimum, and fewer
     * such as the others are defined for. */
    int all = check_committed() ? PROBLEMS : PROBLEMS / 2, some = check_committed() ? 8 : 1;
    for (int s = 0; s < STRATEGIES; s++)
        assert_true(solved[s] >= (s < KNOW_ALL ? all : some));
}

/* Features without penalty that may not be negative: the null model has some of them, and dual
 * points that are not orthogonal to those. */
CHECK(free_features_may_have_limits)
{
    for (uint64_t seed = 0; seed < PROBLEMS / 2; seed++)
        check_problem(seed, "lasso", general_with_free_limits);
    assert_int_equal(complaints, 0);
}

/* ---- many more problems than the reference has time for ---------------------------------------
 */

/* A point of a path under `auto`, by its gap alone; epochs take too long for some of these
 * problems, and none of it is asked of the other strategies. */
static tm_status check_point(tm_solution *s, size_t k, void *payload, tm_error *err)
{
    const general *g = payload;
    double size = s->null_objective, own = own_objective(g, s->lambda, s->model);
    /* Weights of unpenalised features that separate some rows grow until digits end. */
    double least = (check_committed() ? 1e-7 : 1e-5) * size + 1e-15;
    bool ends = s->outcome == TM_CONVERGED || (s->stop == TM_STOP_ROUNDING && s->gap <= least);
    bool same = fabs(own - s->primal) <= 1e-9 * (size + fabs(own)) + 1e-15;
    if (!ends || !same || !(s->gap >= -1e-9 * size - 1e-15))
        complain("problem %llu (%s) %s point %zu: %s, gap %g of %g, primal %.17g, recomputed %.17g",
                 (unsigned long long)g->q->seed, g->q->kind, g->method, k,
                 tm_outcome_name(s->outcome), s->gap, size, s->primal, own);
    (void)err;
    tm_solution_clear(s);
    return TM_OK;
}

static void check_path(uint64_t seed, const char *method)
{
    problem q = problem_new(seed);
    if (strcmp(method, "lasso") != 0)
        problem_make_binary(&q);
    general g = general_new(&q, method, seed);
    tm_dataset *data = general_dataset(&g);
    tm_error err = TM_ERROR_INIT;
    tm_params *params = general_params(&g, "tol=1e-9 max_iter=50000");
    tm_solver *solver = NULL;
    double lambdas[10], last = pow(10, -(double)(seed % 4) - 0.3);
    size_t count = 2 + seed % 9;
    if (tm_solver_new(&solver, tm_method_find(method, NULL), data, params, NULL, &err) == TM_OK &&
        tm_solver_lambda_max(solver) > 0) { /* else refused: classes that are separated */
        for (size_t k = 0; k < count; k++)
            lambdas[k] = tm_solver_lambda_max(solver) * pow(last, (double)k / ((double)count - 1));
        must(tm_solver_path(solver, params, lambdas, count, check_point, &g, &err), &err);
    }
    tm_solver_free(solver);
    tm_params_free(params);
    general_free(&g);
    problem_end(&q, data);
}

CHECK(many_paths_converge)
{
    for (uint64_t seed = 10000; seed < 10000 + SOME_OF(2400); seed++)
        check_path(seed, methods[seed / PROBLEM_KINDS % 3]);
    assert_int_equal(complaints, 0);
}

/* Screening removes features that have a weight, where columns are far from zero: their part of the
 * predictions is the intercept's from there on. Of 6,000 problems it was wrong in k = 5891. */
CHECK(screening_moves_the_intercept)
{
    for (uint64_t k = 5860; k < 5900; k++) {
        problem q = problem_new(5 + PROBLEM_KINDS * (50 + k));
        assert_string_equal(q.kind, "offset");
        problem_make_binary(&q);
        general g = general_new(&q, k % 2 ? "l1svm" : "l1logistic", k);
        g.intercept = 1;
        tm_dataset *data = general_dataset(&g);
        tm_error err = TM_ERROR_INIT;
        tm_solution s;
        bool some = general_try(&g, data, "", 1e6, &s, &err) == TM_OK;
        double lambda = some ? 0.4 * s.lambda_max : 0;
        tm_solution_clear(&s);
        if (lambda > 0 && general_try(&g, data, "screen=gap tol=1e-6", lambda, &s, &err) == TM_OK) {
            if (s.outcome != TM_CONVERGED)
                complain("problem %llu %s: gap %g of %g", (unsigned long long)q.seed, g.method,
                         s.gap, s.null_objective);
            tm_solution_clear(&s);
        }
        general_free(&g);
        problem_end(&q, data);
    }
    assert_int_equal(complaints, 0);
}

/* Where all limits are finite the dual objective along the scale has its corner at 1, and is
 * searched up to hundreds: one of 18 such problems did not come to this gap. */
CHECK(scales_reach_the_corner)
{
    for (uint64_t k = 0; k < 200; k++) {
        problem q = problem_new(4 + PROBLEM_KINDS * k);
        assert_string_equal(q.kind, "badscaled");
        problem_make_binary(&q);
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(4000 + k));
        general g = {.q = &q, .method = "l1svm", .alpha = 1};
        make_weights(&g, &rng);
        make_factors(&g, &rng);
        make_limits(&g, &rng, 2);
        tm_dataset *data = general_dataset(&g);
        tm_solution s = general_solve(&g, data, "", 1e6);
        double lambda = 0.05 * s.lambda_max;
        tm_solution_clear(&s);
        if (lambda > 0) {
            s = general_solve(&g, data, "tol=1e-9 max_iter=20000", lambda);
            if (s.outcome != TM_CONVERGED)
                complain("problem %llu: gap %g of %g", (unsigned long long)q.seed, s.gap,
                         s.null_objective);
            tm_solution_clear(&s);
        }
        general_free(&g);
        problem_end(&q, data);
    }
    assert_int_equal(complaints, 0);
}

/* Unpenalised features and the intercept hold a row exactly at the corner of the squared hinge,
 * where models without that row led to steps of 1/2000: 8,000 epochs and a gap of 1e-4. In the
 * second problem the certificate's own fit of unpenalised features lacked digits, and found no
 * bound. */
CHECK(rows_at_the_corner_count)
{
    problem q = problem_new(3071159);
    problem_make_binary(&q);
    general g = general_new(&q, "l1svm", q.seed);
    tm_dataset *data = general_dataset(&g);
    tm_solution s = general_solve(&g, data, "", 1e6);
    double lambda = 0.014678 * s.lambda_max;
    tm_solution_clear(&s);
    s = general_solve(&g, data, "tol=1e-9 max_iter=50000", lambda);
    assert_int_equal(s.outcome, TM_CONVERGED);
    assert_true(s.epochs < 400 || !check_committed());
    tm_solution_clear(&s);
    general_free(&g);
    problem_end(&q, data);
    check_problem(240000051, "l1svm", general_new);
    assert_int_equal(complaints, 0);
}

/* The gap on a working set was negative, so that it counted as solved: where a Newton step ends at
 * a limit that the optimum is not at, whose dual point was scaled beyond 1, and where unpenalised
 * features can still move after dependent columns have left. One of 72,000 and of 120,000 problems.
 */
CHECK(sets_are_solved_before_they_end)
{
    check_problem(34936, "lasso", general_new);
    check_problem(504460, "lasso", general_new);
    assert_int_equal(complaints, 0);
}

/* ---- unpenalised features that depend on each other ----------------------------------------- */

enum { DEPENDENT = 60 };

/* Makes one of three unpenalised features a copy, a multiple or a combination of the others, or,
 * beside an intercept, constant. */
static size_t make_dependent(general *g, const problem *q, tm_rng *rng)
{
    size_t first = tm_rng_below(rng, q->p - 2), how = tm_rng_below(rng, 4);
    double *a = problem_column(q, first), *b = a + q->n, *c = b + q->n;
    for (size_t i = 0; i < q->n; i++)
        c[i] = how == 0                   ? a[i]
               : how == 1                 ? -3 * b[i]
               : how == 2 && g->intercept ? 2
                                          : a[i] / 2 + b[i];
    g->factors = malloc(q->p * sizeof *g->factors);
    for (size_t j = 0; j < q->p; j++)
        g->factors[j] = j < first || j > first + 2 ? tm_rng_range(rng, 0.5, 2) : 0;
    return first + 2;
}

/* The optimum is that without it. */
static void check_dependent(uint64_t seed, const char *method)
{
    problem q = problem_new(seed);
    if (strcmp(method, "lasso") != 0)
        problem_make_binary(&q);
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(3000 + seed));
    general g = {.q = &q, .method = method, .alpha = seed % 3 ? 1 : 0.7, .intercept = seed % 2};
    if (tm_rng_below(&rng, 2))
        make_weights(&g, &rng);
    size_t last = make_dependent(&g, &q, &rng);
    tm_dataset *data = general_dataset(&g);
    tm_error err = TM_ERROR_INIT;
    tm_solution without, s;
    g.factors[last] = INFINITY;
    if (general_try(&g, data, "screen=gap tol=1e-9", 1e6, &without, &err) == TM_OK) {
        /* 0: the unpenalised features fit all rows */
        double lambda = without.lambda_max * tm_rng_range(&rng, 0.05, 0.7);
        tm_solution_clear(&without);
        without = general_solve(&g, data, "screen=gap tol=1e-9", lambda);
        g.factors[last] = 0;
        for (size_t k = 0; lambda > 0 && k < STRATEGIES; k++) {
            char words[80], what[200];
            snprintf(words, sizeof words, "tol=1e-7 screen=%s max_iter=3000000", strategies[k]);
            snprintf(what, sizeof what, "problem %llu (%s) %s %s with dependent ones",
                     (unsigned long long)seed, q.kind, method, strategies[k]);
            tm_status status = general_try(&g, data, words, lambda, &s, &err);
            if (status == TM_EUSAGE && k >= KNOW_ALL && strstr(err.message, "defined for"))
                continue;
            assert_int_equal(status, TM_OK);
            check_answer(&g, what, lambda, without.primal, &s);
            tm_solution_clear(&s);
        }
        tm_solution_clear(&without);
    }
    general_free(&g);
    problem_end(&q, data);
}

CHECK(unpenalised_features_may_depend_on_each_other)
{
    for (uint64_t seed = 0; seed < DEPENDENT; seed++)
        check_dependent(seed, methods[seed / PROBLEM_KINDS % 3]);
    assert_int_equal(complaints, 0);
}

RUN_TESTS(test_strategies, free_features_may_have_limits, many_paths_converge,
          screening_moves_the_intercept, scales_reach_the_corner, rows_at_the_corner_count,
          sets_are_solved_before_they_end, unpenalised_features_may_depend_on_each_other)
