/* The loops that look at many values or vectors at once, against those that look at one after the
 * other. */
#include "tests/core_check.h"

#include "base/numeric/blas.h"
#include "base/numeric/cholesky.h"
#include "base/numeric/lanes.h"
#include "base/numeric/nonzero.h"
#include "base/numeric/select.h"
#include "base/numeric/sort_scores.h"
#include "data/matrix/kernels.h"
#include "data/tiles/tiles.h"
#include "model/loss/residual.h"
#include "model/penalty/penalty.h"

#include <limits.h>

/* Every place of every value that is not zero, NaN and infinities included, and -0 is zero; of two
 * the first. */
static void nonzero_values_are_found(void **state)
{
    enum { COUNT = 400 };
    static const double odd[] = {1, -1e-320, NAN, INFINITY, -INFINITY, 0x1p-1074};
    (void)state;
    for (size_t at = 0; at < COUNT; at++)
        for (size_t from = 0; from < COUNT; from += 3) {
            double v[COUNT] = {0};
            v[at] = odd[at % 6];
            v[(at + 50) % COUNT] = -0.0;
            assert_int_equal(next_nonzero(v, from, COUNT), at >= from ? at : COUNT);
            size_t second = at + 1 + from % 300;
            if (second < COUNT) {
                v[second] = odd[from % 6];
                assert_int_equal(next_nonzero(v, from, COUNT), at >= from       ? at
                                                               : second >= from ? second
                                                                                : COUNT);
            }
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
                lanes_room(&room, &value, &limit);
                assert_int_equal(room[lane] < 0, !(fabs(values[k]) < limits[l]));
            }
}

/* One bit for each, in order, whatever the others are. */
static void negative_lanes_are_marked(void **state)
{
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 2);
    for (int round = 0; round < 1000; round++) {
        lane_bits bits[MANY / LANES];
        uint32_t wanted = 0;
        for (int k = 0; k < MANY; k++) {
            static const long long not_negative[] = {0, 1, MAGNITUDE}, negative[] = {-1, LLONG_MIN};
            bool below = tm_rng_below(&rng, 4) == 0;
            size_t which = tm_rng_below(&rng, below ? 2 : 3);
            bits[k / LANES][k % LANES] = below ? negative[which] : not_negative[which];
            wanted |= (uint32_t)below << k;
        }
        assert_int_equal(lanes_negative(bits), wanted);
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

/* Terms of sizes up to 2^50, each with its opposite somewhere else: what rounding takes meanwhile
 * is kept. */
static void sums_are_compensated(void **state)
{
    enum { MAX = 200 };
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 4);
    for (size_t n = 1; n < MAX; n++) {
        double v[2 * MAX] = {0};
        for (size_t i = 0; n % 7 != 0 && i < n; i++) {
            v[2 * i] = ldexp(1 + tm_rng_uniform(&rng), (int)(i % 50));
            v[2 * ((i * 7 + 3) % n) + 1] = -v[2 * i];
        }
        assert_true(fabs(residual_sum(v, 2 * n)) <= 1e-15);
    }
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double value_at(size_t i, const void *payload)
{
    return ((const double *)payload)[i];
}

/* Few different values, many of them, in order and against it. */
static void what_is_selected_is_what_sorting_finds(void **state)
{
    enum { MAX = 40 };
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 8);
    for (size_t round = 0; round < 3000; round++) {
        size_t count = 1 + tm_rng_below(&rng, MAX), k = tm_rng_below(&rng, count);
        size_t kinds = 1 + tm_rng_below(&rng, round % 3 == 0 ? 3 : 1000);
        double v[MAX], sorted[MAX];
        for (size_t i = 0; i < count; i++)
            v[i] = (double)tm_rng_below(&rng, kinds);
        memcpy(sorted, v, sizeof sorted);
        qsort(sorted, count, sizeof *sorted, rising);
        if (round % 5 == 0)
            memcpy(v, sorted, sizeof v);
        for (size_t i = 0; round % 7 == 0 && i < count; i++)
            v[i] = sorted[count - 1 - i];
        assert_true(select_of(count, k, value_at, v) == sorted[k]);
        assert_true(select_rising(v, count, k) == sorted[k]);
        qsort(v, count, sizeof *v, rising);
        assert_memory_equal(v, sorted, count * sizeof *v);
    }
}

