/* grouplasso over random problems: all solvers, losses and kinds of groups, against the l1 methods,
 * explicit duplication, conditions of optimality computed here, and the definition of the
 * objective. */
#include "problem.h"

static const char *const losses[] = {"squared", "logistic", "squared_hinge"};
static const char *const singles[] = {"lasso", "l1logistic", "l1svm"};
static const char *const solvers[] = {"active", "bcd", "fista"};

static double loss_value(int l, double y, double z)
{
    double m = y * z;
    if (l == 0)
        return (y - z) * (y - z) / 2;
    if (l == 1)
        return m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
    return m < 1 ? (1 - m) * (1 - m) / 2 : 0;
}

static double loss_dual_variable(int l, double y, double z)
{
    if (l == 0)
        return y - z;
    return l == 1 ? y / (1 + exp(y * z)) : y * fmax(0, 1 - y * z);
}

static problem problem_for(uint64_t seed, int l)
{
    problem q = problem_new(seed);
    if (l > 0)
        problem_make_binary(&q);
    return q;
}

static void predict(const problem *q, const tm_model *model, double *z)
{
    for (size_t i = 0; i < q->n; i++) {
        z[i] = tm_model_intercept(model);
        for (size_t j = 0; j < q->p; j++)
            z[i] += tm_model_weight(model, j) * problem_column(q, j)[i];
    }
}

static double lambda_max_of(const char *method, const tm_dataset *data, const char *words)
{
    tm_solution probe = method_solve(method, data, words, 1e30);
    double lambda_max = probe.lambda_max;
    assert_int_equal(tm_model_nnz(probe.model), 0);
    tm_solution_clear(&probe);
    return lambda_max;
}

static void must_converge(const problem *q, const tm_solution *s, const char *words, double tol)
{
    /* Without an intercept a common offset makes columns nearly parallel; first-order methods
     * crawl. */
    bool may_crawl = strcmp(q->kind, "offset") == 0 || strcmp(q->kind, "badscaled") == 0;
    bool reached = s->outcome == TM_CONVERGED && s->gap <= tol * s->null_objective;
    if (!reached && !(may_crawl && strstr(words, "fista")))
        fail_msg("problem %llu (%s %zux%zu): %s: %s, gap %g of %g", (unsigned long long)q->seed,
                 q->kind, q->n, q->p, words, tm_outcome_name(s->outcome), s->gap,
                 s->null_objective);
}

/* ---- groups of one --------------------------------------------------------------------------- */

CHECK(groups_of_one_are_the_l1_methods)
{
    for (uint64_t seed = 0; seed < 36; seed++) {
        int l = (int)(seed % 3);
        problem q = problem_for(seed / 3, l);
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        const char *options = seed % 2 ? "standardize=true" : "intercept=false";
        double lambda_max = lambda_max_of(singles[l], data, options);
        double lambda = (seed % 5 ? 0.2 : 0.6) * lambda_max;
        char words[200];
        snprintf(words, sizeof words, "tol=1e-9 %s", options);
        tm_solution single = method_solve(singles[l], data, words, lambda);
        for (int k = 0; k < 3; k++) {
            snprintf(words, sizeof words, "tol=1e-9 groups=1 loss=%s solver=%s max_iter=%d %s",
                     losses[l], solvers[k], k == 2 ? 20000 : 100000, options);
            tm_solution s = method_solve("grouplasso", data, words, lambda);
            assert_true(fabs(s.lambda_max - lambda_max) <= 1e-12 * lambda_max);
            must_converge(&q, &s, words, 1e-9);
            if (s.primal < single.dual - 1e-11 * s.null_objective ||
                single.primal < s.dual - 1e-11 * s.null_objective)
                fail_msg("problem %llu %s: [%.12g, %.12g] and [%.12g, %.12g] do not meet",
                         (unsigned long long)q.seed, words, s.dual, s.primal, single.dual,
                         single.primal);
            tm_solution_clear(&s);
        }
        tm_solution_clear(&single);
        problem_end(&q, data);
    }
}

/* Rows with weight 2 are rows that are there twice, and an offset is a part of the predictions;
 * groups of three. */
