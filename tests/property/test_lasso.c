/* The lasso over random problems: every strategy against a reference that shares nothing with it.
 */
#include "problem.h"

enum { PROBLEMS = SOME_OF(36) };
static const char *const strategies[] = {"none",    "gap",    "saif", "auto", "shrink",
                                         "safe",    "strong", "dpp",  "edpp", "vi",
                                         "hessian", "blitz",  "ws"};
enum { STRATEGIES = 13 };

static double l1(const reference *ref, const tm_model *model)
{
    double sum = 0;
    for (size_t k = 0; k < tm_model_nnz(model); k++)
        sum += (double)ref->factors[tm_model_features(model)[k]] * fabs(tm_model_weights(model)[k]);
    return sum;
}

/* The objective of a model, from the raw data in long double. */
static double objective(const problem *q, const reference *ref, const tm_solution *s)
{
    long double value = 0;
    for (size_t i = 0; i < q->n; i++) {
        long double r = q->y[i] - (long double)tm_model_intercept(s->model);
        for (size_t k = 0; k < tm_model_nnz(s->model); k++)
            r -= (long double)tm_model_weights(s->model)[k] *
                 problem_column(q, tm_model_features(s->model)[k])[i];
        value += r * r / 2;
    }
    return (double)value + s->lambda * l1(ref, s->model);
}

static void check_against_reference(const problem *q, const tm_dataset *data, bool intercept,
                                    bool standardize, double ratio)
{
    reference ref = reference_new(q, intercept, standardize);
    double lambda = ratio * (double)ref.lambda_max;
    double optimum = (double)reference_solve(&ref, lambda);
    double null = (double)ref_dot(ref.y, ref.y, q->n) / 2;
    for (int k = 0; k < STRATEGIES; k++) {
        char words[200];
        snprintf(words, sizeof words, "screen=%s tol=1e-9 intercept=%s standardize=%s",
                 strategies[k], intercept ? "true" : "false", standardize ? "true" : "false");
        tm_solution s = lasso_solve(data, words, lambda);
        double value = objective(q, &ref, &s);
        /* In rounds of scripts/soak, epochs may end at their limit, with a gap that says so. */
        bool slow = !check_committed() && s.stop == TM_STOP_ITER && strcmp(strategies[k], "auto");
        double above = fmax(1.1e-9 * null, slow ? s.gap + 1e-11 * null : 0);
        /* There the reference itself may crawl, and end above an objective that is computed from
         * the data: the dual value must not be above either. */
        double below = check_committed() ? 1e-10 * null : INFINITY;
        bool good = (s.outcome == TM_CONVERGED ? s.gap <= 1e-9 * null : slow) &&
                    fabs(s.primal - value) <= 1e-11 * (value + null) && value >= optimum - below &&
                    value <= optimum + above && s.dual <= optimum + 1e-11 * null &&
                    fabs(s.lambda_max - (double)ref.lambda_max) <= 1e-11 * (double)ref.lambda_max;
        if (!good)
            fail_msg("problem %llu (%s, %zux%zu, %s) %s lambda/max %g: %s primal %.15g (really "
                     "%.15g) dual %.15g optimum %.15g lambda_max %.15g (really %.15g)",
                     (unsigned long long)q->seed, q->kind, q->n, q->p, q->sparse ? "csc" : "dense",
                     words, ratio, tm_outcome_name(s.outcome), s.primal, value, s.dual, optimum,
                     s.lambda_max, (double)ref.lambda_max);
        tm_solution_clear(&s);
    }
    reference_free(&ref);
}

CHECK(strategies_reach_the_reference_optimum)
{
    static const double ratios[] = {0.9, 0.3, 0.05};
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        for (int options = 0; options < 4; options++)
            check_against_reference(&q, data, options & 1, options & 2,
                                    ratios[(seed / PROBLEM_KINDS) % 3]);
        problem_end(&q, data);
    }
}

/* At the optimum |x_j'r| <= lambda f_j, with equality and the sign of w_j where w_j != 0; features
 * the reference needs must be there. */
