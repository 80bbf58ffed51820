/* Feature selection for multivariate measures: its bounds, its limits, and the problems it becomes.
 */
#include "classes.h"

/* What a run told while it ran. */
typedef struct told {
    double upper, lower, slack;
    size_t inner;
    bool monotone;
    char trouble[120];
} told;

static void listen(const tm_event *event, void *payload)
{
    told *t = payload;
    if (event->kind != TM_EVENT_CHECK)
        return;
    t->monotone =
        t->monotone && event->primal <= t->upper + t->slack && event->dual >= t->lower - t->slack;
    t->upper = event->primal;
    t->lower = event->dual;
    if (!isnan(event->inner_gap))
        t->inner++;
}

/* lower <= optimum <= upper all the way, both monotone, for every measure; both layers are told of.
 */
CHECK(test_bounds)
{
    for (uint64_t seed = 100; seed < 112; seed++) {
        classes c = classes_new(seed);
        for (size_t m = 0; m < MEASURES; m++) {
            char words[80];
            snprintf(words, sizeof words, "measure=%s tol=1e-6 B=%d", measures[m],
                     1 + (int)(seed % 5));
            told t = {INFINITY, -INFINITY, 1e-7, 0, true, ""};
            tm_monitor monitor = {NULL, listen, &t, NULL};
            tm_solution s = classes_solve(&c, "fsmulti", words, &monitor);
            if (s.outcome != TM_CONVERGED)
                fail_msg("seed %llu, %s: gap %g of %g", (unsigned long long)seed, words, s.gap,
                         s.null_objective);
            if (!t.monotone || (t.inner == 0 && s.updates > 0))
                fail_msg("seed %llu, %s: %s", (unsigned long long)seed, words, t.trouble);
            assert_true(s.dual <= s.primal + 1e-9 * s.null_objective);
            tm_solution_clear(&s);
        }
        classes_free(&c);
    }
}

/* With B >= p there is nothing to choose: svmperf. */
CHECK(test_all_features)
{
    for (uint64_t seed = 120; seed < 132; seed++) {
        classes c = classes_new(seed);
        char words[80], all[96];
        snprintf(words, sizeof words, "measure=%s tol=1e-7", measures[seed % MEASURES]);
        snprintf(all, sizeof all, "%s B=%zu", words, c.q.p + seed % 3);
        tm_solution a = classes_solve(&c, "svmperf", words, NULL),
                    b = classes_solve(&c, "fsmulti", all, NULL);
        assert_int_equal(a.outcome, TM_CONVERGED);
        assert_int_equal(b.outcome, TM_CONVERGED);
        assert_true(fabs(a.primal - b.primal) <= 1.01e-7 * a.null_objective);
        tm_solution_clear(&a);
        tm_solution_clear(&b);
        classes_free(&c);
    }
}

/* The problem is convex in d and w: more budget, less objective; and each measure's own solution is
 * best for it. */
CHECK(test_order)
{
    for (uint64_t seed = 140; seed < 150; seed++) {
        classes c = classes_new(seed);
        double before = INFINITY;
        for (int B = 1; B <= 16; B *= 2) {
            char words[80];
            snprintf(words, sizeof words, "measure=f1 tol=1e-6 B=%d", B);
            tm_solution s = classes_solve(&c, "fsmulti", words, NULL);
            assert_true(s.primal <= before + 1e-6 * s.null_objective);
            before = s.primal;
            tm_solution_clear(&s);
        }
        double C = 0.1 * (double)c.q.n;
        const multi_witness nothing = {0};
        tm_solution f1 = classes_solve(&c, "fsmulti", "measure=f1 tol=1e-6 B=4", NULL);
        tm_solution hamming = classes_solve(&c, "fsmulti", "measure=hamming tol=1e-6 B=4", NULL);
        double other = classes_certify(&c, "f1", 4, C, hamming.model, &nothing).primal;
        assert_true(f1.primal <= other + 1e-6 * f1.null_objective);
        tm_solution_clear(&f1);
        tm_solution_clear(&hamming);
        classes_free(&c);
    }
}