CHECK(weights_repeat_rows)
{
    for (uint64_t seed = 0; seed < 18; seed++) {
        int l = (int)(seed % 3);
        problem q = problem_for(700 + seed / 3, l);
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        repeated_rows r = repeated_rows_new(&q, data, seed);
        const char *options = seed % 2 ? "standardize=true" : "intercept=false";
        for (int k = 0; k < 3; k++) {
            char words[200];
            snprintf(words, sizeof words, "tol=1e-9 groups=3 loss=%s solver=%s max_iter=20000 %s",
                     losses[l], solvers[k], options);
            double lambda = 0.3 * lambda_max_of("grouplasso", r.offset, words);
            tm_solution s = method_solve("grouplasso", r.weighted, words, lambda);
            tm_solution t = method_solve("grouplasso", r.offset, words, lambda);
            must_converge(&q, &s, words, 1e-9);
            must_converge(&q, &t, words, 1e-9);
            double null = t.null_objective;
            if (s.primal < t.dual - 1e-10 * null || t.primal < s.dual - 1e-10 * null ||
                fabs(s.null_objective - null) > 1e-12 * null)
                fail_msg("problem %llu (%s) %s: [%.12g, %.12g] and [%.12g, %.12g], null %g",
                         (unsigned long long)q.seed, q.kind, words, s.dual, s.primal, t.dual,
                         t.primal, null);
            tm_solution_clear(&s);
            tm_solution_clear(&t);
        }
        tm_dataset_unref(data);
        repeated_rows_free(&r);
        problem_free(&q);
    }
}

/* ---- optimality ------------------------------------------------------------------------------ */

/* Consecutive groups of `size`: |X_g'a| <= lambda f_g, and X_g'a = lambda f_g w_g / |w_g| where w_g
 * is not zero, a being the dual variables at the solution. */
static void check_conditions(const problem *q, int l, size_t size, const tm_solution *s,
                             const char *words)
{
    double z[64], a[64], sum = 0, worst = 0, objective = 0;
    predict(q, s->model, z);
    for (size_t i = 0; i < q->n; i++) {
        a[i] = loss_dual_variable(l, q->y[i], z[i]);
        sum += a[i];
        objective += loss_value(l, q->y[i], z[i]);
    }
    for (size_t first = 0; first < q->p; first += size) {
        size_t count = q->p - first < size ? q->p - first : size;
        double c[16], length = 0, square = 0, factor = sqrt((double)count) * s->lambda;
        for (size_t k = 0; k < count; k++) {
            double w = tm_model_weight(s->model, first + k);
            c[k] = 0;
            for (size_t i = 0; i < q->n; i++)
                c[k] += problem_column(q, first + k)[i] * a[i];
            square += c[k] * c[k];
            length += w * w;
        }
        length = sqrt(length);
        objective += factor * length;
        worst = fmax(worst, sqrt(square) / factor - 1);
        for (size_t k = 0; length > 0 && k < count; k++) {
            double w = tm_model_weight(s->model, first + k);
            worst = fmax(worst, fabs(c[k] / factor - w / length));
        }
    }
    if (worst > 1e-3 || fabs(sum) > 1e-6 * (double)q->n ||
        fabs(objective - s->primal) > 1e-10 * s->null_objective)
        fail_msg("problem %llu (%s) %s: conditions off by %g, sum %g, objective %.15g, said %.15g",
                 (unsigned long long)q->seed, q->kind, words, worst, sum, objective, s->primal);
}

CHECK(solutions_meet_the_conditions)
{
    for (uint64_t seed = 0; seed < 36; seed++) {
        int l = (int)(seed % 3);
        problem q = problem_for(100 + seed / 3, l);
        if (strcmp(q.kind, "badscaled") ==
            0) { /* the conditions are then met only at the largest scale */
            problem_free(&q);
            continue;
        }
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        size_t size = 2 + seed % 4;
        for (int k = 0; k < 3; k++) {
            char words[200];
            snprintf(words, sizeof words, "tol=1e-11 groups=%zu loss=%s solver=%s", size, losses[l],
                     solvers[k]);
            double lambda = 0.15 * lambda_max_of("grouplasso", data, words);
            tm_solution s = method_solve("grouplasso", data, words, lambda);
            must_converge(&q, &s, words, 1e-11);
            if (s.outcome == TM_CONVERGED)
                check_conditions(&q, l, size, &s, words);
            assert_true(tm_model_nnz(s.model) > 0);
            tm_solution_clear(&s);
        }
        problem_end(&q, data);
    }
}

/* ---- solvers agree --------------------------------------------------------------------------- */