CHECK(answers_satisfy_the_kkt_conditions)
{
    for (uint64_t seed = 100; seed < 100 + PROBLEMS; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        reference ref = reference_new(&q, true, false);
        double lambda = 0.2 * (double)ref.lambda_max;
        tm_solution s = lasso_solve(data, "screen=saif tol=1e-14 max_iter=20000", lambda);
        memcpy(ref.r, ref.y, q.n * sizeof *ref.r);
        for (size_t k = 0; k < tm_model_nnz(s.model); k++)
            for (size_t i = 0; i < q.n; i++)
                ref.r[i] -= (long double)tm_model_weights(s.model)[k] *
                            ref.x[tm_model_features(s.model)[k] * q.n + i];
        for (size_t j = 0; j < q.p; j++) {
            double xr = (double)ref_dot(ref.x + j * q.n, ref.r, q.n);
            double w = tm_model_weight(s.model, j);
            double norm = sqrt((double)ref.squares[j]);
            double slack = 2e-6 * norm * sqrt((double)ref_dot(ref.y, ref.y, q.n));
            bool good =
                fabs(xr) <= lambda + slack && (w == 0 || fabs(xr - copysign(lambda, w)) <= slack);
            if (!good)
                fail_msg("problem %llu (%s): feature %zu has weight %g and x'r/lambda %.12g",
                         (unsigned long long)seed, q.kind, j + 1, w, xr / lambda);
        }
        tm_solution_clear(&s);
        reference_free(&ref);
        problem_end(&q, data);
    }
}

/* Solves to `coarse` of the null model's objective at twice the lambda, and from there to `fine`.
 */
static tm_solution solve_after_coarse(const tm_dataset *data, const char *screen, double lambda,
                                      double coarse, double fine)
{
    char words[100];
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver = NULL;
    tm_solution s = TM_SOLUTION_INIT;
    const double lambdas[] = {2 * lambda, lambda}, tols[] = {coarse, fine};
    const tm_method *lasso = tm_method_find("lasso", NULL);
    snprintf(words, sizeof words, "screen=%s lambda=1", screen);
    tm_params *params = lasso_params(words);
    assert_int_equal(tm_solver_new(&solver, lasso, data, params, NULL, &err), TM_OK);
    for (int k = 0; k < 2; k++) {
        tm_solution_clear(&s);
        tm_params_set_real(params, "lambda", lambdas[k], NULL);
        tm_params_set_real(params, "tol", tols[k], NULL);
        assert_int_equal(tm_solver_update(solver, params, &err), TM_OK);
        assert_int_equal(tm_solver_solve(solver, &s, &err), TM_OK);
    }
    tm_solver_free(solver);
    tm_params_free(params);
    return s;
}

/* A warm start from a solution stopped early must not lead a safe strategy astray. */
CHECK(coarse_warm_starts_keep_the_optimum)
{
    for (uint64_t seed = 200; seed < 200 + PROBLEMS; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        reference ref = reference_new(&q, true, false);
        double lambda = 0.1 * (double)ref.lambda_max, null = (double)ref_dot(ref.y, ref.y, q.n) / 2;
        double optimum = (double)reference_solve(&ref, lambda);
        for (int k = 0; k < STRATEGIES; k++) {
            tm_solution fine = solve_after_coarse(data, strategies[k], lambda, 1e-2, 1e-9);
            bool slow = !check_committed() && fine.stop == TM_STOP_ITER;
            if (!(fabs(fine.primal - optimum) <= fmax(1.1e-9 * null, slow ? fine.gap : 0)))
                fail_msg("problem %llu (%s) %s: %.15g after a coarse start, optimum %.15g",
                         (unsigned long long)seed, q.kind, strategies[k], fine.primal, optimum);
            tm_solution_clear(&fine);
        }
        reference_free(&ref);
        problem_end(&q, data);
    }
}

/* The tangent of an answer that was stopped early leads far out where columns are nearly equal: the
 * Hessian rule does not begin there. */
CHECK(tangents_only_descend)
{
    for (uint64_t seed = 0; seed < SOME_OF(60); seed++) {
        problem q = problem_new(2 + PROBLEM_KINDS * (600 + seed));
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(seed));
        for (size_t j = 1; j < q.p; j += 2)
            for (size_t i = 0; i < q.n; i++)
                problem_column(&q, j)[i] =
                    problem_column(&q, j - 1)[i] + 1e-4 * tm_rng_normal(&rng);
        tm_dataset *data = problem_dataset(&q);
        reference ref = reference_new(&q, true, false);
        tm_solution s =
            solve_after_coarse(data, "hessian", 0.1 * (double)ref.lambda_max, 1e-1, 1e-3);
        if (s.outcome != TM_CONVERGED || s.updates > 2000 * q.p)
            fail_msg("problem %d: %.15g of %.15g after %llu updates", (int)seed, s.primal,
                     s.null_objective, (unsigned long long)s.updates);
        tm_solution_clear(&s);
        reference_free(&ref);
        problem_end(&q, data);
    }
}

