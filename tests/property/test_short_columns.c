/* Many sparse columns of a few entries, where working sets of as many features as rows are solved
 * by passes over their columns. The lasso: the optimality conditions in long double, and the
 * objectives of other strategies. Margin losses: the gaps along a path, whose weights are
 * extrapolated, and the objectives of other strategies. */
#include "problem.h"
#include "tests/core_check.h"

enum { N = 240, P = 700, PROBLEMS = SOME_OF(16) };

typedef struct setting {
    bool intercept, weights, classes;
    double alpha, ratio;
} setting;

/* Three entries a column; every tenth column is nearly the one before it. */
static double *columns_of(tm_rng *rng)
{
    double *x = calloc((size_t)N * P, sizeof *x);
    assert_non_null(x);
    for (size_t j = 0; j < P; j++) {
        double *column = x + j * N;
        if (j % 10 == 9)
            memcpy(column, column - N, N * sizeof *column);
        for (int k = 0; k < 3; k++)
            column[tm_rng_below(rng, N)] += (j % 10 == 9 ? 0.1 : 1) * tm_rng_normal(rng);
    }
    return x;
}

static tm_dataset *data_of(const setting *of, const double *x, tm_rng *rng)
{
    tm_error err = TM_ERROR_INIT;
    double *y = normals(rng, N), *weights = of->weights ? normals(rng, N) : NULL;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < P; j += 20)
            y[i] += 2 * x[j * N + i];
    for (size_t i = 0; of->classes && i < N; i++)
        y[i] = y[i] > 0 ? 1 : -1;
    for (size_t i = 0; weights && i < N; i++)
        weights[i] = i % 17 == 0 ? 0 : 0.5 + fabs(weights[i]);
    tm_dataset_parts parts = {.name = "short columns",
                              .x = csc_of(N, P, x),
                              .response = {.y = y, .numeric = !of->classes},
                              .rows.weights = weights};
    tm_dataset *data;
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

/* s_i (y_i - x_i'w - b), with the best b. */
static void residual(const tm_dataset *data, const setting *of, const double *x,
                     const tm_model *model, long double *r)
{
    const double *y = tm_dataset_y(data), *weights = tm_dataset_weights(data);
    long double total = 0, sum = 0;
    for (size_t i = 0; i < N; i++) {
        r[i] = y[i];
        for (size_t j = 0; j < P; j++)
            r[i] -= (long double)x[j * N + i] * tm_model_weight(model, j);
        total += weights ? weights[i] : 1;
        sum += (weights ? weights[i] : 1) * r[i];
    }
    for (size_t i = 0; i < N; i++)
        r[i] = (weights ? weights[i] : 1) * (r[i] - (of->intercept ? sum / total : 0));
}

/* The greatest violation of the optimality conditions, in shares of lambda. */
static double violation(const tm_dataset *data, const setting *of, const double *x,
                        const tm_solution *s)
{
    long double r[N], greatest = 0;
    residual(data, of, x, s->model, r);
    for (size_t j = 0; j < P; j++) {
        long double w = tm_model_weight(s->model, j);
        long double product = -s->lambda * (1 - of->alpha) * w, limit = s->lambda * of->alpha;
        for (size_t i = 0; i < N; i++)
            product += (long double)x[j * N + i] * r[i];
        long double beyond = w == 0  ? fabsl(product) - limit
                             : w > 0 ? fabsl(product - limit)
                                     : fabsl(product + limit);
        greatest = fmaxl(greatest, beyond / s->lambda);
    }
    return (double)greatest;
}

