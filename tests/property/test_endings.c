/* How solves end: on small problems at a tolerance near rounding every method reaches it, or stops
 * where more iterations do not help and says so; and each limit is named where it ends a run. */
#include "any_method.h"
#include "classes.h"

static tm_solution end_of(const tm_dataset *data, const char *id, const char *words)
{
    tm_error err = TM_ERROR_INIT;
    tm_solution s;
    const tm_method *method = tm_method_find(id, &err);
    tm_params *params;
    must(tm_method_params_new(&params, method, &err), &err);
    set_words(params, words, &err);
    if (!solve_params(&s, method, data, params))
        fail_msg("%s %s is refused", id, words);
    tm_params_free(params);
    return s;
}

/* Methods, with what decides how they go about it. */
static const struct {
    const char *id, *words;
} ways[] = {
    {"lasso", ""},
    {"lasso", "screen=saif"},
    {"lasso", "screen=blitz"},
    {"l1logistic", ""},
    {"l1logistic", "screen=none"},
    {"l1svm", ""},
    {"l1svm", "screen=ws"},
    {"grouplasso", "groups=2"},
    {"grouplasso", "groups=2 solver=fista loss=logistic max_iter=1000000"},
    {"fgm", "B=2"},
    {"fgm", "B=2 master=apg max_iter=1000000"},
    {"fgm", "B=2 master=apg loss=logistic max_iter=1000000"},
    {"fgm", "B=2 loss=logistic"},
    {"mslr", "B=2"},
    {"mslr", "B=2 master=scd"},
    {"svmperf", "measure=f1"},
    {"svmperf", "measure=hamming C=50"},
    {"svmperf", "measure=ap"},
    {"fsmulti", "B=2 measure=f1"},
    {"fsmulti", "B=2 measure=hamming C=50"},
    {"fsmulti", "B=2 measure=prbep"},
    {"fsmulti", "B=3 measure=rocarea"},
    {"fsmulti", "B=2 measure=rec@2p"},
    {"bmrm", "measure=hamming"},
    {"bmrm", "measure=f1"},
    {"ridge", ""},
    {"logistic", ""},
    {"svm_l2", ""},
    {"svm", ""},
    {"rfe", "features=2"},
    {"gomp", "features=2"},
};

/* Neither max_iter, which is each method's own, nor a clock ends one of these. */
CHECK(test_small_problems_end)
{
    size_t converged = 0, all = 0;
    for (uint64_t seed = 700; seed < 705; seed++) {
        classes c = classes_new(seed);
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            char words[120];
            snprintf(words, sizeof words, "%s tol=1e-9", ways[k].words);
            tm_solution s = end_of(c.data, ways[k].id, words);
            bool named =
                s.outcome == TM_CONVERGED ? s.stop == TM_STOP_NONE : s.stop == TM_STOP_ROUNDING;
            bool true_to_it = s.outcome != TM_CONVERGED || s.gap <= 1e-9 * s.null_objective;
            /* In rounds of scripts/soak first-order methods may need more steps than their limit.
             */
            bool first_order = strcmp(ways[k].id, "fgm") == 0 || strcmp(ways[k].id, "mslr") == 0;
            bool slow = !check_committed() && first_order && s.stop == TM_STOP_ITER &&
                        s.gap <= 1e-2 * s.null_objective;
            /* More labelings of so few rows are those that rounding errors find, unless they lead
             * to the optimum. */
            bool endless = strcmp(ways[k].id, "fsmulti") == 0 && s.updates > 400 &&
                           (check_committed() || s.outcome != TM_CONVERGED);
            if ((!named && !slow) || !true_to_it || endless)
                fail_msg("seed %llu, %s %s: %s by %s, gap %g of %g after %llu updates",
                         (unsigned long long)seed, ways[k].id, words, tm_outcome_name(s.outcome),
                         tm_stop_name(s.stop) ? tm_stop_name(s.stop) : "nothing", s.gap,
                         s.null_objective, (unsigned long long)s.updates);
            all++;
            converged += s.outcome == TM_CONVERGED;
            tm_solution_clear(&s);
        }
        classes_free(&c);
    }
    assert_true(converged > all / 2);
}

