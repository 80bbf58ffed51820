/* The small dense l1 problem against brute force over all sign patterns, also where columns depend
 * on each other. */
#include "tests/check.h"

#include "solve/l1/gram/gram_factor.h"
#include "solve/l1/gram/gram_solver.h"
#include "tamis/rng.h"

#include <math.h>
#include <string.h>

enum { N = 6, P = 6, ROOM = 8 };

typedef struct instance {
    double x[N * P], y[N];
    double gram[ROOM * ROOM], linear[P], factors[P], constant, lambda;
} instance;

static void make(instance *q, uint64_t seed)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    memset(q, 0, sizeof *q);
    for (size_t j = 0; j < P; j++) {
        double scale = pow(10, tm_rng_range(&rng, -2, 2));
        for (size_t i = 0; i < N; i++)
            q->x[j * N + i] = scale * tm_rng_normal(&rng);
        q->factors[j] = tm_rng_range(&rng, 0.5, 2);
    }
    for (size_t i = 0; i < N; i++) {
        q->y[i] = tm_rng_normal(&rng);
        q->constant += q->y[i] * q->y[i];
        /* Every third problem has an exact duplicate and a column that is a sum of two others. */
        if (seed % 3 == 0) {
            q->x[4 * N + i] = -q->x[i];
            q->x[5 * N + i] = q->x[1 * N + i] + q->x[2 * N + i];
        }
    }
    double greatest = 0;
    for (size_t a = 0; a < P; a++) {
        for (size_t i = 0; i < N; i++)
            q->linear[a] += q->x[a * N + i] * q->y[i];
        for (size_t b = 0; b < P; b++)
            for (size_t i = 0; i < N; i++)
                q->gram[a * ROOM + b] += q->x[a * N + i] * q->x[b * N + i];
        greatest = fmax(greatest, fabs(q->linear[a]) / q->factors[a]);
    }
    q->lambda = greatest * tm_rng_range(&rng, 0.01, 0.8);
}

static double objective(const instance *q, const double *w)
{
    double value = 0;
    for (size_t i = 0; i < N; i++) {
        double r = q->y[i];
        for (size_t j = 0; j < P; j++)
            r -= q->x[j * N + i] * w[j];
        value += r * r / 2;
    }
    for (size_t j = 0; j < P; j++)
        value += q->lambda * q->factors[j] * fabs(w[j]);
    return value;
}

/* Solves the small system by Gaussian elimination; false when it is singular. */
static bool solve_dense(double a[P][P + 1], int n)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(a[r][c]) > fabs(a[pivot][c]))
                pivot = r;
        if (fabs(a[pivot][c]) < 1e-10)
            return false;
        for (int k = 0; k <= n; k++) {
            double kept = a[c][k];
            a[c][k] = a[pivot][k];
            a[pivot][k] = kept;
        }
        for (int r = 0; r < n; r++) {
            double share = r == c ? 0 : a[r][c] / a[c][c];
            for (int k = c; k <= n; k++)
                a[r][k] -= share * a[c][k];
        }
    }
    return true;
}

/* The stationary point of one pattern of signs (0, +, - for each feature), if it keeps the pattern.
 */
static bool pattern_point(const instance *q, int pattern, double *w)
{
    int places[P], n = 0, signs[P];
    for (int j = 0; j < P; j++, pattern /= 3) {
        w[j] = 0;
        if (pattern % 3 == 0)
            continue;
        places[n] = j;
        signs[n++] = pattern % 3 == 1 ? 1 : -1;
    }
    double a[P][P + 1];
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++)
            a[r][c] = q->gram[places[c] * ROOM + places[r]];
        a[r][n] = q->linear[places[r]] - q->lambda * q->factors[places[r]] * signs[r];
    }
    if (!solve_dense(a, n))
        return false;
    for (int r = 0; r < n; r++) {
        w[places[r]] = a[r][n] / a[r][r];
        if (w[places[r]] * signs[r] <= 0)
            return false;
    }
    return true;
}

static double brute_force(const instance *q)
{
    double best = INFINITY, w[P];
    for (int pattern = 0; pattern < 729; pattern++)
        if (pattern_point(q, pattern, w))
            best = fmin(best, objective(q, w));
    return best;
}

static double solved(const instance *q, const double *start, size_t set_count)
{
    static const size_t set[P] = {0, 1, 2, 3, 4, 5};
    solve_progress progress;
    double w[P];
    memcpy(w, start, sizeof w);
    progress_begin(&progress, NULL);
    gram_problem problem = {.count = P,
                            .capacity = ROOM,
                            .products = q->gram,
                            .linear = q->linear,
                            .factors = q->factors,
                            .constant = q->constant,
                            .lambda = q->lambda,
                            .set = set,
                            .set_count = set_count,
                            .w = w,
                            .progress = &progress,
                            .max_epochs = 100000};
    assert_int_equal(gram_problem_solve(&problem, -INFINITY, NULL), TM_OK);
    for (size_t j = set_count; j < P; j++)
        assert_true(w[j] == 0);
    return objective(q, w);
}

