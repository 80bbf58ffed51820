/* Random problems of two classes for the methods of multivariate measures. */
#ifndef TESTS_CLASSES_H
#define TESTS_CLASSES_H

#include "problem.h"

#include "model/certificate/multi.h"

/* A classification problem: the sign of problem_new's response about its middle, some flipped. */
typedef struct classes {
    problem q;
    tm_dataset *data;
} classes;

static inline int by_rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline classes classes_new(uint64_t seed)
{
    classes c = {.q = problem_new(seed)};
    tm_error err = TM_ERROR_INIT;
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(seed + 1000));
    double *sorted = malloc(c.q.n * sizeof *sorted), *y = malloc(c.q.n * sizeof *y);
    assert_true(sorted && y);
    memcpy(sorted, c.q.y, c.q.n * sizeof *sorted);
    qsort(sorted, c.q.n, sizeof *sorted, by_rising);
    for (size_t i = 0; i < c.q.n; i++) {
        c.q.y[i] = c.q.y[i] > sorted[2 * c.q.n / 3] ? 1 : -1;
        if (i > 2 && tm_rng_below(&rng, 8) == 0)
            c.q.y[i] = -c.q.y[i];
        y[i] = c.q.y[i];
    }
    y[0] = c.q.y[0] = 1;
    y[1] = c.q.y[1] = -1;
    free(sorted);
    tm_dataset_parts parts = {.name = "here", .x = problem_matrix(&c.q), .response.y = y};
    if (tm_dataset_new(&c.data, &parts, &err) != TM_OK)
        fail_msg("%s", err.message);
    return c;
}

static inline void classes_free(classes *c)
{
    tm_dataset_unref(c->data);
    problem_free(&c->q);
}

static inline tm_solution classes_solve(const classes *c, const char *method, const char *words,
                                        const tm_monitor *monitor)
{
    tm_error err = TM_ERROR_INIT;
    tm_solution solution = TM_SOLUTION_INIT;
    tm_solver *solver = NULL;
    tm_params *params = method_params(method, words);
    tm_status status =
        tm_solver_new(&solver, tm_method_find(method, NULL), c->data, params, monitor, &err);
    if (status == TM_OK)
        status = tm_solver_update(solver, params, &err);
    if (status == TM_OK)
        status = tm_solver_solve(solver, &solution, &err);
    if (status != TM_OK)
        fail_msg("seed %llu, %s: %s", (unsigned long long)c->q.seed, words, err.message);
    tm_solver_free(solver);
    tm_params_free(params);
    return solution;
}

static inline tm_certificate classes_certify_as(const classes *c, const char *name,
                                                multi_problem asked, const tm_model *model,
                                                const multi_witness *witness)
{
    tm_certificate out = {0};
    tm_error err = TM_ERROR_INIT;
    double *w = calloc(c->q.p, sizeof *w);
    assert_non_null(w);
    for (size_t k = 0; model && k < tm_model_nnz(model); k++)
        w[tm_model_features(model)[k]] = tm_model_weights(model)[k];
    if (measure_find(&asked.measure, name, &err) != TM_OK ||
        certificate_multi(&out, c->data, &asked, w, witness, NULL, &err) != TM_OK)
        fail_msg("%s", err.message);
    free(w);
    return out;
}

/* The certificate of a model's weights, or of none. */
static inline tm_certificate classes_certify(const classes *c, const char *name, size_t B, double C,
                                             const tm_model *model, const multi_witness *witness)
{
    return classes_certify_as(c, name, (multi_problem){.B = B, .C = C}, model, witness);
}

/* |w|_1 + C R(w) of a model. */
static inline double classes_l1_objective(const classes *c, const char *name, double C,
                                          const tm_model *model)
{
    const multi_witness nothing = {0};
    return classes_certify_as(c, name, (multi_problem){.B = 1, .C = C, .l1 = true}, model, &nothing)
        .primal;
}

static const char *const measures[] = {"hamming", "f1",      "prec@3",  "rec@2p",
                                       "prbep",   "rocarea", "fbeta@2", "ap"};
enum { MEASURES = sizeof measures / sizeof measures[0] };

/* Solves for every measure: each run converges, its lower bound is below its objective at every
 * solution, and, where `best` is not infinite, its own objective is not above that at another's by
 * more than `best` times the objective of the null model. */
static inline void own_measure_is_best(const classes *c, const char *method, double C, double best,
                                       double (*objective)(const classes *c, const char *measure,
                                                           double C, const tm_model *model))
{
    tm_solution s[MEASURES];
    for (size_t m = 0; m < MEASURES; m++) {
        char words[80];
        snprintf(words, sizeof words, "measure=%s tol=1e-6 C=%.17g", measures[m], C);
        s[m] = classes_solve(c, method, words, NULL);
        if (s[m].outcome != TM_CONVERGED)
            fail_msg("seed %llu (%s), %s: gap %g of %g", (unsigned long long)c->q.seed, c->q.kind,
                     words, s[m].gap, s[m].null_objective);
        assert_true(s[m].gap >= -1e-9 * s[m].null_objective);
    }
    for (size_t m = 0; m < MEASURES; m++)
        for (size_t other = 0; other < MEASURES; other++) {
            double value = objective(c, measures[m], C, s[other].model);
            double scale = s[m].null_objective;
            double most = scale > 0 ? value + best * scale : INFINITY;
            if (!(s[m].dual <= value + 1e-9 * scale) || !(s[m].primal <= most))
                fail_msg("seed %llu: %s is %.12g, at the solution of %s %.12g",
                         (unsigned long long)c->q.seed, measures[m], s[m].primal, measures[other],
                         value);
        }
    for (size_t m = 0; m < MEASURES; m++)
        tm_solution_clear(&s[m]);
}

#endif
