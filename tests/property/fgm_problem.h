/* Solving problems of fgm and mslr in tests: every run's bounds must be monotone. */
#ifndef TESTS_FGM_PROBLEM_H
#define TESTS_FGM_PROBLEM_H

#include "problem.h"

typedef struct watch {
    double lower, upper;
    double first, drop; /* the first upper bound, and by how much the last round lowered it */
    bool falls, rises;
} watch;

static inline void on_event(const tm_event *event, void *payload)
{
    watch *seen = payload;
    if (event->kind != TM_EVENT_CHECK)
        return;
    seen->rises = seen->rises && event->dual >= seen->lower;
    seen->falls = seen->falls && event->primal <= seen->upper;
    seen->first = isfinite(seen->upper) ? seen->first : event->primal;
    seen->drop = seen->upper - event->primal;
    seen->lower = event->dual;
    seen->upper = event->primal;
}

/* The solution of the first point; bounds must be monotone on the way (FGM lemma 1). */
static inline tm_solution solve_watched(const char *method, const tm_dataset *data,
                                        const char *words, watch *out)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params = method_params(method, words);
    watch seen = {.lower = -INFINITY, .upper = INFINITY, .falls = true, .rises = true};
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
    *out = seen;
    return solution;
}

static inline tm_solution solve_with(const char *method, const tm_dataset *data, const char *words)
{
    watch seen;
    return solve_watched(method, data, words, &seen);
}

static inline double value_with(const char *method, const tm_dataset *data, const char *words)
{
    tm_solution solution = solve_with(method, data, words);
    double value = solution.primal;
    assert_int_equal(solution.outcome, TM_CONVERGED);
    tm_solution_clear(&solution);
    return value;
}

/* A problem whose scale does not matter here. */
static inline problem tame_problem(uint64_t seed)
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

static inline void same_value(double a, double b, double scale, const char *what, uint64_t seed)
{
    if (!(fabs(a - b) <= 2e-6 * scale))
        fail_msg("%s, problem %llu: %.12g and %.12g", what, (unsigned long long)seed, a, b);
}

/* Neither is below the other's lower bound. */
static inline void within_gaps(const tm_solution *a, const tm_solution *b, const char *what,
                               uint64_t seed)
{
    double slack = 1e-9 * a->null_objective;
    if (!(a->dual <= b->primal + slack && b->dual <= a->primal + slack))
        fail_msg("%s, problem %llu: [%.12g, %.12g] and [%.12g, %.12g]", what,
                 (unsigned long long)seed, a->dual, a->primal, b->dual, b->primal);
}

#endif
