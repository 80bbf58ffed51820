/* The screen log against what is known of each problem by other means: the optimum of a slow
 * reference solver, the answer of the same run without a log, and the log's own arithmetic. */
#include "problem.h"

static const char *const strategies[] = {"gap",  "saif", "auto",   "shrink",  "safe",  "dpp",
                                         "edpp", "vi",   "strong", "hessian", "blitz", "ws"};
enum { STRATEGIES = sizeof strategies / sizeof strategies[0], PROBLEMS = 60 };

typedef struct logged {
    tm_screen_log *log;
    tm_solution solution;
} logged;

static logged solve_logged(const tm_dataset *data, const char *words, double lambda, size_t room)
{
    logged out = {tm_screen_log_new(room), TM_SOLUTION_INIT};
    tm_monitor monitor = TM_MONITOR_INIT;
    tm_params *params = lasso_params(words);
    const tm_method *lasso = tm_method_find("lasso", NULL);
    tm_solver *solver = NULL;
    monitor.log = out.log;
    assert_non_null(out.log);
    assert_int_equal(tm_params_set_real(params, "lambda", lambda, NULL), TM_OK);
    assert_int_equal(tm_solver_new(&solver, lasso, data, params, &monitor, NULL), TM_OK);
    assert_int_equal(tm_solver_update(solver, params, NULL), TM_OK);
    assert_int_equal(tm_solver_solve(solver, &out.solution, NULL), TM_OK);
    tm_solver_free(solver);
    tm_params_free(params);
    return out;
}

static void logged_free(logged *l)
{
    tm_solution_clear(&l->solution);
    tm_screen_log_free(l->log);
}

/* Of the certificate itself, which follows every strategy. */
static bool is_certificate(const tm_screen_step *step)
{
    return strncmp(step->what, "the certificate", 15) == 0;
}

/* Plays the log back: the set it says is worked on has the size it says, at every step. What the
 * certificate rules out stays in the solver's set, which it only looks at. */
static void check_replay(const problem *q, const tm_screen_log *log, const char *screen)
{
    const tm_screen_step *steps;
    const tm_screen_record *records = tm_screen_log_records(log);
    size_t count = tm_screen_log_steps(log, &steps), active = 0;
    bool *in = calloc(q->p, sizeof *in);
    assert_true(count > 0);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = steps[k].first; i < steps[k].first + steps[k].count; i++) {
            bool *place = &in[records[i].feature];
            switch (records[i].action) {
            case TM_SCREEN_STARTED:
            case TM_SCREEN_ADDED:
                assert_false(*place);
                *place = true;
                active++;
                break;
            case TM_SCREEN_DELETED:
            case TM_SCREEN_CERTIFIED:
            case TM_SCREEN_AT_LIMIT:
                if (is_certificate(&steps[k]))
                    break;
                active -= *place;
                *place = false;
                break;
            default:
                break;
            }
        }
        if (active != steps[k].active)
            fail_msg("problem %llu, %s, step %zu (%s): %zu worked on, the log says %zu",
                     (unsigned long long)q->seed, screen, k, steps[k].what, active,
                     steps[k].active);
    }
    free(in);
}

/* Returns how many features the strategy certified and *last how many the certificate did, none of
 * which may matter; whoever leaves in a step with a ball leaves because its bound is below 1, and
 * whoever stays does not. */
static size_t check_actions(const problem *q, const reference *ref, const tm_screen_log *log,
                            long double lambda, size_t *last)
{
    const tm_screen_step *steps;
    const tm_screen_record *records = tm_screen_log_records(log);
    size_t count = tm_screen_log_steps(log, &steps), certified = 0;
    for (size_t k = 0; k < count; k++) {
        size_t added = 0, removed = 0;
        assert_true(steps[k].lambda == (double)lambda);
        for (size_t i = steps[k].first; i < steps[k].first + steps[k].count; i++) {
            tm_screen_action action = (tm_screen_action)records[i].action;
            bool gone = action == TM_SCREEN_DELETED || action == TM_SCREEN_CERTIFIED;
            added += action == TM_SCREEN_STARTED || action == TM_SCREEN_ADDED;
            removed += gone;
            *(is_certificate(&steps[k]) ? last : &certified) += action == TM_SCREEN_CERTIFIED;
            if (gone && !(records[i].bound < 1))
                fail_msg("feature %u left at a bound of %g", records[i].feature, records[i].bound);
            size_t j = records[i].feature;
            long double product = fabsl(ref_dot(ref->x + j * q->n, ref->r, q->n)) / lambda;
            if (action == TM_SCREEN_CERTIFIED && ref->w[j] != 0 && product > 1 - 1e-9L)
                fail_msg("problem %llu: feature %zu was certified out and matters",
                         (unsigned long long)q->seed, j);
            /* A certified ball holds the optimal dual point: no product exceeds its bound. */
            if (action == TM_SCREEN_CERTIFIED && (long double)records[i].bound < product - 1e-7L)
                fail_msg("problem %llu: feature %zu: bound %g below its product %Lg",
                         (unsigned long long)q->seed, j, records[i].bound, product);
        }
        assert_int_equal(added, steps[k].added);
        assert_int_equal(removed, steps[k].removed);
    }
    return certified;
}

