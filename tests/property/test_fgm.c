/* fgm and mslr against a solver that shares nothing with them, and against what must hold of
 * them. */
#include "problem.h"

/* ---- the reference ------------------------------------------------------------------------- */

/* min over w, b of 1/2 |(|w_g|)|_(B)^2 + C sum l, groups of `size` consecutive columns:
 * proximal gradient on w and b together, the norm and its proximal step by bisection on kappa,
 * where d_g = clamp(kappa u_g - s, 0, 1). */
typedef struct support_problem {
    const problem *q;
    size_t size;
    double B, C;
    bool logistic, intercept;
} support_problem;

static size_t group_count(const support_problem *s)
{
    return (s->q->p + s->size - 1) / s->size;
}

static double group_norm(const support_problem *s, const double *w, size_t g)
{
    double sum = 0;
    for (size_t j = g * s->size; j < (g + 1) * s->size && j < s->q->p; j++)
        sum += w[j] * w[j];
    return sqrt(sum);
}

static double clamp_sum(const double *u, size_t count, double kappa, double s)
{
    double sum = 0;
    for (size_t g = 0; g < count; g++)
        sum += u[g] > 0 ? fmin(fmax(kappa * u[g] - s, 0), 1) : 0;
    return sum;
}

static double find_kappa(const double *u, size_t count, double B, double s)
{
    double low = 0, high = 1;
    size_t nonzero = 0;
    for (size_t g = 0; g < count; g++)
        nonzero += u[g] > 0;
    if ((double)nonzero <= B)
        return INFINITY;
    while (clamp_sum(u, count, high, s) < B)
        high *= 2;
    for (int k = 0; k < 200; k++) {
        double middle = (low + high) / 2;
        *(clamp_sum(u, count, middle, s) < B ? &low : &high) = middle;
    }
    return high;
}

static double ref_penalty(const support_problem *s, const double *w)
{
    size_t count = group_count(s);
    double u[200] = {0}, sum = 0;
    for (size_t g = 0; g < count; g++)
        u[g] = group_norm(s, w, g);
    double kappa = find_kappa(u, count, s->B, 0);
    for (size_t g = 0; g < count; g++)
        sum += u[g] > 0 ? u[g] * u[g] / fmin(kappa * u[g], 1) : 0;
    return sum / 2;
}

static double ref_loss(const support_problem *s, double y, double z, double *slope)
{
    double m = y * z;
    if (s->logistic) {
        *slope = -y / (1 + exp(m));
        return m > 0 ? log1p(exp(-m)) : log1p(exp(m)) - m;
    }
    *slope = -y * fmax(0, 1 - m);
    return fmax(0, 1 - m) * fmax(0, 1 - m) / 2;
}

/* Loss at (w, b), its slope in both (p + 1 values). */
static double ref_smooth(const support_problem *s, const double *w, double *slope)
{
    const problem *q = s->q;
    double sum = 0;
    memset(slope, 0, (q->p + 1) * sizeof *slope);
    for (size_t i = 0; i < q->n; i++) {
        double z = w[q->p], d;
        for (size_t j = 0; j < q->p; j++)
            z += w[j] * problem_column(q, j)[i];
        sum += s->C * ref_loss(s, q->y[i], z, &d);
        for (size_t j = 0; j < q->p; j++)
            slope[j] += s->C * d * problem_column(q, j)[i];
        slope[q->p] += s->intercept ? s->C * d : 0;
    }
    return sum;
}

static double ref_objective(const support_problem *s, const double *w)
{
    double slope[201];
    return ref_smooth(s, w, slope) + ref_penalty(s, w);
}