static void check(uint64_t seed, const setting *of)
{
    tm_rng rng;
    char words[120];
    tm_rng_seed(&rng, check_seed(seed));
    double *x = columns_of(&rng);
    tm_dataset *data = data_of(of, x, &rng);
    snprintf(words, sizeof words, "tol=1e-12 max_iter=1000000 alpha=%g intercept=%s", of->alpha,
             of->intercept ? "true" : "false");
    tm_solution probe = method_solve("lasso", data, words, 1e9);
    double lambda = of->ratio * probe.lambda_max;
    tm_solution s = method_solve("lasso", data, words, lambda);
    snprintf(words + strlen(words), sizeof words - strlen(words), " screen=gap");
    tm_solution other = method_solve("lasso", data, words, lambda);
    double null = s.null_objective, beyond = violation(data, of, x, &s);
    /* A gap of 1e-12 of the objective allows about its root. */
    if (s.outcome != TM_CONVERGED || s.gap > 1e-12 * null || beyond > 1e-4 ||
        fabs(s.primal - other.primal) > 2e-12 * null)
        fail_msg("problem %llu: %s, gap %g, optimality conditions violated by %g of lambda, primal "
                 "%.17g, by sweeps %.17g (%s)",
                 (unsigned long long)seed, tm_outcome_name(s.outcome), s.gap / null, beyond,
                 s.primal, other.primal, tm_outcome_name(other.outcome));
    tm_solution_clear(&probe);
    tm_solution_clear(&s);
    tm_solution_clear(&other);
    tm_dataset_unref(data);
    free(x);
}

CHECK(sets_of_short_columns_are_solved)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++)
        check(seed, &(setting){.intercept = seed & 1,
                               .weights = seed & 2,
                               .alpha = seed % 3 == 2 ? 0.7 : 1,
                               .ratio = seed % 4 == 3   ? 0.3
                                        : seed % 4 == 2 ? 0.02
                                                        : 0.1});
}

/* Steps down, at first of one ratio; then the same lambda, a long way back, and a long step. */
static const int exponents[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 11, 3, 4, 12};

static void check_path(uint64_t seed, const setting *of, const char *method)
{
    tm_rng rng;
    char words[80];
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver;
    tm_rng_seed(&rng, check_seed(seed));
    double *x = columns_of(&rng);
    tm_dataset *data = data_of(of, x, &rng);
    snprintf(words, sizeof words, "tol=1e-8 max_iter=1000000 alpha=%g intercept=%s", of->alpha,
             of->intercept ? "true" : "false");
    tm_params *params = method_params(method, words);
    must(tm_solver_new(&solver, tm_method_find(method, NULL), data, params, NULL, &err), &err);
    snprintf(words + strlen(words), sizeof words - strlen(words), " screen=gap");
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
        tm_solution s;
        double lambda = tm_solver_lambda_max(solver) * pow(of->ratio, exponents[k]);
        must(tm_params_set_real(params, "lambda", lambda, &err), &err);
        must(tm_solver_update(solver, params, &err), &err);
        must(tm_solver_solve(solver, &s, &err), &err);
        double apart = 0, null = s.null_objective;
        if (k % 5 == 3) {
            tm_solution other = method_solve(method, data, words, lambda);
            apart = fabs(s.primal - other.primal);
            tm_solution_clear(&other);
        }
        if (s.outcome != TM_CONVERGED || s.gap > 1e-8 * null || apart > 2e-8 * null)
            fail_msg("problem %llu, %s: %s at %g, gap %g, primal %.17g, by sweeps %g apart",
                     (unsigned long long)seed, method, tm_outcome_name(s.outcome), lambda,
                     s.gap / null, s.primal, apart);
        tm_solution_clear(&s);
    }
    tm_params_free(params);
    tm_solver_free(solver);
    tm_dataset_unref(data);
    free(x);
}

CHECK(paths_of_short_columns_are_solved)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++)
        check_path(seed,
                   &(setting){.intercept = seed & 1,
                              .weights = seed & 2,
                              .classes = true,
                              .alpha = seed % 3 == 2 ? 0.7 : 1,
                              .ratio = 0.8},
                   seed & 4 ? "l1logistic" : "l1svm");
}

RUN_TESTS(sets_of_short_columns_are_solved, paths_of_short_columns_are_solved)
