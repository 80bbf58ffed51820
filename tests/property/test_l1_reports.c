/* What users report of other libraries, asked of every loss x strategy and every solver of
 * grouplasso: the intercept, free features, lambda_max, paths by hand, the outcome that is told,
 * the positive class, and cost. */
#include "variants.h"

enum { N = 16, P = 8 };

/* Columns half zero and mostly positive, so that an intercept matters; classes are 3 to 1. */
static void fill(uint64_t seed, bool binary, double *x, double *y)
{
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(seed));
    for (size_t k = 0; k < N * P; k++)
        x[k] = tm_rng_uniform(&rng) < 0.5 ? 1 + tm_rng_normal(&rng) : 0;
    for (size_t i = 0; i < N; i++) {
        double z = 2 * x[i] - x[i + N] + 2 * tm_rng_normal(&rng);
        y[i] = !binary ? z + 5 : i % 8 == 0 ? -1 : i % 8 == 1 ? 1 : z > -0.5 ? 1 : -1;
    }
}

static double predicted(const tm_model *model, const double *x, size_t i)
{
    double z = tm_model_intercept(model);
    for (size_t j = 0; j < P; j++)
        z += tm_model_weight(model, j) * x[i + j * N];
    return z;
}

/* ---- the intercept ------------------------------------------------------------------------- */

/* A constant added to each column of data stored sparse: the same lambda_max, value and
 * predictions. */
CHECK(shifted_sparse_columns_keep_the_fit)
{
    for (size_t k = 0; k < count; k++)
        for (int standardize = 0; standardize < 2; standardize++) {
            const variant *v = &variants[k];
            double x[N * P], moved[N * P], y[N];
            fill(1, v->loss > 0, x, y);
            for (size_t j = 0; j < P; j++)
                for (size_t i = 0; i < N; i++)
                    moved[i + j * N] = x[i + j * N] + 3 - 2 * (double)j;
            tm_dataset *sparse = variant_data(N, P, x, y, v->loss == 0, true);
            tm_dataset *dense = variant_data(N, P, moved, y, v->loss == 0, false);
            const char *more = standardize ? "tol=1e-10 standardize=true" : "tol=1e-10";
            tm_solution probe = variant_solve(v, sparse, more, 1e9);
            tm_solution a = variant_converge(v, sparse, more, 0.2 * probe.lambda_max);
            tm_solution b = variant_converge(v, dense, more, 0.2 * probe.lambda_max);
            assert_true(tm_model_nnz(a.model) > 0 && tm_model_intercept(a.model) != 0);
            assert_true(fabs(a.lambda_max - b.lambda_max) <= 1e-10 * a.lambda_max);
            assert_true(fabs(a.primal - b.primal) <= 2.1e-10 * a.null_objective);
            for (size_t i = 0; i < N; i++)
                assert_true(fabs(predicted(a.model, x, i) - predicted(b.model, moved, i)) < 1e-3);
            tm_solution_clear(&probe);
            tm_solution_clear(&a);
            tm_solution_clear(&b);
            tm_dataset_unref(sparse);
            tm_dataset_unref(dense);
        }
}

/* max_j |x_j'l'| at the null model with its intercept, by the test's own arithmetic; the second
 * point of a path already has a feature. */
CHECK(lambda_max_is_that_of_the_null_model_with_intercept)
{
    const double weights[N] = {1, 2, 0.5, 1, 3, 1, 0, 1, 2, 1, 1, 0.1, 1, 1, 2, 1};
    for (size_t k = 0; k < count; k++)
        for (int form = 0; form < 8; form++) {
            const variant *v = &variants[k];
            bool intercept = form & 2;
            double x[N * P], y[N], greatest = 0;
            fill(2, v->loss > 0, x, y);
            const double *s = form & 4 ? weights : NULL;
            double b = intercept ? variant_null(v->loss, y, s, N) : 0;
            for (size_t j = 0; j < P; j++) {
                double sum = 0;
                for (size_t i = 0; i < N; i++)
                    sum += (s ? s[i] : 1) * x[i + j * N] * variant_slope(v->loss, y[i], b);
                greatest = fmax(greatest, fabs(sum));
            }
            tm_dataset *plain = variant_data(N, P, x, y, v->loss == 0, form & 1), *data;
            assert_int_equal(tm_dataset_weigh(&data, plain, s, NULL, NULL), TM_OK);
            const char *more = intercept ? "tol=1e-12 intercept=true" : "tol=1e-12 intercept=false";
            tm_solution at = variant_converge(v, data, more, greatest * (1 + 1e-9));
            tm_solution below = variant_solve(v, data, more, greatest * 0.99);
            if (!(fabs(at.lambda_max - greatest) <= 1e-9 * greatest))
                fail_msg("%s %s: lambda_max %.12g, should be %.12g", v->method, v->words,
                         at.lambda_max, greatest);
            assert_true(tm_model_nnz(at.model) == 0 && tm_model_nnz(below.model) > 0);
            assert_true(fabs(tm_model_intercept(at.model) - b) <= 1e-8);
            tm_solution_clear(&at);
            tm_solution_clear(&below);
            tm_dataset_unref(data);
            tm_dataset_unref(plain);
        }
}

