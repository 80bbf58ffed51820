/* Runs of fgm: sources that are the same, models of generated features, limits, paths, threads. */
#include "fgm_problem.h"

/* ---- sources that are the same -------------------------------------------------------------- */

CHECK(groups_of_one_are_columns)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        tm_solution one = solve_with("fgm", data, "B=3 C=1 source=groups groups=1");
        tm_solution plain = solve_with("fgm", data, "B=3 C=1");
        assert_memory_equal(&one.primal, &plain.primal, sizeof one.primal);
        assert_int_equal(tm_model_nnz(one.model), tm_model_nnz(plain.model));
        /* Of two equal columns whose products are rounded in two ways either may come first. */
        if (check_committed() || strcmp(q.kind, "duplicated") != 0)
            assert_memory_equal(tm_model_weights(one.model), tm_model_weights(plain.model),
                                tm_model_nnz(one.model) * sizeof(double));
        tm_solution_clear(&one);
        tm_solution_clear(&plain);
        problem_end(&q, data);
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
    tm_dataset_parts parts = {.name = "expanded", .x = matrix, .response.y = y};
    assert_int_equal(tm_dataset_new(&data, &parts, NULL), TM_OK);
    return data;
}

/* Two answers of one problem, whose penalty is convex: at half the way between them the objective
 * is not below either's lower bound, so that the losses there are not much less than half their
 * sum. */
static void same_predictions(const tm_solution *a, const tm_solution *b, const tm_dataset *data[2],
                             const char *loss, double C)
{
    size_t n = tm_dataset_rows(data[0]);
    const double *y = tm_dataset_y(data[0]);
    double *z = calloc(2 * n, sizeof *z), *other = z + n, bent = 0, allowed;
    assert_int_equal(tm_model_predict(a->model, tm_dataset_x(data[0]), z, NULL), TM_OK);
    assert_int_equal(tm_model_predict(b->model, tm_dataset_x(data[1]), other, NULL), TM_OK);
    for (size_t i = 0; i < n; i++) {
        double at[] = {y[i] * z[i], y[i] * other[i], y[i] * (z[i] + other[i]) / 2}, l[3];
        for (int k = 0; k < 3; k++)
            l[k] = strcmp(loss, "logistic") == 0 ? log1p(exp(-at[k]))
                                                 : fmax(1 - at[k], 0) * fmax(1 - at[k], 0) / 2;
        bent += C * ((l[0] + l[1]) / 2 - l[2]);
    }
    allowed = (fmax(a->gap, 0) + fmax(b->gap, 0)) / 2 + 1e-12 * a->null_objective;
    if (!(bent <= allowed))
        fail_msg("%s: %g between two answers with gaps %g and %g", loss, bent, a->gap, b->gap);
    free(z);
}

static void poly2_is_its_expansion(void **state)
{
    bool dense = false, sparse = false;
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        q.p = q.p < 60 ? q.p : 60;
        tm_dataset *data = problem_dataset_of(&q, false), *expanded = expand(&q);
        *(q.sparse ? &sparse : &dense) = true;
        const char *loss = seed % 2 ? "logistic" : "squared_hinge";
        char words[300], explicit_words[200];
        /* Where columns are the same, or nearly as good, it is chance which of them a round takes:
         * then there is no limit on rounds. */
        bool limited = check_committed() && strcmp(q.kind, "duplicated") != 0;
        snprintf(explicit_words, sizeof explicit_words, "B=4 C=0.5 loss=%s intercept=%s%s", loss,
                 seed % 3 ? "true" : "false", limited ? " T=4" : "");
        snprintf(words, sizeof words, "%s source=poly2 gamma=0.3 coef0=0.5", explicit_words);
        tm_solution implicit = solve_with("fgm", data, words);
        tm_solution explicit = solve_with("fgm", expanded, explicit_words);
        if (limited) {
            same_value(implicit.primal, explicit.primal, (double)q.n, "poly2", seed);
            same_value(implicit.dual, explicit.dual, (double)q.n, "poly2", seed);
        } else {
            within_gaps(&implicit, &explicit, "poly2", seed);
        }
        const tm_dataset *both[] = {data, expanded};
        same_predictions(&implicit, &explicit, both, loss, 0.5);
        tm_solution_clear(&implicit);
        tm_solution_clear(&explicit);
        tm_dataset_unref(data);
        tm_dataset_unref(expanded);
        problem_free(&q);
    }
    assert_true(dense && sparse);
}

/* Each column brought to 0..1 by its range and raised to the power a, as a matrix of its own. */
static tm_dataset *raise_columns(const problem *q, double a)
{
    double *x = calloc(q->p * q->n, sizeof *x), *y = malloc(q->n * sizeof *y);
    memcpy(y, q->y, q->n * sizeof *y);
    for (size_t j = 0; j < q->p; j++) {
        const double *column = problem_column(q, j);
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < q->n; i++) {
            low = fmin(low, column[i]);
            high = fmax(high, column[i]);
        }
        for (size_t i = 0; high > low && i < q->n; i++)
            x[j * q->n + i] = pow((column[i] - low) / (high - low), a);
    }
    tm_matrix *matrix;
    tm_dataset *data;
    assert_int_equal(tm_matrix_new_dense(&matrix, q->n, q->p, x, NULL), TM_OK);
    tm_dataset_parts parts = {.name = "raised", .x = matrix, .response.y = y};
    assert_int_equal(tm_dataset_new(&data, &parts, NULL), TM_OK);
    return data;
}

