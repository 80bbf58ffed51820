/* Bounds from earlier products and from copies of the data in bytes, certificates that rest on
 * them, against sums in long double and passes over all features. */
#include "tests/core_check.h"

#include "data/bytes/byte_copy.h"
#include "model/certificate/certificate.h"

#include <float.h>

enum { N = 320, P = 600, VECTORS = 70 };

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
        u[i] = (step ? 0.98 * u[i] : 0) + (step ? 0.03 : 1) * tm_rng_normal(rng);
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

/* ---- copies in bytes ------------------------------------------------------------------------ */

enum { LONG_N = 1100, KINDS_P = 120, KINDS = 8 };

/* Normal, far from zero, of two values, constant, heavy-tailed, with one outlier, tiny and huge. */
static double value_of(tm_rng *rng, size_t kind, size_t i)
{
    double z = tm_rng_normal(rng);
    const double values[KINDS] = {
        z, 1e6 + z, z > 0.3, -7, z * z * z * z * z, i == 5 ? 1e9 : z, 1e-300 * z, 1e300 * z};
    return values[kind];
}

static tm_matrix *kinds_of(uint64_t seed)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    double *x = malloc(sizeof *x * LONG_N * KINDS_P);
    for (size_t j = 0; j < KINDS_P; j++)
        for (size_t i = 0; i < LONG_N; i++)
            x[i + j * LONG_N] = value_of(&rng, j % KINDS, i);
    tm_matrix *matrix;
    tm_error err = TM_ERROR_INIT;
    must(tm_matrix_new_dense(&matrix, LONG_N, KINDS_P, x, &err), &err);
    return matrix;
}

static long double long_length(const double *v, size_t n)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (long double)v[i] * v[i];
    return sqrtl(sum);
}

/* The worst case for rounding, with entries of the column's own signs, and random ones. */
static void make_vector(tm_rng *rng, const double *column, size_t kind, double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = kind == 0   ? tm_rng_normal(rng)
               : kind == 1 ? copysign(3, column[i])
               : kind == 2 ? (i == n / 2)
                           : 1e-200 * tm_rng_normal(rng);
}

/* |r_j| is the length of what products with unit vectors show of r_j. */
static void check_length(const byte_copy *copy, size_t j, const double *column, size_t n)
{
    double v[LONG_N] = {0}, r[LONG_N];
    int16_t values[LONG_N];
    byte_vector unit = {.values = values};
    for (size_t i = 0; i < n; i++) {
        v[i] = 1;
        byte_vector_round(&unit, v, n);
        r[i] = column[i] - byte_copy_dot(copy, j, &unit);
        v[i] = 0;
    }
    double found = (double)long_length(r, n), left = byte_copy_left(copy)[j];
    double lost = 1e-14 * (double)long_length(column, n);
    if (!(found <= left + lost && found >= 0.999 * left - lost))
        fail_msg("column %zu: %g left, but %g", j, found, left);
}

/* For whole and rounded vectors: x_j'v is within |r_j| |v| and the vector's rounding of the product
 * with the copy; and r_j is at most what half a step for each row allows. */
static void check_copy(const tm_matrix *x)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x), copy_bytes, column_bytes;
    double column[LONG_N], v[LONG_N];
    int16_t values[LONG_N];
    byte_vector rounded = {.values = values};
    tm_rng rng;
    tm_rng_seed(&rng, 4);
    assert_true(byte_copy_sizes(x, &copy_bytes, &column_bytes));
    assert_true(copy_bytes < column_bytes);
    byte_copy *copy = byte_copy_new(x);
    byte_copy_take(copy, x, 0, p / 2, column);
    byte_copy_take(copy, x, p / 2, p - p / 2, column);
    for (size_t j = 0; j < p; j++) {
        tm_matrix_column(x, j, column);
        double low = column[0], high = column[0], left = byte_copy_left(copy)[j];
        for (size_t i = 0; i < n; i++) {
            low = fmin(low, column[i]);
            high = fmax(high, column[i]);
        }
        double length = (double)long_length(column, n);
        assert_true(left <= (high / 508 - low / 508) * sqrt((double)n) * 1.0001 + 1e-13 * length);
        if (j < KINDS)
            check_length(copy, j, column, n);
        for (size_t kind = 0; kind < 4; kind++) {
            make_vector(&rng, column, kind, v, n);
            byte_vector_round(&rounded, v, n);
            long double exact = 0, apart = 0;
            for (size_t i = 0; i < n; i++) {
                long double kept = (long double)rounded.step * values[i];
                exact += (long double)column[i] * v[i];
                apart += (v[i] - kept) * (v[i] - kept);
            }
            double size = (double)long_length(v, n), bound = left * size * 1.0001;
            bound += (double)sqrtl(apart) * length * 1.01 + 1e-12 * length * size + DBL_MIN;
            if (!(fabsl(exact - byte_copy_dot(copy, j, &rounded)) <= bound))
                fail_msg("column %zu, vector %zu: %Lg, but %g +- %g", j, kind, exact,
                         byte_copy_dot(copy, j, &rounded), bound);
        }
    }
    byte_copy_free(copy);
}