/* Too many to be collected at once: of all sizes, near one another, mostly equal, all equal. */
static void what_is_selected_of_very_many_is_what_sorting_finds(void **state)
{
    enum { COUNT = 9000, KINDS = 4 };
    static double v[COUNT], sorted[COUNT];
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 9);
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < COUNT; i++) {
            double z = tm_rng_normal(&rng);
            v[i] = kind == 0 ? exp(20 * z) : kind == 1 ? 1 + 1e-14 * fabs(z) : kind == 2 ? 0 : 7;
            if (kind == 2)
                v[i] = i % 5 == 0 ? fabs(z) : i % 5 == 1 ? INFINITY : i % 5 == 2 ? -0.0 : 0;
        }
        memcpy(sorted, v, sizeof sorted);
        qsort(sorted, COUNT, sizeof *sorted, rising);
        for (size_t k = 0; k < COUNT; k += 1 + tm_rng_below(&rng, 400))
            assert_true(select_of(COUNT, k, value_at, v) == sorted[k]);
        assert_true(select_of(COUNT, COUNT - 1, value_at, v) == sorted[COUNT - 1]);
    }
}

/* Of all sizes, with equal ones, both zeros and both infinities. */
static void scores_are_sorted(void **state)
{
    enum { N = 3000 };
    double z[N], sum = 0;
    scored list[N];
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 8);
    for (size_t i = 0; i < N; i++) {
        double size = pow(10, tm_rng_range(&rng, -310, 300));
        z[i] = i % 7 == 0   ? (i % 2 ? 0.0 : -0.0)
               : i % 7 == 1 ? (double)(i % 50)
               : i == 2     ? INFINITY
               : i == 3     ? -INFINITY
                            : size * tm_rng_normal(&rng);
        list[i] = (scored){z[i], (double)i};
    }
    assert_true(sort_scores(list, N));
    for (size_t i = 0; i < N; i++) {
        assert_true(i == 0 || list[i - 1].score >= list[i].score);
        assert_true(list[i].score == z[(size_t)list[i].of]);
        sum += list[i].of;
    }
    assert_true(sum == (double)N * (N - 1) / 2);
}

/* ---- tiles ------------------------------------------------------------------------------- */

/* Rows that are no multiple of a tile or of a vector register. */
enum { ROWS = 4099, VECTORS = 11 };

static tm_matrix *matrix_of(tm_rng *rng, size_t p, bool single)
{
    tm_matrix *x;
    tm_error err = TM_ERROR_INIT;
    must(tm_matrix_new_dense(&x, ROWS, p, normals(rng, ROWS * p), &err), &err);
    if (single)
        must(tm_matrix_to_float(x, &err), &err);
    return x;
}

/* Weights of which most are zero. */
static void predictions_are_the_same(const tm_matrix *x, tm_rng *rng, size_t count, int threads)
{
    size_t p = tm_matrix_cols(x);
    double *w[VECTORS], *z[VECTORS], *one = malloc(ROWS * sizeof *one);
    tm_error err = TM_ERROR_INIT;
    for (size_t v = 0; v < count; v++) {
        w[v] = normals(rng, p);
        for (size_t j = 0; j < p; j++)
            w[v][j] = tm_rng_below(rng, 3) == 0 ? w[v][j] : 0;
        z[v] = malloc(ROWS * sizeof *z[v]);
    }
    thread_team *team = team_new(threads);
    must(tiles_predict(x, (const double *const *)w, z, count, team, &err), &err);
    team_free(team);
    for (size_t v = 0; v < count; v++) {
        memset(one, 0, ROWS * sizeof *one);
        for (size_t j = 0; j < p; j++)
            if (w[v][j] != 0)
                tm_matrix_axpy(x, j, w[v][j], one);
        assert_memory_equal(one, z[v], ROWS * sizeof *one);
        free(w[v]);
        free(z[v]);
    }
    free(one);
}

static void products_are_the_same(const tm_matrix *x, tm_rng *rng, size_t vectors)
{
    size_t p = tm_matrix_cols(x), from = p / 8 * 4, count = p - from;
    double *u[VECTORS], one[50], *all = malloc(vectors * count * sizeof *all);
    assert_true(count <= 50);
    for (size_t v = 0; v < vectors; v++)
        u[v] = normals(rng, ROWS);
    tiles_dot_range(x, from, count, (const double *const *)u, vectors, all);
    for (size_t v = 0; v < vectors; v++) {
        tm_matrix_dot_range(x, from, count, u[v], one);
        assert_memory_equal(one, all + v * count, count * sizeof *one);
        free(u[v]);
    }
    free(all);
}

