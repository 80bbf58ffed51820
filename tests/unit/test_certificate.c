/* The certificate: bounds that hold for any w, and no gap where the answer is known. */
#include "tests/core_check.h"

static tm_certificate certify(const tm_dataset *data, const tm_problem *problem, const double *w,
                              double b)
{
    tm_certificate certificate;
    tm_error err = TM_ERROR_INIT;
    must(tm_certify(&certificate, data, problem, w, b, &err), &err);
    assert_true(certificate.gap == certificate.primal - certificate.dual);
    return certificate;
}

static double lambda_max_of(const tm_dataset *data, const tm_problem *problem, double *null)
{
    double lambda_max;
    tm_error err = TM_ERROR_INIT;
    must(tm_lambda_max(&lambda_max, null, data, problem, &err), &err);
    return lambda_max;
}

/* 1/2 |y - Xw - b|^2 + lambda sum f_j |w_j| as it is written. */
static double objective(const tm_dataset *data, const double *columns, const tm_problem *problem,
                        const double *w, double b)
{
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    long double sum = 0;
    for (size_t i = 0; i < n; i++) {
        long double r = tm_dataset_y(data)[i] - (long double)b;
        for (size_t j = 0; j < p; j++)
            r -= (long double)columns[i + j * n] * w[j];
        sum += r * r / 2;
    }
    for (size_t j = 0; j < p; j++)
        sum += (long double)problem->lambda * (problem->factors ? problem->factors[j] : 1) *
               fabs(w[j]);
    return (double)sum;
}

static double soft(double value, double threshold)
{
    return copysign(fmax(fabs(value) - threshold, 0), value);
}

/* Columns 1 .. p of the Walsh matrix of order n (a power of two) at length `norm`: orthogonal to
 * each other and to the constant column 0. */
static void fill_walsh(double *columns, size_t n, size_t p, double norm)
{
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < n; i++) {
            bool odd = __builtin_popcountll(i & (j + 1)) % 2;
            columns[i + j * n] = (odd ? -norm : norm) / sqrt((double)n);
        }
}

/* With orthogonal columns of length c the optimum is w_j = soft(x_j'y, lambda f_j) / c^2. */
CHECK(test_orthogonal_design)
{
    enum { ROWS = 64, COLS = 40 };
    double columns[ROWS * COLS], y[ROWS], w[COLS], factors[COLS];
    tm_rng rng;
    tm_rng_seed(&rng, 81);
    for (int round = 0; round < 60; round++) {
        double norm = round % 3 ? 1 : 3, shift = round % 2 ? 5 : 0, mean = 0;
        fill_walsh(columns, ROWS, COLS, norm);
        fill_normal(&rng, y, ROWS, 1);
        for (size_t i = 0; i < ROWS; i++) {
            y[i] += shift;
            mean += y[i] / ROWS;
        }
        for (size_t j = 0; j < COLS; j++)
            factors[j] = 0.5 + tm_rng_uniform(&rng);
        tm_problem problem = {.loss = "squared",
                              .lambda = 0.1 + norm * tm_rng_uniform(&rng),
                              .intercept = round % 2 == 1,
                              .factors = round % 5 ? factors : NULL};
        size_t zeros = 0;
        for (size_t j = 0; j < COLS; j++) {
            double xy = 0;
            for (size_t i = 0; i < ROWS; i++)
                xy += columns[i + j * ROWS] * y[i];
            w[j] = soft(xy, problem.lambda * (problem.factors ? factors[j] : 1)) / norm / norm;
            zeros += w[j] == 0;
        }
        double b = problem.intercept ? mean : 0;
        tm_dataset *data = dataset_of(dense_of(ROWS, COLS, columns), y, true);
        tm_certificate c = certify(data, &problem, w, b);
        must_be_near(c.primal, objective(data, columns, &problem, w, b), 1e-12 * c.primal);
        must_be_near(c.gap, 0, 1e-12 * c.primal);
        assert_true(zeros < COLS); /* not the null model in disguise */
        w[0] += 0.1;
        assert_true(certify(data, &problem, w, b).gap > 1e-4);
        tm_dataset_unref(data);
    }
}