/* A path from a small C to a large one, each point from the labelings of the one before, at a
 * tolerance near rounding: it ends, after about as many labelings as without them. */
CHECK(test_warm_paths_end)
{
    static const double path[] = {1.13, 68.8};
    for (uint64_t seed = 720; seed < 740; seed++) {
        classes c = classes_new(seed);
        for (size_t m = 0; m < 2; m++) {
            tm_error err = TM_ERROR_INIT;
            char words[80];
            tm_solver *solver;
            snprintf(words, sizeof words, "measure=%s B=%d tol=1e-8 C=1.13", measures[m],
                     1 + (int)(seed % 4));
            tm_params *params = method_params("fsmulti", words);
            must(
                tm_solver_new(&solver, tm_method_find("fsmulti", NULL), c.data, params, NULL, &err),
                &err);
            for (size_t k = 0; k < 2; k++) {
                tm_solution s = TM_SOLUTION_INIT;
                must(tm_params_set_reals(params, "C", &path[k], 1, &err), &err);
                must(tm_solver_update(solver, params, &err), &err);
                must(tm_solver_solve(solver, &s, &err), &err);
                bool ended = s.outcome == TM_CONVERGED || s.stop == TM_STOP_ROUNDING;
                if (!ended || s.updates > 1000 || !(s.gap <= 1e-6 * s.null_objective))
                    fail_msg("seed %llu, %s, C %g: %s, gap %g of %g after %llu labelings",
                             (unsigned long long)seed, words, path[k], tm_outcome_name(s.outcome),
                             s.gap, s.null_objective, (unsigned long long)s.updates);
                tm_solution_clear(&s);
            }
            tm_solver_free(solver);
            tm_params_free(params);
        }
        classes_free(&c);
    }
}

/* Each limit by its name. */
CHECK(test_limits_are_named)
{
    static const struct {
        const char *id, *words;
        tm_stop stop;
    } ends[] = {
        {"lasso", "tol=1e-12 max_iter=1 screen=none", TM_STOP_ITER},
        {"grouplasso", "groups=2 tol=1e-12 max_iter=1", TM_STOP_ITER},
        {"fgm", "B=1 tol=1e-12 max_iter=1 master=apg", TM_STOP_ITER},
        {"fsmulti", "B=1 tol=1e-12 max_iter=1", TM_STOP_ITER},
        {"svmperf", "tol=1e-12 max_iter=1", TM_STOP_ITER},
        {"bmrm", "tol=1e-12 max_iter=1", TM_STOP_ITER},
        {"svm", "tol=1e-12 max_iter=1", TM_STOP_ITER},
        {"fgm", "B=1 tol=1e-12 T=1", TM_STOP_RULE},
        {"fsmulti", "B=1 tol=1e-12 T=1", TM_STOP_RULE},
        {"fsmulti", "B=1 tol=1e-12 features=2", TM_STOP_RULE},
    };
    for (uint64_t seed = 750; seed < 753; seed++) {
        classes c = classes_new(seed);
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            tm_solution s = end_of(c.data, ends[k].id, ends[k].words);
            /* A rule of the method's own may not be reached before rounding is. */
            bool before = ends[k].stop == TM_STOP_RULE && s.stop == TM_STOP_ROUNDING;
            if (s.outcome != TM_CONVERGED && s.stop != ends[k].stop && !before)
                fail_msg("seed %llu, %s %s: %s by %s", (unsigned long long)seed, ends[k].id,
                         ends[k].words, tm_outcome_name(s.outcome), tm_stop_name(s.stop));
            tm_solution_clear(&s);
        }
        classes_free(&c);
    }
}

RUN_TESTS(test_small_problems_end, test_warm_paths_end, test_limits_are_named)