/* The log is a witness: with and without it the run does the same. */
static void check_same_run(const tm_dataset *data, const char *words, double lambda,
                           const tm_solution *solution)
{
    tm_solution plain = lasso_solve(data, words, lambda);
    assert_true(plain.primal == solution->primal && plain.gap == solution->gap);
    assert_int_equal(plain.columns, solution->columns);
    assert_int_equal(plain.updates, solution->updates);
    assert_int_equal(tm_model_nnz(plain.model), tm_model_nnz(solution->model));
    for (size_t k = 0; k < tm_model_nnz(plain.model); k++)
        assert_true(tm_model_weights(plain.model)[k] == tm_model_weights(solution->model)[k]);
    tm_solution_clear(&plain);
}

CHECK(test_strategies)
{
    size_t certified[STRATEGIES] = {0}, last[STRATEGIES] = {0};
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        problem q = problem_new(seed);
        tm_dataset *data = problem_dataset(&q);
        reference ref = reference_new(&q, true, false);
        double lambda = (double)ref.lambda_max * (seed % 3 == 0 ? 0.5 : 0.1);
        reference_solve(&ref, lambda);
        for (size_t k = 0; k < STRATEGIES; k++) {
            char words[80];
            snprintf(words, sizeof words, "screen=%s tol=1e-9 add_rate=0.5", strategies[k]);
            logged l = solve_logged(data, words, lambda, 1 << 20);
            assert_int_equal(tm_screen_log_missed(l.log), 0);
            check_replay(&q, l.log, strategies[k]);
            certified[k] += check_actions(&q, &ref, l.log, lambda, &last[k]);
            check_same_run(data, words, lambda, &l.solution);
            logged_free(&l);
        }
        reference_free(&ref);
        problem_end(&q, data);
    }
    for (size_t k = 0; k < STRATEGIES; k++) {
        const char *kind = tm_screen_find(strategies[k], NULL)->safe;
        bool certifies = strcmp(kind, "yes") == 0 && strcmp(strategies[k], "auto") != 0;
        assert_true(certifies ? certified[k] > 100 : certified[k] == 0);
        assert_true(last[k] > 100);
    }
    assert_true(certified[0] > 1000 && certified[1] > 1000);
}

/* A small log keeps to its room, says that it missed something, and still counts every change. */
CHECK(test_bounded)
{
    problem q = problem_new(2);
    tm_dataset *data = problem_dataset(&q);
    double lambda_max = 0;
    tm_problem of = {.loss = "squared", .lambda = 1, .intercept = true};
    assert_int_equal(tm_lambda_max(&lambda_max, &(double){0}, data, &of, NULL), TM_OK);
    logged all = solve_logged(data, "screen=gap", 0.1 * lambda_max, 1 << 20);
    logged some = solve_logged(data, "screen=gap", 0.1 * lambda_max, 40);
    const tm_screen_step *steps, *fewer;
    size_t count = tm_screen_log_steps(all.log, &steps), records = 0;
    size_t kept = tm_screen_log_steps(some.log, &fewer);
    assert_true(tm_screen_log_missed(some.log) > 0);
    assert_true(kept <= 64 && kept <= count);
    for (size_t k = 0; k < kept; k++) {
        records += fewer[k].count;
        assert_int_equal(fewer[k].removed, steps[k].removed);
        assert_int_equal(fewer[k].active, steps[k].active);
    }
    assert_true(records <= 40);
    logged_free(&all);
    logged_free(&some);
    problem_end(&q, data);
}

/* The dual optimum is known from the reference. It lies in the ball of every step of `gap`, and the
 * step's own dual point is feasible. */
static void check_dual_points(const problem *q, const reference *ref, const tm_screen_log *log,
                              double lambda, size_t *found)
{
    const tm_screen_step *steps;
    size_t count = tm_screen_log_steps(log, &steps);
    for (size_t k = 0; k < count; k++) {
        const double *centre = steps[k].at.centre, *theta = steps[k].at.theta;
        double squared = 0;
        if (!centre)
            continue;
        ++*found;
        for (size_t i = 0; i < q->n; i++)
            squared += pow(centre[i] - (double)ref->r[i] / lambda, 2);
        if (sqrt(squared) > steps[k].radius * (1 + 1e-7) + 1e-7)
            fail_msg("problem %llu, step %zu: the optimum is outside the ball",
                     (unsigned long long)q->seed, k);
        for (size_t j = 0; j < q->p; j++) {
            long double product = 0, length = 0;
            for (size_t i = 0; i < q->n; i++) {
                product += problem_column(q, j)[i] * (long double)theta[i];
                length += fabsl(problem_column(q, j)[i] * (long double)theta[i]);
            }
            if (fabsl(product) > 1 + 1e-9L * (1 + length))
                fail_msg("problem %llu, step %zu: the dual point is not feasible (%Lg)",
                         (unsigned long long)q->seed, k, product);
        }
    }
}

CHECK(test_dual_points)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        problem q = problem_new(seed);
        q.n = seed % 2 ? 2 : q.n;
        tm_dataset *data = problem_dataset(&q);
        reference ref = reference_new(&q, false, false);
        double lambda = (double)ref.lambda_max * 0.3;
        reference_solve(&ref, lambda);
        logged l = solve_logged(data, "screen=gap intercept=false tol=1e-10 check_every=1", lambda,
                                1 << 16);
        check_dual_points(&q, &ref, l.log, lambda, &found);
        logged_free(&l);
        reference_free(&ref);
        problem_end(&q, data);
    }
    assert_true(found > 80);
}

RUN_TESTS(test_strategies, test_bounded, test_dual_points)
