/* What users of other libraries report, and figures of glmnet 4.1-6 (thresh 1e-15), printed by
 * tests/bench/glmnet_figures.R. */
#include "general.h"

#include <stdarg.h>

static const char *const methods[] = {"lasso", "l1logistic", "l1svm"};
static const char *const strategies[] = {"auto", "none", "gap", "saif", "strong"};
enum { STRATEGIES = sizeof strategies / sizeof strategies[0] };

/* ---- figures ------------------------------------------------------------------------------- */

enum { N = 24, P = 6 };

typedef struct figure {
    bool logistic, standardize;
    double lower, upper; /* 0: none */
    double b, w[P];
} figure;

static const figure figures[] = {
    {false, false, 0, 0, 0.01744298731, {0.9892681371, 0, -0.5236880319, -0.07718200946, 0, 0}},
    {false, false, -0.1, 0.3, -0.06384588, {0.3, 0, -0.1, 2.265685681e-06, 0.005929328037, 0}},
    {true, false, 0, 0, 1.307203528, {0, 1.02380256, -2.526731094, -0.9829568919, 0.1119233662, 0}},
    {true, false, 0, INFINITY, -0.01944599831, {0.1634718362, 0.971213499, 0, 0, 0.5094749728, 0}},
    {false, true, 0, 0, 0.03568640779, {1.002593995, 0, -0.5846057705, -0.08200903668, 0, 0}},
    {false, true, -0.1, 0.3, 0.006937436252, {0.3, 0, -0.1, -0.00129348768, 0.02711567959, -0.1}},
    {true,
     true,
     0,
     0,
     0.5384508857,
     {0, 1.240565156, -3.358927962, -1.166499905, 0.07865782657, 1.377378898}},
    {true,
     true,
     0,
     INFINITY,
     -1.150924235,
     {0.2465810953, 0.973005212, 0, 0, 0.5301183952, 1.387388769}},
};

static void check_figure(const figure *f, const char *strategy)
{
    double x[N * P], y[N], weights[N], offset[N], lower[P], upper[P];
    double factors[P] = {1, 0.5, 2, 0, 1, 1.5};
    for (int i = 1; i <= N; i++) {
        for (int j = 1; j <= P; j++)
            x[i - 1 + (j - 1) * N] = sin(i * j + 0.3 * i) + 0.1 * j;
        double x1 = x[i - 1], x2 = x[i - 1 + N], x3 = x[i - 1 + 2 * N];
        y[i - 1] = f->logistic ? (sin(3 * i) + 0.6 * x2 > 0 ? 1 : -1) : cos(i) + x1 - 0.5 * x3;
        weights[i - 1] = 1 + i % 3;
        offset[i - 1] = 0.2 * cos(2 * i);
    }
    for (int j = 0; j < P; j++) {
        lower[j] = f->lower;
        upper[j] = f->upper;
    }
    problem q = {.kind = "figures", .n = N, .p = P, .x = x, .y = y};
    bool limits = f->upper > 0;
    general g = {.q = &q,
                 .method = f->logistic ? "l1logistic" : "lasso",
                 .intercept = true,
                 .standardize = f->standardize,
                 .alpha = f->logistic ? 0.6 : 1,
                 .weights = weights,
                 .offset = offset,
                 .factors = factors,
                 .lower = limits ? lower : NULL,
                 .upper = limits ? upper : NULL};
    char words[80];
    tm_dataset *data = general_dataset(&g);
    snprintf(words, sizeof words, "tol=1e-13 screen=%s", strategy);
    tm_solution s = general_solve(&g, data, words, f->logistic ? 1 : 2);
    assert_true(fabs(tm_model_intercept(s.model) - f->b) < 2e-5);
    for (size_t j = 0; j < P; j++)
        assert_true(fabs(tm_model_weight(s.model, j) - f->w[j]) < 2e-5);
    tm_solution_clear(&s);
    tm_dataset_unref(data);
}

CHECK(test_figures_of_glmnet)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        for (int k = 0; k < STRATEGIES; k++)
            check_figure(&figures[i], strategies[k]);
}

/* ---- degenerate data ----------------------------------------------------------------------- */

static tm_dataset *data_of(size_t n, size_t p, const double *x, const double *y, bool numeric)
{
    problem q = {.kind = "small", .n = n, .p = p};
    q.x = malloc(n * p * sizeof *q.x);
    q.y = malloc(n * sizeof *q.y);
    memcpy(q.x, x, n * p * sizeof *q.x);
    memcpy(q.y, y, n * sizeof *q.y);
    tm_dataset *data = problem_dataset_of(&q, numeric);
    problem_free(&q);
    return data;
}

