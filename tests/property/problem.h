/* Random lasso problems of many kinds, and a slow reference solver that shares nothing with the
 * library: explicit centred columns in long double, plain coordinate descent until nothing moves.
 */
#ifndef TESTS_PROBLEM_H
#define TESTS_PROBLEM_H

#include "tests/check.h"

#include "tamis/tamis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct problem {
    uint64_t seed;
    const char *kind;
    size_t n, p;
    bool sparse;
    double *x; /* n x p, column-major */
    double *y;
} problem;

static const char *const problem_kinds[] = {"tall",       "wide",      "correlated",
                                            "duplicated", "badscaled", "offset"};
enum { PROBLEM_KINDS = 6 };

static inline double *problem_column(const problem *q, size_t j)
{
    return q->x + j * q->n;
}

static inline void problem_fill(problem *q, tm_rng *rng)
{
    bool correlated = strcmp(q->kind, "correlated") == 0;
    for (size_t j = 0; j < q->p; j++)
        for (size_t i = 0; i < q->n; i++) {
            double before = correlated && j > 0 ? 0.9 * problem_column(q, j - 1)[i] : 0;
            bool zero = q->sparse && tm_rng_uniform(rng) < 0.8;
            problem_column(q, j)[i] = zero ? 0 : before + tm_rng_normal(rng);
        }
    for (size_t j = 0; j < q->p; j++) {
        double *column = problem_column(q, j);
        if (strcmp(q->kind, "duplicated") == 0 && j % 3 == 1)
            for (size_t i = 0; i < q->n; i++)
                column[i] = (j % 2 ? -1 : 1) * problem_column(q, j - 1)[i];
        double scale = strcmp(q->kind, "badscaled") == 0 ? pow(10, tm_rng_range(rng, -3, 3)) : 1;
        double offset = strcmp(q->kind, "offset") == 0 ? tm_rng_range(rng, -50, 50) : 0;
        for (size_t i = 0; i < q->n; i++)
            column[i] = column[i] * scale + (q->sparse && column[i] == 0 ? 0 : offset);
    }
}

/* A problem of this kind: its size and storage follow from the seed. */
static inline problem problem_of(const char *kind, uint64_t seed)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    problem q = {.seed = seed, .kind = kind};
    bool tall = strcmp(q.kind, "tall") == 0;
    q.n = tall ? 30 + tm_rng_below(&rng, 20) : 8 + tm_rng_below(&rng, 12);
    q.p = tall ? 3 + tm_rng_below(&rng, 10) : 30 + tm_rng_below(&rng, 60);
    q.sparse = tm_rng_below(&rng, 2) == 1;
    q.x = calloc(q.n * q.p, sizeof *q.x);
    q.y = calloc(q.n, sizeof *q.y);
    problem_fill(&q, &rng);
    for (size_t i = 0; i < q.n; i++) {
        q.y[i] = tm_rng_normal(&rng) + 3;
        for (size_t j = 0; j < 3; j++)
            q.y[i] += problem_column(&q, j * (q.p - 1) / 2)[i];
    }
    return q;
}

/* Problem number `seed`, which gives its kind, too. */
static inline problem problem_new(uint64_t seed)
{
    problem q = problem_of(problem_kinds[seed % PROBLEM_KINDS], check_seed(seed));
    q.seed = seed;
    return q;
}

static inline void problem_free(problem *q)
{
    free(q->x);
    free(q->y);
}

/* Of a problem and its data set. */
static inline void problem_end(problem *q, tm_dataset *data)
{
    tm_dataset_unref(data);
    problem_free(q);
}

static inline tm_matrix *problem_matrix(const problem *q)
{
    tm_matrix *matrix = NULL;
    if (!q->sparse) {
        double *values = malloc(q->n * q->p * sizeof *values);
        memcpy(values, q->x, q->n * q->p * sizeof *values);
        assert_int_equal(tm_matrix_new_dense(&matrix, q->n, q->p, values, NULL), TM_OK);
        return matrix;
    }
    uint64_t *starts = malloc((q->p + 1) * sizeof *starts);
    uint32_t *rows = malloc(q->n * q->p * sizeof *rows);
    double *values = malloc(q->n * q->p * sizeof *values);
    uint64_t at = 0;
    for (size_t j = 0; j < q->p; j++) {
        starts[j] = at;
        for (size_t i = 0; i < q->n; i++)
            if (problem_column(q, j)[i] != 0) {
                rows[at] = (uint32_t)i;
                values[at++] = problem_column(q, j)[i];
            }
    }
    starts[q->p] = at;
    assert_int_equal(tm_matrix_new_csc(&matrix, q->n, q->p, starts, rows, values, NULL), TM_OK);
    return matrix;
}