/* At least B features come in, at most B a round; `features` and `T` end it. */
CHECK(test_limits)
{
    classes c = classes_new(154);
    tm_solution once = classes_solve(&c, "fsmulti", "measure=f1 tol=1e-9 B=5 T=1", NULL);
    tm_solution twice = classes_solve(&c, "fsmulti", "measure=f1 tol=1e-9 B=5 T=2", NULL);
    tm_solution seven = classes_solve(&c, "fsmulti", "measure=f1 tol=1e-9 B=5 features=7", NULL);
    assert_true(once.active == 5 && tm_model_nnz(once.model) <= 5);
    assert_true(twice.active <= 10 && seven.active <= 7);
    assert_true(twice.primal <= once.primal + 1e-9);
    if (check_committed()) { /* others may converge with five */
        assert_true(twice.active > 5 && seven.active == 7);
        assert_int_equal(once.outcome, TM_MAX_ITER);
    }
    tm_solution_clear(&once);
    tm_solution_clear(&twice);
    tm_solution_clear(&seven);
    tm_solution few = classes_solve(&c, "fsmulti", "measure=f1 tol=1e-9 B=5 max_iter=3", NULL);
    assert_true(few.outcome == TM_MAX_ITER || !check_committed());
    tm_solution_clear(&few);
    classes_free(&c);
}

/* How much of the variance of y a line over x explains. */
static double explained(const double *x, const double *y, size_t count)
{
    double n = (double)count, sx = 0, sy = 0, xx = 0, xy = 0, yy = 0;
    for (size_t k = 0; k < count; k++) {
        sx += x[k];
        sy += y[k];
        xx += x[k] * x[k];
        xy += x[k] * y[k];
        yy += y[k] * y[k];
    }
    double covariance = xy - sx * sy / n;
    return covariance * covariance / ((xx - sx * sx / n) * (yy - sy * sy / n));
}

/* The number of features follows B, close to a line, at any C (001 figure 1 c and d). */
CHECK(test_features_follow_B)
{
    static const double budgets[] = {2, 4, 8, 12, 16, 20, 24};
    enum { BUDGETS = sizeof budgets / sizeof budgets[0] };
    double features[2][BUDGETS];
    tm_error err = TM_ERROR_INIT;
    classes c = {.q = {.kind = "fgm"}};
    const tm_synth_info *info = tm_synth_find("fgm", NULL);
    tm_params *synth;
    assert_int_equal(tm_params_new(&synth, info->id, info->params, info->param_count, &err), TM_OK);
    tm_params_set_int(synth, "n", 200, &err);
    tm_params_set_int(synth, "p", 800, &err);
    tm_params_set_int(synth, "k", 30, &err);
    assert_int_equal(tm_synth_make(&c.data, info, synth, NULL, &err), TM_OK);
    for (size_t C = 0; C < 2; C++)
        for (size_t k = 0; k < BUDGETS; k++) {
            char words[96];
            snprintf(words, sizeof words, "measure=f1 tol=1e-3 T=5 B=%g C_per_row=%g", budgets[k],
                     C ? 1.0 : 0.1);
            tm_solution s = classes_solve(&c, "fsmulti", words, NULL);
            features[C][k] = (double)tm_model_nnz(s.model);
            assert_true(features[C][k] >= budgets[k] && features[C][k] <= 5 * budgets[k]);
            tm_solution_clear(&s);
        }
    for (size_t C = 0; C < 2; C++)
        assert_true(explained(budgets, features[C], BUDGETS) >= 0.9);
    tm_params_free(synth);
    tm_dataset_unref(c.data);
}

/* A path over B and C gives what each point gives alone, whatever is kept between them. */
CHECK(test_paths)
{
    classes c = classes_new(161);
    const double values[] = {2, 1, 2, 20, 8, 20, 8, 1};
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver;
    tm_params *params = method_params("fsmulti", "measure=rec@2p tol=1e-7");
    tm_status status =
        tm_solver_new(&solver, tm_method_find("fsmulti", NULL), c.data, params, NULL, &err);
    for (size_t k = 0; status == TM_OK && k < 4; k++) {
        tm_solution s;
        char words[80];
        tm_params_set_real(params, "B", values[2 * k], &err);
        tm_params_set_real(params, "C", values[2 * k + 1], &err);
        status = tm_solver_update(solver, params, &err);
        if (status == TM_OK)
            status = tm_solver_solve(solver, &s, &err);
        assert_int_equal(status, TM_OK);
        snprintf(words, sizeof words, "measure=rec@2p tol=1e-7 B=%g C=%g", values[2 * k],
                 values[2 * k + 1]);
        tm_solution alone = classes_solve(&c, "fsmulti", words, NULL);
        assert_int_equal(s.outcome, TM_CONVERGED);
        assert_true(fabs(s.primal - alone.primal) <= 1.01e-7 * s.null_objective);
        assert_true(s.B == values[2 * k] && s.C == values[2 * k + 1]);
        tm_solution_clear(&alone);
        tm_solution_clear(&s);
    }
    assert_int_equal(status, TM_OK);
    tm_solver_free(solver);
    tm_params_free(params);
    classes_free(&c);
}

RUN_TESTS(test_bounds, test_all_features, test_order, test_limits, test_paths,
          test_features_follow_B)