/* Zero and constant columns have no weight, whatever the strategy, and nothing divides by their
 * length. */
CHECK(test_columns_without_content)
{
    const double x[] = {0, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 1, -1, 2, 0, 1, -2};
    const double y[] = {1, -1, 1, -1, 1, -1};
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < STRATEGIES; k++)
            for (int free_one = 0; free_one < 2; free_one++) {
                char words[160];
                tm_dataset *data = data_of(6, 3, x, y, m == 0);
                snprintf(words, sizeof words, "screen=%s standardize=true factors=%s",
                         strategies[k], free_one ? "0,0,1" : "1,1,1");
                tm_solution s = method_solve(methods[m], data, words, 0.3);
                assert_true(s.outcome == TM_CONVERGED && isfinite(s.gap));
                assert_true(tm_model_weight(s.model, 0) == 0 && tm_model_weight(s.model, 1) == 0);
                assert_true(tm_model_weight(s.model, 2) > 0);
                tm_solution_clear(&s);
                tm_dataset_unref(data);
            }
}

/* A constant response and one row: the intercept says it all. */
CHECK(test_nothing_to_explain)
{
    const double x[] = {1, 2, 3, 4, 2, 1, 0, 5}, y[] = {0.1, 0.1, 0.1, 0.1};
    for (int k = 0; k < STRATEGIES; k++)
        for (size_t n = 1; n <= 4; n += 3)
            for (int weighted = 0; weighted < 2; weighted++) {
                char words[80];
                const double weights[] = {1, 0.3, 2, 0.7};
                tm_dataset *plain = data_of(n, 2, x, y, true), *data;
                assert_int_equal(
                    tm_dataset_weigh(&data, plain, weighted ? weights : NULL, NULL, NULL), TM_OK);
                snprintf(words, sizeof words, "screen=%s", strategies[k]);
                tm_solution s = method_solve("lasso", data, words, 0.01);
                assert_true(s.outcome == TM_CONVERGED && s.lambda_max == 0);
                assert_true(tm_model_nnz(s.model) == 0);
                assert_true(fabs(tm_model_intercept(s.model) - 0.1) < 1e-15);
                tm_solution_clear(&s);
                tm_dataset_unref(data);
                tm_dataset_unref(plain);
            }
}

/* All columns zero: lambda_max is 0 and there is no path. */
CHECK(test_no_column_has_content)
{
    const double x[8] = {0}, y[] = {1, -1, 1, 1};
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < STRATEGIES; k++) {
            char words[80];
            tm_dataset *data = data_of(4, 2, x, y, m == 0);
            snprintf(words, sizeof words, "screen=%s", strategies[k]);
            tm_solution s = method_solve(methods[m], data, words, 0.5);
            assert_true(s.outcome == TM_CONVERGED && s.lambda_max == 0);
            assert_true(tm_model_nnz(s.model) == 0);
            tm_solution_clear(&s);
            tm_dataset_unref(data);
        }
}

/* ---- lambda = 0 ---------------------------------------------------------------------------- */

/* More rows than features: the gradient vanishes. */
CHECK(test_without_a_penalty)
{
    for (uint64_t seed = 0; seed < 24; seed += 6)
        for (int m = 0; m < 3; m++) {
            problem q = problem_new(seed);
            if (m > 0)
                problem_make_binary(&q);
            q.p = 3;
            general g = {.q = &q, .method = methods[m], .intercept = true, .alpha = 1};
            tm_dataset *data = general_dataset(&g);
            tm_solution s;
            tm_error err = TM_ERROR_INIT;
            tm_status status = general_try(&g, data, "tol=1e-10", 0, &s, &err);
            if (!check_committed() && m > 0 && status == TM_EDATA) { /* the classes are separated */
                assert_non_null(strstr(err.message, "separate the classes"));
                problem_end(&q, data);
                continue;
            }
            assert_int_equal(status, TM_OK);
            /* Where they separate some of the rows weights grow until digits end. */
            bool grown = !check_committed() && s.stop == TM_STOP_ROUNDING;
            assert_true(s.lambda == 0 && s.gap <= (grown ? 1e-7 : 1e-10) * s.null_objective);
            for (size_t j = 0; j <= 3 && !grown; j++) {
                double slope = 0, size = 0;
                for (size_t i = 0; i < q.n; i++) {
                    double z = tm_model_intercept(s.model);
                    for (size_t k = 0; k < 3; k++)
                        z += tm_model_weight(s.model, k) * problem_column(&q, k)[i];
                    double x = j < 3 ? problem_column(&q, j)[i] : 1;
                    slope += x * general_slope(&g, q.y[i], z);
                    size += fabs(x);
                }
                assert_true(fabs(slope) <= 1e-9 * size);
            }
            tm_solution_clear(&s);
            problem_end(&q, data);
        }
}