/* ---- weak duality -------------------------------------------------------------------------- */

/* The objective at its best b. */
static double profile(const tm_dataset *data, const double *columns, const tm_problem *problem,
                      const double *w, double *b)
{
    size_t n = tm_dataset_rows(data);
    *b = 0;
    for (size_t i = 0; problem->intercept && i < n; i++) {
        double r = tm_dataset_y(data)[i];
        for (size_t j = 0; j < tm_dataset_cols(data); j++)
            r -= columns[i + j * n] * w[j];
        *b += r / (double)n;
    }
    return objective(data, columns, problem, w, *b);
}

/* Two weights (the second stays 0 when there is one feature): a grid that closes in on its least
 * point, which is the least of all as the objective is convex. */
static double minimise(const tm_dataset *data, const double *columns, const tm_problem *problem,
                       double w[2], double *b)
{
    enum { HALF = 10 };
    bool two = tm_dataset_cols(data) > 1;
    w[0] = w[1] = 0;
    double best = profile(data, columns, problem, w, b);
    for (double step = 1; step > 1e-9; step *= 0.5) {
        double centre[2] = {w[0], w[1]};
        for (int i = -HALF; i <= HALF; i++)
            for (int k = two ? -HALF : 0; k <= (two ? HALF : 0); k++) {
                double at[2] = {centre[0] + i * step, centre[1] + k * step}, here;
                double value = profile(data, columns, problem, at, &here);
                if (value < best) {
                    best = value;
                    w[0] = at[0];
                    w[1] = at[1];
                    *b = here;
                }
            }
    }
    return best;
}

static void check_weak_duality(const double *columns, size_t n, size_t p, const double *y,
                               const tm_problem *problem, tm_rng *rng)
{
    double w[2], b;
    tm_dataset *dense = dataset_of(dense_of(n, p, columns), y, true);
    tm_dataset *sparse = dataset_of(csc_of(n, p, columns), y, true);
    double optimum = minimise(dense, columns, problem, w, &b), slack = 1e-12 * (1 + optimum);
    tm_certificate best = certify(dense, problem, w, b);
    must_be_near(best.primal, optimum, slack);
    /* An error of 1e-9 in w moves the primal by its square but the dual by itself. */
    must_be_near(best.dual, optimum, 1e-6 * (1 + optimum));
    for (int k = 0; k < 60; k++) {
        double scale = pow(10, tm_rng_range(rng, -4, 2));
        double any[2] = {w[0] * (k % 3 > 0) + scale * tm_rng_normal(rng),
                         w[1] * (k % 3 > 0) + scale * tm_rng_normal(rng)};
        double intercept = problem->intercept ? b + scale * tm_rng_normal(rng) : 0;
        tm_certificate c = certify(k % 2 ? dense : sparse, problem, any, intercept);
        must_be_near(c.primal, objective(dense, columns, problem, any, intercept),
                     1e-12 * (1 + c.primal));
        assert_true(c.primal >= optimum - slack);
        assert_true(c.dual <= optimum + slack);
    }
    tm_dataset_unref(dense);
    tm_dataset_unref(sparse);
}

