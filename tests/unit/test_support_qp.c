/* The small problem over all sets of columns: both bounds computed apart in long double, and one
 * closed form. The bundle that solves it again and again, for F1: both bounds against an objective
 * that tries every labeling and computes |w|_(B) by its definition. */
#include "tests/core_check.h"

#include "model/metric/multivariate_loss.h"
#include "solve/multi/bundle.h"
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

/* ---- the bundle ----------------------------------------------------------------------------- */

enum { ROWS = 9, COLUMNS = 7 };

typedef struct small_data {
    double x[COLUMNS][ROWS], y[ROWS];
} small_data;

static void data_dots(const void *owner, size_t from, size_t count, const double *v, double *out)
{
    const small_data *data = owner;
    for (size_t k = 0; k < count; k++) {
        out[k] = 0;
        for (size_t i = 0; i < ROWS; i++)
            out[k] += data->x[from + k][i] * v[i];
    }
}

static void data_axpy(const void *owner, size_t k, double a, double *z)
{
    const small_data *data = owner;
    for (size_t i = 0; i < ROWS; i++)
        z[i] += a * data->x[k][i];
}

static void fill(small_data *data, tm_rng *rng)
{
    for (size_t i = 0; i < ROWS; i++) {
        data->y[i] = i == 0 || (i > 1 && tm_rng_below(rng, 3) == 0) ? 1 : -1;
        for (size_t j = 0; j < COLUMNS; j++)
            data->x[j][i] = tm_rng_normal(rng) + (j < 3 ? data->y[i] : 0);
    }
}

static double share_of(double size, double kappa)
{
    return fmin(1, kappa * size);
}

/* min sum_j w_j^2 / d_j with 0 <= d <= 1 and sum d <= B: d_j = min(1, kappa |w_j|). */
static double squared_norm(const double *w, size_t count, double B)
{
    double low = 0, high = 1e30, squared = 0;
    for (int k = 0; k < 400; k++) {
        double middle = low > 0 ? sqrt(low * high) : high / 1e60, sum = 0;
        for (size_t j = 0; j < count; j++)
            sum += share_of(fabs(w[j]), middle);
        *(sum > B ? &high : &low) = middle;
    }
    for (size_t j = 0; j < count; j++)
        squared += w[j] == 0 ? 0 : w[j] * w[j] / share_of(fabs(w[j]), low);
    return squared;
}

/* n R(w): the greatest loss less margin of any labeling. */
static double greatest_violation(const small_data *data, const double *v)
{
    double greatest = 0;
    for (unsigned predicted = 0; predicted < 1U << ROWS; predicted++) {
        double tp = 0, wrong = 0, positives = 0, margin = 0;
        for (size_t i = 0; i < ROWS; i++) {
            double yhat = predicted >> i & 1 ? 1 : -1;
            positives += data->y[i] > 0;
            tp += data->y[i] > 0 && yhat > 0;
            wrong += data->y[i] < 0 && yhat > 0;
            margin += (data->y[i] - yhat) * v[i];
        }
        greatest = fmax(greatest, 100 * (1 - 2 * tp / (positives + tp + wrong)) - margin);
    }
    return greatest;
}

static double objective_of(const small_data *data, const double *w, size_t count, double B,
                           double C)
{
    double v[ROWS] = {0};
    for (size_t j = 0; j < count; j++)
        data_axpy(data, j, w[j], v);
    return squared_norm(w, count, B) / 2 + C / ROWS * greatest_violation(data, v);
}

/* The upper bound is the objective at the best weights, the lower one is below it there and at
 * weights nearby. */
static void must_bound(const bundle *b, const small_data *data, tm_rng *rng, int round)
{
    double B = (double)b->dual.B, scale = 1e-9 * 100 * b->C / ROWS, largest = 0;
    double here = objective_of(data, b->best.weights, b->column_count, B, b->C);
    if (!(fabs(here - b->upper) <= scale))
        fail_msg("round %d: upper %.12g, by every labeling %.12g", round, b->upper, here);
    for (size_t j = 0; j < b->column_count; j++)
        largest = fmax(largest, fabs(b->best.weights[j]));
    for (int probe = 0; probe < 30; probe++) {
        double w[COLUMNS], spread = largest * pow(10, tm_rng_range(rng, -5, 0));
        for (size_t j = 0; j < b->column_count; j++)
            w[j] = b->best.weights[j] + spread * tm_rng_normal(rng);
        double there = objective_of(data, w, b->column_count, B, b->C);
        if (!(b->lower <= there + scale))
            fail_msg("round %d: lower %.12g, an objective %.12g", round, b->lower, there);
    }
}

/* Columns and labelings come, labelings without weight go; at every gap asked for both bounds are
 * what they are said to be. Small gaps at a large C take more labelings than are kept idle. */
CHECK(test_bundle)
{
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, check_seed(1510));
    for (int round = 0; round < 12; round++) {
        small_data data;
        fill(&data, &rng);
        measure f1;
        labeler *l;
        bundle b;
        solve_progress progress;
        bundle_columns columns = {&data, data_dots, data_axpy};
        must(measure_find(&f1, "f1", &err), &err);
        must(labeler_new(&l, &f1, data.y, ROWS, "here", &err), &err);
        must(bundle_init(&b, l, ROWS, &columns, &err), &err);
        progress_begin(&progress, NULL);
        b.C = ROWS * pow(10, tm_rng_range(&rng, -2, 1.5));
        size_t B = 1 + tm_rng_below(&rng, 3);
        for (size_t count = B + 1; count <= COLUMNS; count++) {
            double target = pow(10, tm_rng_range(&rng, -6, -1)) * 100 * b.C / ROWS;
            must(bundle_set_columns(&b, count, &progress, &err), &err);
            must(bundle_take_all(&b, B, &err), &err);
            must(bundle_solve(&b, target, NULL, &progress, &err), &err);
            assert_true(b.upper - b.lower <= target);
            must_bound(&b, &data, &rng, round);
        }
        bundle_free(&b);
        labeler_free(l);
    }
}

RUN_TESTS(test_random_problems, test_few_columns, test_growing_problems, test_equal_columns,
          test_bundle)
