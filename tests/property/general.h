/* General l1 problems (weights, offsets, factors, limits, elastic net) on random data, and a
 * reference that shares nothing with the library: coordinate descent on a quadratic bound of the
 * loss, on explicit columns, until nothing moves. */
#ifndef TESTS_GENERAL_H
#define TESTS_GENERAL_H

#include "problem.h"

typedef struct general {
    const problem *q;
    const char *method; /* lasso, l1logistic, l1svm */
    bool intercept, standardize;
    double alpha;
    double *weights, *offset;        /* n, or NULL */
    double *factors, *lower, *upper; /* p, or NULL */
} general;

static inline double general_weight(const general *g, size_t i)
{
    return g->weights ? g->weights[i] : 1;
}

static inline double general_lower(const general *g, size_t j)
{
    return g->lower ? g->lower[j] : -INFINITY;
}

static inline double general_upper(const general *g, size_t j)
{
    return g->upper ? g->upper[j] : INFINITY;
}

static inline double general_factor(const general *g, size_t j)
{
    return g->factors ? g->factors[j] : 1;
}

/* The standard deviation that penalties are scaled by, or 1. */
static inline double general_scale(const general *g, size_t j)
{
    const double *x = problem_column(g->q, j);
    double total = 0, mean = 0, squares = 0;
    if (!g->standardize)
        return 1;
    for (size_t i = 0; i < g->q->n; i++) {
        total += general_weight(g, i);
        mean += general_weight(g, i) * x[i];
    }
    mean = g->intercept ? mean / total : 0;
    for (size_t i = 0; i < g->q->n; i++)
        squares += general_weight(g, i) * (x[i] - mean) * (x[i] - mean);
    return squares > 1e-20 ? sqrt(squares / total) : 1;
}

static inline double general_loss(const general *g, double y, double z)
{
    if (strcmp(g->method, "lasso") == 0)
        return (y - z) * (y - z) / 2;
    if (strcmp(g->method, "l1svm") == 0)
        return fmax(1 - y * z, 0) * fmax(1 - y * z, 0) / 2;
    return y * z > 0 ? log1p(exp(-y * z)) : log1p(exp(y * z)) - y * z;
}

static inline double general_slope(const general *g, double y, double z)
{
    if (strcmp(g->method, "lasso") == 0)
        return z - y;
    if (strcmp(g->method, "l1svm") == 0)
        return -y * fmax(1 - y * z, 0);
    return -y / (1 + exp(y * z));
}

static inline double general_objective(const general *g, double lambda, const double *w, double b)
{
    double sum = 0;
    for (size_t i = 0; i < g->q->n; i++) {
        double z = b + (g->offset ? g->offset[i] : 0);
        for (size_t j = 0; j < g->q->p; j++)
            z += w[j] * problem_column(g->q, j)[i];
        sum += general_weight(g, i) * general_loss(g, g->q->y[i], z);
    }
    for (size_t j = 0; j < g->q->p; j++) {
        double scale = general_scale(g, j);
        if (w[j] != 0)
            sum +=
                lambda * general_factor(g, j) *
                (g->alpha * scale * fabs(w[j]) + (1 - g->alpha) * scale * scale * w[j] * w[j] / 2);
    }
    return sum;
}

/* ---- the reference ------------------------------------------------------------------------- */

typedef struct descent {
    const general *g;
    double lambda;
    double *x;       /* n x p, centred by the weights with an intercept */
    double *squares; /* p: sum s_i x_ij^2 */
    double *scale;   /* p */
    double *z, *w;
    double total, b;
} descent;

static inline void descent_free(descent *d)
{
    free(d->x);
    free(d->squares);
    free(d->scale);
    free(d->z);
    free(d->w);
}

static inline descent descent_new(const general *g, double lambda)
{
    size_t n = g->q->n, p = g->q->p;
    descent d = {.g = g, .lambda = lambda};
    d.x = malloc(n * p * sizeof *d.x);
    d.squares = calloc(p, sizeof *d.squares);
    d.scale = calloc(p, sizeof *d.scale);
    d.z = calloc(n, sizeof *d.z);
    d.w = calloc(p, sizeof *d.w);
    for (size_t i = 0; i < n; i++) {
        d.total += general_weight(g, i);
        d.z[i] = g->offset ? g->offset[i] : 0;
    }
    for (size_t j = 0; j < p; j++) {
        double mean = 0;
        for (size_t i = 0; g->intercept && i < n; i++)
            mean += general_weight(g, i) * problem_column(g->q, j)[i] / d.total;
        for (size_t i = 0; i < n; i++) {
            double value = problem_column(g->q, j)[i] - mean;
            d.x[i + j * n] = fabs(value) < 1e-13 * fabs(mean) ? 0 : value;
            d.squares[j] += general_weight(g, i) * value * value;
        }
        d.scale[j] = general_scale(g, j);
    }
    return d;
}

