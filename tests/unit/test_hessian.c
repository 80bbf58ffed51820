/* The Hessian on a set of features against sums written out, as sets grow and weights change. */
#include "tests/core_check.h"

#include "solve/gram/hessian.h"

enum { N = 300, P = 40 };

static double x[N * P]; /* column-major */

static void fill(tm_rng *rng, double density, double offset)
{
    for (size_t i = 0; i < N * P; i++)
        x[i] = tm_rng_uniform(rng) < density ? tm_rng_normal(rng) + offset : 0;
}

static void find_means(const double *h, double *means)
{
    double total = 0;
    for (size_t i = 0; i < N; i++)
        total += h[i];
    for (size_t j = 0; j < P; j++) {
        means[j] = 0;
        for (size_t i = 0; i < N; i++)
            means[j] += h[i] * x[j * N + i] / total;
    }
}

static void check(hessian *of, const size_t *set, size_t count, const double *h, bool centred)
{
    double means[P];
    find_means(h, means);
    hessian_products found = hessian_at(of, h, centred ? means : NULL, NULL);
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++) {
            double sum = 0, size = 0;
            for (size_t i = 0; i < N; i++) {
                double u = x[set[a] * N + i] - (centred ? means[set[a]] : 0);
                double v = x[set[b] * N + i] - (centred ? means[set[b]] : 0);
                sum += h[i] * u * v;
                size += h[i] * (u * u + v * v);
            }
            assert_true(fabs(found.values[b * found.capacity + a] - sum) <= 1e-12 * size);
        }
    }
}

static void walk(tm_matrix *matrix, bool centred, tm_rng *rng)
{
    hessian *of;
    size_t set[P], counts[] = {1, 7, 7, 12, 30, 30, 5, 40};
    double h[N];
    for (size_t j = 0; j < P; j++)
        set[j] = (j * 17) % P;
    for (size_t i = 0; i < N; i++)
        h[i] = tm_rng_uniform(rng);
    assert_int_equal(hessian_new(&of, N, NULL), TM_OK);
    for (size_t round = 0; round < sizeof counts / sizeof *counts; round++) {
        if (round == 6) { /* another set, not a continuation */
            size_t first = set[0];
            set[0] = set[3];
            set[3] = first;
        }
        assert_int_equal(hessian_begin(of, matrix, set, counts[round], centred, NULL), TM_OK);
        check(of, set, counts[round], h, centred);
        for (size_t i = 0; i < N; i += 1 + round) /* some weights change, some vanish */
            h[i] = i % 3 == 0 ? 0 : tm_rng_uniform(rng) / 4;
        check(of, set, counts[round], h, centred);
    }
    hessian_free(of);
    tm_matrix_unref(matrix);
}

/* Genotypes, which cannot be read by rows, and the same values in x. */
static tm_matrix *genotypes(tm_rng *rng)
{
    static const double copies[] = {2, 0, 1, 0}; /* by code; 1 would be missing */
    size_t stride = (N + 3) / 4;
    uint8_t *packed = calloc(stride * P, 1);
    tm_matrix *matrix;
    assert_non_null(packed);
    for (size_t j = 0; j < P; j++)
        for (size_t i = 0; i < N; i++) {
            size_t code = (size_t)tm_rng_below(rng, 3);
            code += code > 0;
            x[j * N + i] = copies[code];
            packed[j * stride + i / 4] |= (uint8_t)(code << (2 * (i % 4)));
        }
    assert_int_equal(tm_matrix_new_genotypes(&matrix, N, P, packed, NULL, NULL), TM_OK);
    return matrix;
}

static void test_products(void **state)
{
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 5);
    for (int centred = 0; centred < 2; centred++) {
        fill(&rng, 0.2, 0);
        walk(csc_of(N, P, x), centred, &rng);
        fill(&rng, 1, 3);
        walk(dense_of(N, P, x), centred, &rng);
        tm_matrix *packed = genotypes(&rng);
        assert_false(tm_matrix_has_parts(packed));
        walk(packed, centred, &rng);
    }
}