/* Random groups as a parameter's text: apart, overlapping, or a tree; some with weights. */
static void random_groups(tm_rng *rng, size_t p, const char *kind, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "[");
    for (size_t at = 1; at <= p && used < size;) {
        size_t count = 1 + tm_rng_below(rng, 7), last = at + count - 1 < p ? at + count - 1 : p;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%zu-%zu", at > 1 ? ";" : "", at, last);
        if (tm_rng_uniform(rng) < 0.3)
            used += (size_t)snprintf(text + used, size - used, ",weight=%.3f",
                                     0.5 + 2 * tm_rng_uniform(rng));
        if (strcmp(kind, "nested") == 0 && last > at) {
            size_t middle = at + tm_rng_below(rng, last - at);
            used += (size_t)snprintf(text + used, size - used, ";%zu-%zu;%zu", at, middle, at);
        }
        bool overlaps = strcmp(kind, "duplicate") == 0 && last > at;
        at = overlaps ? last : last + 1;
        if (at == p && overlaps)
            break;
    }
    snprintf(text + used, size - used, "]");
}

CHECK(solvers_agree_on_all_kinds_of_groups)
{
    static const char *const kinds[] = {"apart", "duplicate", "nested"};
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(7));
    for (uint64_t seed = 0; seed < 54; seed++) {
        int l = (int)(seed % 3);
        const char *kind = kinds[seed / 3 % 3];
        problem q = problem_for(200 + seed / 3, l);
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        char groups[4000], words[300];
        random_groups(&rng, q.p, kind, groups, sizeof groups);
        tm_solution s[3];
        tm_error err = TM_ERROR_INIT;
        double lambda = 0;
        for (int k = 0; k < 3; k++) {
            snprintf(words, sizeof words,
                     "tol=1e-9 loss=%s solver=%s overlap=%s standardize=%s max_iter=20000",
                     losses[l], solvers[k], strcmp(kind, "nested") == 0 ? "nested" : "duplicate",
                     seed % 4 == 1 ? "true" : "false");
            tm_solver *solver = NULL;
            tm_params *params = method_params("grouplasso", words);
            tm_params_set_text(params, "groups", groups, &err);
            if (tm_solver_new(&solver, tm_method_find("grouplasso", NULL), data, params, NULL,
                              &err) != TM_OK)
                fail_msg("%s: %s", groups, err.message);
            lambda = (seed % 2 ? 0.1 : 0.4) * tm_solver_lambda_max(solver);
            tm_params_set_real(params, "lambda", lambda, &err);
            assert_int_equal(tm_solver_update(solver, params, &err), TM_OK);
            assert_int_equal(tm_solver_solve(solver, &s[k], &err), TM_OK);
            must_converge(&q, &s[k], words, 1e-9);
            tm_solver_free(solver);
            tm_params_free(params);
        }
        for (int k = 1; k < 3; k++)
            if (s[0].primal < s[k].dual - 1e-11 * s[k].null_objective ||
                s[k].primal < s[0].dual - 1e-11 * s[k].null_objective)
                fail_msg("problem %llu (%s) %s, %s: [%.12g, %.12g] and [%.12g, %.12g]",
                         (unsigned long long)q.seed, q.kind, groups, words, s[0].dual, s[0].primal,
                         s[k].dual, s[k].primal);
        for (int k = 0; k < 3; k++)
            tm_solution_clear(&s[k]);
        problem_end(&q, data);
    }
}

/* ---- overlap and nesting --------------------------------------------------------------------- */

/* Groups 1-4, 3-6, 5-8, ... equal disjoint groups of 4 on a matrix that has the shared columns
 * twice. */
