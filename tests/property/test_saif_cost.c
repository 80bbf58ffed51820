/* SAIF costs no more than no screening, and in the median no more than BLITZ, in column products,
 * whatever the shape: a small part of `scripts/bench saif_grid`. Bounds leave room for roundings
 * that move the end of a solve by one look at the gap. */
#include "problem.h"
#include "tests/core_check.h"

#include "tamis/synth.h"

#include <math.h>
#include <stdlib.h>

enum { SHAPES = 4, METHODS = 3, RATIOS = 3, SOLVES = SHAPES * METHODS * RATIOS };

static const struct {
    long n, p;
} shapes[SHAPES] = {{12, 3000}, {60, 600}, {100, 100}, {300, 40}};
static const char *const methods[METHODS] = {"lasso", "l1logistic", "l1svm"};
static const double ratios[RATIOS] = {0.5, 0.1, 0.02};

static tm_dataset *made(const char *generator, long n, long p, long k)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = NULL;
    tm_params *params = NULL;
    const tm_synth_info *info = tm_synth_find(generator, &err);
    must(tm_params_new(&params, generator, info->params, info->param_count, &err), &err);
    must(tm_params_set_int(params, "n", n, &err), &err);
    must(tm_params_set_int(params, "p", p, &err), &err);
    must(tm_params_set_int(params, "k", k, &err), &err);
    must(tm_params_set_int(params, "seed", 4, &err), &err);
    must(tm_synth_make(&data, info, params, NULL, &err), &err);
    tm_params_free(params);
    return data;
}

static double columns_of(const char *method, const tm_dataset *data, const char *screen,
                         double ratio)
{
    char words[40];
    tm_solution at_null = method_solve(method, data, "screen=none", 1e9);
    snprintf(words, sizeof words, "screen=%s", screen);
    tm_solution s = method_solve(method, data, words, ratio * at_null.lambda_max);
    assert_int_equal(s.outcome, TM_CONVERGED);
    double columns = (double)s.columns;
    tm_solution_clear(&at_null);
    tm_solution_clear(&s);
    return columns;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

CHECK(saif_costs_no_more_than_none_and_blitz)
{
    double to_blitz[SOLVES];
    size_t count = 0;
    for (int i = 0; i < SHAPES; i++)
        for (int m = 0; m < METHODS; m++) {
            long n = shapes[i].n, p = shapes[i].p;
            tm_dataset *data = made(m == 0 ? "saif" : "fgm", n, p, 10);
            for (int k = 0; k < RATIOS; k++) {
                double none = columns_of(methods[m], data, "none", ratios[k]);
                double saif = columns_of(methods[m], data, "saif", ratios[k]);
                double look = 13 * (double)p; /* ten epochs, their model and the gap */
                to_blitz[count++] = saif / columns_of(methods[m], data, "blitz", ratios[k]);
                if (saif > 1.1 * none + look)
                    fail_msg("%s, %ld x %ld, ratio %g: %g columns, %g without screening",
                             methods[m], n, p, ratios[k], saif, none);
                if (p > 10 * n)
                    assert_true(saif < 0.4 * none);
            }
            tm_dataset_unref(data);
        }
    qsort(to_blitz, SOLVES, sizeof *to_blitz, by_value);
    assert_true(to_blitz[SOLVES / 2] <= 1);
}

RUN_TESTS(saif_costs_no_more_than_none_and_blitz)
