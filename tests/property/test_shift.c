/* A shift of a column, or of the response under the squared loss, changes nothing but the
 * intercept, for every method with an intercept and every strategy. */
#include "any_method.h"

enum { N = 40, P = 24 };

typedef struct shift {
    double columns, response;
} shift;

/* The values that are left when a shift has been rounded: both data sets hold the same numbers but
 * for it. */
static void draw(double *x, double *far, double *y, double *far_y, const shift *by)
{
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(17));
    for (size_t j = 0; j < P; j++) {
        /* Some columns stay where they are, others go to either side. */
        double move = j % 4 == 3 ? 0 : (j % 2 ? -1 : 1) * by->columns * (1 + 0.1 * (double)j);
        for (size_t i = 0; i < N; i++) {
            far[i + j * N] = tm_rng_normal(&rng) + move;
            x[i + j * N] = far[i + j * N] - move;
        }
    }
    for (size_t i = 0; i < N; i++) {
        double value = x[i] + x[i + 3 * N] - x[i + 8 * N] + 0.5 * tm_rng_normal(&rng);
        far_y[i] = value + by->response;
        y[i] = far_y[i] - by->response;
    }
}

static tm_dataset *data_of(const double *x, const double *y, bool classes)
{
    double signs[N];
    for (size_t i = 0; i < N; i++)
        signs[i] = y[i] > 0 ? 1 : -1;
    return dataset_of(dense_of(N, P, x), classes ? signs : y, !classes);
}

/* The models predict the same: their weights are compared through it, as they need not be unique.
 */
static void check_predictions(const tm_solution *near, const tm_solution *far, const tm_dataset *at,
                              const tm_dataset *far_at, const shift *by, double slack,
                              const char *what)
{
    double z[N], far_z[N];
    tm_error err;
    must(tm_model_predict(near->model, tm_dataset_x(at), z, &err), &err);
    must(tm_model_predict(far->model, tm_dataset_x(far_at), far_z, &err), &err);
    double response = tm_dataset_is_binary(at) ? 0 : by->response;
    for (size_t i = 0; i < N; i++)
        if (fabs(far_z[i] - response - z[i]) > slack)
            fail_msg("%s, moved by %g: row %zu is predicted as %.9g, not %.9g", what, by->columns,
                     i, far_z[i] - response, z[i]);
}

/* two: its loss, or the one that it has by default, is of two classes. */
static bool has_intercept(const tm_method *method, option more, bool *two)
{
    tm_error err;
    tm_params *params;
    must(tm_method_params_new(&params, method, &err), &err);
    if (more.name)
        must(tm_params_set_text(params, more.name, more.value, &err), &err);
    bool there = has(params, "intercept") &&
                 (tm_params_find(params, "intercept", NULL)->type == TM_PARAM_CHOICE
                      ? strcmp(tm_params_text(params, "intercept"), "free") == 0
                      : tm_params_bool(params, "intercept"));
    char losses[128];
    tm_method_losses(method, losses, sizeof losses);
    const char *loss = has(params, "loss") ? tm_params_text(params, "loss") : losses;
    *two = strcmp(loss, "squared") != 0;
    tm_params_free(params);
    return there;
}

static bool check_method(const tm_method *method, const char *screen, option more,
                         tm_dataset *const pair[2], const shift *by)
{
    double tol;
    char what[100];
    tm_solution near, far;
    snprintf(what, sizeof what, "%s, screen %s, %s %s", tm_method_id(method), screen ? screen : "-",
             more.name ? more.name : "", more.name ? more.value : "");
    if (!solve_with(&near, method, pair[0], screen, more, &tol))
        return false;
    assert_true(solve_with(&far, method, pair[1], screen, more, &tol));
    double scale = near.null_objective, slack = 1e-7 * scale;
    /* In rounds of scripts/soak rounding of what is far may end it a little above its tolerance. */
    bool rounded =
        !check_committed() && far.stop == TM_STOP_ROUNDING && far.gap <= 10 * tol * scale;
    if ((far.outcome != near.outcome && !rounded) || far.primal < near.dual - slack ||
        near.primal < far.dual - slack)
        fail_msg("%s, moved by %g: %s, primal %.12g dual %.12g, before %s, primal %.12g dual %.12g",
                 what, by->columns, tm_outcome_name(far.outcome), far.primal, far.dual,
                 tm_outcome_name(near.outcome), near.primal, near.dual);
    /* A gap allows predictions to differ by its root; a far value is itself rounded. */
    double roots = check_committed() ? 3 : 3 * sqrt(P); /* rows are about the root of P long */
    double reach = roots * sqrt(tol * scale) + 1e-14 * (1 + by->columns + by->response) * P;
    check_predictions(&near, &far, pair[0], pair[1], by, reach, what);
    tm_solution_clear(&near);
    tm_solution_clear(&far);
    return true;
}

