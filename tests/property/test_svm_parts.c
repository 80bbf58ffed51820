/* Parts of `svm` from the inside. The cache of kernel rows: what it returns against the kernel's
 * definition, and what it occupies against its bound, as it counts and as the allocator counts; and
 * the certificate with forged dual points. */
#include "svm_problem.h"

#include "model/certificate/hinge.h"
#include "solve/samples/cache.h"

#include <malloc.h>

enum { REQUESTS = 300 };

/* One problem's rows with kernel rbf. */
typedef struct cache_case {
    classes c;
    kernel_rows rows;
    tm_rng rng;
    size_t n;
} cache_case;

static cache_case case_new(uint64_t seed)
{
    cache_case k = {.c = classes_new(seed)};
    const kernel of = {.kind = KERNEL_RBF, .gamma = 0.1};
    tm_error err = TM_ERROR_INIT;
    must(kernel_rows_make(&k.rows, tm_dataset_x(k.c.data), &of, &err), &err);
    k.n = k.c.q.n;
    tm_rng_seed(&k.rng, check_seed(seed));
    return k;
}

static void case_free(cache_case *k)
{
    kernel_rows_clear(&k->rows);
    classes_free(&k->c);
}

static double by_definition(const problem *q, size_t a, size_t b)
{
    double distance = 0;
    for (size_t j = 0; j < q->p; j++) {
        double d = problem_column(q, j)[a] - problem_column(q, j)[b];
        distance += d * d;
    }
    return exp(-0.1 * distance);
}

/* Bounds in rows of n values, from none to more than all. */
static const double bounds[] = {0, 0.3, 0.99, 1, 1.7, 2.5, 3.2, 7.9, 20, 1000};
enum { BOUNDS = sizeof bounds / sizeof *bounds };

/* Some of the samples; all every third time. */
static size_t choose(cache_case *k, size_t *which)
{
    size_t count = 0, all = tm_rng_below(&k->rng, 3) == 0;
    for (size_t i = 0; i < k->n; i++)
        if (all || tm_rng_below(&k->rng, 2) == 0)
            which[count++] = i;
    return count;
}

static void check_row(const cache_case *k, size_t i, const double *row, const size_t *which,
                      size_t count)
{
    for (size_t e = 0; e < count; e++)
        must_be_close(row[which[e]], by_definition(&k->c.q, i, which[e]), 1e-6);
}

static double held_by_allocator(void)
{
    struct mallinfo2 now = mallinfo2();
    return (double)now.uordblks + (double)now.hblkhd;
}

/* What the cache occupies beside its rows: five arrays and itself; the allocator adds at most 32
 * bytes to each of its blocks. */
static double beside_rows(const cache_case *k)
{
    return 8.0 * (4 * (double)k->n + (double)k->rows.rows.p) + 200 + 32 * ((double)k->n + 8);
}

/* Random requests. At a bound below two rows the two stay that a step needs. */
static void check_bound(cache_case *k, double bytes, double least)
{
    size_t which[64], count = choose(k, which), others[64];
    solve_progress progress = {0};
    double before = held_by_allocator();
    kernel_cache *cache = kernel_cache_new(&k->rows, bytes);
    assert_non_null(cache);
    for (int r = 0; r < REQUESTS; r++) {
        size_t i = tm_rng_below(&k->rng, k->n), j = tm_rng_below(&k->rng, k->n);
        if (r % 10 == 0) { /* only then may other samples be requested */
            count = choose(k, which);
            memcpy(others, which, sizeof others);
            kernel_cache_grow(cache);
        }
        const double *row = kernel_cache_row(cache, i, which, count, &progress);
        const double *other = kernel_cache_row(cache, j, others, count, &progress);
        assert_true(row && other);
        check_row(k, i, row, which, count); /* valid until the next but one call */
        check_row(k, j, other, others, count);
        assert_true(kernel_cache_bytes(cache) <= fmax(bytes, least));
        assert_true(held_by_allocator() - before <= fmax(bytes, least) + beside_rows(k));
    }
    kernel_cache_free(cache);
}