CHECK(test_separated_classes_without_a_penalty_are_refused)
{
    const double x[] = {-2, -1, 1, 2, 0.1, 0.3, 0.2, -0.4}, y[] = {-1, -1, 1, 1};
    problem q = {.kind = "separated", .n = 4, .p = 2};
    q.x = (double *)(uintptr_t)x;
    q.y = (double *)(uintptr_t)y;
    double factors[] = {0, 1};
    general g = {
        .q = &q, .method = "l1logistic", .intercept = true, .alpha = 1, .factors = factors};
    tm_dataset *data = general_dataset(&g);
    tm_solution s;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(general_try(&g, data, "", 0.1, &s, &err), TM_EDATA);
    assert_non_null(strstr(err.message, "separate the classes"));
    g.factors = NULL;
    assert_int_equal(general_try(&g, data, "", 0, &s, &err), TM_EDATA);
    /* With a penalty, however small, there is an answer. */
    assert_int_equal(general_try(&g, data, "", 1e-4, &s, &err), TM_OK);
    assert_true(s.outcome == TM_CONVERGED);
    tm_solution_clear(&s);
    tm_dataset_unref(data);
}

/* ---- paths --------------------------------------------------------------------------------- */

static seen_path run_path(const tm_dataset *data, const char *method, tm_params *params,
                          char *early, size_t size)
{
    seen_path seen = {0};
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver = NULL;
    tm_grid grid = {0};
    tm_status status =
        tm_solver_new(&solver, tm_method_find(method, NULL), data, params, NULL, &err);
    if (status == TM_OK)
        status = tm_grid_make(&grid, params, tm_solver_lambda_max(solver), &err);
    if (status == TM_OK)
        status = tm_solver_run(solver, params, &grid, see_point, &seen, &err);
    if (status != TM_OK)
        fail_msg("%s", err.message);
    snprintf(early, size, "%s", tm_solver_early(solver) ? tm_solver_early(solver) : "");
    tm_grid_clear(&grid);
    tm_solver_free(solver);
    assert_true(seen.worst <= 1e-9);
    return seen;
}

/* The automatic path, the same values by hand from the least up, and one of them alone. */
CHECK(test_paths_by_hand)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        const char *method = methods[seed % 3];
        problem q = problem_new(seed);
        if (seed % 3 > 0)
            problem_make_binary(&q);
        tm_dataset *data = problem_dataset_of(&q, seed % 3 == 0);
        char early[200];
        tm_params *params = method_params(method, "tol=1e-9 lambdas=12 lambda_min_ratio=0.05");
        seen_path whole = run_path(data, method, params, early, sizeof early);
        assert_true(whole.count == 12 && early[0] == '\0');
        tm_params_free(params);
        double rising[12];
        for (size_t k = 0; k < 12; k++)
            rising[k] = whole.lambda[11 - k];
        params = method_params(method, "tol=1e-9");
        assert_int_equal(tm_params_set_reals(params, "lambda", rising, 12, NULL), TM_OK);
        seen_path hand = run_path(data, method, params, early, sizeof early);
        assert_true(hand.count == 12);
        for (size_t k = 0, i = 11; k < 12; k++, i--) /* the same path: the same bits */
            assert_true(hand.lambda[i] == whole.lambda[k] && hand.primal[i] == whole.primal[k] &&
                        hand.weight[i] == whole.weight[k]);
        assert_int_equal(tm_params_set_reals(params, "lambda", &rising[3], 1, NULL), TM_OK);
        seen_path one = run_path(data, method, params, early, sizeof early);
        assert_true(one.count == 1);
        assert_true(fabs(one.primal[0] - whole.primal[8]) <= 2e-9 * whole.primal[0]);
        tm_params_free(params);
        problem_end(&q, data);
    }
}