static void tiles_add_in_the_same_order(void **state)
{
    static const size_t columns[] = {1, 4, 7, 30, 70};
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 23);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (int single = 0; single < 2; single++) {
            tm_matrix *x = matrix_of(&rng, columns[c], single);
            assert_true(tiles_fit(x));
            predictions_are_the_same(x, &rng, VECTORS, 1);
            predictions_are_the_same(x, &rng, 3, 2);
            products_are_the_same(x, &rng, VECTORS);
            products_are_the_same(x, &rng, 2);
            tm_matrix_unref(x);
        }
}

/* Short columns, and sparse ones, are multiplied one vector after the other. */
static void other_matrices_do_not_fit(void **state)
{
    tm_matrix *x;
    tm_error err = TM_ERROR_INIT;
    (void)state;
    must(tm_matrix_new_dense(&x, 100, 1, calloc(100, sizeof(double)), &err), &err);
    assert_false(tiles_fit(x));
    tm_matrix_unref(x);
    must(tm_matrix_new_csc(&x, ROWS, 1, calloc(2, sizeof(uint64_t)), malloc(4), malloc(8), &err),
         &err);
    assert_false(tiles_fit(x));
    tm_matrix_unref(x);
}

/* Four columns together have the bits of one after the other, for any length. */
static void columns_are_added_in_order(void **state)
{
    enum { MOST = 67 };
    double values[4][MOST], together[MOST], apart[MOST], a[4];
    tm_rng rng;
    (void)state;
    tm_rng_seed(&rng, 5);
    for (size_t n = 1; n <= MOST; n++) {
        const double *x[4] = {values[0], values[1], values[2], values[3]};
        for (int k = 0; k < 4; k++) {
            a[k] = k == 2 && n % 3 == 0 ? 0 : tm_rng_normal(&rng);
            for (size_t i = 0; i < n; i++)
                values[k][i] = tm_rng_normal(&rng);
        }
        for (size_t i = 0; i < n; i++)
            together[i] = apart[i] = tm_rng_normal(&rng);
        kernel_axpy4(a, x, together, n);
        for (int k = 0; k < 4; k++)
            kernel_axpy(a[k], x[k], apart, n);
        assert_memory_equal(together, apart, n * sizeof *apart);
    }
}

/* The solution of L L'x = b is the x that b was made of; what lies above the diagonal and beside
 * the matrix is not read. A solution that is not finite is reported. */
static void triangles_are_solved(void **state)
{
    enum { MOST = 40, LEADING = 43 };
    static double factor[MOST * LEADING], x[MOST], half[MOST], right[MOST];
    tm_error err = TM_ERROR_INIT;
    tm_rng rng;
    (void)state;
    must(blas_begin(&err), &err);
    tm_rng_seed(&rng, 6);
    for (size_t n = 1; n <= MOST; n++) {
        for (size_t k = 0; k < MOST * LEADING; k++)
            factor[k] = NAN;
        for (size_t j = 0; j < n; j++) {
            x[j] = tm_rng_normal(&rng);
            factor[j * LEADING + j] = 1 + tm_rng_uniform(&rng);
            for (size_t i = j + 1; i < n; i++)
                factor[j * LEADING + i] = tm_rng_normal(&rng) / MOST;
        }
        for (size_t j = 0; j < n; j++) {
            half[j] = 0;
            for (size_t i = j; i < n; i++)
                half[j] += factor[j * LEADING + i] * x[i];
        }
        for (size_t i = 0; i < n; i++) {
            right[i] = 0;
            for (size_t j = 0; j <= i; j++)
                right[i] += factor[j * LEADING + i] * half[j];
        }
        assert_true(cholesky_solve(factor, n, LEADING, right));
        for (size_t j = 0; j < n; j++)
            assert_true(fabs(right[j] - x[j]) < 1e-12);
        right[n / 2] = INFINITY;
        assert_false(cholesky_solve(factor, n, LEADING, right));
    }
}

RUN_TESTS(nonzero_values_are_found, lanes_are_compared, negative_lanes_are_marked,
          free_features_are_counted, sums_are_compensated, what_is_selected_is_what_sorting_finds,
          what_is_selected_of_very_many_is_what_sorting_finds, scores_are_sorted,
          tiles_add_in_the_same_order, other_matrices_do_not_fit, columns_are_added_in_order,
          triangles_are_solved)