/* ---- factors ------------------------------------------------------------------------------- */

/* A factor of 0 frees a feature: the loss has no slope along it; others keep |slope| <= lambda f_j.
 */
CHECK(zero_factors_free_their_features)
{
    const double factors[P] = {0, 1, 2, 1, 0.5, 1, 1, INFINITY};
    for (size_t k = 0; k < count; k++)
        for (int form = 0; form < 4; form++) {
            const variant *v = &variants[k];
            double x[N * P], y[N];
            char more[160];
            fill(3, v->loss > 0, x, y);
            if (v->grouped)
                continue;
            tm_dataset *data = variant_data(N, P, x, y, v->loss == 0, form & 1);
            snprintf(more, sizeof more, "tol=1e-11 intercept=%s factors=0,1,2,1,0.5,1,1,inf",
                     form & 2 ? "true" : "false");
            tm_solution probe = variant_solve(v, data, more, 1e9);
            double lambda = 0.3 * probe.lambda_max;
            assert_true(tm_model_weight(probe.model, 0) != 0 && tm_model_nnz(probe.model) == 1);
            tm_solution s = variant_converge(v, data, more, lambda);
            assert_true(tm_model_weight(s.model, P - 1) == 0);
            for (size_t j = 0; j < P; j++) {
                double slope = 0;
                for (size_t i = 0; i < N; i++)
                    slope += x[i + j * N] * variant_slope(v->loss, y[i], predicted(s.model, x, i));
                if (fabs(slope) > lambda * factors[j] + 1e-3)
                    fail_msg("%s %s: slope %g along feature %zu", v->method, v->words, slope,
                             j + 1);
            }
            tm_solution_clear(&probe);
            tm_solution_clear(&s);
            tm_dataset_unref(data);
        }
}

/* ---- paths --------------------------------------------------------------------------------- */

enum { POINTS = 7 };

static seen_path run_path(const variant *v, const tm_dataset *data, const char *more,
                          const double *lambdas, size_t points)
{
    seen_path seen = {0};
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver = NULL;
    tm_grid grid = {0};
    char words[200];
    snprintf(words, sizeof words, "%s %s", v->words, more);
    tm_params *params = method_params(v->method, words);
    if (lambdas)
        assert_int_equal(tm_params_set_reals(params, "lambda", lambdas, points, NULL), TM_OK);
    tm_status status =
        tm_solver_new(&solver, tm_method_find(v->method, NULL), data, params, NULL, &err);
    if (status == TM_OK)
        status = tm_grid_make(&grid, params, tm_solver_lambda_max(solver), &err);
    if (status == TM_OK)
        status = tm_solver_run(solver, params, &grid, see_point, &seen, &err);
    if (status != TM_OK)
        fail_msg("%s %s: %s", v->method, words, err.message);
    assert_null(tm_solver_early(solver));
    tm_grid_clear(&grid);
    tm_solver_free(solver);
    tm_params_free(params);
    assert_true(seen.count <= POINTS);
    return seen;
}

/* Unsorted by hand, the automatic path's bits; one alone, its value. */
CHECK(paths_by_hand_are_the_automatic_one)
{
    static const size_t order[POINTS] = {3, 0, 6, 1, 5, 2, 4};
    for (size_t k = 0; k < count; k++) {
        const variant *v = &variants[k];
        double x[N * P], y[N], shuffled[POINTS];
        fill(4, v->loss > 0, x, y);
        tm_dataset *data = variant_data(N, P, x, y, v->loss == 0, k & 1);
        seen_path whole = run_path(v, data, "tol=1e-9 lambdas=7 lambda_min_ratio=0.05", NULL, 0);
        assert_true(whole.count == POINTS && whole.weight[0] == 0);
        assert_true(whole.primal[6] < whole.primal[0]);
        for (size_t i = 0; i < POINTS; i++)
            shuffled[i] = whole.lambda[order[i]];
        seen_path hand = run_path(v, data, "tol=1e-9", shuffled, POINTS);
        assert_int_equal(hand.count, POINTS);
        for (size_t i = 0; i < POINTS; i++)
            assert_true(hand.lambda[i] == shuffled[i] && hand.primal[i] == whole.primal[order[i]] &&
                        hand.weight[i] == whole.weight[order[i]]);
        seen_path one = run_path(v, data, "tol=1e-9", &whole.lambda[5], 1);
        assert_int_equal(one.count, 1);
        assert_true(fabs(one.primal[0] - whole.primal[5]) <= 2e-9 * whole.primal[0]);
        tm_dataset_unref(data);
    }
}

