/* The Gram cache against sums written out, however features come in: sparse ones by rows, nearly
 * constant ones, dense ones, with and without an intercept and sample weights. */
#include "tests/core_check.h"

#include "base/threads/team.h"
#include "solve/gram/gram.h"
#include "solve/l1/core/state.h"

enum { N = 90, P = 60 };

static double x[N * P]; /* column-major */

typedef enum problem_kind { SPARSE, SPARSE_OFFSET, DENSE } problem_kind;

/* One column in ten is large and nearly constant where there is an offset. */
static tm_dataset *data_of(problem_kind kind, bool weighted, tm_rng *rng)
{
    for (size_t j = 0; j < P; j++)
        for (size_t i = 0; i < N; i++) {
            bool offset = kind == SPARSE_OFFSET && j % 10 == 7;
            bool held = offset || kind == DENSE || tm_rng_uniform(rng) < 0.2;
            x[j * N + i] = held ? tm_rng_normal(rng) + (offset ? 1e4 : 0.5) : 0;
        }
    tm_dataset_parts parts = {.name = "gram",
                              .x = kind == DENSE ? dense_of(N, P, x) : csc_of(N, P, x)};
    parts.response.y = malloc(N * sizeof *parts.response.y);
    parts.rows.weights = weighted ? malloc(N * sizeof *parts.rows.weights) : NULL;
    for (size_t i = 0; i < N; i++) {
        parts.response.y[i] = tm_rng_normal(rng);
        if (weighted)
            parts.rows.weights[i] = i % 11 == 0 ? 0 : 0.1 + tm_rng_uniform(rng);
    }
    tm_dataset *data;
    assert_int_equal(tm_dataset_new(&data, &parts, NULL), TM_OK);
    return data;
}

/* The product of centred columns, in long double. */
static double product_of(const double *weights, bool centred, size_t a, size_t b, double *size)
{
    long double total = 0, mean_a = 0, mean_b = 0, sum = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < N; i++) {
        long double s = weights ? weights[i] : 1;
        total += s;
        mean_a += s * x[a * N + i];
        mean_b += s * x[b * N + i];
    }
    mean_a = centred ? mean_a / total : 0;
    mean_b = centred ? mean_b / total : 0;
    for (size_t i = 0; i < N; i++) {
        long double s = weights ? weights[i] : 1;
        long double u = x[a * N + i] - mean_a, v = x[b * N + i] - mean_b;
        sum += s * u * v;
        aa += s * u * u;
        bb += s * v * v;
    }
    *size = (double)sqrtl(aa * bb);
    return (double)sum;
}

static void check(const gram *cache, const double *weights, bool centred)
{
    for (size_t a = 0; a < cache->count; a++) {
        const double *column = gram_column(cache, a);
        assert_int_equal(gram_place(cache, cache->features[a]), a);
        for (size_t b = 0; b < cache->count; b++) {
            double size,
                sum = product_of(weights, centred, cache->features[a], cache->features[b], &size);
            assert_true(fabs(column[b] - sum) <= 1e-11 * size);
        }
    }
}

static void walk(problem_kind kind, bool intercept, bool weighted, tm_rng *rng)
{
    tm_dataset *data = data_of(kind, weighted, rng);
    l1_terms terms = L1_TERMS_INIT;
    terms.intercept = intercept;
    l1_state *s;
    solve_progress progress;
    progress_begin(&progress, NULL);
    assert_int_equal(l1_state_new(&s, data, loss_find("squared", NULL), &terms, &progress, NULL),
                     TM_OK);
    gram *cache;
    const l1_problem *q = &s->problem;
    gram_source from = {q->x, &q->of, q->means, q->lengths, q->squares, q->n, q->p, q->intercept};
    assert_int_equal(gram_new(&cache, &from, NULL), TM_OK);
    for (int round = 0; round < 2; round++) {
        size_t set[P], counts[] = {1, 2, 2, 5, 6, 20, 21, 45, P};
        for (size_t k = 0; k < P; k++)
            set[k] = (k * 17 + (size_t)round) % P;
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            assert_int_equal(gram_add(cache, set, counts[k], &progress, NULL), TM_OK);
            assert_int_equal(cache->count, counts[k]);
            check(cache, tm_dataset_weights(data), intercept);
        }
        gram_clear(cache);
    }
    gram_free(cache);
    l1_state_free(s);
    l1_terms_clear(&terms);
    tm_dataset_unref(data);
}

static void products_are_sums(void **state)
{
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 3);
    for (problem_kind kind = SPARSE; kind <= DENSE; kind++)
        for (int k = 0; k < 4; k++)
            walk(kind, k % 2, k / 2, &rng);
}

/* The products of all features, added in two calls with columns long enough for threads to share
 * the second; the caller frees them. */
static double *products_by(tm_matrix *matrix, thread_team *team, uint64_t *columns)
{
    size_t n = tm_matrix_rows(matrix), p = tm_matrix_cols(matrix), set[64];
    samples of = {.n = n, .total = (double)n};
    double *squares = malloc(p * sizeof *squares), *out = malloc(p * p * sizeof *out);
    gram *cache;
    solve_progress progress;
    progress_begin(&progress, NULL);
    progress.team = team;
    assert_true(p <= 64 && squares && out);
    for (size_t j = 0; j < p; j++) {
        squares[j] = 1;
        set[j] = j;
    }
    gram_source from = {matrix, &of, NULL, NULL, squares, n, p, false};
    assert_int_equal(gram_new(&cache, &from, NULL), TM_OK);
    assert_int_equal(gram_add(cache, set, p - 20, &progress, NULL), TM_OK);
    assert_int_equal(gram_add(cache, set, p, &progress, NULL), TM_OK);
    for (size_t k = 0; k < p; k++)
        memcpy(out + k * p, gram_column(cache, k), p * sizeof *out);
    gram_free(cache);
    free(squares);
    *columns = progress.columns;
    return out;
}

static void threads_change_no_bit(void **state)
{
    enum { LONG = 4100, WIDE = 60 };
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 4);
    for (int single = 0; single < 2; single++) {
        float *narrow = malloc(LONG * WIDE * sizeof *narrow);
        double *wide = malloc(LONG * WIDE * sizeof *wide);
        assert_true(narrow && wide);
        for (size_t k = 0; k < LONG * WIDE; k++)
            narrow[k] = (float)(wide[k] = tm_rng_normal(&rng));
        tm_matrix *matrix;
        tm_error err = TM_ERROR_INIT;
        must(single ? tm_matrix_new_dense_float(&matrix, LONG, WIDE, narrow, &err)
                    : tm_matrix_new_dense(&matrix, LONG, WIDE, wide, &err),
             &err);
        single ? free(wide) : free(narrow);
        thread_team *team = team_new(3);
        assert_non_null(team);
        uint64_t columns, columns_shared;
        double *alone = products_by(matrix, NULL, &columns);
        double *shared = products_by(matrix, team, &columns_shared);
        assert_memory_equal(alone, shared, WIDE * WIDE * sizeof *alone);
        assert_int_equal(columns, WIDE * (WIDE - 1) / 2);
        assert_int_equal(columns_shared, columns);
        free(alone);
        free(shared);
        team_free(team);
        tm_matrix_unref(matrix);
    }
}

RUN_TESTS(products_are_sums, threads_change_no_bit)