CHECK(test_bounds)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        cache_case k = case_new(seed);
        bool tame = strcmp(k.c.q.kind, "badscaled") != 0 && strcmp(k.c.q.kind, "offset") != 0;
        kernel_cache *two = kernel_cache_new(&k.rows, 0);
        solve_progress progress = {0};
        size_t first = 0;
        for (size_t i = 0; i < 2; i++)
            assert_non_null(kernel_cache_row(two, i, &first, 1, &progress));
        double least = kernel_cache_bytes(two);
        assert_true(least < 2.0 * (8 * (double)k.n + 50));
        kernel_cache_free(two);
        for (int b = 0; tame && b < BOUNDS; b++)
            check_bound(&k, bounds[b] * 8 * (double)k.n, least);
        case_free(&k);
    }
}

/* Everything fits: each entry is computed once. Two rows: what alternates between three is always
 * computed again, what alternates between two never. */
CHECK(test_what_is_kept)
{
    cache_case k = case_new(1);
    size_t all[64];
    for (size_t i = 0; i < k.n; i++)
        all[i] = i;
    for (int small = 0; small < 2; small++) {
        kernel_cache *cache = kernel_cache_new(&k.rows, small ? 0 : 1e6);
        solve_progress progress = {0};
        uint64_t once = 0;
        for (size_t r = 0; r < 9; r++) {
            assert_non_null(kernel_cache_row(cache, r % 3, all, k.n, &progress));
            once = r == 2 ? progress.columns : once;
        }
        assert_true(once > 0);
        assert_int_equal(progress.columns, small ? 3 * once : once);
        for (size_t r = 9; r < 20; r++) /* 1 and 2 were the last ones */
            assert_non_null(kernel_cache_row(cache, 1 + r % 2, all, k.n, &progress));
        assert_int_equal(progress.columns, small ? 3 * once : once);
        kernel_cache_free(cache);
    }
    case_free(&k);
}

/* Fits with the memory of less than a row, of three, of all: the same answer for more work. */
CHECK(test_fits)
{
    static const char *const kernels[] = {"kernel=rbf gamma=0.05", "kernel=linear",
                                          "kernel=poly gamma=0.02 degree=2"};
    for (uint64_t seed = 1; seed <= 18; seed++) {
        classes c = classes_new(seed);
        double primal[3], row = 8e-6 * (double)c.q.n;
        const double megabytes[] = {0.4 * row, 3.5 * row, 10};
        uint64_t columns[3];
        for (int b = 0; b < 3; b++) {
            char words[160];
            snprintf(words, sizeof words, "%s intercept=free C=0.5 tol=1e-9 cache=%.9g",
                     kernels[seed % 3], megabytes[b]);
            tm_solution s = svm_solve(c.data, words);
            primal[b] = s.primal;
            columns[b] = s.columns;
            tm_solution_clear(&s);
        }
        must_be_close(primal[0], primal[2], 1e-7 * (1 + primal[2]));
        must_be_close(primal[1], primal[2], 1e-7 * (1 + primal[2]));
        assert_true(columns[0] >= columns[2]);
        classes_free(&c);
    }
}

/* ---- the certificate ----------------------------------------------------------------------- */

/* Whatever the dual point, the bound stays below the optimum. */
CHECK(test_forged_duals)
{
    classes c = classes_new(7);
    size_t n = c.q.n;
    double u[64], ones[64], dual[64], w[128] = {0};
    for (int kind = 0; kind < 3; kind++) {
        char words[80];
        hinge_pass pass = {0, NULL, NULL};
        snprintf(words, sizeof words, "tol=1e-9 C=0.2 intercept=%s", svm_intercept_words()[kind]);
        tm_solution best = svm_solve(c.data, words);
        for (int forged = 0; forged < 4; forged++) {
            for (size_t i = 0; i < n; i++) {
                u[i] = 0.2;
                ones[i] = 1;
                dual[i] = forged == 0 ? 5 : forged == 1 ? -1 : forged == 2 ? 0.1 * c.q.y[i] : 0.03;
            }
            hinge_problem certified = {.of = {n, c.q.y, u, ones},
                                       .intercept = (hinge_intercept)kind};
            hinge_claim claim = {w, 0, dual};
            tm_certificate got;
            tm_error err;
            assert_int_equal(certificate_hinge(&got, c.data, &certified, &claim, &pass, &err),
                             TM_OK);
            must_be_close(got.primal, 0.2 * (double)n, 1e-12 * (double)n);
            assert_true(got.dual <= best.primal * (1 + 1e-12));
        }
        tm_solution_clear(&best);
    }
    classes_free(&c);
}

RUN_TESTS(test_bounds, test_what_is_kept, test_fits, test_forged_duals)
