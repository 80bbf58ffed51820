/* The Gram cache against sums written out, however features come in: sparse ones by rows, nearly constant ones, dense
 * ones, with and without an intercept and sample weights. And the loops that look at many values at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/nonzero.h"
#include "data/lanes.h"
#include "model/penalty.h"
#include "model/residual.h"
#include "solve/gram.h"
#include "tamis/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 90, P = 60 };

static double x[N * P]; /* column-major */

typedef enum problem_kind { SPARSE, SPARSE_OFFSET, DENSE } problem_kind;

static tm_matrix *matrix_of(bool sparse)
{
    tm_matrix *matrix;
    double *values = malloc(sizeof x);
    if (!sparse) {
        memcpy(values, x, sizeof x);
        assert_int_equal(tm_matrix_new_dense(&matrix, N, P, values, NULL), TM_OK);
        return matrix;
    }
    uint64_t *starts = malloc((P + 1) * sizeof *starts), at = 0;
    uint32_t *rows = malloc(N * P * sizeof *rows);
    for (size_t j = 0; j < P; j++) {
        starts[j] = at;
        for (size_t i = 0; i < N; i++) {
            if (x[j * N + i] == 0)
                continue;
            rows[at] = (uint32_t)i;
            values[at++] = x[j * N + i];
        }
    }
    starts[P] = at;
    assert_int_equal(tm_matrix_new_csc(&matrix, N, P, starts, rows, values, NULL), TM_OK);
    return matrix;
}

/* One column in ten is large and nearly constant where there is an offset. */
static tm_dataset *data_of(problem_kind kind, bool weighted, tm_rng *rng)
{
    for (size_t j = 0; j < P; j++)
        for (size_t i = 0; i < N; i++) {
            bool offset = kind == SPARSE_OFFSET && j % 10 == 7;
            bool held = offset || kind == DENSE || tm_rng_uniform(rng) < 0.2;
            x[j * N + i] = held ? tm_rng_normal(rng) + (offset ? 1e4 : 0.5) : 0;
        }
    tm_dataset_parts parts = {.name = "gram", .x = matrix_of(kind != DENSE)};
    parts.y = malloc(N * sizeof *parts.y);
    parts.weights = weighted ? malloc(N * sizeof *parts.weights) : NULL;
    for (size_t i = 0; i < N; i++) {
        parts.y[i] = tm_rng_normal(rng);
        if (weighted)
            parts.weights[i] = i % 11 == 0 ? 0 : 0.1 + tm_rng_uniform(rng);
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
        assert_int_equal(cache->places[cache->features[a]], a);
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
    assert_int_equal(gram_new(&cache, s, NULL), TM_OK);
    for (int round = 0; round < 2; round++) {
        size_t set[P], counts[] = {1, 2, 2, 5, 6, 20, 21, 45, P};
        for (size_t k = 0; k < P; k++)
            set[k] = (k * 17 + (size_t)round) % P;
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            assert_int_equal(gram_add(cache, s, set, counts[k], &progress, NULL), TM_OK);
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

/* Every place of every value that is not zero, NaN and infinities included, and -0 is zero. */
static void nonzero_values_are_found(void **state)
{
    enum { COUNT = 100 };
    static const double odd[] = {1, -1e-320, NAN, INFINITY, -INFINITY, 0x1p-1074};
    (void)state;
    for (size_t at = 0; at < COUNT; at++)
        for (size_t from = 0; from < COUNT; from += 3) {
            double v[COUNT] = {0};
            v[at] = odd[at % 6];
            v[(at + 50) % COUNT] = -0.0;
            assert_int_equal(next_nonzero(v, from, COUNT), at >= from ? at : COUNT);
        }
}

static void lanes_are_compared(void **state)
{
    static const double values[] = {0, -0.0, 1, -1, 1.5, -1.5, NAN, INFINITY};
    static const double limits[] = {1, 1.5, INFINITY, 0x1p-1074};
    (void)state;
    for (size_t l = 0; l < 4; l++)
        for (size_t k = 0; k < 8; k++)
            for (int lane = 0; lane < LANES; lane++) {
                lanes value = {0}, limit = {0};
                limit += limits[l];
                value[lane] = values[k];
                lane_bits room;
                lanes_below(&room, &value, &limit);
                assert_int_equal(lanes_any_negative(&room), !(fabs(values[k]) < limits[l]));
            }
}

static void free_features_are_counted(void **state)
{
    enum { COUNT = 37 };
    (void)state;
    for (size_t at = 0; at < COUNT; at++)
        for (int sign = 0; sign < 2; sign++) {
            double factors[COUNT];
            for (size_t j = 0; j < COUNT; j++)
                factors[j] = j % 5 == 1 ? INFINITY : 1e-3;
            feature_penalty q = {.lambda = 2, .factors = factors};
            assert_int_equal(penalty_count_free(&q, COUNT), 0);
            factors[at] = sign ? -0.0 : 0;
            assert_int_equal(penalty_count_free(&q, COUNT), 1);
            q.lambda = 1e-322; /* thresholds vanish by underflow */
            assert_int_equal(penalty_count_free(&q, COUNT), at % 5 == 1 ? COUNT - 7 : COUNT - 8);
        }
}

/* Terms of sizes up to 2^50, each with its opposite somewhere else: what rounding takes meanwhile is kept. */
static void sums_are_compensated(void **state)
{
    enum { MOST = 200 };
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 4);
    for (size_t n = 1; n < MOST; n++) {
        double v[2 * MOST] = {0};
        for (size_t i = 0; n % 7 != 0 && i < n; i++) {
            v[2 * i] = ldexp(1 + tm_rng_uniform(&rng), (int)(i % 50));
            v[2 * ((i * 7 + 3) % n) + 1] = -v[2 * i];
        }
        assert_true(fabs(residual_sum(v, 2 * n)) <= 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_sums),    cmocka_unit_test(nonzero_values_are_found),
        cmocka_unit_test(lanes_are_compared),   cmocka_unit_test(free_features_are_counted),
        cmocka_unit_test(sums_are_compensated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