static void ref_prox(const support_problem *s, double *w, double step)
{
    size_t count = group_count(s);
    double u[200] = {0};
    for (size_t g = 0; g < count; g++)
        u[g] = group_norm(s, w, g);
    double kappa = find_kappa(u, count, s->B, step);
    for (size_t g = 0; g < count; g++) {
        double d = u[g] > 0 ? fmin(fmax(kappa * u[g] - step, 0), 1) : 0;
        for (size_t j = g * s->size; j < (g + 1) * s->size && j < s->q->p; j++)
            w[j] *= d / (d + step);
    }
}

static double reference_value(const support_problem *s, int steps)
{
    size_t size = s->q->p + 1;
    double w[201] = {0}, v[201] = {0}, next[201], slope[201], L = 1, t = 1;
    double value = ref_objective(s, w);
    for (int k = 0; k < steps; k++) {
        double smooth = ref_smooth(s, v, slope), model, after, unused[201];
        for (;; L *= 2) {
            for (size_t j = 0; j < size; j++)
                next[j] = v[j] - slope[j] / L;
            ref_prox(s, next, 1 / L);
            model = smooth;
            for (size_t j = 0; j < size; j++)
                model += slope[j] * (next[j] - v[j]) + L / 2 * (next[j] - v[j]) * (next[j] - v[j]);
            after = ref_smooth(s, next, unused);
            if (after <= model + 1e-14 * fabs(model))
                break;
        }
        double found = after + ref_penalty(s, next);
        if (found > value && t > 1) {
            t = 1;
            memcpy(v, w, sizeof w);
            continue;
        }
        double t2 = (1 + sqrt(1 + 4 * t * t)) / 2;
        for (size_t j = 0; j < size; j++) {
            v[j] = next[j] + (t - 1) / t2 * (next[j] - w[j]);
            w[j] = next[j];
        }
        t = t2;
        value = fmin(value, found);
        L *= 0.95;
    }
    return value;
}

/* ---- solving ------------------------------------------------------------------------------- */

typedef struct watch {
    double lower, upper;
    bool falls, rises;
} watch;

static void on_event(const tm_event *event, void *payload)
{
    watch *seen = payload;
    if (event->kind != TM_EVENT_CHECK)
        return;
    seen->rises = seen->rises && event->dual >= seen->lower;
    seen->falls = seen->falls && event->primal <= seen->upper;
    seen->lower = event->dual;
    seen->upper = event->primal;
}

/* The solution of the first point; bounds must be monotone on the way (FGM lemma 1). */
static tm_solution solve_with(const char *method, const tm_dataset *data, const char *words)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params = method_params(method, words);
    watch seen = {-INFINITY, INFINITY, true, true};
    tm_monitor monitor = TM_MONITOR_INIT;
    tm_solver *solver = NULL;
    tm_solution solution;
    monitor.event = on_event;
    monitor.payload = &seen;
    if (tm_solver_new(&solver, tm_method_find(method, NULL), data, params, &monitor, &err) !=
            TM_OK ||
        tm_solver_update(solver, params, &err) != TM_OK ||
        tm_solver_solve(solver, &solution, &err) != TM_OK)
        fail_msg("%s %s: %s", method, words, err.message);
    assert_true(seen.rises);
    assert_true(seen.falls);
    assert_true(solution.dual <= solution.primal + 1e-9 * fabs(solution.primal));
    tm_solver_free(solver);
    tm_params_free(params);
    return solution;
}

static double value_with(const char *method, const tm_dataset *data, const char *words)
{
    tm_solution solution = solve_with(method, data, words);
    double value = solution.primal;
    assert_int_equal(solution.outcome, TM_CONVERGED);
    tm_solution_clear(&solution);
    return value;
}

/* A problem whose scale does not matter here. */
static problem tame_problem(uint64_t seed)
{
    problem q = problem_new(seed);
    for (size_t j = 0; j < q.p; j++) {
        double squares = 0;
        for (size_t i = 0; i < q.n; i++)
            squares += problem_column(&q, j)[i] * problem_column(&q, j)[i];
        for (size_t i = 0; i < q.n && squares > 0; i++)
            problem_column(&q, j)[i] *= sqrt((double)q.n / squares);
    }
    problem_make_binary(&q);
    return q;
}

