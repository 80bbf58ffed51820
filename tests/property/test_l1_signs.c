/* Margin losses on many features of few rows each, where `auto` works on the signs by conjugate
 * gradients: the same optimum as coordinate minimisation with screening, for a part of its updates.
 */
#include "general.h"

enum { N = 300, P = 2500, ROWS = 4 };

static const char *const methods[] = {"l1logistic", "l1svm"};

static void fill(double *x, double *y, double *weights, tm_rng *rng)
{
    double truth[N] = {0};
    memset(x, 0, sizeof *x * N * P);
    for (size_t j = 0; j < P; j++)
        for (int k = 0; k < ROWS; k++) {
            size_t i = tm_rng_below(rng, N);
            x[j * N + i] = tm_rng_normal(rng);
            truth[i] += j < 40 ? 3 * x[j * N + i] : 0;
        }
    for (size_t i = 0; i < N; i++) {
        y[i] = truth[i] + 0.5 * tm_rng_normal(rng) > 0 ? 1 : -1;
        weights[i] = 0.5 + tm_rng_uniform(rng);
    }
}

static void check(const general *g, double share)
{
    tm_dataset *data = general_dataset(g);
    tm_problem of = {.loss = strcmp(g->method, "l1svm") == 0 ? "squared_hinge" : "logistic",
                     .intercept = g->intercept};
    double most, null;
    assert_int_equal(tm_lambda_max(&most, &null, data, &of, NULL), TM_OK);
    double lambda = share * most;
    tm_solution fast = general_solve(g, data, "tol=1e-8 screen=auto", lambda);
    tm_solution slow = general_solve(g, data, "tol=1e-8 screen=gap", lambda);
    assert_int_equal(fast.outcome, TM_CONVERGED);
    assert_int_equal(slow.outcome, TM_CONVERGED);
    assert_true(fast.gap <= 1e-8 * null);
    assert_true(fabs(fast.primal - slow.primal) <= 2e-8 * null);
    assert_true(tm_model_nnz(fast.model) > 100);
    double *w = calloc(P, sizeof *w);
    assert_non_null(w);
    for (size_t k = 0; k < tm_model_nnz(fast.model); k++)
        w[tm_model_features(fast.model)[k]] = tm_model_weights(fast.model)[k];
    double own = general_objective(g, lambda, w, tm_model_intercept(fast.model));
    assert_true(fabs(own - fast.primal) <= 1e-10 * own);
    free(w);
    assert_true(fast.updates < slow.updates / 3);
    tm_solution_clear(&fast);
    tm_solution_clear(&slow);
    tm_dataset_unref(data);
}

CHECK(test_few_rows)
{
    double *x = malloc(sizeof *x * N * P), y[N], weights[N];
    assert_non_null(x);
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(11));
    fill(x, y, weights, &rng);
    problem q = {.kind = "few rows", .n = N, .p = P, .sparse = true, .x = x, .y = y};
    for (int method = 0; method < 2; method++)
        for (int variant = 0; variant < 4; variant++) {
            general g = {.q = &q,
                         .method = methods[method],
                         .intercept = variant & 1,
                         .alpha = 1,
                         .weights = variant & 2 ? weights : NULL};
            check(&g, 0.1);
        }
    free(x);
}

RUN_TESTS(test_few_rows)