/* Ends where it was asked to, says why, and what came before is the whole path's beginning. */
CHECK(test_paths_that_end_early_say_so)
{
    problem q = problem_new(1);
    tm_dataset *data = problem_dataset(&q);
    char early[200];
    tm_params *params = lasso_params("tol=1e-9 lambdas=30");
    seen_path whole = run_path(data, "lasso", params, early, sizeof early);
    assert_true(whole.count == 30 && early[0] == '\0');
    assert_int_equal(tm_params_set_int(params, "max_features", 4, NULL), TM_OK);
    seen_path few = run_path(data, "lasso", params, early, sizeof early);
    assert_true(few.count > 1 && few.count < 30);
    assert_non_null(strstr(early, "max_features 4"));
    for (size_t k = 0; k < few.count; k++)
        assert_true(few.lambda[k] == whole.lambda[k] && few.primal[k] == whole.primal[k]);
    tm_params_unset(params, "max_features", NULL);
    assert_int_equal(tm_params_set_real(params, "max_deviance", 0.6, NULL), TM_OK);
    seen_path most = run_path(data, "lasso", params, early, sizeof early);
    assert_true(most.count > 1 && most.count < 30);
    assert_non_null(strstr(early, "max_deviance 0.6"));
    tm_params_free(params);
    problem_end(&q, data);
}

/* ---- classes ------------------------------------------------------------------------------- */

/* The greater label is the positive class, whatever the pair and the order of the rows. */
CHECK(test_classes_do_not_depend_on_rows_or_labels)
{
    static const double pairs[][2] = {{-1, 1}, {0, 1}, {1, 2}, {-3, 7}};
    const double x[] = {2, 1.5, 1, -1, -2, -1.5};
    for (int pair = 0; pair < 4; pair++)
        for (int turned = 0; turned < 2; turned++) {
            double columns[6], y[6];
            for (int i = 0; i < 6; i++) {
                int from = turned ? 5 - i : i;
                columns[i] = x[from] + (from % 2 ? 0.3 : 0);
                y[i] = pairs[pair][from < 3 || from == 4];
            }
            tm_dataset *data = data_of(6, 1, columns, y, false);
            tm_solution s = method_solve("l1logistic", data, "", 0.2);
            assert_true(tm_model_weight(s.model, 0) > 0);
            char label[40];
            snprintf(label, sizeof label, "%g", pairs[pair][1]);
            assert_string_equal(tm_model_label(s.model, 1), label);
            tm_solution_clear(&s);
            tm_dataset_unref(data);
        }
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void refused(const char *words, tm_status expected, const char *what)
{
    problem q = problem_new(0);
    tm_dataset *data = problem_dataset(&q);
    tm_params *params = lasso_params(words);
    tm_solver *solver = NULL;
    tm_error err = TM_ERROR_INIT;
    tm_status status =
        tm_solver_new(&solver, tm_method_find("lasso", NULL), data, params, NULL, &err);
    if (status != expected || !strstr(err.message, what))
        fail_msg("%s: %d %s", words, (int)status, err.message);
    tm_solver_free(solver);
    tm_params_free(params);
    problem_end(&q, data);
}

CHECK(test_refusals)
{
    refused("factors=1,2", TM_EUSAGE, "parameter 'factors' has 2 values");
    refused("factors=nobody=0", TM_EUSAGE, "nobody");
    refused("factors=X1=0,X1=2", TM_EUSAGE, "twice");
    refused("positive=true lower=-1", TM_EUSAGE, "positive sets lower");
    tm_params *params = lasso_params("");
    tm_error err = TM_ERROR_INIT;
    refused("alpha=0", TM_EUSAGE, "under which every feature has a weight");
    assert_int_equal(tm_params_set_text(params, "alpha", "-1", &err), TM_EUSAGE);
    assert_int_equal(tm_params_set_text(params, "lower", "0.5", &err), TM_EUSAGE);
    assert_int_equal(tm_params_set_text(params, "upper", "-1", &err), TM_EUSAGE);
    assert_int_equal(tm_params_set_text(params, "factors", "-1", &err), TM_EUSAGE);
    tm_params_free(params);
    const double x[] = {1, 2, 3}, y[] = {1, 2, 4}, bad[] = {1, -1, 1}, none[] = {0, 0, 0};
    tm_dataset *data = data_of(3, 1, x, y, true), *other;
    assert_int_equal(tm_dataset_weigh(&other, data, bad, NULL, &err), TM_EDATA);
    assert_non_null(strstr(err.message, "row 2"));
    assert_int_equal(tm_dataset_weigh(&other, data, none, NULL, &err), TM_EDATA);
    tm_dataset_unref(data);
}

RUN_TESTS(test_figures_of_glmnet, test_columns_without_content, test_nothing_to_explain,
          test_no_column_has_content, test_without_a_penalty,
          test_separated_classes_without_a_penalty_are_refused, test_paths_by_hand,
          test_paths_that_end_early_say_so, test_classes_do_not_depend_on_rows_or_labels,
          test_refusals)
