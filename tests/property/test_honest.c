/* What a run prints is true of its model, whatever the data: every method of the registry under
 * every strategy, on data that are hard for it. One thread and several give the same bits, the
 * objective is that of the model in long double, and no lower bound is above any value that is
 * reached. */
#include "hard.h"

#include "tamis/screen.h"

/* ---- the objective of a model ---------------------------------------------------------------- */

typedef struct objective {
    char loss[64];
    bool in_C; /* |w|^2 / 2 + C sum l; else sum l + lambda (alpha |w|_1 + ...) */
    double alpha;
} objective;

/* Whether it is one of the two that are recomputed here. */
static bool objective_of(objective *f, const tm_method *method, const tm_params *params)
{
    static const char *const in_lambda[] = {"lasso", "l1logistic", "l1svm", "sdca"};
    static const char *const in_C[] = {"ridge", "logistic", "svm_l2", "svm", "rfe", "gomp"};
    const char *id = tm_method_id(method);
    bool known = false;
    *f = (objective){.alpha = has(params, "alpha") ? tm_params_real(params, "alpha") : 1};
    tm_method_losses(method, f->loss, sizeof f->loss);
    if (has(params, "loss"))
        snprintf(f->loss, sizeof f->loss, "%s", tm_params_text(params, "loss"));
    for (size_t k = 0; k < sizeof in_lambda / sizeof *in_lambda; k++)
        known = known || strcmp(id, in_lambda[k]) == 0;
    for (size_t k = 0; k < sizeof in_C / sizeof *in_C; k++)
        f->in_C = f->in_C || strcmp(id, in_C[k]) == 0;
    return known || f->in_C;
}

static long double loss_of(const char *loss, long double y, long double z)
{
    if (strcmp(loss, "squared") == 0)
        return (y - z) * (y - z) / 2;
    if (strcmp(loss, "logistic") == 0)
        return y * z > 0 ? log1pl(expl(-y * z)) : log1pl(expl(y * z)) - y * z;
    long double slack = fmaxl(0, 1 - y * z);
    return strcmp(loss, "hinge") == 0 ? slack : slack * slack / 2;
}

/* What the losses are at w = 0, which rounding goes along with: the null objective can be 0. */
static double size_at_zero(const objective *f, const hard *h, const tm_dataset *data)
{
    double sum = 0;
    for (size_t i = 0; i < h->n; i++)
        sum += h->weights[i] *
               (double)loss_of(f->loss, tm_dataset_y(data)[i], (long double)h->offset[i]);
    return sum;
}

static long double value_of(const objective *f, const hard *h, const tm_dataset *data,
                            const tm_solution *s)
{
    long double sum = 0, ones = 0, squares = 0;
    const double *y = tm_dataset_y(data);
    for (size_t j = 0; j < h->p; j++) {
        long double w = tm_model_weight(s->model, j), factor = h->bounded ? h->factors[j] : 1;
        ones += factor * fabsl(w);
        squares += factor * w * w;
    }
    for (size_t i = 0; i < h->n; i++) {
        long double z = (long double)h->offset[i] + tm_model_intercept(s->model);
        for (size_t j = 0; j < h->p; j++)
            z += (long double)h->x[i + j * h->n] * tm_model_weight(s->model, j);
        sum += h->weights[i] * loss_of(f->loss, y[i], z);
    }
    if (f->in_C)
        return squares / 2 + s->C * sum;
    return sum + s->lambda * (f->alpha * ones + (1 - f->alpha) * squares / 2);
}

/* ---- what is asked of an answer ---------------------------------------------------------------
 */

typedef struct question {
    const tm_method *method;
    const char *screen; /* or NULL */
    const hard *h;
    const tm_dataset *data;
    const char *words; /* for those that have these parameters: name=value */
    char what[160];
} question;

/* Sets what the method has of the words. */
static void set_known(tm_params *params, const char *words)
{
    char copy[200], *rest = NULL;
    tm_error err = TM_ERROR_INIT;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        bool other = strcmp(word, "intercept") == 0 && has(params, word) &&
                     tm_params_find(params, word, &err)->type == TM_PARAM_CHOICE;
        if (has(params, word))
            must(tm_params_set_text(params, word, other ? "none" : value, &err), &err);
    }
}