static void optimum_is_the_references(void **state)
{
    static const char *const masters[] = {"support", "apg", "simplemkl", "scd"};
    (void)state;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        support_problem s = {.q = &q, .size = 1, .C = seed % 3 ? 0.3 : 2};
        s.logistic = seed % 2;
        s.intercept = seed % 4 < 2;
        s.B = (double)(1 + seed % 5);
        double expected = reference_value(&s, 2000);
        double scale = s.C * (double)q.n * 0.5;
        for (size_t k = 0; k < 4; k++) {
            char words[300];
            if (k == 3 && (s.intercept || !s.logistic))
                continue;
            snprintf(words, sizeof words,
                     "master=%s B=%g C=%g loss=%s intercept=%s tol=%s max_iter=1000000", masters[k],
                     s.B, s.C, s.logistic ? "logistic" : "squared_hinge",
                     s.intercept ? "true" : "false", k == 2 ? "1e-4" : "1e-6");
            tm_solution solution = solve_with("fgm", data, words);
            double slack = (k == 2 ? 3e-4 : 3e-6) * scale;
            if (!(fabs(solution.primal - expected) <= slack) ||
                !(solution.dual <= expected + 1e-7 * scale) || solution.outcome != TM_CONVERGED)
                fail_msg("problem %llu (%s), %s: %.12g >= %.12g, the reference %.12g, %s",
                         (unsigned long long)seed, q.kind, words, solution.primal, solution.dual,
                         expected, tm_outcome_name(solution.outcome));
            tm_solution_clear(&solution);
        }
        tm_dataset_unref(data);
        problem_free(&q);
    }
}

static void groups_reach_the_references_optimum(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        support_problem s = {
            .q = &q, .size = 3, .C = 0.5, .B = 2, .logistic = seed % 2, .intercept = true};
        double expected = reference_value(&s, 2000);
        for (size_t k = 0; k < 3; k++) {
            char words[300];
            snprintf(words, sizeof words, "source=%s groups=3 master=%s B=2 C=0.5 loss=%s",
                     k == 1 ? "tree" : "groups", k == 2 ? "apg" : "support",
                     s.logistic ? "logistic" : "squared_hinge");
            double found = value_with("fgm", data, words);
            if (!(fabs(found - expected) <= 3e-6 * 0.5 * (double)q.n))
                fail_msg("problem %llu (%s), %s: %.12g, the reference %.12g",
                         (unsigned long long)seed, q.kind, words, found, expected);
        }
        tm_dataset_unref(data);
        problem_free(&q);
    }
}

/* ---- the ends of B ------------------------------------------------------------------------- */

/* Products X'a with the dual variables of a solution, C included, and the sum of those. */
static double find_products(const problem *q, const tm_model *model, double C, double *products)
{
    double sum = 0;
    memset(products, 0, q->p * sizeof *products);
    for (size_t i = 0; i < q->n; i++) {
        double z = tm_model_intercept(model);
        for (size_t k = 0; k < tm_model_nnz(model); k++)
            z += tm_model_weights(model)[k] * problem_column(q, tm_model_features(model)[k])[i];
        double a = C * q->y[i] * fmax(0, 1 - q->y[i] * z);
        sum += a;
        for (size_t j = 0; j < q->p; j++)
            products[j] += a * problem_column(q, j)[i];
    }
    return sum;
}

/* With B >= p the penalty is |w|^2 / 2, whose optimum is w = X'alpha with sum alpha y = 0. */
static void large_B_is_the_ridge(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        double products[200];
        char words[200];
        snprintf(words, sizeof words, "B=%zu C=0.3 tol=1e-12", q.p + seed % 3);
        tm_solution solution = solve_with("fgm", data, words);
        double sum = find_products(&q, solution.model, 0.3, products);
        assert_true(fabs(sum) < 1e-4);
        for (size_t j = 0; j < q.p; j++)
            assert_true(fabs(products[j] - tm_model_weight(solution.model, j)) < 1e-4);
        tm_solution_clear(&solution);
        tm_dataset_unref(data);
        problem_free(&q);
    }
}