/* min(t^a, u^a) is the intersection kernel of t^a and u^a: optimum and certificate are the same,
 * and mostly others than without the exponent. */
CHECK(exponents_are_powers_of_the_columns)
{
    size_t others = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        q.p = q.p < 8 ? q.p : 8;
        double a = seed % 2 ? 0.3 : 2.5;
        tm_dataset *data = problem_dataset_of(&q, false), *raised = raise_columns(&q, a);
        char words[300], plain[200];
        snprintf(plain, sizeof plain, "B=2 C=0.5 tol=1e-7 source=hik loss=%s intercept=%s",
                 seed % 3 ? "logistic" : "squared_hinge", seed % 4 > 1 ? "true" : "false");
        snprintf(words, sizeof words, "%s exponent=%g", plain, a);
        tm_solution one = solve_with("fgm", data, words);
        tm_solution other = solve_with("fgm", raised, plain);
        tm_solution without = solve_with("fgm", data, plain);
        double slack = 1e-9 * (double)q.n;
        assert_int_equal(one.outcome, TM_CONVERGED);
        assert_true(one.dual <= other.primal + slack);
        assert_true(other.dual <= one.primal + slack);
        others += one.dual > without.primal || one.primal < without.dual;
        tm_solution_clear(&one);
        tm_solution_clear(&other);
        tm_solution_clear(&without);
        tm_dataset_unref(raised);
        problem_end(&q, data);
    }
    assert_true(others >= 6);
}

/* ---- models --------------------------------------------------------------------------------- */

static void models_of_maps_survive_a_file(void **state)
{
    static const char *const sources[] = {
        "source=poly2 gamma=0.3",      "source=hik",
        "source=hik exponent=0.4",     "source=additive sigma=0.3",
        "source=additive kernel=chi2", "source=groups groups=4"};
    (void)state;
    problem q = tame_problem(7);
    tm_dataset *data = problem_dataset_of(&q, false);
    for (size_t k = 0; k < 6; k++) {
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
    problem_end(&q, data);
}

/* ---- limits and paths ----------------------------------------------------------------------- */

/* After T rounds between B and T B features came in (FGM remark 3); `features` is met exactly. */
CHECK(limits_are_kept)
{
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
        problem_end(&q, data);
    }
}

/* A run that `change` ends has lowered the objective by no more than that in its last round; a
 * smaller change goes on from there. */
static void small_changes_end_a_run(void **state)
{
    static const char *const masters[] = {"support", "apg"};
    size_t ended = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        double before = INFINITY;
        for (size_t k = 0; k < 3; k++) {
            static const double changes[] = {0.1, 0.01, 0.001};
            char words[200];
            watch seen;
            snprintf(words, sizeof words, "B=2 C=5 tol=1e-12 inner_tol=1e-3 change=%g master=%s",
                     changes[k], masters[seed % 2]);
            tm_solution solution = solve_watched("fgm", data, words, &seen);
            if (solution.outcome != TM_CONVERGED) {
                assert_true(seen.drop <= changes[k] * seen.first);
                ended++;
            }
            assert_true(solution.primal <= before);
            before = solution.primal;
            tm_solution_clear(&solution);
        }
        problem_end(&q, data);
    }
    assert_true(ended > 12);
}

typedef struct work {
    uint64_t columns;
    size_t points;
} work;

static tm_status add_work(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    work *sum = payload;
    (void)k;
    (void)err;
    sum->columns += solution->columns;
    sum->points++;
    tm_solution_clear(solution);
    return TM_OK;
}

static uint64_t columns_of_path(const tm_dataset *data, const char *words)
{
    work sum = {0};
    tm_params *params = method_params("fgm", words);
    tm_solver *solver;
    tm_grid grid;
    const tm_method *fgm = tm_method_find("fgm", NULL);
    assert_int_equal(tm_solver_new(&solver, fgm, data, params, NULL, NULL), TM_OK);
    assert_int_equal(tm_grid_make(&grid, params, NAN, NULL), TM_OK);
    assert_int_equal(tm_solver_run(solver, params, &grid, add_work, &sum, NULL), TM_OK);
    assert_int_equal(sum.points, grid.count);
    tm_grid_clear(&grid);
    tm_solver_free(solver);
    tm_params_free(params);
    return sum.columns;
}

/* A path that starts each point from the one before reads fewer columns. */
static void warm_paths_cost_less(void **state)
{
    uint64_t warm = 0, cold = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        problem q = tame_problem(seed);
        tm_dataset *data = problem_dataset_of(&q, false);
        warm += columns_of_path(data, "B=2,3 C=0.2,0.4,0.8,1.6");
        cold += columns_of_path(data, "B=2,3 C=0.2,0.4,0.8,1.6 warm=false");
        problem_end(&q, data);
    }
    assert_true(warm * 4 < cold * 3);
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
        problem_end(&q, data);
    }
}

CHECK(threads_change_no_bit)
{
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
    problem_end(&q, data);
}

RUN_TESTS(groups_of_one_are_columns, poly2_is_its_expansion, exponents_are_powers_of_the_columns,
          models_of_maps_survive_a_file, limits_are_kept, small_changes_end_a_run,
          warm_paths_cost_less, paths_are_their_points, threads_change_no_bit)
