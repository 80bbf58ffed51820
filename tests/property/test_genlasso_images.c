/* Images: the exact solver against the general one. */
#include "problem.h"

#include "tests/core_check.h"

/* The method takes the exact solver: one pass for the null model and one for the certificate. With
 * an additional row on which all features stand the columns have a row in common, and the general
 * solver has nearly the same problem when the row weighs next to nothing. */
CHECK(an_image_takes_two_passes_and_the_general_solver_agrees)
{
    enum { SIDE = 12, PIXELS = SIDE * SIDE };
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, check_seed(4));
    for (int general = 0; general < 2; general++) {
        double *x = calloc(PIXELS * (PIXELS + 1), sizeof *x), *y = calloc(PIXELS + 1, sizeof *y);
        double *weights = calloc(PIXELS + 1, sizeof *weights);
        size_t n = PIXELS + (size_t)general;
        tm_rng_seed(&rng, check_seed(4));
        for (size_t j = 0; j < PIXELS; j++) {
            x[j * n + j] = 1;
            y[j] = (j % SIDE > 5 ? 2 : 0) + tm_rng_normal(&rng);
            weights[j] = 1;
            if (general)
                x[j * n + PIXELS] = 1e-9;
        }
        if (general)
            weights[PIXELS] = 1;
        tm_dataset_parts parts = {
            .name = "image", .response = {.y = y, .numeric = true}, .rows.weights = weights};
        must(tm_matrix_new_dense(&parts.x, n, PIXELS, x, &err), &err);
        tm_dataset *data;
        must(tm_dataset_new(&data, &parts, &err), &err);
        tm_solution s =
            method_solve("genlasso", data, "graph=grid:12x12 tol=1e-9 intercept=false", 0.7);
        static double primal;
        assert_int_equal(s.outcome, TM_CONVERGED);
        if (general)
            assert_true(fabs(s.primal - primal) <= 2e-9 * s.null_objective);
        else
            assert_true(s.columns == 2 * PIXELS && fabs(s.gap) <= 1e-12 * s.null_objective);
        primal = s.primal;
        tm_solution_clear(&s);
        tm_dataset_unref(data);
    }
}

RUN_TESTS(an_image_takes_two_passes_and_the_general_solver_agrees)