CHECK(overlap_is_duplication)
{
    for (uint64_t seed = 0; seed < 18; seed++) {
        int l = (int)(seed % 3);
        problem q = problem_for(300 + seed / 3, l), twice = q;
        char groups[2000] = "groups=[";
        size_t used = strlen(groups), count = 0;
        twice.x = calloc(2 * q.n * q.p + 4 * q.n, sizeof *twice.x);
        for (size_t first = 0; first + 4 <= q.p; first += 2, count++) {
            used += (size_t)snprintf(groups + used, sizeof groups - used, "%s%zu-%zu",
                                     first ? ";" : "", first + 1, first + 4);
            memcpy(twice.x + 4 * count * q.n, problem_column(&q, first), 4 * q.n * sizeof *twice.x);
        }
        snprintf(groups + used, sizeof groups - used, "]");
        if (count == 0) {
            free(twice.x);
            problem_free(&q);
            continue;
        }
        twice.p = 4 * count;
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        tm_dataset *apart = problem_dataset_of(&twice, l == 0);
        char words[300];
        snprintf(words, sizeof words, "groups=4 tol=1e-10 loss=%s", losses[l]);
        double lambda = 0.2 * lambda_max_of("grouplasso", apart, words);
        tm_solution explicit = method_solve("grouplasso", apart, words, lambda);
        char all[300];
        snprintf(all, sizeof all, "tol=1e-10 loss=%s", losses[l]);
        tm_error err = TM_ERROR_INIT;
        tm_params *params = method_params("grouplasso", all);
        tm_solver *solver = NULL;
        tm_solution implicit;
        tm_params_set_text(params, "groups", groups + 7, &err);
        tm_params_set_real(params, "lambda", lambda, &err);
        assert_int_equal(
            tm_solver_new(&solver, tm_method_find("grouplasso", NULL), data, params, NULL, &err),
            TM_OK);
        assert_int_equal(tm_solver_update(solver, params, &err), TM_OK);
        assert_int_equal(tm_solver_solve(solver, &implicit, &err), TM_OK);
        double null = implicit.null_objective;
        assert_true(fabs(implicit.lambda_max - explicit.lambda_max) <= 1e-10 * lambda);
        must_converge(&q, &implicit, all, 1e-10);
        must_converge(&twice, &explicit, words, 1e-10);
        double apart_by = fmax(fmax(implicit.gap, explicit.gap), 0) + 1e-12 * null;
        assert_true(fabs(implicit.primal - explicit.primal) <= apart_by);
        tm_solver_free(solver);
        tm_params_free(params);
        tm_solution_clear(&implicit);
        tm_solution_clear(&explicit);
        tm_dataset_unref(data);
        tm_dataset_unref(apart);
        free(twice.x);
        problem_free(&q);
    }
}

/* Two features, the group of both and the group of the second alone: against a fine grid of
 * weights. */
CHECK(nested_groups_minimise_by_brute_force)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(400 + seed));
        problem q = {.seed = seed, .kind = "two", .n = 10, .p = 2};
        q.x = calloc(20, sizeof *q.x);
        q.y = calloc(10, sizeof *q.y);
        for (size_t i = 0; i < 10; i++) {
            q.x[i] = tm_rng_normal(&rng);
            q.x[10 + i] = tm_rng_normal(&rng) + q.x[i] / 2;
            q.y[i] = q.x[i] + (seed % 2 ? q.x[10 + i] : 0) + 0.3 * tm_rng_normal(&rng);
        }
        tm_dataset *data = problem_dataset(&q);
        const char *words = "groups=[1-2,weight=1;2,weight=0.7] overlap=nested tol=1e-12 "
                            "intercept=false";
        double lambda = 0.3 * lambda_max_of("grouplasso", data, words);
        tm_solution s = method_solve("grouplasso", data, words, lambda);
        double best = INFINITY;
        for (int a = -400; a <= 400; a++)
            for (int b = -400; b <= 400; b++) {
                double u = a / 200.0, v = b / 200.0, value = 0;
                for (size_t i = 0; i < 10; i++)
                    value += pow(q.y[i] - u * q.x[i] - v * q.x[10 + i], 2) / 2;
                best = fmin(best, value + lambda * (hypot(u, v) + 0.7 * fabs(v)));
            }
        double u = tm_model_weight(s.model, 0), v = tm_model_weight(s.model, 1), value = 0;
        for (size_t i = 0; i < 10; i++)
            value += pow(q.y[i] - u * q.x[i] - v * q.x[10 + i], 2) / 2;
        value += lambda * (hypot(u, v) + 0.7 * fabs(v));
        assert_true(fabs(value - s.primal) <= 1e-12 * s.null_objective);
        assert_true(s.primal <= best + 1e-12 && best <= s.primal + 1e-3 * s.null_objective);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* ---- lambda_max, paths, cost, refusals ------------------------------------------------------- */

CHECK(lambda_max_is_exact)
{
    for (uint64_t seed = 0; seed < 18; seed++) {
        int l = (int)(seed % 3);
        problem q = problem_for(500 + seed / 3, l);
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        char words[160];
        snprintf(words, sizeof words, "groups=[1-%d;%d;1-2] tol=1e-12 loss=%s overlap=duplicate",
                 q.p < 4 ? 2 : 3, q.p < 4 ? 3 : 4, losses[l]);
        double lambda_max = lambda_max_of("grouplasso", data, words);
        tm_solution at = method_solve("grouplasso", data, words, lambda_max);
        tm_solution below = method_solve("grouplasso", data, words, 0.99 * lambda_max);
        assert_int_equal(tm_model_nnz(at.model), 0);
        assert_int_equal(at.updates, 0);
        assert_true(fabs(at.gap) <= 1e-12 * at.null_objective);
        assert_true(tm_model_nnz(below.model) > 0 && below.primal < at.null_objective);
        tm_solution_clear(&at);
        tm_solution_clear(&below);
        problem_end(&q, data);
    }
}

