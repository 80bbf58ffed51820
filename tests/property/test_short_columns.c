/* The lasso on many sparse columns of a few entries, where working sets of as many features as rows
 * are solved by passes over their columns: the optimality conditions in long double, and the
 * objectives of other strategies. */
#include "problem.h"
#include "tests/core_check.h"

enum { N = 240, P = 700, PROBLEMS = SOME_OF(16) };

typedef struct setting {
    bool intercept, weights;
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
    for (size_t i = 0; weights && i < N; i++)
        weights[i] = i % 17 == 0 ? 0 : 0.5 + fabs(weights[i]);
    tm_dataset_parts parts = {.name = "short columns",
                              .x = csc_of(N, P, x),
                              .response = {.y = y, .numeric = true},
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

RUN_TESTS(sets_of_short_columns_are_solved)