CHECK(test_weak_duality)
{
    enum { ROWS = 6 };
    double columns[2 * ROWS], y[ROWS], factors[2];
    tm_rng rng;
    tm_rng_seed(&rng, 82);
    for (int round = 0; round < 24; round++) {
        size_t n = 2 + tm_rng_below(&rng, ROWS - 1), p = 1 + (size_t)round % 2;
        fill_normal(&rng, columns, 2 * ROWS, round % 4 < 2 ? 1 : 0.6);
        fill_normal(&rng, y, ROWS, 1);
        for (size_t i = 0; i < n; i++)
            y[i] += round % 3 ? 0 : 3;
        for (size_t i = 0; round % 8 == 7 && i < n; i++)
            columns[i] = 0.7; /* a constant feature */
        factors[0] = 0.3 + tm_rng_uniform(&rng);
        factors[1] = 0.3 + tm_rng_uniform(&rng);
        tm_problem problem = {.loss = "squared",
                              .lambda = 1,
                              .intercept = round % 4 > 1,
                              .factors = round % 3 == 1 ? factors : NULL};
        tm_dataset *data = dataset_of(dense_of(n, p, columns), y, true);
        double null, lambda_max = lambda_max_of(data, &problem, &null);
        tm_dataset_unref(data);
        problem.lambda = (lambda_max > 0 ? lambda_max : 1) * tm_rng_range(&rng, 0.02, 1.1);
        check_weak_duality(columns, n, p, y, &problem, &rng);
    }
}

/* ---- the intercept ------------------------------------------------------------------------- */

CHECK(test_shift_of_the_response)
{
    enum { ROWS = 30, COLS = 8 };
    double columns[ROWS * COLS], y[ROWS], moved[ROWS], w[COLS];
    tm_rng rng;
    tm_rng_seed(&rng, 83);
    fill_normal(&rng, columns, ROWS * COLS, 0.7);
    fill_normal(&rng, y, ROWS, 1);
    fill_normal(&rng, w, COLS, 0.5);
    tm_problem problem = {.loss = "squared", .lambda = 1.5, .intercept = true};
    tm_dataset *data = dataset_of(dense_of(ROWS, COLS, columns), y, true);
    double null, other_null, lambda_max = lambda_max_of(data, &problem, &null);
    tm_certificate c = certify(data, &problem, w, 0.25);
    static const double shifts[] = {1, -7, 1e3, 1e6};
    for (size_t k = 0; k < 4; k++) {
        double slack = 1e-12 * (1 + fabs(shifts[k])) * (1 + c.primal);
        for (size_t i = 0; i < ROWS; i++)
            moved[i] = y[i] + shifts[k];
        tm_dataset *other = dataset_of(csc_of(ROWS, COLS, columns), moved, true);
        tm_certificate shifted = certify(other, &problem, w, 0.25 + shifts[k]);
        must_be_near(shifted.primal, c.primal, slack);
        must_be_near(shifted.dual, c.dual, slack);
        must_be_near(lambda_max_of(other, &problem, &other_null), lambda_max, slack);
        must_be_near(other_null, null, slack);
        tm_dataset_unref(other);
    }
    tm_dataset_unref(data);
}

/* The dual bound belongs to w alone: a bad b costs the primal exactly n (b - best)^2 / 2. */
CHECK(test_bad_intercept)
{
    const double columns[] = {1, -1, 2, 0, 3, 1}, y[] = {2, 1, 4}, w[] = {0.5, -0.25};
    double b;
    tm_problem problem = {.loss = "squared", .lambda = 0.5, .intercept = true};
    tm_dataset *data = dataset_of(dense_of(3, 2, columns), y, true);
    double best = profile(data, columns, &problem, w, &b);
    tm_certificate c = certify(data, &problem, w, b), off = certify(data, &problem, w, b + 2);
    must_be_near(c.primal, best, 1e-14);
    must_be_near(off.primal, best + 6, 1e-13);
    must_be_near(off.dual, c.dual, 1e-13);
    tm_dataset_unref(data);
}

/* ---- lambda_max ---------------------------------------------------------------------------- */

