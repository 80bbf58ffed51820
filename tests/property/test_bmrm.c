/* The l1 bundle method: against linear programs over every labeling, against fsmulti at B = 1, and
 * its limits. */
#include "classes.h"

/* x_ij = sin(1.7 i + 2.3 j + i j), every third row a positive one. */
static classes small_problem(void)
{
    classes c = {.q = {.kind = "small", .n = 11, .p = 8}};
    tm_error err = TM_ERROR_INIT;
    double *y = malloc(c.q.n * sizeof *y);
    c.q.x = calloc(c.q.n * c.q.p, sizeof *c.q.x);
    c.q.y = calloc(c.q.n, sizeof *c.q.y);
    assert_true(y && c.q.x && c.q.y);
    for (size_t i = 0; i < c.q.n; i++) {
        y[i] = c.q.y[i] = i % 3 == 0 ? 1 : -1;
        for (size_t j = 0; j < c.q.p; j++)
            problem_column(&c.q, j)[i] = sin(1.7 * (double)i + 2.3 * (double)j + (double)(i * j));
    }
    tm_dataset_parts parts = {.name = "small", .x = problem_matrix(&c.q), .response.y = y};
    if (tm_dataset_new(&c.data, &parts, &err) != TM_OK)
        fail_msg("%s", err.message);
    return c;
}

/* What tests/bench/peer_multi_l1.py prints, of the first measures: all labelings enumerated,
 * scipy's linear programs over them. */
CHECK(test_every_labeling)
{
    static const double optima[2][6] = {
        {4.529894124585864, 27.272727272727273, 26.1830538290991, 14.668734363192614,
         24.448755104131912, 2.6219746895107634},
        {6.486457166223627, 39.20768398498948, 27.727575985997785, 14.668734363192614,
         32.774683618884545, 2.6219746895107634}};
    classes c = small_problem();
    for (size_t k = 0; k < 2; k++)
        for (size_t m = 0; m < 6; m++) {
            char words[80];
            snprintf(words, sizeof words, "measure=%s tol=1e-8 C=%g", measures[m], k ? 30.0 : 3.0);
            tm_solution s = classes_solve(&c, "bmrm", words, NULL);
            double slack = 1e-8 * (s.null_objective + optima[k][m]);
            if (s.outcome != TM_CONVERGED || fabs(s.primal - optima[k][m]) > 2 * slack ||
                s.dual > optima[k][m] + slack)
                fail_msg("%s: primal %.12g dual %.12g, optimum %.12g", words, s.primal, s.dual,
                         optima[k][m]);
            tm_solution_clear(&s);
        }
    classes_free(&c);
}

static double l1_norm(const tm_model *model)
{
    double sum = 0;
    for (size_t k = 0; k < tm_model_nnz(model); k++)
        sum += fabs(tm_model_weights(model)[k]);
    return sum;
}

/* With B = 1 the norm of fsmulti is |w|_1: at its solution, of norm t, it solves min t |w|_1 + C R
 * too, so that bmrm at C / t has the optimum (primal + t^2 / 2) / t. With a gap g of that solution
 * w, an answer of bmrm w' of norm t' is better by at most (g + r^2 / 2) / t, or sqrt(2 g) r / t
 * where 2 g < r^2, r = |t' - t|: w + s (w' - w), 0 <= s <= 1, is not better than w by more than g.
 */