static void set_terms(tm_params *params, const hard *h)
{
    static const char *const names[] = {"factors", "lower", "upper"};
    const double *const values[] = {h->factors, h->lower, h->upper};
    tm_error err = TM_ERROR_INIT;
    for (size_t k = 0; k < 3; k++) {
        tm_vector vector = {h->p, (double *)(uintptr_t)values[k], NULL};
        if (has(params, names[k]))
            must(tm_params_set_vector(params, names[k], &vector, &err), &err);
    }
}

static tm_params *params_of(const question *q, int threads)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params;
    must(tm_method_params_new(&params, q->method, &err), &err);
    set_known(params, "standardize=false features=2 groups=2 measure=f1 max_iter=1000");
    set_known(params, q->words);
    if (q->screen)
        must(tm_params_set_text(params, "screen", q->screen, &err), &err);
    if (q->h->bounded)
        set_terms(params, q->h);
    if (has(params, "threads"))
        must(tm_params_set_int(params, "threads", threads, &err), &err);
    return params;
}

/* TM_OK, or why not: also data that the method cannot use. */
static tm_status answer(tm_solution *out, const question *q, tm_params *params, tm_error *err)
{
    tm_solver *solver = NULL;
    tm_grid grid = TM_GRID_INIT;
    *out = (tm_solution)TM_SOLUTION_INIT;
    if (has(params, "lambda_ratio"))
        must(tm_params_set_text(params, "lambda_ratio", "0.1", err), err);
    tm_status status = tm_solver_new(&solver, q->method, q->data, params, NULL, err);
    if (status == TM_OK)
        status = tm_grid_make(&grid, params, tm_solver_lambda_max(solver), err);
    if (status == TM_OK && grid.axes > 0 && strcmp(grid.names[0], "lambda") == 0)
        status = tm_params_set_reals(params, "lambda", grid.values, 1, err);
    if (status == TM_OK)
        status = tm_solver_update(solver, params, err);
    if (status == TM_OK)
        status = tm_solver_solve(solver, out, err);
    tm_grid_clear(&grid);
    tm_solver_free(solver);
    return status;
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void must_be_same(const question *q, const tm_solution *one, const tm_solution *many)
{
    bool good = same(one->primal, many->primal) && same(one->dual, many->dual) &&
                same(one->gap, many->gap) && one->updates == many->updates &&
                one->outcome == many->outcome;
    for (size_t j = 0; good && j < tm_model_cols(one->model); j++)
        good = same(tm_model_weight(one->model, j), tm_model_weight(many->model, j));
    if (!good)
        fail_msg("%s: primal %.17g and gap %.17g on one thread, %.17g and %.17g on three", q->what,
                 one->primal, one->gap, many->primal, many->gap);
}

/* The rounding error of the predictions, which large weights of nearly equal columns lose digits
 * of.
 */
static double lost_by_predictions(const hard *h, const tm_solution *s)
{
    double sum = 0;
    for (size_t j = 0; j < h->p; j++)
        for (size_t i = 0; i < h->n; i++)
            sum += h->weights[i] * fabs(tm_model_weight(s->model, j) * h->x[i + j * h->n]);
    return 2e-16 * sum;
}

/* Numbers, a gap that is the difference of the two, at least 0 but for rounding, and what
 * "converged" says. */
static void must_be_sound(const question *q, const tm_solution *s, double tol)
{
    double size = fabs(s->primal) + fabs(s->dual) + fabs(s->null_objective);
    bool good = isfinite(s->primal) && isfinite(s->dual) &&
                s->gap >= -1e-14 * size - lost_by_predictions(q->h, s) &&
                fabs(s->primal - s->dual - s->gap) <= 1e-12 * size;
    if (!good)
        fail_msg("%s: primal %.17g, dual %.17g, gap %.17g", q->what, s->primal, s->dual, s->gap);
    if (s->outcome == TM_CONVERGED && s->gap > tol * s->null_objective * (1 + 1e-9))
        fail_msg("%s: converged with gap %g of %g", q->what, s->gap, s->null_objective);
}

static void must_be_within_limits(const question *q, const tm_solution *s)
{
    for (size_t j = 0; q->h->bounded && j < q->h->p; j++) {
        double w = tm_model_weight(s->model, j);
        if (!(w >= q->h->lower[j] && w <= q->h->upper[j]))
            fail_msg("%s: weight %zu is %.17g", q->what, j, w);
    }
}

/* Over the strategies of one method on one problem. */
typedef struct seen {
    double least, greatest; /* value of a model, lower bound */
    char least_of[160], greatest_of[160];
    double size;
} seen;

static void take(seen *found, const question *q, const tm_solution *s, double value, double size)
{
    size += fabs(s->primal) + fabs(s->null_objective);
    if (!(fabs(value - s->primal) <= 1e-9 * size + lost_by_predictions(q->h, s)))
        fail_msg("%s: primal %.17g, recomputed %.17g", q->what, s->primal, value);
    found->size = fmax(found->size, size);
    if (value < found->least)
        snprintf(found->least_of, sizeof found->least_of, "%s", q->what);
    if (s->dual > found->greatest)
        snprintf(found->greatest_of, sizeof found->greatest_of, "%s", q->what);
    found->least = fmin(found->least, value);
    found->greatest = fmax(found->greatest, s->dual);
}

/* Solves on one thread and on three, and takes what is known of the value into `found` (or NULL);
 * false when both are refused, for the same reason. */
static bool ask(question *q, seen *found)
{
    tm_error err[2] = {TM_ERROR_INIT, TM_ERROR_INIT};
    tm_solution s[2];
    tm_params *params[2] = {params_of(q, 1), params_of(q, 3)};
    objective f;
    snprintf(q->what, sizeof q->what, "%s, screen %s, %s%s%s, %s", tm_method_id(q->method),
             q->screen ? q->screen : "-", q->h->name, q->h->weighed ? " weighed" : "",
             q->h->bounded ? " bounded" : "", q->words);
    tm_status status = answer(&s[0], q, params[0], &err[0]);
    tm_status again = answer(&s[1], q, params[1], &err[1]);
    if (status != again || strcmp(err[0].message, err[1].message) != 0)
        fail_msg("%s: \"%s\" on one thread, \"%s\" on three", q->what, err[0].message,
                 err[1].message);
    if (status != TM_OK && status != TM_EUSAGE && status != TM_EDATA)
        fail_msg("%s: %s", q->what, err[0].message);
    if (status == TM_OK) {
        must_be_same(q, &s[0], &s[1]);
        must_be_sound(q, &s[0], tm_params_real(params[0], "tol"));
        must_be_within_limits(q, &s[0]);
        if (found && objective_of(&f, q->method, params[0]))
            take(found, q, &s[0], (double)value_of(&f, q->h, q->data, &s[0]),
                 size_at_zero(&f, q->h, q->data));
    }
    for (int k = 0; k < 2; k++) {
        tm_params_free(params[k]);
        tm_solution_clear(&s[k]);
    }
    return status == TM_OK;
}

static size_t ask_all_strategies(question *q)
{
    seen found = {.least = INFINITY, .greatest = -INFINITY};
    const tm_choice *screens = screens_of(q->method);
    size_t solved = 0;
    q->screen = NULL;
    if (!screens)
        solved += ask(q, &found);
    for (; screens && screens->name; screens++) {
        q->screen = screens->name;
        solved += ask(q, &found);
    }
    /* The models that rfe and gomp end with are of features that they have chosen. */
    if (found.greatest > found.least + 1e-12 * found.size)
        fail_msg("%s: lower bound %.17g, above the value %.17g of %s", found.greatest_of,
                 found.greatest, found.least, found.least_of);
    return solved;
}

/* ---- over the registry -------------------------------------------------------------------------
 */

static bool is_two(const tm_method *method)
{
    char losses[128];
    tm_params *params;
    tm_error err = TM_ERROR_INIT;
    must(tm_method_params_new(&params, method, &err), &err);
    tm_method_losses(method, losses, sizeof losses);
    bool two =
        strcmp(has(params, "loss") ? tm_params_text(params, "loss") : losses, "squared") != 0;
    tm_params_free(params);
    return two;
}

static bool has_limits(const tm_method *method)
{
    tm_params *params;
    tm_error err = TM_ERROR_INIT;
    must(tm_method_params_new(&params, method, &err), &err);
    bool all = has(params, "factors") && has(params, "lower") && has(params, "upper");
    tm_params_free(params);
    return all;
}

/* How many answers there were. */
static size_t over_registry(size_t kind, bool weighed, bool bounded, const char *words)
{
    static hard h;
    const tm_method *method;
    size_t solved = 0;
    make(&h, kind, weighed);
    h.bounded = bounded;
    tm_dataset *data[2] = {data_of(&h, false), data_of(&h, true)};
    for (size_t m = 0; (method = tm_methods_at(m)); m++) {
        question q = {.method = method, .h = &h, .data = data[is_two(method)], .words = words};
        if (!bounded || has_limits(method))
            solved += ask_all_strategies(&q);
    }
    tm_dataset_unref(data[0]);
    tm_dataset_unref(data[1]);
    return solved;
}

/* Sums of products along a forest are rounded as those with the longest column, and columns of
 * other scales have weights that this matters to. */
CHECK(forests_of_mixed_scales)
{
    static hard h;
    tm_error err = TM_ERROR_INIT;
    assert_ptr_equal(hard_kinds[MIXED_SCALES], mixed_scales);
    for (uint64_t seed = 0; seed < 40; seed++) {
        /* The first had a gap of -1e-10 of the value. */
        make_from(&h, seed == 0 ? 91000907 : check_seed(5000 + seed), MIXED_SCALES, seed % 2 == 0);
        tm_dataset *data = data_of(&h, false);
        question q = {.method = tm_method_find("genlasso", &err),
                      .h = &h,
                      .data = data,
                      .words = "tol=1e-7 intercept=false"};
        snprintf(q.what, sizeof q.what, "genlasso, problem %d", (int)seed);
        tm_params *params = params_of(&q, 1);
        tm_solution s;
        must(answer(&s, &q, params, &err), &err);
        must_be_sound(&q, &s, 1e-7);
        tm_solution_clear(&s);
        tm_params_free(params);
        tm_dataset_unref(data);
    }
}

CHECK(hard_data)
{
    for (size_t kind = 0; kind < KINDS; kind++)
        assert_true(over_registry(kind, false, false, "tol=1e-6") >= 10);
}

/* With weights and offsets, each kind of data with some of the terms; in other rounds with others.
 */
CHECK(other_terms)
{
    static const char *const words[] = {"tol=1e-9 alpha=0.4", "tol=1e-5 positive=true",
                                        "tol=1e-7 intercept=false alpha=0.7"};
    for (size_t kind = 0; kind < KINDS; kind++)
        assert_true(over_registry(kind, true, false, words[(kind + check_seed(0) / 1000000) % 3]) >
                    0);
}

/* Unpenalised features and limits, some of both; in other rounds other terms with them. */
CHECK(terms_of_features)
{
    static const char *const words[] = {"tol=1e-8", "tol=1e-5 alpha=0.4",
                                        "tol=1e-10 intercept=false"};
    size_t solved = 0;
    for (size_t kind = 0; kind < KINDS; kind++)
        solved += over_registry(kind, kind % 2, true, words[(kind + check_seed(0) / 1000000) % 3]);
    assert_true(solved > 100);
}

/* ---- shared passes ------------------------------------------------------------------------------
 */

/* More values than those from which passes are shared, in columns and rows that no number of
 * threads or lanes divides evenly. */
enum { MANY_N = 257, MANY_P = 4101 };

static tm_dataset *many_values(bool two)
{
    double *x = malloc(MANY_N * MANY_P * sizeof *x), y[MANY_N];
    tm_rng rng;
    assert_non_null(x);
    tm_rng_seed(&rng, check_seed(77));
    fill_normal(&rng, x, MANY_N * MANY_P, 1);
    for (size_t i = 0; i < MANY_N; i++) {
        y[i] = x[i] - x[i + MANY_N] + 0.5 * tm_rng_normal(&rng);
        y[i] = two ? (y[i] > 0 ? 1 : -1) : y[i];
    }
    tm_dataset *data = dataset_of(dense_of(MANY_N, MANY_P, x), y, !two);
    free(x);
    return data;
}

/* Methods whose passes are over pairs of rows, or that solve the problem again and again. */
static bool is_long(const tm_method *method)
{
    static const char *const ids[] = {"hsiclasso", "kernelfs", "rfe", "gomp", "genlasso"};
    bool found = false;
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++)
        found = found || strcmp(tm_method_id(method), ids[k]) == 0;
    return found;
}

/* After a few passes, so that whatever was rounded otherwise is in the answer. */
CHECK(shared_passes_change_no_bit)
{
    static hard none = {.name = "many values"};
    tm_dataset *data[2] = {many_values(false), many_values(true)};
    const tm_method *method;
    size_t solved = 0;
    for (size_t m = 0; (method = tm_methods_at(m)); m++) {
        question q = {.method = method, .h = &none, .words = "tol=1e-2 max_iter=2"};
        q.data = data[is_two(method)];
        if (!is_long(method))
            solved += ask(&q, NULL);
    }
    assert_true(solved > 10);
    tm_dataset_unref(data[0]);
    tm_dataset_unref(data[1]);
}

RUN_TESTS(forests_of_mixed_scales, hard_data, other_terms, terms_of_features,
          shared_passes_change_no_bit)