CHECK(at_lambda_max_nothing_is_solved)
{
    for (uint64_t seed = 300; seed < 312; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        tm_solution probe = lasso_solve(data, "screen=none", 1);
        for (int k = 0; k < STRATEGIES; k++) {
            char words[60];
            snprintf(words, sizeof words, "screen=%s tol=1e-10", strategies[k]);
            tm_solution at = lasso_solve(data, words, probe.lambda_max);
            tm_solution below = lasso_solve(data, words, probe.lambda_max * 0.999);
            assert_int_equal(at.updates, 0);
            assert_int_equal(tm_model_nnz(at.model), 0);
            assert_true(fabs(at.gap) <= 1e-12 * at.null_objective);
            assert_true(tm_model_nnz(below.model) > 0);
            tm_solution_clear(&at);
            tm_solution_clear(&below);
        }
        tm_solution_clear(&probe);
        problem_end(&q, data);
    }
}

/* An intercept absorbs a constant added to every feature: the weights stay, b moves. */
CHECK(shifted_features_give_the_same_fit)
{
    for (uint64_t seed = 400; seed < 424; seed++) {
        problem q = problem_new(seed);
        q.sparse = false;
        tm_dataset *data = problem_dataset(&q);
        tm_solution before = lasso_solve(data, "tol=1e-12", 0.3);
        for (size_t i = 0; i < q.n * q.p; i++)
            q.x[i] += 1000;
        tm_dataset *moved = problem_dataset(&q);
        tm_solution after = lasso_solve(moved, "tol=1e-12", 0.3);
        assert_true(fabs(before.primal - after.primal) <= 1e-9 * before.null_objective);
        assert_true(fabs(before.lambda_max - after.lambda_max) <= 1e-9 * before.lambda_max);
        tm_solution_clear(&before);
        tm_solution_clear(&after);
        tm_dataset_unref(data);
        tm_dataset_unref(moved);
        problem_free(&q);
    }
}

/* Means a million times the deviations, as time stamps have them, cost `auto` no digits that
 * matter. */
CHECK(distant_features_are_solved)
{
    for (uint64_t seed = 430; seed < 454; seed++) {
        problem q = problem_new(seed);
        q.sparse = false;
        for (size_t i = 0; i < q.n * q.p && strcmp(q.kind, "badscaled") != 0; i++)
            q.x[i] += 1e6;
        tm_dataset *data = problem_dataset(&q);
        tm_solution s = lasso_solve(data, "tol=1e-6", 0.1);
        if (s.outcome != TM_CONVERGED)
            fail_msg("problem %llu (%s, %zux%zu): %s with gap %g of %g", (unsigned long long)seed,
                     q.kind, q.n, q.p, tm_outcome_name(s.outcome), s.gap, s.null_objective);
        tm_solution_clear(&s);
        problem_end(&q, data);
    }
}

/* ---- paths --------------------------------------------------------------------------------- */

static tm_job *run_job(tm_pool *pool, const tm_dataset *data, const char *words)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params = lasso_params(words);
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    tm_job *job = NULL;
    spec.method = tm_method_find("lasso", NULL);
    spec.params = params;
    spec.train = data;
    if (tm_pool_submit(pool, &spec, &job, &err) != TM_OK)
        fail_msg("%s: %s", words, err.message);
    assert_true(tm_job_wait(job, -1, NULL));
    if (tm_job_get_state(job) != TM_JOB_DONE)
        fail_msg("%s: %s", words, tm_job_error(job)->message);
    tm_params_free(params);
    return job;
}

/* Answers of one problem: each is within its gap of the optimum. */
static void must_be_near(const tm_solution *a, const tm_solution *b)
{
    double null = a->null_objective, gap = fmax(fmax(a->gap, b->gap), 0);
    double most = check_committed() ? 1e-11 * null : INFINITY;
    if (!(gap <= most && fabs(a->primal - b->primal) <= gap + 1e-12 * null))
        fail_msg("%.17g with gap %g (%s) and %.17g with gap %g (%s)", a->primal, a->gap,
                 tm_outcome_name(a->outcome), b->primal, b->gap, tm_outcome_name(b->outcome));
}