static inline tm_dataset *problem_dataset_of(const problem *q, bool numeric)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    double *y = malloc(q->n * sizeof *y);
    memcpy(y, q->y, q->n * sizeof *y);
    tm_dataset_parts parts = {
        .name = q->kind, .x = problem_matrix(q), .response.y = y, .response.numeric = numeric};
    if (tm_dataset_new(&data, &parts, &err) != TM_OK)
        fail_msg("problem %llu: %s", (unsigned long long)q->seed, err.message);
    return data;
}

static inline tm_dataset *problem_dataset(const problem *q)
{
    return problem_dataset_of(q, true);
}

/* Makes y the two classes -1 and +1, both of them, by its order; the classes overlap. */
static inline void problem_make_binary(problem *q)
{
    double mean = 0;
    for (size_t i = 0; i < q->n; i++)
        mean += q->y[i] / (double)q->n;
    for (size_t i = 0; i < q->n; i++)
        q->y[i] = q->y[i] > mean ? 1 : -1;
    q->y[0] = 1;
    q->y[1] = -1;
}

/* Row i given the weight (i + k) mod 3, the first two 1, so that both classes stay; the same by
 * rows that are there so many times; both with offsets. */
typedef struct repeated_rows {
    tm_dataset *weighted, *repeated, *offset; /* `repeated` has no offsets yet */
} repeated_rows;

static inline repeated_rows repeated_rows_new(const problem *q, const tm_dataset *data, uint64_t k)
{
    repeated_rows out;
    tm_error err = TM_ERROR_INIT;
    double weights[64], shifts[64], twice[128];
    size_t rows[128], count = 0;
    for (size_t i = 0; i < q->n; i++) {
        size_t times = i < 2 ? 1 : (i + k) % 3;
        weights[i] = (double)times;
        shifts[i] = 0.3 * (double)(i % 4);
        for (size_t t = 0; t < times; t++) {
            twice[count] = shifts[i];
            rows[count++] = i;
        }
    }
    assert_int_equal(tm_dataset_weigh(&out.weighted, data, weights, shifts, &err), TM_OK);
    assert_int_equal(tm_dataset_select_rows(&out.repeated, data, rows, count, "r", &err), TM_OK);
    assert_int_equal(tm_dataset_weigh(&out.offset, out.repeated, NULL, twice, &err), TM_OK);
    return out;
}

static inline void repeated_rows_free(repeated_rows *r)
{
    tm_dataset_unref(r->weighted);
    tm_dataset_unref(r->repeated);
    tm_dataset_unref(r->offset);
}

/* ---- the reference ------------------------------------------------------------------------- */

typedef struct reference {
    size_t n, p;
    long double *x, *y;   /* centred when there is an intercept */
    long double *factors; /* p */
    long double *squares; /* p: |x_j|^2 */
    long double lambda_max;
    long double *w, *r;
} reference;

static inline long double ref_dot(const long double *a, const long double *b, size_t n)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline void ref_centre(long double *v, size_t n)
{
    long double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += v[i] / (long double)n;
    for (size_t i = 0; i < n; i++)
        v[i] -= mean;
}

/* The columns, centred or not; the caller frees them. `more` columns behind them are zero. */
static inline long double *ref_columns(const problem *q, bool centred, size_t more)
{
    long double *x = calloc(q->n * (q->p + more), sizeof *x);
    assert_non_null(x);
    for (size_t j = 0; j < q->p; j++) {
        for (size_t i = 0; i < q->n; i++)
            x[j * q->n + i] = problem_column(q, j)[i];
        if (centred)
            ref_centre(x + j * q->n, q->n);
    }
    return x;
}

static inline reference reference_new(const problem *q, bool intercept, bool standardize)
{
    reference ref = {.n = q->n, .p = q->p};
    ref.x = ref_columns(q, intercept, 0);
    ref.y = calloc(q->n, sizeof *ref.y);
    ref.factors = calloc(q->p, sizeof *ref.factors);
    ref.squares = calloc(q->p, sizeof *ref.squares);
    ref.w = calloc(q->p, sizeof *ref.w);
    ref.r = calloc(q->n, sizeof *ref.r);
    for (size_t i = 0; i < q->n; i++)
        ref.y[i] = q->y[i];
    if (intercept)
        ref_centre(ref.y, q->n);
    for (size_t j = 0; j < q->p; j++) {
        const long double *column = ref.x + j * q->n;
        ref.squares[j] = ref_dot(column, column, q->n);
        ref.factors[j] =
            standardize && ref.squares[j] > 0 ? sqrtl(ref.squares[j] / (long double)q->n) : 1;
        long double score = fabsl(ref_dot(column, ref.y, q->n)) / ref.factors[j];
        ref.lambda_max = fmaxl(ref.lambda_max, score);
    }
    return ref;
}