static void check_lambda_max(const double *columns, size_t n, size_t p, const double *y,
                             bool intercept, const double *factors)
{
    static const double none[64] = {0};
    double null, mean = 0, square = 0, greatest = 0;
    tm_problem problem = {
        .loss = "squared", .lambda = 1, .intercept = intercept, .factors = factors};
    tm_dataset *data = dataset_of(csc_of(n, p, columns), y, true);
    for (size_t i = 0; intercept && i < n; i++)
        mean += y[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (y[i] - mean) * (y[i] - mean) / 2;
    for (size_t j = 0; j < p; j++) {
        double product = 0;
        for (size_t i = 0; i < n; i++)
            product += columns[i + j * n] * (y[i] - mean);
        greatest = fmax(greatest, fabs(product) / (factors ? factors[j] : 1));
    }
    double lambda_max = lambda_max_of(data, &problem, &null);
    must_be_near(lambda_max, greatest, 1e-12 * greatest);
    must_be_near(null, square, 1e-12 * square);
    problem.lambda = lambda_max * (1 + 1e-12);
    must_be_near(certify(data, &problem, none, mean).gap, 0, 1e-14 * null);
    problem.lambda = lambda_max * (1 - 1e-5);
    assert_true(certify(data, &problem, none, mean).gap > 1e-12 * null);
    problem.lambda = lambda_max / 2;
    assert_true(certify(data, &problem, none, mean).gap > 0.2 * null);
    tm_dataset_unref(data);
}

CHECK(test_lambda_max)
{
    enum { ROWS = 25, COLS = 40 };
    double columns[ROWS * COLS], y[ROWS], factors[COLS];
    tm_rng rng;
    tm_rng_seed(&rng, 84);
    for (int round = 0; round < 40; round++) {
        fill_normal(&rng, columns, ROWS * COLS, round % 2 ? 1 : 0.2);
        fill_normal(&rng, y, ROWS, 1);
        for (size_t j = 0; j < COLS; j++)
            factors[j] = 0.2 + tm_rng_uniform(&rng);
        check_lambda_max(columns, ROWS, COLS, y, round % 4 < 2, round % 3 ? NULL : factors);
    }
}

/* More features than one block of the pass; the winner in every place of it. */
CHECK(test_lambda_max_of_many_features)
{
    enum { COLS = 700 };
    static double columns[2 * COLS];
    static const size_t places[] = {0, 1, 254, 255, 256, 257, 511, 512, 513, 698, 699};
    const double y[] = {2, -1};
    double null;
    tm_problem problem = {.loss = "squared", .lambda = 1, .intercept = false};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        for (size_t j = 0; j < 2 * COLS; j++)
            columns[j] = 0.25;
        columns[2 * places[k]] = -1.5;
        tm_dataset *data = dataset_of(dense_of(2, COLS, columns), y, true);
        assert_true(lambda_max_of(data, &problem, &null) == 3.25);
        assert_true(null == 2.5);
        tm_dataset_unref(data);
    }
}

CHECK(test_nothing_to_explain)
{
    const double columns[] = {1, 2, 3, 4, 0.1, 0.1, 0.1, 0.1}, zero[] = {0, 0};
    const double constant[] = {0.1, 0.1, 0.1, 0.1}, y[] = {1, 2, 3, 5};
    double null;
    tm_problem problem = {.loss = "squared", .lambda = 1, .intercept = true};
    /* A constant response: with an intercept nothing is left, exactly. */
    tm_dataset *data = dataset_of(dense_of(4, 2, columns), constant, true);
    assert_true(lambda_max_of(data, &problem, &null) == 0 && null == 0);
    must_be_near(certify(data, &problem, zero, 0.1).gap, 0, 0);
    tm_dataset_unref(data);
    /* A constant feature: an intercept says all it could. */
    data = dataset_of(dense_of(4, 1, columns + 4), y, true);
    assert_true(lambda_max_of(data, &problem, &null) == 0);
    must_be_near(certify(data, &problem, zero, 2.75).gap, 0, 1e-14);
    problem.intercept = false;
    must_be_near(lambda_max_of(data, &problem, &null), 1.1, 1e-15);
    must_be_near(null, 19.5, 0);
    tm_dataset_unref(data);
    /* One row: the intercept fits it. */
    problem.intercept = true;
    data = dataset_of(dense_of(1, 2, columns), (double[]){7}, true);
    assert_true(lambda_max_of(data, &problem, &null) == 0 && null == 0);
    must_be_near(certify(data, &problem, zero, 7).gap, 0, 0);
    tm_dataset_unref(data);
}