/* With B = 1 it is |w|_1^2 / 2: x_j'alpha = |w|_1 sign(w_j) where w_j is not 0, and no greater
 * elsewhere. */
static void B_of_one_is_the_squared_l1_norm(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        double products[200], norm = 0;
        tm_solution solution = solve_with("fgm", data, "B=1 C=0.3 tol=1e-12");
        find_products(&q, solution.model, 0.3, products);
        for (size_t k = 0; k < tm_model_nnz(solution.model); k++)
            norm += fabs(tm_model_weights(solution.model)[k]);
        for (size_t j = 0; j < q.p; j++) {
            double w = tm_model_weight(solution.model, j);
            assert_true(fabs(products[j]) <= norm + 1e-4);
            if (fabs(w) > 1e-4)
                assert_true(fabs(products[j] - copysign(norm, w)) < 1e-3);
        }
        tm_solution_clear(&solution);
        tm_dataset_unref(data);
        problem_free(&q);
    }
}

/* ---- methods and sources that are the same -------------------------------------------------- */

static void same_value(double a, double b, double scale, const char *what, uint64_t seed)
{
    if (!(fabs(a - b) <= 2e-6 * scale))
        fail_msg("%s, problem %llu: %.12g and %.12g", what, (unsigned long long)seed, a, b);
}

static void mslr_is_fgm_with_the_logistic_loss(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        double mslr = value_with("mslr", data, "B=3 C=1");
        double fgm = value_with("fgm", data, "B=3 C=1 loss=logistic intercept=false");
        same_value(mslr, fgm, (double)q.n, "mslr and fgm", seed);
        tm_dataset_unref(data);
        problem_free(&q);
    }
}

static void groups_of_one_are_columns(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        tm_solution one = solve_with("fgm", data, "B=3 C=1 source=groups groups=1");
        tm_solution plain = solve_with("fgm", data, "B=3 C=1");
        assert_memory_equal(&one.primal, &plain.primal, sizeof one.primal);
        assert_int_equal(tm_model_nnz(one.model), tm_model_nnz(plain.model));
        assert_memory_equal(tm_model_weights(one.model), tm_model_weights(plain.model),
                            tm_model_nnz(one.model) * sizeof(double));
        tm_solution_clear(&one);
        tm_solution_clear(&plain);
        tm_dataset_unref(data);
        problem_free(&q);
    }
}

/* The same columns as a matrix of their own: what poly2 must be equal to. */
static tm_dataset *expand(const problem *q)
{
    size_t p = q->p, count = (p + 2) * (p + 1) / 2, at = 0;
    double *x = calloc(count * q->n, sizeof *x), *y = malloc(q->n * sizeof *y);
    memcpy(y, q->y, q->n * sizeof *y);
    for (size_t i = 0; i < q->n; i++)
        x[i] = 0.5;
    at++;
    for (size_t j = 0; j < p; j++, at++)
        for (size_t i = 0; i < q->n; i++)
            x[at * q->n + i] = sqrt(2 * 0.3 * 0.5) * problem_column(q, j)[i];
    for (size_t j = 0; j < p; j++, at++)
        for (size_t i = 0; i < q->n; i++)
            x[at * q->n + i] = 0.3 * problem_column(q, j)[i] * problem_column(q, j)[i];
    for (size_t j = 0; j < p; j++)
        for (size_t k = j + 1; k < p; k++, at++)
            for (size_t i = 0; i < q->n; i++)
                x[at * q->n + i] =
                    sqrt(2) * 0.3 * problem_column(q, j)[i] * problem_column(q, k)[i];
    assert_int_equal(at, count);
    tm_matrix *matrix;
    tm_dataset *data;
    assert_int_equal(tm_matrix_new_dense(&matrix, q->n, count, x, NULL), TM_OK);
    tm_dataset_parts parts = {.name = "expanded", .x = matrix, .y = y};
    assert_int_equal(tm_dataset_new(&data, &parts, NULL), TM_OK);
    return data;
}

