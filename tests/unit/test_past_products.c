/* Bounds from earlier products, cancelled certificates, and certificates that rest on them, against
 * sums in long double and passes over all features. */
#include "tests/core_check.h"

#include "model/certificate/certificate.h"

enum { N = 60, P = 700, VECTORS = 70 };

/* Columns of which some have means far from 0, or hardly any spread, and one is constant. */
static tm_dataset *columns_of(uint64_t seed, bool single, double *y)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    double *x = malloc(N * P * sizeof *x), *response = malloc(N * sizeof *response);
    for (size_t j = 0; j < P; j++) {
        double mean = j % 7 == 0 ? 1e6 : j % 7 == 1 ? -30 : 0, spread = j % 5 == 0 ? 1e-3 : 2;
        for (size_t i = 0; i < N; i++)
            x[i + j * N] = j == 11 ? 4 : mean + spread * tm_rng_normal(&rng);
    }
    for (size_t i = 0; i < N; i++)
        response[i] = y[i] = 3 * x[i + 2 * N] - x[i + 3 * N] + tm_rng_normal(&rng);
    tm_dataset_parts parts = {.name = "columns", .response.y = response, .response.numeric = true};
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    must(tm_matrix_new_dense(&parts.x, N, P, x, &err), &err);
    if (single)
        must(tm_matrix_to_float(parts.x, &err), &err);
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

/* (x_j - m_j)'u, or x_j'u. */
static long double product_of(const tm_dataset *data, size_t j, const double *u, bool centred)
{
    double column[N];
    long double mean = 0, sum = 0;
    tm_matrix_column(tm_dataset_x(data), j, column);
    for (size_t i = 0; i < N && centred; i++)
        mean += (long double)column[i] / N;
    for (size_t i = 0; i < N; i++)
        sum += ((long double)column[i] - mean) * u[i];
    return sum;
}

static double length_of(const tm_dataset *data, size_t j)
{
    double mean = tm_dataset_means(data)[j];
    return sqrt(tm_dataset_deviations(data)[j] + N * mean * mean);
}

/* A walk in N dimensions that leaves its past slowly; sums to zero when centred. */
static void walk(tm_rng *rng, double *u, size_t step, bool centred)
{
    double mean = 0;
    for (size_t i = 0; i < N; i++)
        u[i] = (step ? 0.98 * u[i] : 0) + (step ? 0.1 : 1) * tm_rng_normal(rng);
    for (size_t i = 0; i < N; i++)
        mean += u[i] / N;
    for (size_t i = 0; i < N && centred; i++)
        u[i] -= mean;
}

static void check_known(const product_bounds *past, const tm_dataset *data, const double *u,
                        bool centred)
{
    double estimates[P], errors[P];
    product_bounds_bound(past, 0, P, estimates, errors);
    for (size_t j = 0; j < P; j++) {
        assert_true(errors[j] <= 1e-12 * length_of(data, j) * N);
        assert_true(fabsl(product_of(data, j, u, centred) - estimates[j]) <= errors[j]);
    }
}

/* More vectors than memory has room for: it starts again on the way. */
static void check_bounds(bool centred, bool single)
{
    double y[N], u[N], estimates[P], errors[P], *products;
    tm_dataset *data = columns_of(3, single, y);
    product_bounds *past;
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    size_t told = 0;
    tm_rng_seed(&rng, 8);
    assert_true(product_bounds_pay(data));
    must(product_bounds_new(&past, data, centred, &err), &err);
    for (size_t step = 0; step < VECTORS; step++) {
        walk(&rng, u, step, centred);
        bool known = product_bounds_split(past, u);
        assert_true(known == (step > 0));
        product_bounds_bound(past, 0, P, estimates, errors);
        for (size_t j = 0; j < P; j++) {
            long double exact = product_of(data, j, u, centred);
            if (known && !(fabsl(exact - estimates[j]) <= errors[j]))
                fail_msg("vector %zu, feature %zu: %Lg, but %g +- %g", step, j, exact, estimates[j],
                         errors[j]);
            told += known && errors[j] < fabs(estimates[j]);
        }
        const double *lesson = product_bounds_next_vector(past, &products);
        for (size_t j = 0; j < P; j++)
            products[j] = (double)product_of(data, j, lesson, centred);
        product_bounds_add_vector(past);
        check_known(past, data, u, centred); /* at once, and when it is met again */
        product_bounds_split(past, u);
        check_known(past, data, u, centred);
    }
    assert_true(told > P); /* the bounds are worth something */
    product_bounds_free(past);
    tm_dataset_unref(data);
}