static inline void reference_free(reference *ref)
{
    free(ref->x);
    free(ref->y);
    free(ref->factors);
    free(ref->squares);
    free(ref->w);
    free(ref->r);
}

/* Returns the optimal value, as far as long double and many sweeps reach. */
static inline long double reference_solve(reference *ref, long double lambda)
{
    memset(ref->w, 0, ref->p * sizeof *ref->w);
    memcpy(ref->r, ref->y, ref->n * sizeof *ref->r);
    for (int sweep = 0; sweep < 200000; sweep++) {
        long double greatest = 0;
        for (size_t j = 0; j < ref->p; j++) {
            const long double *column = ref->x + j * ref->n;
            if (ref->squares[j] == 0)
                continue;
            long double target = ref->w[j] + ref_dot(column, ref->r, ref->n) / ref->squares[j];
            long double most = lambda * ref->factors[j] / ref->squares[j];
            long double next = target > most ? target - most : target < -most ? target + most : 0;
            long double d = next - ref->w[j];
            ref->w[j] = next;
            for (size_t i = 0; i < ref->n; i++)
                ref->r[i] -= d * column[i];
            greatest = fmaxl(greatest, fabsl(d) * sqrtl(ref->squares[j]));
        }
        if (greatest < 1e-15L * sqrtl(ref_dot(ref->y, ref->y, ref->n)))
            break;
    }
    long double value = ref_dot(ref->r, ref->r, ref->n) / 2;
    for (size_t j = 0; j < ref->p; j++)
        value += lambda * ref->factors[j] * fabsl(ref->w[j]);
    return value;
}

/* ---- solving with the library -------------------------------------------------------------- */

/* "name=value name=value ..." over the method's defaults. */
static inline tm_params *method_params(const char *method, const char *words)
{
    tm_error err = TM_ERROR_INIT;
    tm_params *params = NULL;
    char text[1000];
    snprintf(text, sizeof text, "%s", words);
    assert_int_equal(tm_method_params_new(&params, tm_method_find(method, NULL), &err), TM_OK);
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        if (tm_params_set_text(params, word, value, &err) != TM_OK)
            fail_msg("%s", err.message);
    }
    return params;
}

static inline tm_params *lasso_params(const char *words)
{
    return method_params("lasso", words);
}

/* One solve, at `lambda` unless it is NAN; the solution is the caller's to clear. */
static inline tm_solution method_solve(const char *method, const tm_dataset *data,
                                       const char *words, double lambda)
{
    tm_error err = TM_ERROR_INIT;
    tm_solution solution = TM_SOLUTION_INIT;
    tm_solver *solver = NULL;
    tm_params *params = method_params(method, words);
    tm_status status = isnan(lambda) ? TM_OK : tm_params_set_real(params, "lambda", lambda, &err);
    if (status == TM_OK)
        status = tm_solver_new(&solver, tm_method_find(method, NULL), data, params, NULL, &err);
    if (status == TM_OK)
        status = tm_solver_update(solver, params, &err);
    if (status == TM_OK)
        status = tm_solver_solve(solver, &solution, &err);
    if (status != TM_OK)
        fail_msg("%s: %s", words, err.message);
    tm_solver_free(solver);
    tm_params_free(params);
    return solution;
}

static inline tm_solution lasso_solve(const tm_dataset *data, const char *words, double lambda)
{
    return method_solve("lasso", data, words, lambda);
}

/* False when what has no penalty separates two classes. */
static inline bool genlasso_has_optimum(const tm_dataset *data, const char *words)
{
    tm_error err = TM_ERROR_INIT;
    tm_solver *solver = NULL;
    tm_params *params = method_params("genlasso", words);
    tm_status status =
        tm_solver_new(&solver, tm_method_find("genlasso", NULL), data, params, NULL, &err);
    tm_solver_free(solver);
    tm_params_free(params);
    assert_true(status == TM_OK || strstr(err.message, "separate"));
    return status == TM_OK;
}

#endif
