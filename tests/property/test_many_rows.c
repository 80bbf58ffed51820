/* Columns with a one in few of very many rows, so that nearly all rows have equal terms: sums of
 * them must not lose n roundings in one direction. */
#include "problem.h"
#include "tests/core_check.h"

enum { ROWS = 120000, COLUMNS = 3 };

static tm_dataset *rare_events(bool weighted)
{
    double *x = calloc(ROWS * COLUMNS, sizeof *x), *y = calloc(ROWS, sizeof *y);
    tm_error err = TM_ERROR_INIT;
    assert_true(x && y);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++)
            x[j * ROWS + i] = i % (7 + 4 * j) == 0 ? 1 : 0;
        y[i] = i % 7 == 0 && i % 3 > 0 ? 1 : -1;
    }
    tm_dataset *data = dataset_of(csc_of(ROWS, COLUMNS, x), y, true), *other;
    for (size_t i = 0; i < ROWS; i++)
        y[i] = 0.7;
    if (weighted) {
        must(tm_dataset_weigh(&other, data, y, NULL, &err), &err);
        tm_dataset_unref(data);
        data = other;
    }
    free(x);
    free(y);
    return data;
}

CHECK(equal_rows_add_up)
{
    for (int weighted = 0; weighted < 2; weighted++) {
        tm_dataset *data = rare_events(weighted);
        for (int k = 1; k < 10; k += 2) {
            tm_solution probe = method_solve("lasso", data, "intercept=true", 1e9);
            tm_solution s =
                method_solve("lasso", data, "intercept=true tol=1e-12", 0.1 * k * probe.lambda_max);
            double share = s.gap / s.null_objective;
            if (!(fabs(share) <= 2e-13))
                fail_msg("gap %g of the null model's objective at %g of lambda_max%s", share,
                         0.1 * k, weighted ? ", weighted" : "");
            tm_solution_clear(&s);
            tm_solution_clear(&probe);
        }
        tm_dataset_unref(data);
    }
}

RUN_TESTS(equal_rows_add_up)
