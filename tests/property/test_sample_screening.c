/* Screening of samples: whatever is certified from inexact points is where the optimum has it, and
 * all ways reach the same objective. */
#include "svm_problem.h"

static const char *const screens[] = {"shrink", "gap", "sequential", "saiv", "auto"};
enum { SCREENS = sizeof screens / sizeof *screens, POINTS = 3 };
/* Near each other sequential rules certify much; falling, they go the other way. */
static const double paths[][POINTS] = {
    {0.002, 0.008, 0.05}, {0.02, 0.0201, 0.0203}, {0.3, 0.29, 0.285}};

/* y_i (x_i'w + b) of the points, nearly exact. */
typedef struct truth {
    double margin[POINTS][64], primal[POINTS];
    size_t point;
    const classes *c;
} truth;

static tm_status keep_truth(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    truth *t = payload;
    double z[64];
    must(tm_model_predict_data(solution->model, t->c->data, z, err), err);
    for (size_t i = 0; i < t->c->q.n; i++)
        t->margin[k][i] = t->c->q.y[i] * z[i];
    t->primal[k] = solution->primal;
    tm_solution_clear(solution);
    return TM_OK;
}

static tm_status keep_primal(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    (void)err;
    ((double *)payload)[k] = solution->primal;
    tm_solution_clear(solution);
    return TM_OK;
}

static void run(const classes *c, const char *words, tm_screen_log *log, tm_path_point *point,
                void *payload)
{
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver;
    tm_params *params = method_params("svm", words);
    tm_monitor monitor = {.log = log};
    tm_grid grid;
    must(tm_params_set_reals(params, "C", paths[c->q.seed % 3], POINTS, &err), &err);
    must(tm_solver_new(&solver, tm_method_find("svm", NULL), c->data, params, &monitor, &err),
         &err);
    must(tm_grid_make(&grid, params, NAN, &err), &err);
    must(tm_solver_run(solver, params, &grid, point, payload, &err), &err);
    tm_grid_clear(&grid);
    tm_solver_free(solver);
    tm_params_free(params);
}

/* A sample certified to be no support vector has its margin at the optimum, one certified at its
 * bound lies within it; both up to what the optimum is known to. Returns how many there were. */
static size_t check_log(const truth *t, const tm_screen_log *log, const char *words, uint64_t seed)
{
    const tm_screen_step *steps;
    size_t count = tm_screen_log_steps(log, &steps), certified = 0;
    const tm_screen_record *records = tm_screen_log_records(log);
    for (size_t k = 0; k < count; k++)
        for (size_t e = 0; e < steps[k].count; e++) {
            const tm_screen_record *r = &records[steps[k].first + e];
            if (r->action != TM_SCREEN_CERTIFIED && r->action != TM_SCREEN_AT_LIMIT)
                continue;
            double margin = t->margin[steps[k].point][r->feature];
            bool out = r->action == TM_SCREEN_CERTIFIED;
            assert_true(out ? r->bound <= 1 : r->bound >= 1);
            if (out ? margin < 1 - 1e-4 : margin > 1 + 1e-4)
                fail_msg("seed %llu, %s, point %u: row %u with bound %g has margin %.9g (%s)",
                         (unsigned long long)seed, words, steps[k].point, r->feature, r->bound,
                         margin, steps[k].what);
            certified++;
        }
    return certified;
}

/* Every screening rule on one problem, with an inexact answer at every point of the path. */
static void check_problem(const classes *c, const char *kernel, size_t certified[SCREENS])
{
    static const char *const tols[] = {"0.3", "0.03", "1e-3", "1e-6"};
    uint64_t seed = c->q.seed;
    const char *intercept = svm_intercept_words()[seed / 3 % 3];
    truth t = {.c = c};
    char words[160];
    snprintf(words, sizeof words, "%s screen=none tol=1e-11 intercept=%s", kernel, intercept);
    run(c, words, NULL, keep_truth, &t);
    for (int k = 1; k < SCREENS; k++) {
        tm_screen_log *log = tm_screen_log_new(100000);
        double primal[POINTS];
        snprintf(words, sizeof words, "%s screen=%s tol=%s intercept=%s", kernel, screens[k],
                 tols[seed / 9 % 4], intercept);
        run(c, words, log, keep_primal, primal);
        certified[k] += check_log(&t, log, words, seed);
        tm_screen_log_free(log);
    }
}