static void poly2_is_its_expansion(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        q.p = q.p < 60 ? q.p : 60;
        tm_dataset *data = problem_dataset_of(&q, false), *expanded = expand(&q);
        const char *loss = seed % 2 ? "logistic" : "squared_hinge";
        char words[300], explicit_words[200];
        /* Where columns are the same it is chance which of them a round takes. */
        snprintf(explicit_words, sizeof explicit_words, "B=4 C=0.5 loss=%s intercept=%s%s", loss,
                 seed % 3 ? "true" : "false", strcmp(q.kind, "duplicated") ? " T=4" : "");
        snprintf(words, sizeof words, "%s source=poly2 gamma=0.3 coef0=0.5", explicit_words);
        tm_solution implicit = solve_with("fgm", data, words);
        tm_solution explicit = solve_with("fgm", expanded, explicit_words);
        same_value(implicit.primal, explicit.primal, (double)q.n, "poly2", seed);
        same_value(implicit.dual, explicit.dual, (double)q.n, "poly2", seed);
        double *z = calloc(q.n, sizeof *z), *ze = calloc(q.n, sizeof *ze);
        assert_int_equal(tm_model_predict(implicit.model, tm_dataset_x(data), z, NULL), TM_OK);
        assert_int_equal(tm_model_predict(explicit.model, tm_dataset_x(expanded), ze, NULL), TM_OK);
        for (size_t i = 0; i < q.n; i++)
            assert_true(fabs(z[i] - ze[i]) < 1e-3);
        free(z);
        free(ze);
        tm_solution_clear(&implicit);
        tm_solution_clear(&explicit);
        tm_dataset_unref(data);
        tm_dataset_unref(expanded);
        problem_free(&q);
    }
}

/* ---- models --------------------------------------------------------------------------------- */

static void models_of_maps_survive_a_file(void **state)
{
    static const char *const sources[] = {"source=poly2 gamma=0.3", "source=hik",
                                          "source=additive sigma=0.3",
                                          "source=additive kernel=chi2", "source=groups groups=4"};
    (void)state;
    problem q = tame_problem(7);
    tm_dataset *data = problem_dataset_of(&q, false);
    for (size_t k = 0; k < 5; k++) {
        char words[200], *text = NULL;
        tm_model *again = NULL;
        tm_error err = TM_ERROR_INIT;
        snprintf(words, sizeof words, "B=2 C=1 T=3 %s", sources[k]);
        tm_solution solution = solve_with("fgm", data, words);
        double *z = calloc(q.n, sizeof *z), *zagain = calloc(q.n, sizeof *zagain);
        assert_true(tm_model_nnz(solution.model) > 0);
        if (tm_model_to_text(&text, solution.model, &err) != TM_OK ||
            tm_model_from_text(&again, text, "text", &err) != TM_OK)
            fail_msg("%s: %s", words, err.message);
        assert_int_equal(tm_model_predict(solution.model, tm_dataset_x(data), z, NULL), TM_OK);
        assert_int_equal(tm_model_predict(again, tm_dataset_x(data), zagain, NULL), TM_OK);
        assert_memory_equal(z, zagain, q.n * sizeof *z);
        /* The predictions are those that the objective was computed from. */
        double loss = 0;
        for (size_t i = 0; i < q.n; i++)
            loss += fmax(0, 1 - q.y[i] * z[i]) * fmax(0, 1 - q.y[i] * z[i]) / 2;
        assert_true(loss <= solution.primal * (1 + 1e-12));
        free(z);
        free(zagain);
        free(text);
        tm_model_unref(again);
        tm_solution_clear(&solution);
    }
    tm_dataset_unref(data);
    problem_free(&q);
}