CHECK(test_copies)
{
    tm_error err = TM_ERROR_INIT;
    size_t rows[LONG_N / 2], cols[KINDS_P];
    tm_matrix *x = kinds_of(1), *view = NULL, *single = NULL;
    check_copy(x);
    for (size_t i = 0; i < LONG_N / 2; i++)
        rows[i] = LONG_N - 1 - 2 * i;
    must(tm_matrix_view_rows(&view, x, rows, LONG_N / 2, &err), &err);
    check_copy(view);
    tm_matrix_unref(view);
    for (size_t j = 0; j < KINDS_P; j++)
        cols[j] = KINDS_P - 1 - j;
    must(tm_matrix_select_cols(&view, x, cols, KINDS_P, &err), &err);
    check_copy(view);
    tm_matrix_unref(view);
    double *small = malloc(sizeof *small * LONG_N * KINDS_P);
    for (size_t j = 0; j < KINDS_P; j++)
        tm_matrix_column(x, j, small + j * LONG_N);
    for (size_t k = 0; k < (size_t)LONG_N * KINDS_P; k++)
        small[k] = fabs(small[k]) > 1e30 || fabs(small[k]) < 1e-30 ? 1 : small[k];
    must(tm_matrix_new_dense(&single, LONG_N, KINDS_P, small, &err), &err);
    must(tm_matrix_to_float(single, &err), &err);
    check_copy(single);
    tm_matrix_unref(single);
    tm_matrix_unref(x);
}

/* Columns of two values are kept without loss, and so are their products. */
CHECK(test_two_values_are_exact)
{
    tm_matrix *x = kinds_of(3);
    double column[LONG_N];
    byte_copy *copy = byte_copy_new(x);
    byte_copy_take(copy, x, 0, KINDS_P, column);
    for (size_t j = 2; j < KINDS_P; j += KINDS)
        assert_true(byte_copy_left(copy)[j] <= 1e-12 * sqrt(LONG_N));
    for (size_t j = 3; j < KINDS_P; j += KINDS)
        assert_true(byte_copy_left(copy)[j] <= 7e-12 * sqrt(LONG_N));
    byte_copy_free(copy);
    tm_matrix_unref(x);
}

typedef struct bounds_check {
    size_t near; /* refined estimates whose error is at most 2 % of the lengths */
    size_t vectors, restarts;
} bounds_check;

static void check_refined(product_bounds *past, const tm_dataset *data, const double *u,
                          bool centred, bounds_check *found)
{
    double estimates[P], errors[P], error;
    product_bounds_bound(past, 0, P, estimates, errors);
    product_bounds_round_rest(past);
    double length = (double)long_length(u, N);
    for (size_t j = 0; j < P; j++) {
        long double exact = product_of(data, j, u, centred);
        if (!(fabsl(exact - estimates[j]) <= errors[j]))
            fail_msg("feature %zu: %Lg, but %g +- %g", j, exact, estimates[j], errors[j]);
        product_bounds_refine(past, j, &estimates[j], &error);
        if (!(fabsl(exact - estimates[j]) <= error))
            fail_msg("feature %zu refined: %Lg, but %g +- %g", j, exact, estimates[j], error);
        found->near += error <= 0.02 * length * sqrt(tm_dataset_deviations(data)[j]);
    }
}

/* Two vectors with products of the data, then vectors with products of the copy until there is room
 * for no more; these are removed, and others added. */
static void check_rounded(bool centred, bool single)
{
    double y[N], u[N], *products, scratch[N];
    tm_dataset *data = columns_of(3, single, y);
    product_bounds *past;
    bounds_check found = {0};
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, 8);
    must(product_bounds_new(&past, data, centred, &err), &err);
    product_bounds_expect(past, 100);
    for (size_t step = 0; step < 60; step++) {
        walk(&rng, u, step, centred);
        if (product_bounds_split(past, u) && product_bounds_has_copy(past))
            check_refined(past, data, u, centred, &found);
        if (step % 20 < 2) {
            if (product_bounds_has_rounded(past)) {
                product_bounds_drop_rounded(past);
                product_bounds_split(past, u);
            }
            byte_copy *copy = product_bounds_begin_copy(past);
            const double *lesson = product_bounds_next_vector(past, &products);
            for (size_t j = 0; j < P; j++)
                products[j] = (double)product_of(data, j, lesson, centred);
            if (copy)
                byte_copy_take(copy, tm_dataset_x(data), 0, P, scratch);
            product_bounds_end_copy(past, copy, copy);
            product_bounds_add_vector(past);
        } else if (product_bounds_wants_rounded(past, P << step % 20)) {
            if (product_bounds_is_full(past)) {
                product_bounds_drop_rounded(past);
                product_bounds_split(past, u);
                found.restarts++;
            }
            product_bounds_round_rest(past);
            product_bounds_multiply(past, 0, P);
            product_bounds_add_rounded(past);
            found.vectors++;
        }
        product_bounds_split(past, u);
        if (product_bounds_has_copy(past))
            check_refined(past, data, u, centred, &found);
    }
    assert_true(found.vectors > 20 && found.restarts > 0);
    assert_true(found.near > (single ? 20 : 50) * P);
    product_bounds_free(past);
    tm_dataset_unref(data);
}