/* One coordinate on the quadratic bound; returns how far the predictions moved. */
static inline double descent_step(descent *d, size_t j)
{
    const general *g = d->g;
    size_t n = g->q->n;
    double bound = strcmp(g->method, "l1logistic") == 0 ? 0.25 : 1, slope = 0;
    double factor = general_factor(g, j), square = bound * d->squares[j];
    if (isinf(factor) || d->squares[j] < 1e-20)
        return 0;
    const double *x = d->x + j * n;
    for (size_t i = 0; i < n; i++)
        slope += general_weight(g, i) * x[i] * general_slope(g, g->q->y[i], d->z[i]);
    double most = d->lambda * g->alpha * factor * d->scale[j];
    double ridge = d->lambda * (1 - g->alpha) * factor * d->scale[j] * d->scale[j];
    double target = square * d->w[j] - slope;
    double next = (target > most    ? target - most
                   : target < -most ? target + most
                                    : 0) /
                  (square + ridge);
    next = fmin(fmax(next, general_lower(g, j)), general_upper(g, j));
    double move = next - d->w[j];
    d->w[j] = next;
    for (size_t i = 0; i < n; i++)
        d->z[i] += move * x[i];
    return fabs(move) * sqrt(d->squares[j]);
}

static inline double descent_shift(descent *d)
{
    const general *g = d->g;
    double slope = 0, bound = strcmp(g->method, "l1logistic") == 0 ? 0.25 : 1;
    for (size_t i = 0; i < g->q->n; i++)
        slope += general_weight(g, i) * general_slope(g, g->q->y[i], d->z[i]);
    double move = -slope / (bound * d->total);
    d->b += move;
    for (size_t i = 0; i < g->q->n; i++)
        d->z[i] += move;
    return fabs(move) * sqrt(d->total);
}

/* The objective where it came to rest, in `sweeps` sweeps at most. */
static inline double descent_run(descent *d, int sweeps)
{
    for (int sweep = 0; sweep < sweeps; sweep++) {
        double greatest = 0;
        for (size_t j = 0; j < d->g->q->p; j++)
            greatest = fmax(greatest, descent_step(d, j));
        if (d->g->intercept)
            greatest = fmax(greatest, descent_shift(d));
        if (greatest < 1e-13)
            break;
    }
    double b = d->b;
    for (size_t j = 0; j < d->g->q->p; j++)
        b += d->w[j] != 0 ? d->w[j] * (d->x[j * d->g->q->n] - problem_column(d->g->q, j)[0]) : 0;
    return general_objective(d->g, d->lambda, d->w, b);
}

/* ---- solving with the library -------------------------------------------------------------- */

static inline tm_dataset *general_dataset(const general *g)
{
    tm_dataset *plain = problem_dataset_of(g->q, strcmp(g->method, "lasso") == 0), *data;
    tm_error err = TM_ERROR_INIT;
    if (tm_dataset_weigh(&data, plain, g->weights, g->offset, &err) != TM_OK)
        fail_msg("%s", err.message);
    tm_dataset_unref(plain);
    return data;
}

static inline void general_vector(tm_params *params, const char *name, double *values, size_t p)
{
    tm_error err = TM_ERROR_INIT;
    tm_vector vector = {p, values, NULL};
    if (values && tm_params_set_vector(params, name, &vector, &err) != TM_OK)
        fail_msg("%s", err.message);
}

static inline tm_params *general_params(const general *g, const char *words)
{
    tm_params *params = method_params(g->method, words);
    tm_params_set_bool(params, "intercept", g->intercept, NULL);
    tm_params_set_bool(params, "standardize", g->standardize, NULL);
    tm_params_set_real(params, "alpha", g->alpha, NULL);
    general_vector(params, "factors", g->factors, g->q->p);
    general_vector(params, "lower", g->lower, g->q->p);
    general_vector(params, "upper", g->upper, g->q->p);
    return params;
}

/* One solve at lambda; `params` is freed. */
static inline tm_status solve_once(const char *method, tm_params *params, const tm_dataset *data,
                                   double lambda, tm_solution *solution, tm_error *err)
{
    tm_solver *solver = NULL;
    *solution = (tm_solution)TM_SOLUTION_INIT;
    tm_status status = tm_params_set_real(params, "lambda", lambda, err);
    if (status == TM_OK)
        status = tm_solver_new(&solver, tm_method_find(method, NULL), data, params, NULL, err);
    if (status == TM_OK)
        status = tm_solver_update(solver, params, err);
    if (status == TM_OK)
        status = tm_solver_solve(solver, solution, err);
    tm_solver_free(solver);
    tm_params_free(params);
    return status;
}

static inline tm_status general_try(const general *g, const tm_dataset *data, const char *words,
                                    double lambda, tm_solution *solution, tm_error *err)
{
    return solve_once(g->method, general_params(g, words), data, lambda, solution, err);
}

static inline tm_solution general_solve(const general *g, const tm_dataset *data, const char *words,
                                        double lambda)
{
    tm_solution solution;
    tm_error err = TM_ERROR_INIT;
    if (general_try(g, data, words, lambda, &solution, &err) != TM_OK)
        fail_msg("%s: %s", words, err.message);
    return solution;
}

/* What a path shows, point by point; each must converge. */
typedef struct seen_path {
    size_t count;
    double lambda[40], primal[40], weight[40]; /* weight: of the first feature */
    double worst;                              /* greatest relative gap */
} seen_path;

static inline tm_status see_point(tm_solution *s, size_t k, void *payload, tm_error *err)
{
    seen_path *seen = payload;
    (void)err;
    assert_true(k == seen->count && k < 40 && s->outcome == TM_CONVERGED);
    seen->worst = fmax(seen->worst, s->gap / s->null_objective);
    seen->lambda[k] = s->lambda;
    seen->primal[k] = s->primal;
    seen->weight[k] = tm_model_weight(s->model, 0);
    seen->count++;
    tm_solution_clear(s);
    return TM_OK;
}

#endif