CHECK(answers_are_the_best_of_all_sign_patterns)
{
    static const double zero[P] = {0};
    for (uint64_t seed = 0; seed < 300; seed++) {
        instance q;
        make(&q, seed);
        double best = brute_force(&q), value = solved(&q, zero, P);
        if (!(value <= best + 1e-9 * q.constant && value >= best - 1e-9 * q.constant))
            fail_msg("seed %d: %.15g, best of all patterns %.15g", (int)seed, value, best);
    }
}

CHECK(bad_starts_do_not_matter)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        instance q;
        double start[P];
        tm_rng rng;
        make(&q, seed);
        tm_rng_seed(&rng, seed);
        for (size_t j = 0; j < P; j++)
            start[j] = tm_rng_range(&rng, -10, 10);
        assert_true(fabs(solved(&q, start, P) - brute_force(&q)) <= 1e-8 * q.constant);
    }
}

CHECK(features_outside_the_set_stay_out)
{
    static const double zero[P] = {0};
    for (uint64_t seed = 1; seed < 60; seed += 3) {
        instance q;
        make(&q, seed);
        double few = solved(&q, zero, 3), all = solved(&q, zero, P);
        assert_true(few >= all - 1e-12 * q.constant && few <= q.constant / 2 + 1e-12);
    }
}

enum { BASE = 40, MANY_SET = 100, MANY_ROWS = 60 };

/* Columns beyond the first BASE are combinations of three of those; every fourth is one of them
 * again. */
static void make_dependent(double *x, uint64_t seed)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    for (size_t k = 0; k < BASE * MANY_ROWS; k++)
        x[k] = tm_rng_normal(&rng);
    for (size_t j = BASE; j < MANY_SET; j++)
        for (int term = 0; term < (j % 4 == 0 ? 1 : 3); term++) {
            size_t from = (size_t)(tm_rng_uniform(&rng) * BASE) * MANY_ROWS;
            double share = j % 4 == 0 ? 1 : tm_rng_range(&rng, -0.6, 0.6);
            for (size_t i = 0; i < MANY_ROWS; i++)
                x[j * MANY_ROWS + i] += share * x[from + i];
        }
}

/* From weights that are all nonzero the 60 dependent ones leave at the cost of a few
 * factorisations; one for each would exceed the budget. */
CHECK(dependent_columns_leave_together)
{
    static double x[MANY_SET * MANY_ROWS], gram[MANY_SET * MANY_SET];
    double linear[MANY_SET] = {0}, factors[MANY_SET], w[MANY_SET], greatest = 0;
    size_t set[MANY_SET];
    solve_progress progress;
    progress_begin(&progress, NULL);
    memset(x, 0, sizeof x);
    memset(gram, 0, sizeof gram);
    make_dependent(x, 5);
    for (size_t a = 0; a < MANY_SET; a++) {
        for (size_t b = 0; b < MANY_SET; b++)
            for (size_t i = 0; i < MANY_ROWS; i++)
                gram[a * MANY_SET + b] += x[a * MANY_ROWS + i] * x[b * MANY_ROWS + i];
        for (size_t i = 0; i < MANY_ROWS; i++)
            linear[a] += x[a * MANY_ROWS + i] * (x[i] + x[3 * MANY_ROWS + i] + cos((double)i));
        factors[a] = 1;
        w[a] = a % 2 == 0 ? 1 : -1;
        set[a] = a;
        greatest = fmax(greatest, fabs(linear[a]));
    }
    gram_problem q = {.count = MANY_SET,
                      .capacity = MANY_SET,
                      .products = gram,
                      .linear = linear,
                      .factors = factors,
                      .constant = 1e4,
                      .lambda = 0.02 * greatest,
                      .set = set,
                      .set_count = MANY_SET,
                      .w = w,
                      .progress = &progress,
                      .max_epochs = 100000,
                      .work = 4.0 * MANY_SET * MANY_SET * MANY_SET / 3};
    assert_int_equal(gram_problem_solve(&q, -INFINITY, NULL), TM_OK);
    assert_false(q.exceeded);
    for (size_t a = 0; a < MANY_SET; a++) {
        double product = linear[a];
        for (size_t b = 0; b < MANY_SET; b++)
            product -= gram[b * MANY_SET + a] * w[b];
        assert_true(fabs(product) <= q.lambda * (1 + 1e-6));
        assert_true(w[a] == 0 || fabs(product - copysign(q.lambda, w[a])) <= 1e-6 * q.lambda);
    }
}