/* The first `half` features of the matrix, then all. */
static void compare_threads(tm_matrix *matrix, size_t half, tm_rng *rng)
{
    size_t n = tm_matrix_rows(matrix), p = tm_matrix_cols(matrix);
    double *h = malloc(n * sizeof *h);
    size_t *set = malloc(p * sizeof *set);
    hessian *alone, *shared;
    thread_team *team = team_new(3);
    assert_true(h && set);
    for (size_t j = 0; j < p; j++)
        set[j] = j;
    assert_int_equal(hessian_new(&alone, n, NULL), TM_OK);
    assert_int_equal(hessian_new(&shared, n, NULL), TM_OK);
    for (size_t count = half; count <= p; count += p - half) {
        for (size_t i = 0; i < n; i++)
            h[i] = tm_rng_uniform(rng);
        assert_int_equal(hessian_begin(alone, matrix, set, count, false, NULL), TM_OK);
        assert_int_equal(hessian_begin(shared, matrix, set, count, false, NULL), TM_OK);
        hessian_products one = hessian_at(alone, h, NULL, NULL),
                         three = hessian_at(shared, h, NULL, team);
        for (size_t k = 0; k < count; k++)
            assert_memory_equal(one.values + k * one.capacity, three.values + k * three.capacity,
                                count * sizeof(double));
    }
    hessian_free(alone);
    hessian_free(shared);
    team_free(team);
    tm_matrix_unref(matrix);
    free(set);
    free(h);
}

/* Shared among threads the sums are the same to the bit, as each is made in the order of the rows,
 * and those of dense rows by the same calls. */
static void test_threads(void **state)
{
    enum { ROWS = 30000, COLUMNS = 24, HALF = 15, TALL = 700, MANY = 210, MOST = 190 };
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 7);
    double *columns = calloc(ROWS * COLUMNS, sizeof *columns);
    assert_non_null(columns);
    for (size_t j = 0; j < COLUMNS; j++)
        for (size_t i = 0; i < ROWS; i++)
            if (tm_rng_uniform(&rng) * (8 + (double)j) <= 8)
                columns[j * ROWS + i] = tm_rng_normal(&rng);
    compare_threads(csc_of(ROWS, COLUMNS, columns), HALF, &rng);
    free(columns);
    columns = normals(&rng, TALL * MANY);
    compare_threads(dense_of(TALL, MANY, columns), MOST, &rng);
    free(columns);
}

/* When nearly all weight goes, what is left is as exact as if it had never been there. */
static void test_vanishing_weights(void **state)
{
    tm_rng rng;
    hessian *of;
    size_t set[] = {0, 1, 2, 3};
    double h[N];
    (void)state;
    tm_rng_seed(&rng, 6);
    fill(&rng, 1, 0);
    tm_matrix *matrix = dense_of(N, P, x);
    assert_int_equal(hessian_new(&of, N, NULL), TM_OK);
    assert_int_equal(hessian_begin(of, matrix, set, 4, false, NULL), TM_OK);
    for (int power = 0; power <= 15; power += 5) {
        for (size_t i = 0; i < N; i++)
            h[i] = pow(10, -power) * tm_rng_uniform(&rng);
        check(of, set, 4, h, false);
    }
    hessian_free(of);
    tm_matrix_unref(matrix);
}

/* Small changes are put back, others are not. */
static void test_keep(void **state)
{
    tm_rng rng;
    hessian *of;
    size_t set[] = {4, 2};
    double h[N], next[N];
    (void)state;
    tm_rng_seed(&rng, 7);
    fill(&rng, 0.3, 0);
    tm_matrix *matrix = csc_of(N, P, x);
    assert_int_equal(hessian_new(&of, N, NULL), TM_OK);
    assert_int_equal(hessian_begin(of, matrix, set, 2, false, NULL), TM_OK);
    for (size_t i = 0; i < N; i++)
        h[i] = 0.1 + tm_rng_uniform(&rng);
    hessian_at(of, h, NULL, NULL);
    for (size_t i = 0; i < N; i++)
        next[i] = h[i] * (i % 2 ? 1.05 : 1.5);
    hessian_keep(of, next);
    for (size_t i = 0; i < N; i++)
        assert_true(next[i] == (i % 2 ? h[i] : 1.5 * h[i]));
    hessian_free(of);
    tm_matrix_unref(matrix);
}

RUN_TESTS(test_products, test_threads, test_vanishing_weights, test_keep)
