/* The inner problem of the bundle: closed forms, and both bounds computed apart in long double. */
#include "tests/core_check.h"

#include "solve/multi/qcqp.h"

#include <float.h>

typedef struct bounds {
    long double value, upper;
} bounds;

/* Of (16) at alpha, and of (15) at the weights mu_t Q_t alpha. */
static bounds bounds_at(const qcqp *q, const double *alpha, const double *mu)
{
    size_t K = q->count;
    long double gain = 0, greatest = 0, norm = 0, risk = 0;
    for (size_t t = 0; t < q->groups; t++) {
        long double square = 0;
        for (size_t i = 0; i < K; i++)
            for (size_t k = 0; k < K; k++)
                square += (long double)alpha[i] * q->Q[t][k * q->stride + i] * alpha[k];
        greatest = fmaxl(greatest, square);
        norm += mu[t] * sqrtl(fmaxl(square, 0));
    }
    for (size_t k = 0; k < K; k++) {
        long double margin = q->q[k];
        gain += (long double)q->q[k] * alpha[k];
        for (size_t t = 0; t < q->groups; t++)
            for (size_t i = 0; i < K; i++)
                margin -= (long double)mu[t] * q->Q[t][k * q->stride + i] * alpha[i];
        risk = fmaxl(risk, margin);
    }
    return (bounds){gain - greatest / 2, norm * norm / 2 + q->C * risk};
}

/* What any order of summation may do to both values: K roundings of all that is added up in
 * alpha'Q_t alpha / 2, and in the greatest margin, of which the upper value has C times. */
static bounds roundings(const qcqp *q, const double *alpha, const double *mu)
{
    size_t K = q->count;
    long double greatest = 0, margin = 0, unit = (long double)K * DBL_EPSILON;
    for (size_t t = 0; t < q->groups; t++) {
        long double square = 0;
        for (size_t i = 0; i < K; i++)
            for (size_t k = 0; k < K; k++)
                square += fabsl((long double)alpha[i] * q->Q[t][k * q->stride + i] * alpha[k]);
        greatest = fmaxl(greatest, square);
    }
    for (size_t k = 0; k < K; k++) {
        long double sum = 0;
        for (size_t t = 0; t < q->groups; t++)
            for (size_t i = 0; i < K; i++)
                sum += fabsl((long double)mu[t] * q->Q[t][k * q->stride + i] * alpha[i]);
        margin = fmaxl(margin, sum);
    }
    return (bounds){unit * greatest, unit * (greatest + q->C * margin)};
}

/* `rounded`: the problem may be one whose values rounding leaves fewer digits of than asked for. */
static void check_solution(const qcqp *q, bool rounded, const char *what)
{
    tm_error err = TM_ERROR_INIT;
    qcqp_result result;
    double alpha[64], mu[32], sum = 0, total = 0;
    must(qcqp_solve(q, alpha, mu, &result, &err), &err);
    for (size_t k = 0; k < q->count; k++) {
        assert_true(alpha[k] >= 0);
        sum += alpha[k];
    }
    for (size_t t = 0; t < q->groups; t++) {
        assert_true(mu[t] >= 0);
        total += mu[t];
    }
    assert_true(sum <= q->C * (1 + 1e-14));
    must_be_near(total, 1, 1e-14);
    bounds b = bounds_at(q, alpha, mu);
    double greatest = 0;
    for (size_t k = 0; k < q->count; k++)
        greatest = fmax(greatest, q->q[k]);
    /* C q, the objective without weights, is what rounding of the margins is multiplied by. */
    long double scale = q->C * greatest;
    bounds lost = rounded ? roundings(q, alpha, mu) : (bounds){0, 0};
    if (!(b.upper - b.value <= 1e-9L * fabsl(b.upper) + 2e-9L * scale + lost.value + lost.upper))
        fail_msg("%s: value %.17Lg, upper %.17Lg, C q %Lg", what, b.value, b.upper, scale);
    must_be_near(result.value, (double)b.value,
                 (double)(1e-13L * scale + 1e-10L * fabsl(b.value) + lost.value));
    must_be_near(result.upper, (double)b.upper,
                 (double)(1e-13L * scale + 1e-10L * fabsl(b.upper) + lost.upper));
}

enum { FIRST_SEED = 1310 };

/* Gram matrices of K vectors restricted to T groups of `rank` coordinates, of many scales; some
 * vectors twice. Of one round, or of all where it is -1. */
