/* Terms that are not edges over more features than a dense problem takes: certified gaps, and the
 * same problem in other words (the matrix D from a file, features in another order). */
#include "problem.h"

#include "tests/core_check.h"

#include <unistd.h>

static const char *const losses[] = {"squared", "logistic", "squared_hinge"};

enum { WIDE = 450, FEW = 25 };

/* Dense columns, or one entry in each row; feature j is column place[j]. */
static tm_dataset *data_new(bool identity, bool binary, const size_t *place)
{
    size_t n = identity ? WIDE : FEW;
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, check_seed(6));
    tm_dataset_parts parts = {.name = "wide", .response.numeric = !binary};
    double *y = parts.response.y = calloc(n, sizeof *y);
    for (size_t i = 0; i < n; i++)
        y[i] = 0.4 * tm_rng_normal(&rng) + sin((double)i / 40);
    for (size_t i = 0; binary && i < n; i++)
        y[i] = y[i] > 0 ? 1 : -1;
    if (identity) {
        uint64_t *starts = calloc(WIDE + 1, sizeof *starts);
        uint32_t *rows = calloc(WIDE, sizeof *rows);
        double *values = calloc(WIDE, sizeof *values);
        for (size_t j = 0; j < WIDE; j++) {
            starts[j + 1] = j + 1;
            rows[place[j]] = (uint32_t)j;
            values[j] = 1;
        }
        must(tm_matrix_new_csc(&parts.x, n, WIDE, starts, rows, values, &err), &err);
    } else {
        double *values = calloc(n * WIDE, sizeof *values);
        for (size_t j = 0; j < WIDE; j++)
            for (size_t i = 0; i < n; i++)
                values[place[j] * n + i] = tm_rng_normal(&rng);
        must(tm_matrix_new_dense(&parts.x, n, WIDE, values, &err), &err);
    }
    tm_dataset *data;
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

/* Second differences of the features in their own order. */
static void write_rows(const char *path, const size_t *place)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", WIDE - 2, WIDE,
            3 * (WIDE - 2));
    for (size_t t = 0; t + 2 < WIDE; t++)
        fprintf(file, "%zu %zu 1\n%zu %zu -2\n%zu %zu 1\n", t + 1, place[t] + 1, t + 1,
                place[t + 1] + 1, t + 1, place[t + 2] + 1);
    fclose(file);
}

static void order(size_t *place, bool shuffled)
{
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(2));
    for (size_t j = 0; j < WIDE; j++)
        place[j] = j;
    for (size_t j = WIDE; shuffled && j > 1; j--) {
        size_t other = tm_rng_below(&rng, j), kept = place[j - 1];
        place[j - 1] = place[other];
        place[other] = kept;
    }
}

CHECK(trends_of_many_features_are_certified)
{
    size_t place[WIDE];
    order(place, false);
    for (int k = 0; k < 12; k++) {
        int l = k % 3;
        bool identity = k / 3 % 2, own = k / 6;
        /* The squared hinge loss has no curvature beyond the margin. */
        double tol = l == 2 ? 1e-5 : 1e-6;
        tm_dataset *data = data_new(identity, l > 0, place);
        char words[120];
        snprintf(words, sizeof words, "tol=%g loss=%s graph=trend:%d l1_ratio=%g intercept=%s", tol,
                 losses[l], 1 + k % 2, own ? 0.3 : 0.0, identity && k % 4 ? "true" : "false");
        tm_solution probe = method_solve("genlasso", data, words, 1e30);
        tm_solution s = method_solve("genlasso", data, words, 0.1 * probe.lambda_max);
        /* Third differences of hundreds of features may end at their rounding errors. */
        double most = !check_committed() && s.stop == TM_STOP_ROUNDING ? 1e-5 : tol;
        if ((s.outcome != TM_CONVERGED && most == tol) || s.gap > most * s.null_objective ||
            s.gap < -1e-9 * s.null_objective)
            fail_msg("%s, identity %d: gap %g of %g", words, identity, s.gap, s.null_objective);
        assert_true(s.primal < s.null_objective);
        tm_solution_clear(&probe);
        tm_solution_clear(&s);
        tm_dataset_unref(data);
    }
}

CHECK(the_order_of_the_features_does_not_matter)
{
    size_t place[WIDE];
    char path[] = "/tmp/tamis_wide_XXXXXX", words[200];
    close(mkstemp(path));
    for (int k = 0; k < 4; k++) {
        bool identity = k % 2;
        double own = k / 2 * 0.4;
        order(place, false);
        tm_dataset *data = data_new(identity, false, place);
        snprintf(words, sizeof words, "tol=1e-7 graph=trend:1 l1_ratio=%g", own);
        tm_solution probe = method_solve("genlasso", data, words, 1e30);
        double lambda = 0.05 * probe.lambda_max;
        tm_solution a = method_solve("genlasso", data, words, lambda);
        tm_dataset_unref(data);
        order(place, true);
        data = data_new(identity, false, place);
        write_rows(path, place);
        snprintf(words, sizeof words, "tol=1e-7 graph=rows:%s l1_ratio=%g", path, own);
        tm_solution b = method_solve("genlasso", data, words, lambda);
        if (fabs(a.primal - b.primal) > 2e-7 * a.null_objective)
            fail_msg("%s: %.12g and %.12g", words, a.primal, b.primal);
        if (own > 0 && fabs(a.lambda_max - b.lambda_max) > 1e-5 * a.lambda_max)
            fail_msg("%s: lambda_max %.12g and %.12g", words, a.lambda_max, b.lambda_max);
        for (size_t j = 0; identity && own == 0 && j < WIDE; j++)
            assert_true(fabs(tm_model_weight(a.model, j) + tm_model_intercept(a.model) -
                             tm_model_weight(b.model, place[j]) - tm_model_intercept(b.model)) <
                        1e-2);
        tm_solution_clear(&probe);
        tm_solution_clear(&a);
        tm_solution_clear(&b);
        tm_dataset_unref(data);
    }
    unlink(path);
}

RUN_TESTS(trends_of_many_features_are_certified, the_order_of_the_features_does_not_matter)