enum { FACTOR = 20 };

/* A problem with FACTOR features of unequal length, of which the last is the sum of the first two,
 * and its factor. */
typedef struct factored {
    double gram[FACTOR * FACTOR], right[FACTOR];
    size_t spare[FACTOR];
    lapack_int order[FACTOR];
    double pivoting[2 * FACTOR];
    gram_problem p;
    set_problem q;
} factored;

static void make_factored(factored *f, uint64_t seed)
{
    static double x[FACTOR * MANY_ROWS];
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    memset(f, 0, sizeof *f);
    for (size_t k = 0; k < FACTOR * MANY_ROWS; k++)
        x[k] = (1 + (double)(k / MANY_ROWS)) * tm_rng_normal(&rng);
    for (size_t i = 0; i < MANY_ROWS; i++)
        x[(FACTOR - 1) * MANY_ROWS + i] = x[i] + x[MANY_ROWS + i];
    for (size_t a = 0; a < FACTOR; a++)
        for (size_t b = 0; b < FACTOR; b++)
            for (size_t i = 0; i < MANY_ROWS; i++)
                f->gram[a * FACTOR + b] += x[a * MANY_ROWS + i] * x[b * MANY_ROWS + i];
    f->p = (gram_problem){.count = FACTOR, .capacity = FACTOR, .products = f->gram};
    f->q = (set_problem){.p = &f->p,
                         .right = f->right,
                         .spare = f->spare,
                         .order = f->order,
                         .pivoting = f->pivoting,
                         .factor = gram_factor_open()};
    assert_non_null(f->q.factor);
    assert_int_equal(gram_factor_reserve(f->q.factor, FACTOR, NULL), TM_OK);
}

/* The factor's system is that of its support, whatever has left and joined it. */
static void check_system(factored *f)
{
    const gram_factor *factor = f->q.factor;
    for (size_t a = 0; a < factor->count; a++)
        f->right[a] = (double)factor->support[a] - 3;
    assert_true(gram_factor_solve(&f->q));
    for (size_t a = 0; a < factor->count; a++) {
        double product = 0, size = 1;
        for (size_t b = 0; b < factor->count; b++) {
            double term = f->gram[factor->support[b] * FACTOR + factor->support[a]] * f->right[b];
            product += term;
            size += fabs(term);
        }
        assert_true(fabs(product - ((double)factor->support[a] - 3)) <= 1e-12 * size);
    }
}

CHECK(features_leave_a_factor)
{
    factored f;
    make_factored(&f, 11);
    for (size_t a = 0; a + 1 < FACTOR; a++)
        f.q.factor->support[a] = a;
    assert_int_equal(gram_factor_new(&f.q, FACTOR - 1, false), FACTOR - 1);
    for (size_t count = FACTOR - 1; count > 1; count--) {
        gram_factor_remove(&f.q, count % 3 == 0 ? count - 1 : count / 3);
        assert_int_equal(f.q.factor->count, count - 1);
        check_system(&f);
    }
    gram_factor_free(f.q.factor);
}

/* Some at a time join, leave, and join again; a combination of others does not. */
CHECK(features_join_a_factor)
{
    factored f;
    make_factored(&f, 12);
    gram_factor *factor = f.q.factor;
    for (size_t a = 0; a + 1 < FACTOR; a++)
        factor->support[a] = a;
    assert_int_equal(gram_factor_new(&f.q, 3, false), 3);
    for (size_t more = 1; factor->count + more < FACTOR; more++) {
        assert_true(gram_factor_append(&f.q, more));
        check_system(&f);
    }
    for (int times = 0; times < 20; times++) {
        size_t again = factor->support[(size_t)times % 5];
        gram_factor_remove(&f.q, (size_t)times % 5);
        factor->support[factor->count] = again;
        assert_true(gram_factor_append(&f.q, 1));
        check_system(&f);
    }
    size_t count = factor->count;
    for (size_t a = 0; a < count; a++)
        assert_true(factor->support[a] != FACTOR - 1);
    while (factor->count + 1 < FACTOR)
        assert_true(gram_factor_append(&f.q, 1));
    factor->support[factor->count] = FACTOR - 1;
    assert_false(gram_factor_append(&f.q, 1));
    assert_int_equal(factor->count, FACTOR - 1);
    check_system(&f);
    gram_factor_free(factor);
}

/* Along falling and rising lambdas from the last answer, with one factor: each answer is the best
 * of all patterns. */
