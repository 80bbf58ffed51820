/* The values of lambda that parameters ask for. */
#include "tests/core_check.h"

static tm_params *lasso_params(const char *words)
{
    tm_params *params;
    tm_error err = TM_ERROR_INIT;
    must(tm_method_params_new(&params, tm_method_find("lasso", NULL), &err), &err);
    set_words(params, words, &err);
    return params;
}

static size_t grid_of(const char *words, double lambda_max, double **grid)
{
    tm_params *params = lasso_params(words);
    tm_error err = TM_ERROR_INIT;
    size_t count = 0;
    must(tm_lambda_grid(grid, &count, params, lambda_max, &err), &err);
    tm_params_free(params);
    return count;
}

static void check_grid(const char *words, double lambda_max, const double *expected, size_t count)
{
    double *grid;
    assert_int_equal(grid_of(words, lambda_max, &grid), count);
    for (size_t k = 0; k < count; k++)
        must_be_near(grid[k], expected[k], 1e-14 * expected[k]);
    free(grid);
}

CHECK(test_single_values)
{
    check_grid("", 20, (double[]){2}, 1); /* lambda_ratio is 0.1 unless given */
    check_grid("lambda_ratio=0.25", 8, (double[]){2}, 1);
    check_grid("lambda_ratio=3", 8, (double[]){24}, 1);
    check_grid("lambda=0.7", 8, (double[]){0.7}, 1);
    check_grid("lambda=100", 8, (double[]){100}, 1); /* above lambda_max is an answer too */
}

CHECK(test_lists_keep_their_order)
{
    check_grid("lambda=1,3,2", 8, (double[]){1, 3, 2}, 3);
    check_grid("lambda=2,2,5,2", 1, (double[]){2, 2, 5, 2}, 4);
}

CHECK(test_geometric_paths)
{
    check_grid("lambdas=1", 8, (double[]){8}, 1);
    check_grid("lambdas=2", 8, (double[]){8, 0.08}, 2);
    check_grid("lambdas=4 lambda_min_ratio=0.001", 5, (double[]){5, 0.5, 0.05, 0.005}, 4);
    check_grid("lambdas=3 lambda_min_ratio=1", 5, (double[]){5, 5, 5}, 3);
    double *grid;
    assert_int_equal(grid_of("lambdas=100 lambda_min_ratio=1e-6", 3, &grid), 100);
    assert_true(grid[0] == 3); /* the first is lambda_max itself, not a rounded product */
    must_be_near(grid[99], 3e-6, 1e-20);
    for (size_t k = 1; k < 100; k++) {
        assert_true(grid[k] < grid[k - 1]);
        must_be_near(grid[k] / grid[k - 1], pow(1e-6, 1.0 / 99), 1e-12);
    }
    free(grid);
}

/* Every lambda gives the null model: one point says it. */
CHECK(test_nothing_to_explain)
{
    check_grid("lambdas=50", 0, (double[]){0}, 1);
    check_grid("", 0, (double[]){0}, 1);
    check_grid("lambda=2,1", 0, (double[]){2, 1}, 2);
}

static void check_refused(const char *words, const char *what)
{
    tm_params *params = lasso_params(words);
    tm_error err = TM_ERROR_INIT;
    size_t count;
    double *grid = (double *)&grid;
    must_refuse(tm_lambda_grid(&grid, &count, params, 1, &err), TM_EUSAGE, &err, what);
    assert_null(grid);
    tm_params_free(params);
}

CHECK(test_contradictions)
{
    check_refused("lambda=1 lambda_ratio=0.5", "give lambda or lambda_ratio, not both");
    check_refused("lambda=1,2 lambdas=10", "give lambda or lambdas, not both");
    check_refused("lambda_ratio=0.5 lambdas=10", "give lambda_ratio or lambdas, not both");
    check_refused("lambda_min_ratio=0.5", "give lambdas too");
    check_refused("lambda=1 lambda_min_ratio=0.5", "give lambdas too");
}

/* Only methods that can do without a penalty take lambda = 0. */
CHECK(test_zero)
{
    tm_params *params;
    tm_error err = TM_ERROR_INIT;
    double *grid;
    size_t count;
    check_grid("lambda=0", 8, (double[]){0}, 1);
    must(tm_method_params_new(&params, tm_method_find("grouplasso", NULL), &err), &err);
    must(tm_params_set_text(params, "lambda", "1,0,2", &err), &err);
    must_refuse(tm_lambda_grid(&grid, &count, params, 1, &err), TM_EUSAGE, &err,
                "expected a number above 0");
    tm_params_free(params);
}

CHECK(test_out_of_range)
{
    static const char *const bad[][2] = {
        {"lambda", "-1"},          {"lambda", "nan"},           {"lambda", "inf"},
        {"lambda", "1e400"},       {"lambda_ratio", "0"},       {"lambda_ratio", "-0.5"},
        {"lambdas", "0"},          {"lambdas", "1.5"},          {"lambdas", "100001"},
        {"lambda_min_ratio", "0"}, {"lambda_min_ratio", "1.5"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        tm_params *params = lasso_params("");
        tm_error err = TM_ERROR_INIT;
        must_refuse(tm_params_set_text(params, bad[k][0], bad[k][1], &err), TM_EUSAGE, &err,
                    bad[k][0]);
        tm_params_free(params);
    }
}

RUN_TESTS(test_single_values, test_lists_keep_their_order, test_geometric_paths,
          test_nothing_to_explain, test_contradictions, test_zero, test_out_of_range)