/* A path given by hand, in any order, is the automatic one; so is each of its values alone. */
CHECK(paths_by_hand_equal_the_automatic_one)
{
    tm_pool *pool = NULL;
    assert_int_equal(tm_pool_new(&pool, 2, NULL, NULL, NULL), TM_OK);
    for (uint64_t seed = 500; seed < 512; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        const tm_point *automatic, *by_hand;
        tm_job *job = run_job(pool, data, "lambdas=6 lambda_min_ratio=0.02 screen=saif tol=1e-11");
        assert_int_equal(tm_job_points(job, &automatic), 6);
        char words[300];
        snprintf(words, sizeof words, "lambda=%.17g,%.17g,%.17g,%.17g,%.17g,%.17g tol=1e-11",
                 automatic[3].solution.lambda, automatic[0].solution.lambda,
                 automatic[5].solution.lambda, automatic[1].solution.lambda,
                 automatic[2].solution.lambda, automatic[4].solution.lambda);
        tm_job *hand = run_job(pool, data, words);
        assert_int_equal(tm_job_points(hand, &by_hand), 6);
        static const size_t place[6] = {1, 3, 4, 0, 5, 2}; /* answers are in the list's order */
        for (size_t k = 0; k < 6; k++) {
            const tm_solution *a = &automatic[k].solution, *b = &by_hand[place[k]].solution;
            tm_solution alone = lasso_solve(data, "screen=none tol=1e-11", a->lambda);
            assert_true(a->lambda == b->lambda);
            must_be_near(a, b);
            must_be_near(a, &alone);
            tm_solution_clear(&alone);
        }
        assert_int_equal(tm_model_nnz(automatic[0].solution.model), 0);
        tm_job_unref(job);
        tm_job_unref(hand);
        problem_end(&q, data);
    }
    tm_pool_free(pool);
}

/* ---- degenerate data ----------------------------------------------------------------------- */

static tm_dataset *small(size_t n, size_t p, const double *x, const double *y)
{
    problem q = {.kind = "small", .n = n, .p = p};
    q.x = (double *)(uintptr_t)x;
    q.y = (double *)(uintptr_t)y;
    return problem_dataset(&q);
}

CHECK(degenerate_data_have_their_right_answers)
{
    static const double x[] = {1, 2, 3, 0,  0,  0,
                               5, 5, 5, -1, -2, -3}; /* slope, 0, constant, -slope */
    static const double y[] = {2, 4, 6}, same[] = {0.1, 0.1, 0.1};
    for (int k = 0; k < STRATEGIES; k++) {
        char words[80];
        snprintf(words, sizeof words, "screen=%s tol=1e-12", strategies[k]);
        tm_dataset *data = small(3, 4, x, y);
        tm_solution s = lasso_solve(data, words, 1);
        /* One centred column c with c'c = 2, c'y = 4: w = (4 - 1)/2, however it is shared with its
         * mirror image; the zero and the constant column stay out. */
        double w = tm_model_weight(s.model, 0) - tm_model_weight(s.model, 3);
        assert_true(fabs(w - 1.5) < 1e-5);
        assert_true(fabs(s.primal - (0.25 + 1.5)) < 1e-10);
        assert_true(tm_model_weight(s.model, 1) == 0 && tm_model_weight(s.model, 2) == 0);
        tm_solution_clear(&s);
        tm_dataset_unref(data);

        tm_dataset *constant = small(3, 4, x, same);
        s = lasso_solve(constant, words, 1e-3);
        assert_int_equal(tm_model_nnz(s.model), 0);
        assert_true(s.lambda_max == 0 && s.primal < 1e-30 && s.outcome == TM_CONVERGED);
        assert_true(tm_model_intercept(s.model) == 0.1);
        tm_solution_clear(&s);
        tm_dataset_unref(constant);

        tm_dataset *one = small(1, 4, x, y);
        s = lasso_solve(one, words, 0.5);
        assert_int_equal(tm_model_nnz(s.model), 0);
        assert_true(tm_model_intercept(s.model) == 2);
        tm_solution_clear(&s);
        snprintf(words, sizeof words, "screen=%s tol=1e-12 intercept=false", strategies[k]);
        s = lasso_solve(one, words, 0.5); /* x = (1, 2, 3, 0), y = 2: only 3 w3 pays best */
        assert_true(fabs(tm_model_weight(s.model, 2) - (2.0 * 3 - 0.5) / 9) < 1e-6);
        tm_solution_clear(&s);
        tm_dataset_unref(one);
    }
}

/* ---- cost and determinism ------------------------------------------------------------------ */

static tm_dataset *synth_saif(long p)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = NULL;
    tm_params *params = NULL;
    const tm_synth_info *info = tm_synth_find("saif", &err);
    assert_int_equal(tm_params_new(&params, "saif", info->params, info->param_count, &err), TM_OK);
    tm_params_set_int(params, "n", 100, NULL);
    tm_params_set_int(params, "p", p, NULL);
    tm_params_set_int(params, "k", 10, NULL);
    tm_params_set_int(params, "seed", 3, NULL);
    if (tm_synth_make(&data, info, params, NULL, &err) != TM_OK)
        fail_msg("%s", err.message);
    tm_params_free(params);
    return data;
}