CHECK(a_kept_factor_does_not_change_answers)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        static const size_t set[P] = {0, 1, 2, 3, 4, 5};
        instance q;
        double w[P] = {0};
        solve_progress progress;
        gram_factor *factor = gram_factor_open();
        assert_non_null(factor);
        make(&q, seed);
        progress_begin(&progress, NULL);
        double greatest = q.lambda;
        for (int k = 0; k < 12; k++) {
            q.lambda = greatest * (k < 8 ? pow(0.6, k) : pow(0.6, 15 - k));
            gram_problem problem = {.count = P,
                                    .capacity = ROOM,
                                    .products = q.gram,
                                    .linear = q.linear,
                                    .factors = q.factors,
                                    .constant = q.constant,
                                    .lambda = q.lambda,
                                    .set = set,
                                    .set_count = P,
                                    .w = w,
                                    .factor = factor,
                                    .progress = &progress,
                                    .max_epochs = 100000};
            assert_int_equal(gram_problem_solve(&problem, -INFINITY, NULL), TM_OK);
            double best = brute_force(&q), value = objective(&q, w);
            if (!(fabs(value - best) <= 1e-9 * q.constant))
                fail_msg("seed %d, lambda %d: %.15g, best %.15g", (int)seed, k, value, best);
        }
        gram_factor_free(factor);
    }
}

/* The gap in long double of nonnegative weights: the dual point is the residual, scaled until no
 * product exceeds lambda. */
static double gap_of(const instance *q, const double *w)
{
    long double rr = 0, yr = 0, norm = 0, greatest = 0, r[N];
    for (size_t i = 0; i < N; i++) {
        r[i] = q->y[i];
        for (size_t j = 0; j < P; j++)
            r[i] -= (long double)q->x[j * N + i] * w[j];
        rr += r[i] * r[i];
        yr += q->y[i] * r[i];
    }
    for (size_t j = 0; j < P; j++) {
        long double product = 0;
        for (size_t i = 0; i < N; i++)
            product += q->x[j * N + i] * r[i];
        greatest = fmaxl(greatest, product / q->factors[j]);
        norm += q->factors[j] * w[j];
    }
    long double scale = fminl(yr / rr, greatest > 0 ? q->lambda / greatest : INFINITY);
    return (double)(rr / 2 + q->lambda * norm - (scale * yr - scale * scale * rr / 2));
}

/* Pairs of columns that are equal to 5 digits: to the factorisation they depend on each other, and
 * the fit hardly changes when one takes the weight of the other, but the objective says which. */
CHECK(nearly_equal_columns_exchange_their_weights)
{
    static const double lower[P] = {0},
                        upper[P] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    static const size_t set[P] = {0, 1, 2, 3, 4, 5};
    for (uint64_t seed = 0; seed < 50; seed++) {
        instance q = {.constant = 0};
        double w[P] = {1, 1, 1, 0, 0, 0};
        solve_progress progress;
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        for (size_t j = 0; j < P; j++) {
            q.factors[j] = 1;
            for (size_t i = 0; i < N; i++)
                q.x[j * N + i] = j < 3 ? fabs(tm_rng_normal(&rng))
                                       : q.x[(j - 3) * N + i] +
                                             pow(10, -4 - (double)(seed % 5)) * tm_rng_normal(&rng);
        }
        for (size_t i = 0; i < N; i++) {
            q.y[i] = 0.01 * tm_rng_normal(&rng);
            for (size_t j = 3; j < P; j++)
                q.y[i] += q.x[j * N + i];
            q.constant += q.y[i] * q.y[i];
        }
        for (size_t a = 0; a < P; a++)
            for (size_t i = 0; i < N; i++) {
                q.linear[a] += q.x[a * N + i] * q.y[i];
                for (size_t b = 0; b < P; b++)
                    q.gram[a * ROOM + b] += q.x[a * N + i] * q.x[b * N + i];
            }
        q.lambda = 0.02;
        progress_begin(&progress, NULL);
        gram_problem problem = {.count = P,
                                .capacity = ROOM,
                                .products = q.gram,
                                .linear = q.linear,
                                .factors = q.factors,
                                .lower = lower,
                                .upper = upper,
                                .constant = q.constant,
                                .lambda = q.lambda,
                                .set = set,
                                .set_count = P,
                                .w = w,
                                .progress = &progress,
                                .max_epochs = 2000};
        assert_int_equal(gram_problem_solve(&problem, 1e-12 * q.constant, NULL), TM_OK);
        double gap = gap_of(&q, w);
        if (!(gap <= 2e-12 * q.constant))
            fail_msg("seed %d: a gap of %g after %ld epochs", (int)seed, gap / q.constant,
                     problem.epochs);
    }
}

RUN_TESTS(features_leave_a_factor, features_join_a_factor, a_kept_factor_does_not_change_answers,
          nearly_equal_columns_exchange_their_weights, answers_are_the_best_of_all_sign_patterns,
          bad_starts_do_not_matter, features_outside_the_set_stay_out,
          dependent_columns_leave_together)