typedef struct path_check {
    double primal[8], gap[8];
} path_check;

static tm_status keep_point(tm_solution *s, size_t k, void *payload, tm_error *err)
{
    path_check *check = payload;
    (void)err;
    check->primal[k] = s->primal;
    check->gap[k] = s->gap;
    tm_solution_clear(s);
    return TM_OK;
}

/* A path's points are those of single solves, warm or not. */
CHECK(paths_equal_single_solves)
{
    for (uint64_t seed = 0; seed < 9; seed++) {
        int l = (int)(seed % 3);
        problem q = problem_for(600 + seed, l);
        tm_dataset *data = problem_dataset_of(&q, l == 0);
        tm_error err = TM_ERROR_INIT;
        char words[160];
        snprintf(words, sizeof words, "groups=3 tol=1e-9 loss=%s warm=%s", losses[l],
                 seed % 2 ? "true" : "false");
        tm_params *params = method_params("grouplasso", words);
        tm_solver *solver = NULL;
        path_check check;
        double lambdas[8];
        assert_int_equal(
            tm_solver_new(&solver, tm_method_find("grouplasso", NULL), data, params, NULL, &err),
            TM_OK);
        for (int k = 0; k < 8; k++)
            lambdas[k] = tm_solver_lambda_max(solver) * pow(0.6, k);
        assert_int_equal(tm_solver_path(solver, params, lambdas, 8, keep_point, &check, &err),
                         TM_OK);
        for (int k = 0; k < 8; k++) {
            tm_solution s = method_solve("grouplasso", data, words, lambdas[k]);
            assert_true(check.gap[k] <= 1e-9 * s.null_objective);
            assert_true(fabs(check.primal[k] - s.primal) <= 2.1e-9 * s.null_objective);
            tm_solution_clear(&s);
        }
        tm_solver_free(solver);
        tm_params_free(params);
        problem_end(&q, data);
    }
}

/* With many more features than matter the working set looks at few of them. */
CHECK(the_working_set_saves_columns)
{
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(9));
    problem q = {.seed = 9, .kind = "many", .n = 40, .p = 4000};
    q.x = calloc(q.n * q.p, sizeof *q.x);
    q.y = calloc(q.n, sizeof *q.y);
    for (size_t i = 0; i < q.n * q.p; i++)
        q.x[i] = tm_rng_normal(&rng);
    for (size_t i = 0; i < q.n; i++)
        q.y[i] = 3 * problem_column(&q, 0)[i] - 3 * problem_column(&q, 1)[i] + tm_rng_normal(&rng);
    tm_dataset *data = problem_dataset(&q);
    double lambda = 0.4 * lambda_max_of("grouplasso", data, "groups=5");
    tm_solution active = method_solve("grouplasso", data, "groups=5 solver=active", lambda);
    tm_solution all = method_solve("grouplasso", data, "groups=5 solver=bcd", lambda);
    assert_true(active.columns * 3 < all.columns);
    assert_true(active.screening.screened > 3600 && all.screening.screened == 0);
    tm_solution_clear(&active);
    tm_solution_clear(&all);
    problem_end(&q, data);
}

CHECK(what_cannot_be_is_refused)
{
    static const struct {
        const char *words, *message;
        tm_status status;
    } cases[] = {
        {"groups=[1-2;2-3] overlap=nested", "not a tree", TM_EUSAGE},
        {"groups=[1-99999]", "features are numbered from 1", TM_EUSAGE},
        {"loss=logistic", "two values", TM_EDATA},
        {"groups=no-such-file", "no-such-file", TM_EIO},
    };
    problem q = problem_new(1);
    tm_dataset *data = problem_dataset(&q);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        tm_error err = TM_ERROR_INIT;
        tm_solver *solver = NULL;
        tm_params *params = method_params("grouplasso", cases[k].words);
        tm_status status =
            tm_solver_new(&solver, tm_method_find("grouplasso", NULL), data, params, NULL, &err);
        if (status != cases[k].status || !strstr(err.message, cases[k].message))
            fail_msg("%s: %d %s", cases[k].words, (int)status, err.message);
        assert_null(solver);
        tm_params_free(params);
    }
    problem_end(&q, data);
}

RUN_TESTS(groups_of_one_are_the_l1_methods, weights_repeat_rows, solutions_meet_the_conditions,
          solvers_agree_on_all_kinds_of_groups, overlap_is_duplication,
          nested_groups_minimise_by_brute_force, lambda_max_is_exact, paths_equal_single_solves,
          the_working_set_saves_columns, what_cannot_be_is_refused)