/* ---- the outcome --------------------------------------------------------------------------- */

/* Converged says that the certified gap is met, and nothing else says so. */
CHECK(converged_is_said_exactly_when_the_gap_is_met)
{
    static const int steps[] = {0, 1, 2, 5, 20, 1000};
    int met = 0, unmet = 0;
    for (size_t k = 0; k < count; k++)
        for (int s = 0; s < 6; s++)
            for (int digits = 2; digits < 15; digits += 4) {
                const variant *v = &variants[k];
                double x[N * P], y[N];
                char more[80];
                fill(5, v->loss > 0, x, y);
                tm_dataset *data = variant_data(N, P, x, y, v->loss == 0, k & 1);
                snprintf(more, sizeof more, "max_iter=%d tol=1e-%d", steps[s], digits);
                tm_solution found = variant_solve(v, data, more, 0.5);
                bool reached = found.gap <= pow(10, -digits) * found.null_objective * (1 + 1e-12);
                if (reached != (found.outcome == TM_CONVERGED))
                    fail_msg("%s %s %s: %s, gap %g of %g", v->method, v->words, more,
                             tm_outcome_name(found.outcome), found.gap, found.null_objective);
                reached ? met++ : unmet++;
                tm_solution_clear(&found);
                tm_dataset_unref(data);
            }
    assert_true(met > 100 && unmet > 100);
}

/* ---- coarse answers before ----------------------------------------------------------------- */

static tm_params *coarse_params(const variant *v, const problem *q, int form, double *factors)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params = method_params(v->method, v->words);
    tm_vector vector = {q->p, factors, NULL};
    tm_params_set_bool(params, "intercept", form & 1, NULL);
    tm_params_set_real(params, "lambda", 1, NULL);
    if (form & 4)
        assert_int_equal(v->grouped
                             ? tm_params_set_text(params, "groups",
                                                  q->p < 8 ? "[1-2; 3 weight=2]"
                                                           : "[1-3; 4-6 weight=2; 7-8 weight=0.5]",
                                                  &err)
                             : tm_params_set_vector(params, "factors", &vector, &err),
                         TM_OK);
    return params;
}

/* The value at 0.7^6 lambda_max, alone or after `before` lambdas that were stopped at a relative
 * gap of 1e-2; NAN when the features without penalty separate the classes. */
static double value_after(const variant *v, const tm_dataset *data, tm_params *params, int before,
                          double *null)
{
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver = NULL;
    const tm_method *method = tm_method_find(v->method, NULL);
    double primal = NAN;
    tm_status status = tm_solver_new(&solver, method, data, params, NULL, &err);
    if (status == TM_EDATA && strstr(err.message, "separate"))
        return NAN;
    if (status != TM_OK)
        fail_msg("%s %s: %s", v->method, v->words, err.message);
    double top = tm_solver_lambda_max(solver);
    for (int k = 6 - before; k <= 6; k++) {
        tm_solution s;
        tm_params_set_real(params, "lambda", top * pow(0.7, k), NULL);
        tm_params_set_real(params, "tol", k == 6 ? 1e-9 : 1e-2, NULL);
        if (tm_solver_update(solver, params, &err) != TM_OK ||
            tm_solver_solve(solver, &s, &err) != TM_OK)
            fail_msg("%s %s: %s", v->method, v->words, err.message);
        if (s.outcome != TM_CONVERGED)
            fail_msg("%s %s: gap %g of %g", v->method, v->words, s.gap, s.null_objective);
        primal = s.primal;
        *null = s.null_objective;
        tm_solution_clear(&s);
    }
    tm_solver_free(solver);
    return primal;
}

/* `form`: bits for intercept, weights, and factors (of features, or of groups of three). */
static void check_coarse_path(const variant *v, uint64_t seed, int form)
{
    tm_rng rng;
    problem q = problem_new(seed);
    double *weights = malloc(q.n * sizeof *weights), *factors = malloc(q.p * sizeof *factors);
    double null = 0;
    tm_rng_seed(&rng, check_seed(seed));
    if (v->loss > 0)
        problem_make_binary(&q);
    for (size_t i = 0; i < q.n; i++)
        weights[i] = tm_rng_range(&rng, 0.2, 3);
    for (size_t j = 0; j < q.p; j++)
        factors[j] = j == 4 ? 0 : j % 11 == 5 ? INFINITY : tm_rng_range(&rng, 0.3, 2);
    tm_dataset *plain = problem_dataset_of(&q, v->loss == 0), *data;
    assert_int_equal(tm_dataset_weigh(&data, plain, form & 2 ? weights : NULL, NULL, NULL), TM_OK);
    tm_params *params = coarse_params(v, &q, form, factors);
    double after = value_after(v, data, params, 5, &null);
    double alone = value_after(v, data, params, 0, &null);
    if (!(fabs(after - alone) <= 2.1e-9 * null) && !(isnan(after) && isnan(alone)))
        fail_msg("problem %d (%s %zux%zu) %s %s form %d: %.12g after coarse answers, %.12g alone",
                 (int)seed, q.kind, q.n, q.p, v->method, v->words, form, after, alone);
    tm_params_free(params);
    tm_dataset_unref(data);
    tm_dataset_unref(plain);
    problem_free(&q);
    free(weights);
    free(factors);
}