CHECK(test_bounds)
{
    for (int kind = 0; kind < 4; kind++)
        check_bounds(kind & 1, kind & 2);
}

/* Along weights that change slowly: the dual value is that of a pass over all features where the
 * greatest product has been visited, and never above it. Visited products are exact; the others
 * stay below the threshold. */
static void check_certificates(const tm_problem *given, double *y_of)
{
    double w[P] = {0}, exact[P], products[P];
    tm_dataset *data = columns_of(5, false, y_of);
    tm_problem problem = *given;
    product_bounds *past;
    tm_error err = TM_ERROR_INIT;
    double null, most;
    size_t visits = 0, steps = 40;
    must(tm_lambda_max(&most, &null, data, &problem, &err), &err);
    must(product_bounds_new(&past, data, problem.intercept, &err), &err);
    for (size_t step = 0; step < steps; step++) {
        size_t visited;
        problem.lambda = most * pow(0.97, (double)step + 1);
        w[2] = 0.05 * (double)step;
        w[3] = -0.01 * (double)step;
        certificate_item whole = {.problem = problem, .w = w, .products = exact}, item = whole;
        item.products = products;
        must(certificate_many(&whole, 1, &(data_pass){data, NULL, NULL}, &err), &err);
        double from = 0.95 * problem.lambda;
        must(certificate_by_past(&item, past, from, &visited, &(data_pass){data, NULL, NULL}, &err),
             &err);
        assert_true(item.certificate.primal == whole.certificate.primal);
        assert_true(item.certificate.dual <= whole.certificate.dual + 1e-9 * null);
        assert_true(item.certificate.gap <= whole.certificate.gap + 0.06 * null);
        for (size_t j = 0; j < P; j++) {
            double factor = problem.factors ? problem.factors[j] : 1;
            double size = length_of(data, j) * sqrt(2 * null);
            bool both = !problem.lower || problem.lower[j] < 0;
            double reach = both ? fabs(exact[j]) : exact[j];
            double estimate = both ? fabs(products[j]) : products[j];
            if (factor == 0)
                continue;
            if (reach >= from * factor && !(fabs(products[j] - exact[j]) <= 1e-12 * size))
                fail_msg("step %zu, feature %zu: %g, not %g", step, j, products[j], exact[j]);
            if (reach < from * factor && !(estimate <= from * factor + 1e-12 * size))
                fail_msg("step %zu, feature %zu: %g, above %g", step, j, products[j], from);
        }
        visits += visited;
    }
    assert_true(visits < steps * P / 2);
    product_bounds_free(past);
    tm_dataset_unref(data);
}

CHECK(test_certificates)
{
    double y[N], factors[P], ridge[P], lower[P];
    for (size_t j = 0; j < P; j++) {
        factors[j] = j == 9 ? INFINITY : 0.5 + (double)(j % 4);
        ridge[j] = 0.1;
        lower[j] = j % 2 ? 0 : -INFINITY;
    }
    tm_problem plain = {.loss = "squared", .lambda = 1}, problem = plain;
    check_certificates(&problem, y);
    problem.intercept = true;
    check_certificates(&problem, y);
    problem.factors = factors;
    check_certificates(&problem, y);
    problem = plain;
    problem.ridge = ridge;
    check_certificates(&problem, y);
    problem.lower = lower;
    check_certificates(&problem, y);
}

/* A certificate that takes long is given up once it is cancelled. */
CHECK(test_cancelled)
{
    enum { ROWS = 1600, COLS = 1500 };
    tm_error err = TM_ERROR_INIT;
    tm_rng rng;
    tm_rng_seed(&rng, 7);
    double *columns = malloc(sizeof *columns * ROWS * COLS), y[ROWS];
    double *w = calloc(COLS, sizeof *w);
    for (size_t k = 0; k < (size_t)ROWS * COLS; k++)
        columns[k] = tm_rng_normal(&rng);
    for (size_t i = 0; i < ROWS; i++)
        y[i] = tm_rng_normal(&rng);
    tm_dataset *data = dataset_of(dense_of(ROWS, COLS, columns), y, false);
    tm_cancel *cancel = tm_cancel_new();
    tm_cancel_set(cancel);
    certificate_item item = {.problem = {.loss = "squared", .intercept = true}, .w = w};
    must_refuse(certificate_many(&item, 1, &(data_pass){data, NULL, cancel}, &err), TM_ECANCELLED,
                &err, "cancelled");
    tm_cancel_free(cancel);
    tm_dataset_unref(data);
    free(columns);
    free(w);
}

RUN_TESTS(test_bounds, test_certificates, test_cancelled)