/* ---- limits and paths ----------------------------------------------------------------------- */

/* After T rounds between B and T B features came in (FGM remark 3); `features` is met exactly. */
static void limits_are_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        for (size_t T = 1; T <= 3; T++) {
            char words[200];
            snprintf(words, sizeof words, "B=3 C=5 T=%zu tol=1e-12 master=apg", T);
            tm_solution solution = solve_with("fgm", data, words);
            assert_true(solution.active >= (q.p < 3 ? q.p : 3) && solution.active <= 3 * T);
            assert_true(tm_model_nnz(solution.model) <= solution.active);
            tm_solution_clear(&solution);
        }
        tm_solution solution = solve_with("fgm", data, "B=2 C=50 features=3 tol=1e-15");
        assert_true(solution.active <= 3);
        tm_solution_clear(&solution);
        tm_dataset_unref(data);
        problem_free(&q);
    }
}

static tm_status keep_value(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    (void)err;
    ((double *)payload)[k] = solution->primal;
    tm_solution_clear(solution);
    return TM_OK;
}

/* Lists of B and C are all combinations, and warm starts change nothing but the way there. */
static void paths_are_their_points(void **state)
{
    static const char *const masters[] = {"support", "apg"};
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        char words[200];
        snprintf(words, sizeof words, "B=4,2,3 C=0.1,1 loss=logistic master=%s", masters[seed % 2]);
        tm_params *params = method_params("fgm", words);
        tm_solver *solver;
        tm_grid grid;
        double values[6];
        const tm_method *fgm = tm_method_find("fgm", NULL);
        assert_int_equal(tm_solver_new(&solver, fgm, data, params, NULL, NULL), TM_OK);
        assert_int_equal(tm_grid_make(&grid, params, NAN, NULL), TM_OK);
        assert_int_equal(grid.count, 6);
        assert_int_equal(tm_solver_run(solver, params, &grid, keep_value, values, NULL), TM_OK);
        for (size_t k = 0; k < 6; k++) {
            snprintf(words, sizeof words, "B=%g C=%g loss=logistic", grid.values[2 * k],
                     grid.values[2 * k + 1]);
            same_value(values[k], value_with("fgm", data, words),
                       grid.values[2 * k + 1] * (double)q.n, words, seed);
        }
        tm_grid_clear(&grid);
        tm_solver_free(solver);
        tm_params_free(params);
        tm_dataset_unref(data);
        problem_free(&q);
    }
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    problem q = tame_problem(5);
    tm_dataset *data = problem_dataset_of(&q, false);
    static const char *const sources[] = {"columns", "poly2", "hik"};
    for (size_t k = 0; k < 3; k++) {
        char words[200];
        snprintf(words, sizeof words, "B=3 C=1 T=3 source=%s threads=1", sources[k]);
        tm_solution one = solve_with("fgm", data, words);
        words[strlen(words) - 1] = '3';
        tm_solution three = solve_with("fgm", data, words);
        assert_memory_equal(&one.primal, &three.primal, sizeof one.primal);
        assert_memory_equal(&one.dual, &three.dual, sizeof one.dual);
        tm_solution_clear(&one);
        tm_solution_clear(&three);
    }
    tm_dataset_unref(data);
    problem_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimum_is_the_references),
        cmocka_unit_test(groups_reach_the_references_optimum),
        cmocka_unit_test(large_B_is_the_ridge),
        cmocka_unit_test(B_of_one_is_the_squared_l1_norm),
        cmocka_unit_test(mslr_is_fgm_with_the_logistic_loss),
        cmocka_unit_test(groups_of_one_are_columns),
        cmocka_unit_test(poly2_is_its_expansion),
        cmocka_unit_test(models_of_maps_survive_a_file),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(paths_are_their_points),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