CHECK(coarse_answers_before_do_not_mislead)
{
    for (uint64_t seed = 0; seed < 4; seed++) /* tall, wide, correlated, duplicated */
        for (size_t k = 0; k < count; k++)
            for (int form = 0; form < 8; form++)
                check_coarse_path(&variants[k], seed, form);
}

/* ---- classes ------------------------------------------------------------------------------- */

/* The greater label is the positive class: the same weights for every pair of labels and order of
 * rows. */
CHECK(the_positive_class_is_the_greater_label)
{
    static const double pairs[][2] = {{-1, 1}, {0, 1}, {1, 2}, {-3, 7}};
    for (size_t k = 0; k < count; k++) {
        const variant *v = &variants[k];
        double x[N * P], y[N], truth[P] = {0};
        fill(6, v->loss > 0, x, y);
        for (int form = 0; form < 16 && v->loss > 0; form++) {
            double turned[N * P], labels[N];
            char label[40];
            const double *pair = pairs[form / 4];
            for (size_t i = 0; i < N; i++) {
                size_t from = form & 2 ? N - 1 - i : i;
                labels[i] = pair[y[from] > 0];
                for (size_t j = 0; j < P; j++)
                    turned[i + j * N] = x[from + j * N];
            }
            tm_dataset *data = variant_data(N, P, turned, labels, false, form & 1);
            tm_solution s = variant_converge(v, data, "tol=1e-11", 0.5);
            snprintf(label, sizeof label, "%g", pair[1]);
            assert_string_equal(tm_model_label(s.model, 1), label);
            assert_true(tm_model_nnz(s.model) > 0);
            for (size_t j = 0; j < P; j++) {
                truth[j] = form == 0 ? tm_model_weight(s.model, j) : truth[j];
                assert_true(fabs(tm_model_weight(s.model, j) - truth[j]) < 1e-4);
            }
            tm_solution_clear(&s);
            tm_dataset_unref(data);
        }
    }
}

/* ---- cost ---------------------------------------------------------------------------------- */

/* Products with columns that one lambda costs, at 0.1 lambda_max. */
static double cost_of(const variant *v, const tm_dataset *data, const char *more)
{
    tm_solution probe = variant_solve(v, data, more, 1e9);
    tm_solution s = variant_converge(v, data, more, 0.1 * probe.lambda_max);
    double cost = (double)s.columns;
    tm_solution_clear(&probe);
    tm_solution_clear(&s);
    return cost;
}

/* No strategy looks at more columns than none by more than a quarter and some passes of its own;
 * and none, which looks at all of them all the time, is no 100 times slower than any on tall data.
 */
CHECK(no_strategy_is_much_slower_than_none)
{
    NEEDS_COMMITTED_SEEDS();
    for (uint64_t seed = 0; seed < SOME_OF(120); seed++) {
        for (size_t k = 0; k < count; k++) {
            const variant *v = &variants[k];
            if (v->grouped)
                continue;
            problem q = problem_new(seed);
            if (v->loss > 0)
                problem_make_binary(&q);
            tm_dataset *data = problem_dataset_of(&q, v->loss == 0);
            variant all = *v;
            snprintf(all.words, sizeof all.words, "screen=none");
            double cost = cost_of(v, data, "tol=1e-6"), none = cost_of(&all, data, "tol=1e-6");
            double passes = 24.0 * (double)q.p;
            if (cost > 1.25 * none + passes)
                fail_msg("problem %d (%s %zux%zu) %s %s: %g columns, none %g", (int)seed, q.kind,
                         q.n, q.p, v->method, v->words, cost, none);
            if (q.n > q.p)
                assert_true(none <= 100 * cost);
            problem_end(&q, data);
        }
    }
}

RUN_TESTS_BETWEEN(make_variants, NULL, shifted_sparse_columns_keep_the_fit,
                  lambda_max_is_that_of_the_null_model_with_intercept,
                  zero_factors_free_their_features, paths_by_hand_are_the_automatic_one,
                  converged_is_said_exactly_when_the_gap_is_met,
                  coarse_answers_before_do_not_mislead, the_positive_class_is_the_greater_label,
                  no_strategy_is_much_slower_than_none)
