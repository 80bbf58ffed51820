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

/* Rows of a random problem, some of them like the one before. */
static void fill_rows(tm_rng *rng, double (*a)[300], const double **rows, size_t K, size_t J)
{
    double scale = pow(10, tm_rng_range(rng, -3, 3));
    for (size_t k = 0; k < K; k++) {
        rows[k] = a[k];
        for (size_t j = 0; j < J; j++)
            a[k][j] = k > 0 && tm_rng_below(rng, 5) == 0 ? a[k - 1][j]
                                                         : scale * (tm_rng_normal(rng) + 0.3);
    }
}

/* Multipliers and shares are allowed, and the gap is what it is said to be and at most `most`. */
static void must_solve(const support_qp *q, const support_qp_point *point, double most, int round)
{
    double sum = 0, shares = 0;
    for (size_t k = 0; k < q->count; k++) {
        assert_true(point->alpha[k] >= 0);
        sum += point->alpha[k];
    }
    for (size_t j = 0; j < q->columns; j++) {
        assert_true(point->shares[j] >= 0 && point->shares[j] <= 1);
        shares += point->shares[j];
    }
    assert_true(sum <= q->C * (1 + 1e-12));
    must_be_near(shares, (double)q->B, 1e-9 * (double)q->columns);
    double apart = gap_of(q, point->alpha, point->shares);
    if (!(point->gap <= most) || !(apart <= 1.1 * most))
        fail_msg("round %d: K %zu J %zu B %zu C %g: gap %g, apart %g, asked %g", round, q->count,
                 q->columns, q->B, q->C, point->gap, apart, most);
}

typedef struct room {
    double alpha[40], lambda[40], shares[300], t[300], s[300];
} room;

static support_qp_point point_in(room *r)
{
    *r = (room){0};
    return (support_qp_point){
        .alpha = r->alpha, .lambda = r->lambda, .shares = r->shares, .t = r->t, .s = r->s};
}

CHECK(test_random_problems)
{
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, 1410);
    static double a[40][300];
    static room r;
    for (int round = 0; round < 150; round++) {
        size_t K = 1 + tm_rng_below(&rng, 40), J = 2 + tm_rng_below(&rng, 290);
        double q[40];
        const double *rows[40];
        for (size_t k = 0; k < K; k++)
            q[k] = tm_rng_uniform(&rng);
        fill_rows(&rng, a, rows, K, J);
        support_qp problem = {
            K, J, 1 + tm_rng_below(&rng, J - 1), rows, q, pow(10, tm_rng_range(&rng, -2, 4)), 0};
        support_qp_point point = point_in(&r);
        double null = problem.C * 1e-6; /* C times the greatest q is about C */
        must(support_qp_solve(&problem, null, &point, &err), &err);
        must_solve(&problem, &point, null, round);
    }
}

/* More labelings than columns to tell them apart, of which many share the weight: the matrix of the
 * steps is singular but for what is rounding near the end. */
CHECK(test_few_columns)
{
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, 1412);
    static double a[40][300];
    static room r;
    for (int round = 0; round < 200; round++) {
        size_t K = 30 + tm_rng_below(&rng, 11), J = 2 + tm_rng_below(&rng, 12);
        double q[40], w[14];
        const double *rows[40];
        fill_rows(&rng, a, rows, K, J);
        for (size_t j = 0; j < J; j++)
            w[j] = tm_rng_normal(&rng);
        for (size_t k = 0; k < K; k++) { /* margins that weights meet with equality */
            q[k] = 0;
            for (size_t j = 0; j < J; j++)
                q[k] += w[j] * a[k][j];
            for (size_t j = 0; q[k] < 0 && j < J; j++) /* losses are not negative */
                a[k][j] = -a[k][j];
            q[k] = fabs(q[k]);
        }
        support_qp problem = {K, J, 1 + tm_rng_below(&rng, J - 1), rows, q, 1e4, 0};
        support_qp_point point = point_in(&r);
        double greatest = 0;
        for (size_t k = 0; k < K; k++)
            greatest = fmax(greatest, fabs(q[k]));
        double most = 1e-9 * problem.C * greatest;
        must(support_qp_solve(&problem, most, &point, &err), &err);
        must_solve(&problem, &point, most, round);
    }
}

/* Labelings and columns come in one after the other, and some labelings go: from the last solution
 * each problem is solved as well as from nothing. */
CHECK(test_growing_problems)
{
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, 1411);
    static double a[40][300];
    static room r;
    for (int round = 0; round < 12; round++) {
        size_t K = 1 + tm_rng_below(&rng, 5), J = 10 + tm_rng_below(&rng, 30), B = 1 + J / 4;
        double q[40], C = pow(10, tm_rng_range(&rng, -2, 4)), target = 0.1 * C;
        const double *rows[40];
        for (size_t k = 0; k < 40; k++)
            q[k] = tm_rng_uniform(&rng);
        fill_rows(&rng, a, rows, 40, 300);
        support_qp_point point = point_in(&r);
        for (int step = 0; step < 25; step++) {
            support_qp problem = {K, J, B, rows, q, C, 0};
            must(support_qp_solve(&problem, target, &point, &err), &err);
            must_solve(&problem, &point, target, round);
            target = fmax(0.7 * target, 1e-7 * C);
            if (step % 5 == 4) { /* the last labeling goes */
                K -= K > 1;
                r.lambda[K] = r.alpha[K] = 0;
            }
            K += K < 39 ? 1 + tm_rng_below(&rng, 2) : 0;
            J += J < 280 ? tm_rng_below(&rng, 20) : 0;
        }
    }
}

/* One labeling on equal columns: c_j = alpha a, B a^2 alpha = q. */
CHECK(test_equal_columns)
{
    tm_error err = TM_ERROR_INIT;
    const double a[] = {3, -3, 3, 3, -3}, q = 2;
    const double *rows[] = {a};
    static room r;
    support_qp problem = {1, 5, 2, rows, &q, 100, 0};
    support_qp_point point = point_in(&r);
    must(support_qp_solve(&problem, 1e-10, &point, &err), &err);
    must_be_near(r.alpha[0], 1.0 / 9, 1e-5);
    for (size_t j = 0; j < 5; j++)
        must_be_near(r.shares[j], 0.4, 1e-5);
    problem.C = 0.01; /* at the bound of the sum */
    point = point_in(&r);
    must(support_qp_solve(&problem, 1e-10, &point, &err), &err);
    must_be_near(r.alpha[0], 0.01, 1e-7);
}

RUN_TESTS(test_random_problems, test_few_columns, test_growing_problems, test_equal_columns)
