/* Values far from 1: every method either gives the answer that it gives on the same data near 1, or
 * refuses them by name. Scales are powers of two, so that nothing but the scale differs. */
#include "any_method.h"

enum { N = 20, P = 6 };

/* The greatest that the parameter may be. */
static const double MAX_EPSILON = 1e12;

static tm_status data_at(tm_dataset **out, double of_x, double of_y, bool classes, tm_error *err)
{
    tm_rng rng;
    double x[N * P], y[N];
    tm_rng_seed(&rng, 5);
    for (size_t k = 0; k < N * P; k++)
        x[k] = tm_rng_normal(&rng);
    for (size_t i = 0; i < N; i++) {
        double value = x[i] - x[i + N] + 0.3 * tm_rng_normal(&rng);
        y[i] = classes ? (value > 0 ? 1 : -1) : value * of_y;
    }
    for (size_t k = 0; k < N * P; k++)
        x[k] *= of_x;
    tm_dataset_parts parts = {.name = "far", .x = dense_of(N, P, x), .response.numeric = !classes};
    parts.response.y = copy_of(y, sizeof y);
    return tm_dataset_new(out, &parts, err);
}

/* A test's options, ended by NULL, and the unit of the weights, in which epsilon is. */
typedef struct setting {
    const char *options[3];
    double unit;
} setting;

/* Whether it is solved; else it is refused with a feature or the response named. */
static bool solve_or_refuse(tm_solution *out, const tm_method *method, const tm_dataset *data,
                            const setting *how)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params;
    char epsilon[32];
    tm_solver *solver = NULL;
    *out = (tm_solution)TM_SOLUTION_INIT;
    must(tm_method_params_new(&params, method, &err), &err);
    if (how->options[0])
        must(tm_params_set_text(params, how->options[0], how->options[1], &err), &err);
    snprintf(epsilon, sizeof epsilon, "%.17g", 0.1 * how->unit);
    if (has(params, "epsilon") && how->unit < MAX_EPSILON)
        must(tm_params_set_text(params, "epsilon", epsilon, &err), &err);
    if (has(params, "lambda_ratio"))
        must(tm_params_set_text(params, "lambda_ratio", "0.1", &err), &err);
    tm_grid grid = TM_GRID_INIT;
    tm_status status = tm_solver_new(&solver, method, data, params, NULL, &err);
    if (status == TM_OK)
        status = tm_grid_make(&grid, params, tm_solver_lambda_max(solver), &err);
    if (status == TM_OK && grid.axes > 0 && strcmp(grid.names[0], "lambda") == 0)
        status = tm_params_set_reals(params, "lambda", grid.values, 1, &err);
    if (status == TM_OK)
        status = tm_solver_update(solver, params, &err);
    if (status == TM_OK)
        status = tm_solver_solve(solver, out, &err);
    tm_grid_clear(&grid);
    tm_solver_free(solver);
    tm_params_free(params);
    if (status != TM_OK && (status != TM_EDATA || !strstr(err.message, "feature X")))
        fail_msg("%s: %s", tm_method_id(method), err.message);
    return status == TM_OK;
}

/* The weights and the certificate are numbers, and a converged answer at a scale that lambda goes
 * along with predicts what the one near 1 does. */
static void check_answer(const tm_solution *near, const tm_solution *far, const tm_method *method,
                         const tm_dataset *const data[2], double of_y)
{
    const char *id = tm_method_id(method);
    double z[N], far_z[N], size = 0;
    tm_error err;
    if (far->outcome != near->outcome && far->outcome != TM_CONVERGED)
        fail_msg("%s: %s, and %s near 1", id, tm_outcome_name(far->outcome),
                 tm_outcome_name(near->outcome));
    if (!isfinite(far->primal) || !isfinite(far->gap))
        fail_msg("%s: primal %g, gap %g", id, far->primal, far->gap);
    must(tm_model_predict(near->model, tm_dataset_x(data[0]), z, &err), &err);
    must(tm_model_predict(far->model, tm_dataset_x(data[1]), far_z, &err), &err);
    for (size_t i = 0; i < N; i++) {
        if (!isfinite(far_z[i]))
            fail_msg("%s: row %zu is predicted as %g", id, i, far_z[i]);
        size = fmax(size, fabs(z[i]));
    }
    if (!isfinite(near->lambda) || near->outcome != TM_CONVERGED)
        return;
    for (size_t i = 0; i < N; i++)
        if (fabs(far_z[i] / of_y - z[i]) > 2e-2 * size)
            fail_msg("%s: row %zu is predicted as %g, not %g", id, i, far_z[i] / of_y, z[i]);
}