/* With every strategy of the method. */
static size_t check_screens(const tm_method *method, option more, tm_dataset *const numbers[2],
                            tm_dataset *const classes[2], const shift *by)
{
    const tm_choice *screens = screens_of(method);
    size_t solved = 0;
    bool two;
    if (!has_intercept(method, more, &two))
        return 0;
    if (!screens)
        solved += check_method(method, NULL, more, two ? classes : numbers, by);
    for (; screens && screens->name; screens++)
        solved += check_method(method, screens->name, more, two ? classes : numbers, by);
    return solved;
}

/* An option that makes another problem of the method: a loss, or an intercept that is there. */
static size_t check_choices(const tm_method *method, const char *name, tm_dataset *const numbers[2],
                            tm_dataset *const classes[2], const shift *by)
{
    size_t count, solved = 0;
    const tm_param_info *table = tm_method_params(method, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) != 0 || table[i].type != TM_PARAM_CHOICE)
            continue;
        for (const tm_choice *choice = table[i].choices; choice->name; choice++)
            solved += check_screens(method, (option){name, choice->name}, numbers, classes, by);
    }
    return solved;
}

/* Every method, with each of its losses, is solved where it has an intercept; those of the works
 * that have none are named. */
static size_t check_all(tm_dataset *const numbers[2], tm_dataset *const classes[2], const shift *by)
{
    static const char without[] = " fsmulti svmperf bmrm mslr ufomkl hsiclasso kernelfs ";
    const tm_method *method;
    size_t solved = 0;
    for (size_t m = 0; (method = tm_methods_at(m)); m++) {
        const option none = {NULL, NULL};
        char name[32];
        size_t here = check_screens(method, none, numbers, classes, by) +
                      check_choices(method, "loss", numbers, classes, by) +
                      check_choices(method, "intercept", numbers, classes, by);
        snprintf(name, sizeof name, " %s ", tm_method_id(method));
        if ((here == 0) != (strstr(without, name) != NULL))
            fail_msg("%s: %zu solved", name, here);
        solved += here;
    }
    return solved;
}

static void check_shift(shift by, size_t least)
{
    static double x[N * P], far[N * P];
    double y[N], far_y[N];
    draw(x, far, y, far_y, &by);
    tm_dataset *numbers[2] = {data_of(x, y, false), data_of(far, far_y, false)},
               *classes[2] = {data_of(x, y, true), data_of(far, y, true)};
    assert_true(check_all(numbers, classes, &by) >= least);
    for (int k = 0; k < 2; k++) {
        tm_dataset_unref(numbers[k]);
        tm_dataset_unref(classes[k]);
    }
}

/* On both sides of the distance from which on columns are moved, and to where a column has 6 digits
 * left. */
CHECK(columns_may_lie_anywhere)
{
    for (double by = 10; by < 2e10; by *= 10)
        check_shift((shift){by, 0}, 30);
    check_shift((shift){1.7e9, 0}, 30);
}

CHECK(so_may_the_response)
{
    for (double by = 10; by < 2e10; by *= 10)
        check_shift((shift){0, by}, 30);
    check_shift((shift){1.7e9, 1e7}, 30);
}

RUN_TESTS(columns_may_lie_anywhere, so_may_the_response)