static void check_random_problems(uint64_t seed, int only)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    static double Q[32][64 * 64], vectors[64][40];
    for (int round = 0; round < 400; round++) {
        size_t K = 1 + tm_rng_below(&rng, 64), T = 1 + tm_rng_below(&rng, 32);
        size_t rank = 1 + tm_rng_below(&rng, 40);
        double q[64], scale = pow(10, tm_rng_range(&rng, -4, 4)),
                      loss = pow(10, tm_rng_range(&rng, -5, 2));
        const double *matrices[32];
        for (size_t k = 0; k < K; k++)
            q[k] = loss * tm_rng_uniform(&rng);
        for (size_t t = 0; t < T; t++) {
            for (size_t k = 0; k < K; k++)
                for (size_t r = 0; r < rank; r++)
                    vectors[k][r] =
                        scale * (k > 0 && tm_rng_below(&rng, 5) == 0 ? vectors[k - 1][r] / scale
                                                                     : tm_rng_normal(&rng) + 0.5);
            bool needed = only < 0 || only == round;
            for (size_t i = 0; needed && i < K; i++)
                for (size_t k = 0; k < K; k++) {
                    double sum = 0;
                    for (size_t r = 0; r < rank; r++)
                        sum += vectors[i][r] * vectors[k][r];
                    Q[t][k * 64 + i] = sum;
                }
            matrices[t] = Q[t];
        }
        qcqp problem = {K, T, 64, matrices, q, pow(10, tm_rng_range(&rng, -3, 5)), 0};
        char what[80];
        snprintf(what, sizeof what, "seed %d, round %d: K %zu, T %zu, rank %zu", (int)seed, round,
                 K, T, rank);
        if (only < 0 || only == round)
            check_solution(&problem, seed != FIRST_SEED, what);
    }
}

/* The first of these met its bound or not by how sums are rounded: where the sum of alpha is at
 * its bound the normal equations lose all digits. */
CHECK(test_random_problems)
{
    static const uint64_t seeds[] = {FIRST_SEED, 1311, 1312, 1315, 1316, 1327};
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++)
        check_random_problems(seeds[k], -1);
}

/* Low rank and large entries: sums that cancel to 1e-13 of their terms (the first), an answer on
 * another scale than where steps end first (the second), and matrices that rounding makes
 * indefinite by more than the objective (the others). */
CHECK(test_large_entries)
{
    static const struct {
        uint64_t seed;
        int round;
    } cases[] = {{1322, 140}, {7009, 201}, {1324, 371}, {7007, 125}, {7014, 108}, {7024, 221}};
    NEEDS_LONG_DOUBLES(); /* the steps' sums have them */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_random_problems(cases[k].seed, cases[k].round);
}

CHECK(test_one_variable)
{
    tm_error err = TM_ERROR_INIT;
    const double Q = 4, q = 2;
    const double *matrix = &Q;
    for (int k = 0; k < 6; k++) {
        double C = pow(10, k - 3), alpha, mu;
        qcqp problem = {1, 1, 1, &matrix, &q, C, 0};
        qcqp_result result;
        must(qcqp_solve(&problem, &alpha, &mu, &result, &err), &err);
        must_be_near(alpha, fmin(C, 0.5), 1e-8);
        must_be_near(result.value, q * fmin(C, 0.5) - Q / 2 * pow(fmin(C, 0.5), 2), 1e-10);
    }
}

/* Two groups, each of which alone would let one variable go free. */
CHECK(test_two_groups)
{
    tm_error err = TM_ERROR_INIT;
    const double A[] = {1, 0, 0, 0}, B[] = {0, 0, 0, 4}, q[] = {1, 1};
    const double *matrices[] = {A, B};
    double alpha[2], mu[2];
    qcqp_result result;
    qcqp problem = {2, 2, 2, matrices, q, 100, 0};
    must(qcqp_solve(&problem, alpha, mu, &result, &err), &err);
    /* max a + b - 1/2 max(a^2, 4 b^2): a = 2 b, 3 b - 2 b^2: b = 3/4, value 9/8. */
    must_be_near(result.value, 1.125, 1e-9);
    must_be_near(alpha[0], 1.5, 1e-6);
    must_be_near(alpha[1], 0.75, 1e-6);
    must_be_near(mu[0] * 1.5, 1, 1e-6); /* stationarity: mu_1 a = 1 */
}

/* Planes without a slope (a = 0) are what only the bound on the sum holds; no loss at all is no
 * problem. */
CHECK(test_degenerate)
{
    const double zero[9] = {0}, q[] = {0.5, 1, 0}, none[3] = {0};
    const double *matrices[] = {zero, zero};
    qcqp flat = {3, 2, 3, matrices, q, 7, 0};
    check_solution(&flat, false, "no slopes");
    qcqp nothing = {3, 2, 3, matrices, none, 7, 0};
    check_solution(&nothing, false, "nothing");
}

RUN_TESTS(test_random_problems, test_large_entries, test_one_variable, test_two_groups,
          test_degenerate)
