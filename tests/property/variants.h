/* Every way to solve an l1 problem: each loss under each strategy that is defined for it and safe,
 * and groups of one feature with each loss and solver of grouplasso. */
#ifndef TESTS_VARIANTS_H
#define TESTS_VARIANTS_H

#include "general.h"

enum { LOSSES = 3, MAX_VARIANTS = 80 };
static const char *const variant_methods[LOSSES] = {"lasso", "l1logistic", "l1svm"};
static const char *const variant_losses[LOSSES] = {"squared", "logistic", "squared_hinge"};

typedef struct variant {
    int loss;
    const char *method; /* variant_methods[loss] or grouplasso */
    char words[80];
    bool grouped;
} variant;

static inline size_t variants_all(variant *out)
{
    static const char *const solvers[] = {"auto", "active", "bcd", "fista"};
    size_t screens, count = 0;
    const tm_screen_info *screen = tm_screens(&screens);
    for (int l = 0; l < LOSSES; l++) {
        for (size_t k = 0; k < screens; k++)
            if (strcmp(screen[k].safe, "no") != 0 &&
                tm_screen_fits(&screen[k], variant_losses[l])) {
                assert_true(count < MAX_VARIANTS);
                out[count] = (variant){.loss = l, .method = variant_methods[l]};
                snprintf(out[count].words, sizeof out[count].words, "screen=%s", screen[k].id);
                count++;
            }
        for (int k = 0; k < 4; k++) {
            assert_true(count < MAX_VARIANTS);
            out[count] = (variant){.loss = l, .method = "grouplasso", .grouped = true};
            snprintf(out[count].words, sizeof out[count].words, "groups=1 loss=%s solver=%s",
                     variant_losses[l], solvers[k]);
            count++;
        }
    }
    return count;
}

static variant variants[MAX_VARIANTS];
static size_t count;

/* A group's setup: all of them into `variants`. */
static inline int make_variants(void **state)
{
    (void)state;
    count = variants_all(variants);
    return 0;
}

/* Solves with the variant's words and `more`; what is refused is in err. */
static inline tm_status variant_try(const variant *v, const tm_dataset *data, const char *more,
                                    double lambda, tm_solution *solution, tm_error *err)
{
    char words[300];
    snprintf(words, sizeof words, "%s %s", v->words, more);
    return solve_once(v->method, method_params(v->method, words), data, lambda, solution, err);
}

static inline tm_solution variant_solve(const variant *v, const tm_dataset *data, const char *more,
                                        double lambda)
{
    tm_solution solution;
    tm_error err = TM_ERROR_INIT;
    if (variant_try(v, data, more, lambda, &solution, &err) != TM_OK)
        fail_msg("%s %s %s at %g: %s", v->method, v->words, more, lambda, err.message);
    if (!isfinite(solution.primal) || !isfinite(solution.gap) || !isfinite(solution.lambda_max))
        fail_msg("%s %s %s at %g: primal %g gap %g lambda_max %g", v->method, v->words, more,
                 lambda, solution.primal, solution.gap, solution.lambda_max);
    for (size_t k = 0; k < tm_model_nnz(solution.model); k++)
        assert_true(isfinite(tm_model_weights(solution.model)[k]));
    return solution;
}

/* As variant_solve, and the gap asked for must be met. */
static inline tm_solution variant_converge(const variant *v, const tm_dataset *data,
                                           const char *more, double lambda)
{
    tm_solution s = variant_solve(v, data, more, lambda);
    /* In rounds of scripts/soak an unpenalised feature may separate some of the rows: its weight
     * grows to thousands, and with it the rounding errors that lower the bound. */
    bool lost =
        !check_committed() && s.stop == TM_STOP_ROUNDING && s.gap <= 1e-10 * s.null_objective;
    if (s.outcome != TM_CONVERGED && !lost)
        fail_msg("%s %s %s at %g of %g: %s, gap %g of %g", v->method, v->words, more, lambda,
                 s.lambda_max, tm_outcome_name(s.outcome), s.gap, s.null_objective);
    return s;
}

/* A data set of a copy of x (column-major) and y. */
static inline tm_dataset *variant_data(size_t n, size_t p, const double *x, const double *y,
                                       bool numeric, bool sparse)
{
    problem q = {.kind = "small", .n = n, .p = p, .sparse = sparse};
    q.x = (double *)(uintptr_t)x;
    q.y = (double *)(uintptr_t)y;
    return problem_dataset_of(&q, numeric);
}

static inline double variant_loss(int loss, double y, double z)
{
    general g = {.method = variant_methods[loss]};
    return general_loss(&g, y, z);
}

static inline double variant_slope(int loss, double y, double z)
{
    general g = {.method = variant_methods[loss]};
    return general_slope(&g, y, z);
}

/* The intercept of the null model, by bisection on the slope. */
static inline double variant_null(int loss, const double *y, const double *weights, size_t n)
{
    double low = -1e3, high = 1e3;
    for (int step = 0; step < 200; step++) {
        double middle = (low + high) / 2, slope = 0;
        for (size_t i = 0; i < n; i++)
            slope += (weights ? weights[i] : 1) * variant_slope(loss, y[i], middle);
        *(slope > 0 ? &high : &low) = middle;
    }
    return (low + high) / 2;
}

#endif