CHECK(test_bounds_with_a_copy)
{
    check_rounded(false, false);
    check_rounded(true, false);
}

/* Squares of short vectors' entries are lost: these vectors have no bounds, and are not added. */
CHECK(test_short_vectors)
{
    double y[N], u[N];
    tm_dataset *data = columns_of(3, false, y);
    tm_error err = TM_ERROR_INIT;
    product_bounds *past;
    tm_rng rng;
    tm_rng_seed(&rng, 8);
    walk(&rng, u, 0, false);
    must(product_bounds_new(&past, data, false, &err), &err);
    product_bounds_add_known(past, u, (double[P]){0});
    assert_true(product_bounds_split(past, u));
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < N; i++)
            u[i] *= k == 0 ? 1e-140 : 1e-15;
        assert_false(product_bounds_split(past, u) || product_bounds_is_new(past));
    }
    product_bounds_free(past);
    tm_dataset_unref(data);
}

/* The data keep the first complete copy, and who comes later uses it from the same pass on. */
CHECK(test_copies_are_shared)
{
    double y[N], scratch[N];
    tm_dataset *data = columns_of(3, false, y);
    tm_error err = TM_ERROR_INIT;
    product_bounds *past[3];
    byte_copy *copy[3];
    for (int k = 0; k < 3; k++) {
        must(product_bounds_new(&past[k], data, true, &err), &err);
        product_bounds_expect(past[k], 100);
    }
    for (int k = 0; k < 2; k++)
        byte_copy_take(copy[k] = product_bounds_begin_copy(past[k]), tm_dataset_x(data), 0, P,
                       scratch);
    product_bounds_end_copy(past[1], copy[1], true);
    product_bounds_end_copy(past[0], copy[0], true);
    assert_false(product_bounds_has_copy(past[2]) || product_bounds_begin_copy(past[2]));
    assert_true(product_bounds_has_copy(past[2]) && byte_copy_of(tm_dataset_x(data)) == copy[1]);
    for (int k = 0; k < 3; k++)
        product_bounds_free(past[k]);
    tm_dataset_unref(data);
}

/* Along weights that change slowly: the dual value is that of a pass over all features where the
 * greatest product has been visited, and never above it. Visited products are exact; the others
 * stay below the threshold. Returns how many columns were visited; `expected`: certificates to
 * come, for which a copy pays. */
static size_t check_certificates(const tm_problem *given, size_t steps, size_t expected)
{
    double w[P] = {0}, exact[P], products[P], y[N];
    tm_dataset *data = columns_of(5, false, y);
    tm_problem problem = *given;
    product_bounds *past;
    tm_error err = TM_ERROR_INIT;
    double null, most;
    size_t visits = 0;
    must(tm_lambda_max(&most, &null, data, &problem, &err), &err);
    must(product_bounds_new(&past, data, problem.intercept, &err), &err);
    product_bounds_expect(past, expected);
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
    assert_true(product_bounds_has_copy(past) || expected == 0);
    product_bounds_free(past);
    tm_dataset_unref(data);
    return visits;
}

enum { PROBLEMS = 5 };

static void check_problems(size_t steps, size_t expected, size_t visits[PROBLEMS])
{
    double factors[P], ridge[P], lower[P];
    for (size_t j = 0; j < P; j++) {
        factors[j] = j == 9 ? INFINITY : 0.5 + (double)(j % 4);
        ridge[j] = 0.1;
        lower[j] = j % 2 ? 0 : -INFINITY;
    }
    tm_problem plain = {.loss = "squared", .lambda = 1}, problem = plain;
    visits[0] = check_certificates(&problem, steps, expected);
    problem.intercept = true;
    visits[1] = check_certificates(&problem, steps, expected);
    problem.factors = factors;
    visits[2] = check_certificates(&problem, steps, expected);
    problem = plain;
    problem.ridge = ridge;
    visits[3] = check_certificates(&problem, steps, expected);
    problem.lower = lower;
    visits[4] = check_certificates(&problem, steps, expected);
}

CHECK(test_certificates)
{
    size_t visits[PROBLEMS], with_copy[PROBLEMS];
    check_problems(40, 0, visits);
    check_problems(40, 100, with_copy);
    for (int k = 0; k < PROBLEMS; k++)
        assert_true(with_copy[k] <= visits[k] + P / 8);
    assert_true(with_copy[2] < 2 * visits[2] / 3);
    /* Without an intercept, products of columns far from zero are long. */
    assert_true(with_copy[1] <= 2 * P && with_copy[2] <= 2 * P);
}

RUN_TESTS(test_bounds, test_copies, test_two_values_are_exact, test_bounds_with_a_copy,
          test_copies_are_shared, test_short_vectors, test_certificates)