CHECK(saif_costs_stay_nearly_flat_in_p)
{
    tm_solution none[2], gap[2], saif[2];
    for (int k = 0; k < 2; k++) {
        tm_dataset *data = synth_saif(k == 0 ? 1000 : 16000);
        tm_solution probe = lasso_solve(data, "", 1e9);
        double lambda = 0.3 * probe.lambda_max;
        none[k] = lasso_solve(data, "screen=none", lambda);
        gap[k] = lasso_solve(data, "screen=gap", lambda);
        saif[k] = lasso_solve(data, "screen=saif", lambda);
        tm_solution_clear(&probe);
        tm_dataset_unref(data);
        assert_true(gap[k].columns <= none[k].columns && gap[k].updates <= none[k].updates);
        assert_true(saif[k].columns * 2 < none[k].columns);
        assert_int_equal(none[k].screening.screened, 0);
        assert_true(saif[k].screening.power > 0.9 && saif[k].screening.power <= 1);
    }
    assert_int_equal(tm_model_nnz(saif[0].model), tm_model_nnz(saif[1].model));
    assert_true(none[1].updates > 10 * none[0].updates);
    assert_true(saif[1].updates < 2 * saif[0].updates);
    assert_true(saif[1].passes < 1.5 * saif[0].passes);
    for (int k = 0; k < 2; k++) {
        tm_solution_clear(&none[k]);
        tm_solution_clear(&gap[k]);
        tm_solution_clear(&saif[k]);
    }
}

CHECK(equal_runs_give_equal_bits)
{
    tm_dataset *data = synth_saif(2000);
    for (int k = 0; k < STRATEGIES; k++) {
        char words[40];
        snprintf(words, sizeof words, "screen=%s", strategies[k]);
        tm_solution a = lasso_solve(data, words, 500), b = lasso_solve(data, words, 500);
        size_t nnz = tm_model_nnz(a.model);
        assert_true(nnz > 0 && nnz == tm_model_nnz(b.model));
        assert_memory_equal(tm_model_weights(a.model), tm_model_weights(b.model),
                            nnz * sizeof(double));
        assert_true(a.gap == b.gap && a.columns == b.columns && a.updates == b.updates);
        tm_solution_clear(&a);
        tm_solution_clear(&b);
    }
    tm_dataset_unref(data);
}

/* ---- stopping early ------------------------------------------------------------------------ */

CHECK(early_stops_say_so_and_still_certify)
{
    tm_dataset *data = synth_saif(2000);
    for (int k = 0; k < STRATEGIES; k++) {
        char words[60];
        snprintf(words, sizeof words, "screen=%s tol=1e-12 max_iter=3", strategies[k]);
        tm_solution s = lasso_solve(data, words, 200);
        assert_int_equal(s.outcome, TM_MAX_ITER);
        assert_true(s.gap > 1e-12 * s.null_objective && s.gap == s.primal - s.dual);
        tm_solution_clear(&s);
        /* Rounding ends a run that no double can finish, instead of going round for ever. */
        snprintf(words, sizeof words, "screen=%s tol=1e-300", strategies[k]);
        s = lasso_solve(data, words, 2000);
        assert_true(s.outcome == TM_MAX_ITER || s.gap <= 0);
        assert_true(s.gap < 1e-12 * s.null_objective);
        tm_solution_clear(&s);
    }
    tm_dataset_unref(data);
}

CHECK(negative_lambdas_are_refused)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params = lasso_params("");
    assert_int_equal(tm_params_set_text(params, "lambda", "-1", &err), TM_EUSAGE);
    assert_int_equal(tm_params_set_text(params, "lambda", "nan", &err), TM_EUSAGE);
    tm_params_free(params);
}

RUN_TESTS(strategies_reach_the_reference_optimum, answers_satisfy_the_kkt_conditions,
          coarse_warm_starts_keep_the_optimum, tangents_only_descend,
          at_lambda_max_nothing_is_solved, shifted_features_give_the_same_fit,
          distant_features_are_solved, paths_by_hand_equal_the_automatic_one,
          degenerate_data_have_their_right_answers, saif_costs_stay_nearly_flat_in_p,
          equal_runs_give_equal_bits, early_stops_say_so_and_still_certify,
          negative_lambdas_are_refused)