CHECK(test_against_fsmulti)
{
    size_t compared = 0;
    for (uint64_t seed = 300; seed < 318; seed++) {
        classes c = classes_new(seed);
        char words[96];
        double C = (seed % 2 ? 0.02 : 0.3) * (double)c.q.n;
        snprintf(words, sizeof words, "measure=%s tol=1e-9 B=1 C=%.17g", measures[seed % MEASURES],
                 C);
        tm_solution f = classes_solve(&c, "fsmulti", words, NULL);
        double t = l1_norm(f.model);
        if (t > 1e-6 * f.null_objective) {
            snprintf(words, sizeof words, "measure=%s tol=1e-7 C=%.17g", measures[seed % MEASURES],
                     C / t);
            tm_solution s = classes_solve(&c, "bmrm", words, NULL);
            double expected = (f.primal + t * t / 2) / t, slack = 1e-6 * s.null_objective;
            double r = fabs(l1_norm(s.model) - t), g = fmax(f.gap, 0) + 1e-14 * f.null_objective;
            double better = (2 * g < r * r ? sqrt(2 * g) * r : g + r * r / 2) / t;
            bool ended = s.outcome == TM_CONVERGED || s.stop == TM_STOP_ROUNDING;
            if (!ended || s.primal > expected + slack + s.gap ||
                s.dual < expected - slack - better - s.gap)
                fail_msg("seed %llu (%s), %s: primal %.12g dual %.12g, fsmulti %.12g",
                         (unsigned long long)seed, c.q.kind, words, s.primal, s.dual, expected);
            compared++;
            tm_solution_clear(&s);
        }
        tm_solution_clear(&f);
        classes_free(&c);
    }
    assert_true(compared >= 12);
}

/* Each measure's own solution is best for it, and its lower bound is below all. */
CHECK(test_own_measure_is_best)
{
    for (uint64_t seed = 340; seed < 350; seed++) {
        classes c = classes_new(seed);
        own_measure_is_best(&c, "bmrm", 0.3 * (double)c.q.n, INFINITY, classes_l1_objective);
        classes_free(&c);
    }
}

typedef struct told {
    double upper, lower;
    size_t inner;
    bool monotone;
} told;

static void listen(const tm_event *event, void *payload)
{
    told *t = payload;
    if (event->kind != TM_EVENT_CHECK)
        return;
    t->monotone = t->monotone && event->primal <= t->upper && event->dual >= t->lower;
    t->upper = event->primal;
    t->lower = event->dual;
    t->inner += isnan(event->inner_gap) ? 0 : 1;
}

/* Both bounds are monotone, the small problem's gap is told of, max_iter ends it, a path gives what
 * each point alone gives. */
CHECK(test_way_and_limits)
{
    classes c = classes_new(361);
    told t = {INFINITY, -INFINITY, 0, true};
    tm_monitor monitor = {NULL, listen, &t, NULL};
    tm_solution full = classes_solve(&c, "bmrm", "measure=f1 tol=1e-7 C_per_row=1", &monitor);
    tm_solution few = classes_solve(&c, "bmrm", "measure=f1 tol=1e-7 C_per_row=1 max_iter=2", NULL);
    assert_int_equal(full.outcome, TM_CONVERGED);
    assert_true(t.monotone && t.inner >= full.updates && full.updates > 2);
    assert_int_equal(few.outcome, TM_MAX_ITER);
    assert_int_equal(few.updates, 2);
    assert_true(few.dual <= full.primal + 1e-9 && few.primal >= full.dual - 1e-9);
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver;
    tm_params *params = method_params("bmrm", "measure=f1 tol=1e-7");
    tm_status status =
        tm_solver_new(&solver, tm_method_find("bmrm", NULL), c.data, params, NULL, &err);
    for (double C = 1; status == TM_OK && C < 300; C *= 4) {
        tm_solution s;
        char words[80];
        tm_params_set_real(params, "C", C, &err);
        status = tm_solver_update(solver, params, &err);
        if (status == TM_OK)
            status = tm_solver_solve(solver, &s, &err);
        assert_int_equal(status, TM_OK);
        snprintf(words, sizeof words, "measure=f1 tol=1e-7 C=%g", C);
        tm_solution alone = classes_solve(&c, "bmrm", words, NULL);
        assert_int_equal(s.outcome, TM_CONVERGED);
        assert_true(fabs(s.primal - alone.primal) <= 1.01e-7 * s.null_objective);
        tm_solution_clear(&alone);
        tm_solution_clear(&s);
    }
    assert_int_equal(status, TM_OK);
    tm_solver_free(solver);
    tm_params_free(params);
    tm_solution_clear(&full);
    tm_solution_clear(&few);
    classes_free(&c);
}

RUN_TESTS(test_every_labeling, test_against_fsmulti, test_own_measure_is_best, test_way_and_limits)