static bool is_two(const tm_method *method, const setting *how)
{
    char losses[128];
    tm_error err;
    tm_params *params;
    must(tm_method_params_new(&params, method, &err), &err);
    tm_method_losses(method, losses, sizeof losses);
    if (how->options[0])
        must(tm_params_set_text(params, how->options[0], how->options[1], &err), &err);
    const char *loss = has(params, "loss") ? tm_params_text(params, "loss") : losses;
    bool two = strcmp(loss, "squared") != 0;
    tm_params_free(params);
    return two;
}

/* Returns whether it was solved. */
static bool check_scales(const tm_method *method, double of_x, double of_y,
                         const char *const options[2])
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data[2] = {NULL, NULL};
    setting how = {.options = {options[0], options[1]}, .unit = 1};
    bool two = is_two(method, &how), solved = false;
    if (two)
        of_y = 1;
    must(data_at(&data[0], 1, 1, two, &err), &err);
    tm_status status = data_at(&data[1], of_x, of_y, two, &err);
    if (status == TM_OK) {
        tm_solution near, far;
        assert_true(solve_or_refuse(&near, method, data[0], &how));
        how.unit = of_y / of_x;
        solved = solve_or_refuse(&far, method, data[1], &how);
        bool same = how.unit < MAX_EPSILON || strcmp(tm_method_id(method), "reweighted") != 0;
        if (solved && same)
            check_answer(&near, &far, method, (const tm_dataset *const *)data, of_y);
        tm_solution_clear(&near);
        tm_solution_clear(&far);
    } else if (status != TM_EDATA ||
               (!strstr(err.message, "feature X") && !strstr(err.message, "the response"))) {
        fail_msg("%s", err.message);
    }
    tm_dataset_unref(data[0]);
    tm_dataset_unref(data[1]);
    return solved;
}

/* About 1e-300, 1e-200, 1e-150, 1e-100, 1e-30, and the same above. */
static const int powers[] = {-996, -664, -498, -332, -100, 100, 332, 498, 664, 996};
enum { POWERS = sizeof powers / sizeof *powers };

static void check_all(const char *const options[2], const char *only)
{
    const tm_method *method;
    size_t solved = 0;
    for (size_t m = 0; (method = tm_methods_at(m)); m++) {
        if (only && strcmp(tm_method_id(method), only) != 0)
            continue;
        for (int k = 0; k < POWERS; k++) {
            double far = ldexp(1, powers[k]);
            solved += check_scales(method, far, 1, options);
            solved += check_scales(method, 1, far, options);
            solved += check_scales(method, far, far, options);
            solved += check_scales(method, far, 1 / far, options);
        }
    }
    assert_true(solved > 0);
}

CHECK(all_methods)
{
    static const char *const none[2];
    check_all(none, NULL);
}

CHECK(losses)
{
    static const char *const names[] = {"squared", "logistic", "squared_hinge"};
    static const char *const ids[] = {"grouplasso", "genlasso", "reweighted", "rfe", "gomp"};
    for (int l = 0; l < 3; l++)
        for (int k = 0; k < 5; k++) {
            const char *const options[2] = {"loss", names[l]};
            check_all(options, ids[k]);
        }
}

CHECK(features_that_are_made)
{
    static const char *const sources[] = {"poly2", "hik", "additive"};
    static const char *const kernels[] = {"rbf", "poly"};
    for (int k = 0; k < 3; k++) {
        const char *const options[2] = {"source", sources[k]};
        check_all(options, "fgm");
    }
    for (int k = 0; k < 2; k++) {
        const char *const options[2] = {"kernel", kernels[k]};
        check_all(options, "svm");
    }
}

/* Products with the response that underflow would make lambda_max 0, and every weight with it. */
CHECK(products_are_refused_by_name)
{
    static const double scales[][2] = {
        {1e-100, 1e-100}, {1e100, 1e100}, {1e-100, 1e100}, {1e100, 1e-100}};
    static const char *const says[] = {
        "products of the two underflow", "products of the two overflow",
        "weights of the two overflow", "weights of the two underflow"};
    for (int k = 0; k < 4; k++) {
        tm_error err = TM_ERROR_INIT;
        tm_dataset *data;
        must_refuse(data_at(&data, scales[k][0], scales[k][1], false, &err), TM_EDATA, &err,
                    says[k]);
        assert_non_null(strstr(err.message, "feature X1 "));
    }
}

RUN_TESTS(all_methods, losses, features_that_are_made, products_are_refused_by_name)