static void check_counts(const size_t certified[SCREENS])
{
    for (int k = 1; k < SCREENS; k++)
        if (certified[k] < 500)
            fail_msg("%s certified %zu", screens[k], certified[k]);
}

CHECK(test_no_support_vector_is_removed)
{
    size_t certified[SCREENS] = {0};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        classes c = classes_new(seed);
        check_problem(&c, "kernel=linear", certified);
        classes_free(&c);
    }
    check_counts(certified);
}

/* Of the other kernels: 500 problems each. Columns far from zero, or of very different scales, make
 * kernels whose optimum rounding hides; problems of these kinds are passed over. */
CHECK(test_no_support_vector_is_removed_with_kernels)
{
    static const char *const kernels[] = {
        "kernel=rbf gamma=0.02", "kernel=poly gamma=0.05 coef0=1 degree=2", "kernel=rbf gamma=0.3",
        "kernel=poly gamma=0.02 coef0=0.5 degree=3"};
    size_t certified[SCREENS] = {0};
    int count = 0;
    for (uint64_t seed = 1; count < 1000; seed++) {
        classes c = classes_new(seed);
        if (strcmp(c.q.kind, "badscaled") != 0 && strcmp(c.q.kind, "offset") != 0)
            check_problem(&c, kernels[count++ % 4], certified);
        classes_free(&c);
    }
    check_counts(certified);
}

CHECK(test_all_ways_agree)
{
    for (uint64_t seed = 1; seed <= 48; seed++) {
        classes c = classes_new(seed);
        const char *intercept = svm_intercept_words()[seed / 3 % 3];
        truth t = {.c = &c};
        char words[120];
        snprintf(words, sizeof words, "screen=none tol=1e-8 intercept=%s", intercept);
        run(&c, words, NULL, keep_truth, &t);
        for (int k = 0; k < SCREENS; k++) {
            double primal[POINTS];
            snprintf(words, sizeof words, "screen=%s tol=1e-8 intercept=%s", screens[k], intercept);
            run(&c, words, NULL, keep_primal, primal);
            for (size_t point = 0; point < POINTS; point++)
                if (fabs(primal[point] - t.primal[point]) > 1e-6 * (1 + t.primal[point]))
                    fail_msg("seed %llu, %s: %.12g, without screening %.12g",
                             (unsigned long long)seed, words, primal[point], t.primal[point]);
        }
        classes_free(&c);
    }
}

static tm_status must_converge(tm_solution *solution, size_t k, void *payload, tm_error *err)
{
    (void)err;
    if (solution->outcome != TM_CONVERGED)
        fail_msg("%s, point %zu: %s, gap %g of %g", (const char *)payload, k,
                 tm_outcome_name(solution->outcome), solution->gap, solution->null_objective);
    tm_solution_clear(solution);
    return TM_OK;
}

/* With two samples between their bounds Newton steps of the size of rounding errors once led from
 * the optimum back to a bound, again and again. */
CHECK(free_intercepts_converge)
{
    for (uint64_t seed = 1000; seed < 1000 + SOME_OF(1200); seed++) {
        classes c = classes_new(seed);
        char words[] = "screen=saiv tol=1e-8 intercept=free";
        run(&c, words, NULL, must_converge, words);
        classes_free(&c);
    }
}

RUN_TESTS(test_no_support_vector_is_removed, test_no_support_vector_is_removed_with_kernels,
          test_all_ways_agree, free_intercepts_converge)
