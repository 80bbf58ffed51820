/* The small problem over all sets of columns: both bounds computed apart in long double, and one
 * closed form. */
#include "tests/core_check.h"

#include "solve/multi/support_qp.h"

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x < y) - (x > y);
}

/* The gap of alpha, and of the weights m_j c_j. */
static double gap_of(const support_qp *q, const double *alpha, const double *m)
{
    static double c[300], sorted[300];
    long double value = 0, norm = 0, risk = 0, squares = 0;
    for (size_t j = 0; j < q->columns; j++) {
        long double sum = 0;
        for (size_t k = 0; k < q->count; k++)
            sum += (long double)alpha[k] * q->a[k][j];
        c[j] = sorted[j] = (double)sum;
        norm += (long double)m[j] * c[j] * c[j];
    }
    qsort(sorted, q->columns, sizeof *sorted, by_size);
    for (size_t j = 0; j < q->B; j++)
        squares += (long double)sorted[j] * sorted[j];
    for (size_t k = 0; k < q->count; k++) {
        long double margin = q->q[k];
        for (size_t j = 0; j < q->columns; j++)
            margin -= (long double)m[j] * c[j] * q->a[k][j];
        value += (long double)q->q[k] * alpha[k];
        risk = fmaxl(risk, margin);
    }
    return (double)(norm / 2 + q->C * risk - (value - squares / 2));
}

CHECK(test_random_problems)
{
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, 1410);
    static double a[40][300];
    for (int round = 0; round < 150; round++) {
        size_t K = 1 + tm_rng_below(&rng, 40), J = 2 + tm_rng_below(&rng, 290);
        double q[40], alpha[40], m[300], gap, sum = 0, shares = 0;
        double scale = pow(10, tm_rng_range(&rng, -3, 3));
        const double *rows[40];
        for (size_t k = 0; k < K; k++) {
            rows[k] = a[k];
            q[k] = tm_rng_uniform(&rng);
            for (size_t j = 0; j < J; j++)
                a[k][j] = k > 0 && tm_rng_below(&rng, 5) == 0 ? a[k - 1][j]
                                                              : scale * (tm_rng_normal(&rng) + 0.3);
        }
        support_qp problem = {
            K, J, 1 + tm_rng_below(&rng, J - 1), rows, q, pow(10, tm_rng_range(&rng, -2, 4)), 0};
        double null = problem.C * 1e-6; /* C times the greatest q is about C */
        must(support_qp_solve(&problem, null, alpha, m, &gap, &err), &err);
        for (size_t k = 0; k < K; k++) {
            assert_true(alpha[k] >= 0);
            sum += alpha[k];
        }
        for (size_t j = 0; j < J; j++) {
            assert_true(m[j] >= 0 && m[j] <= 1);
            shares += m[j];
        }
        assert_true(sum <= problem.C * (1 + 1e-12));
        must_be_near(shares, (double)problem.B, 1e-9 * (double)J);
        if (!(gap <= null) || !(gap_of(&problem, alpha, m) <= 1.1 * null))
            fail_msg("round %d: K %zu J %zu B %zu C %g scale %g: gap %g, apart %g", round, K, J,
                     problem.B, problem.C, scale, gap, gap_of(&problem, alpha, m));
    }
}

/* One labeling on equal columns: c_j = alpha a, B a^2 alpha = q. */
CHECK(test_equal_columns)
{
    tm_error err = TM_ERROR_INIT;
    const double a[] = {3, -3, 3, 3, -3}, q = 2;
    const double *rows[] = {a};
    double alpha, m[5], gap;
    support_qp problem = {1, 5, 2, rows, &q, 100, 0};
    must(support_qp_solve(&problem, 1e-10, &alpha, m, &gap, &err), &err);
    must_be_near(alpha, 1.0 / 9, 1e-5);
    for (size_t j = 0; j < 5; j++)
        must_be_near(m[j], 0.4, 1e-5);
    problem.C = 0.01; /* at the bound of the sum */
    must(support_qp_solve(&problem, 1e-10, &alpha, m, &gap, &err), &err);
    must_be_near(alpha, 0.01, 1e-7);
}

RUN_TESTS(test_random_problems, test_equal_columns)