/* A w that fits y exactly leaves no residual to make a dual point of: the bound is that of u = 0.
 */
CHECK(test_exact_fit)
{
    tm_problem problem = {.loss = "squared", .lambda = 2, .intercept = false};
    tm_dataset *data = dataset_of(dense_of(2, 1, (double[]){1, 2}), (double[]){3, 6}, true);
    tm_certificate c = certify(data, &problem, (double[]){3}, 0);
    assert_true(c.primal == 6 && c.dual == 0);
    tm_dataset_unref(data);
}

CHECK(test_unknown_loss)
{
    tm_problem problem = {.loss = "hinge", .lambda = 2, .intercept = false};
    tm_certificate c;
    tm_error err = TM_ERROR_INIT;
    double lambda_max, null, w = 0;
    tm_dataset *data = dataset_of(dense_of(2, 1, (double[]){1, 2}), (double[]){3, 6}, true);
    must_refuse(tm_certify(&c, data, &problem, &w, 0, &err), TM_EUSAGE, &err, "'hinge'");
    must_refuse(tm_lambda_max(&lambda_max, &null, data, &problem, &err), TM_EUSAGE, &err,
                "known: squared");
    tm_dataset_unref(data);
}

/* Classes that a hyperplane separates have loss 0 without a penalty, so that no dual value is above
 * 0. The dual variables are rounding there, whatever they are scaled to. */
CHECK(test_separated_classes)
{
    enum { ROWS = 20, COLS = 8 };
    tm_problem problem = {.loss = "squared_hinge", .lambda = 0, .intercept = false};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        double columns[ROWS * COLS], y[ROWS], w[COLS] = {0};
        for (size_t k = 0; k < ROWS * COLS; k++)
            columns[k] = tm_rng_normal(&rng);
        for (size_t i = 0; i < ROWS; i++)
            y[i] = columns[i] + columns[i + ROWS] > 0 ? 1 : -1;
        y[0] = -y[1]; /* both classes */
        columns[0] = 3 * y[0];
        columns[ROWS] = 0;
        tm_dataset *data = dataset_of(dense_of(ROWS, COLS, columns), y, true);
        tm_certificate c = certify(data, &problem, w, 0);
        assert_true(c.dual <= 1e-12);
        tm_dataset_unref(data);
    }
}

/* Weights far beyond the optimum, whose dual variables oppose the response: with limits these must
 * not be scaled by a negative number, as products of the other sign have another constraint. */
CHECK(test_limits_and_opposed_residuals)
{
    static const double column[] = {1, 1}, lower[] = {0}, upper[] = {INFINITY};
    for (int k = 0; k < 8; k++) {
        double sign = k % 2 ? -1 : 1, w[] = {3 * sign}, y[] = {sign, sign};
        double below[] = {-upper[0]}, above[] = {-lower[0]};
        tm_dataset *data = dataset_of(dense_of(2, 1, column), y, true);
        tm_problem problem = {.loss = "squared",
                              .lambda = 0.1 * (1 + k / 2),
                              .lower = sign > 0 ? lower : below,
                              .upper = sign > 0 ? upper : above};
        double best = 1 - problem.lambda / 2;
        double optimum = (1 - best) * (1 - best) + problem.lambda * best;
        tm_certificate c = certify(data, &problem, w, 0);
        assert_true(c.dual <= optimum + 1e-14);
        w[0] = sign * best;
        c = certify(data, &problem, w, 0);
        assert_true(fabs(c.primal - optimum) <= 1e-14 && fabs(c.gap) <= 1e-14);
        tm_dataset_unref(data);
    }
}

RUN_TESTS(test_orthogonal_design, test_weak_duality, test_shift_of_the_response, test_bad_intercept,
          test_lambda_max, test_lambda_max_of_many_features, test_nothing_to_explain,
          test_exact_fit, test_unknown_loss, test_separated_classes,
          test_limits_and_opposed_residuals)
