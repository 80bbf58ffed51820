/* Data sets: classes found, statistics right, unfit values refused. */
#include "tests/core_check.h"

#include <pthread.h>

/* n rows of one feature 1, 2, ..., n. */
static tm_matrix *counting(size_t n)
{
    double *values = malloc(n * sizeof *values);
    tm_matrix *x;
    tm_error err = TM_ERROR_INIT;
    assert_non_null(values);
    for (size_t i = 0; i < n; i++)
        values[i] = (double)i + 1;
    must(tm_matrix_new_dense(&x, n, 1, values, &err), &err);
    return x;
}

/* ---- two classes --------------------------------------------------------------------------- */

static void check_pair(double low, double high, const char *low_text, const char *high_text)
{
    /* Every order of four rows that has both values. */
    for (unsigned pattern = 1; pattern < 15; pattern++) {
        double y[4];
        for (unsigned i = 0; i < 4; i++)
            y[i] = pattern >> i & 1 ? high : low;
        tm_dataset *data = dataset_of(counting(4), y, false);
        assert_true(tm_dataset_is_binary(data));
        for (unsigned i = 0; i < 4; i++)
            assert_true(tm_dataset_y(data)[i] == (pattern >> i & 1 ? 1 : -1));
        assert_string_equal(tm_dataset_label(data, -1), low_text);
        assert_string_equal(tm_dataset_label(data, 1), high_text);
        tm_dataset_unref(data);
    }
}

CHECK(test_classes_of_any_two_values)
{
    check_pair(0, 1, "0", "1");
    check_pair(1, 2, "1", "2");
    check_pair(-1, 1, "-1", "1");
    check_pair(-3, 2.5, "-3", "2.5");
    check_pair(10, 20, "10", "20");
    check_pair(-2, -1, "-2", "-1");
    check_pair(-1e-300, 1e100, "-1e-300", "1e+100");
    check_pair(1e16, 1e16 + 2, "1e+16", "10000000000000002");
}

static void check_numeric(const double *y, size_t n, bool numeric)
{
    tm_dataset *data = dataset_of(counting(n), y, numeric);
    assert_false(tm_dataset_is_binary(data));
    assert_null(tm_dataset_label(data, -1));
    assert_null(tm_dataset_label(data, 1));
    assert_memory_equal(tm_dataset_y(data), y, n * sizeof *y);
    tm_dataset_unref(data);
}

CHECK(test_numeric_responses)
{
    check_numeric((double[]){1, 2, 3}, 3, false);
    check_numeric((double[]){2, 1, 2, 1, 3}, 5, false);
    check_numeric((double[]){5, 5, 5}, 3, false); /* one value is no pair of classes */
    check_numeric((double[]){5}, 1, false);
    check_numeric((double[]){0, -0.0, 0}, 3, false); /* -0 is 0 */
    check_numeric((double[]){1, 2, 1, 2}, 4, true);
    check_numeric((double[]){0.3, 1.2}, 2, false); /* two rows have two values anyway */
    check_numeric((double[]){2, 1.5}, 2, false);
    tm_dataset *labels = dataset_of(counting(2), (double[]){2, 1}, false);
    assert_true(tm_dataset_is_binary(labels)); /* whole numbers may be labels */
    tm_dataset_unref(labels);
}

static tm_dataset *labelled(void)
{
    static const double columns[] = {1, 2, 3, 4, 0, 0, 7, 0};
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {.name = "cells", .x = dense_of(4, 2, columns), .note = "a remark\n"};
    parts.response.y = copy_of((double[]){-1, 1, 1, -1}, 4 * sizeof(double));
    parts.response.labels[0] = strdup("ALL");
    parts.response.labels[1] = strdup("AML");
    parts.features.names = calloc(2, sizeof *parts.features.names);
    assert_non_null(parts.features.names);
    parts.features.names[0] = strdup("gene \"A\"");
    parts.features.names[1] = strdup("g\xc3\xa8ne");
    parts.response.name = strdup("kind");
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

CHECK(test_names_and_labels)
{
    tm_dataset *data = labelled();
    char buffer[32], small[5];
    assert_string_equal(tm_dataset_name(data), "cells");
    assert_string_equal(tm_dataset_note(data), "a remark\n");
    assert_string_equal(tm_dataset_label(data, -1), "ALL");
    assert_string_equal(tm_dataset_label(data, 1), "AML");
    assert_string_equal(tm_dataset_feature_name(data, 0), "gene \"A\"");
    assert_string_equal(tm_dataset_feature_label(data, 1, buffer, sizeof buffer), "g\xc3\xa8ne");
    assert_string_equal(tm_dataset_feature_label(data, 0, small, sizeof small), "gene");
    assert_string_equal(tm_dataset_response_name(data), "kind");
    tm_dataset_unref(data);
    data = dataset_of(counting(3), (double[]){1, 2, 3}, true);
    assert_null(tm_dataset_feature_name(data, 0));
    assert_string_equal(tm_dataset_feature_label(data, 0, buffer, sizeof buffer), "X1");
    assert_null(tm_dataset_response_name(data));
    assert_string_equal(tm_dataset_note(data), "");
    tm_dataset_unref(data);
}

/* ---- selecting rows ------------------------------------------------------------------------ */

CHECK(test_select_rows_keeps_what_is_known)
{
    const size_t rows[] = {2, 1, 2};
    tm_dataset *data = labelled(), *part;
    tm_error err = TM_ERROR_INIT;
    double column[3];
    must(tm_dataset_select_rows(&part, data, rows, 3, "part", &err), &err);
    tm_dataset_unref(data);
    assert_string_equal(tm_dataset_name(part), "part");
    assert_string_equal(tm_dataset_label(part, -1), "ALL"); /* although no such row is left */
    assert_true(tm_dataset_is_binary(part));
    assert_string_equal(tm_dataset_feature_name(part, 1), "g\xc3\xa8ne");
    assert_string_equal(tm_dataset_response_name(part), "kind");
    assert_string_equal(tm_dataset_note(part), "a remark\n");
    for (size_t k = 0; k < 3; k++)
        assert_true(tm_dataset_y(part)[k] == 1);
    tm_matrix_column(tm_dataset_x(part), 0, column);
    assert_true(column[0] == 3 && column[1] == 2 && column[2] == 3);
    must_be_near(tm_dataset_means(part)[0], 8.0 / 3, 1e-15);
    must_be_near(tm_dataset_deviations(part)[0], 2.0 / 3, 1e-15);
    tm_dataset_unref(part);
}

/* Two values that happen to be all there are in a selection do not make a number a class. */
CHECK(test_select_rows_of_numbers)
{
    tm_dataset *data = dataset_of(counting(4), (double[]){7, 8, 9, 7}, false), *part;
    tm_error err = TM_ERROR_INIT;
    must(tm_dataset_select_rows(&part, data, (size_t[]){0, 1, 3}, 3, "part", &err), &err);
    assert_false(tm_dataset_is_binary(part));
    assert_true(tm_dataset_y(part)[1] == 8);
    tm_dataset_unref(part);
    must_refuse(tm_dataset_select_rows(&part, data, (size_t[]){4}, 1, "part", &err), TM_EUSAGE,
                &err, "row 5");
    must_refuse(tm_dataset_select_rows(&part, data, NULL, 0, "part", &err), TM_EDATA, &err,
                "part: there are no rows");
    assert_null(part);
    tm_dataset_unref(data);
}

/* ---- statistics ---------------------------------------------------------------------------- */

static void check_statistics(const tm_dataset *data, const double *columns)
{
    size_t n = tm_dataset_rows(data);
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        long double mean = 0, deviation = 0, size = 0;
        for (size_t i = 0; i < n; i++)
            mean += (long double)columns[i + j * n] / (long double)n;
        for (size_t i = 0; i < n; i++) {
            long double off = columns[i + j * n] - mean;
            deviation += off * off;
            size = fmaxl(size, fabsl(columns[i + j * n]));
        }
        double slack = (double)(n + 2) * 0x1p-52;
        must_be_near(tm_dataset_means(data)[j], (double)mean, (double)size * slack);
        /* A mean that is off by rounding adds n times its square. */
        double off = (double)size * slack;
        must_be_near(tm_dataset_deviations(data)[j], (double)deviation,
                     (double)deviation * slack + (double)n * off * off);
    }
}

CHECK(test_statistics)
{
    static const double densities[] = {1, 0.5, 0.05}, shifts[] = {0, 1, 1e6, 1e12};
    enum { ROWS = 150, COLS = 20 };
    double *columns = malloc(ROWS * COLS * sizeof *columns), y[ROWS];
    tm_rng rng;
    assert_non_null(columns);
    tm_rng_seed(&rng, 41);
    fill_normal(&rng, y, ROWS, 1);
    for (size_t d = 0; d < 3; d++)
        for (size_t s = 0; s < 4; s++) {
            fill_normal(&rng, columns, ROWS * COLS, densities[d]);
            for (size_t k = 0; k < ROWS * COLS; k++)
                columns[k] += columns[k] != 0 ? shifts[s] : 0;
            tm_dataset *dense = dataset_of(dense_of(ROWS, COLS, columns), y, true);
            tm_dataset *sparse = dataset_of(csc_of(ROWS, COLS, columns), y, true);
            check_statistics(dense, columns);
            check_statistics(sparse, columns);
            tm_dataset_unref(dense);
            tm_dataset_unref(sparse);
        }
    free(columns);
}

static void check_constant(double value, size_t n)
{
    double *columns = malloc(n * sizeof *columns), *y = malloc(n * sizeof *y);
    assert_true(columns && y);
    for (size_t i = 0; i < n; i++) {
        columns[i] = value;
        y[i] = (double)i;
    }
    for (int sparse = 0; sparse < 2; sparse++) {
        tm_dataset *data =
            dataset_of(sparse ? csc_of(n, 1, columns) : dense_of(n, 1, columns), y, true);
        assert_true(tm_dataset_deviations(data)[0] == 0);
        assert_true(tm_dataset_means(data)[0] == value);
        tm_dataset_unref(data);
    }
    free(columns);
    free(y);
}

CHECK(test_constant_columns)
{
    static const double values[] = {0, 0.1, -0.1, 1, 1e16, 1.0 / 3, 1e-300, -1e150, 0x1p-1074};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        for (size_t n = 1; n < 100; n = 2 * n + 1)
            check_constant(values[k], n);
}

/* One value that differs makes a spread, however small it is beside the mean. */
CHECK(test_nearly_constant_column)
{
    const double columns[] = {1, 1, 1, 1 + 0x1p-20, 0, 0, 0, 1e-100};
    tm_dataset *data = dataset_of(csc_of(4, 2, columns), (double[]){1, 2, 3, 4}, true);
    must_be_near(tm_dataset_deviations(data)[0], 0.75 * 0x1p-40, 1e-6 * 0x1p-40);
    must_be_near(tm_dataset_deviations(data)[1], 0.75e-200, 1e-210);
    tm_dataset_unref(data);
}

/* ---- unfit values -------------------------------------------------------------------------- */

static void check_refused(tm_matrix *x, const double *y, const char *what)
{
    tm_dataset *data = (tm_dataset *)&data;
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {
        .name = "here", .x = x, .response.y = copy_of(y, tm_matrix_rows(x) * sizeof *y)};
    must_refuse(tm_dataset_new(&data, &parts, &err), TM_EDATA, &err, what);
    assert_null(data);
}

CHECK(test_not_finite)
{
    static const double values[] = {NAN, INFINITY, -INFINITY};
    const double y[] = {1, 2, 3};
    for (size_t k = 0; k < 3; k++)
        for (size_t at = 0; at < 6; at++) {
            double columns[6] = {0, 1, 2, 3, 0, 5};
            char what[64];
            columns[at] = values[k];
            snprintf(what, sizeof what, "here: feature X%zu of row %zu is not a finite", at / 3 + 1,
                     at % 3 + 1);
            check_refused(dense_of(3, 2, columns), y, what);
            check_refused(csc_of(3, 2, columns), y, what);
        }
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 3; i++) {
            double bad[] = {1, 2, 3};
            char what[64];
            bad[i] = values[k];
            snprintf(what, sizeof what, "here: the response of row %zu is not a finite", i + 1);
            check_refused(counting(3), bad, what);
        }
}

CHECK(test_overflow)
{
    const double y[] = {1, 2, 3, 4};
    const double large[] = {1e200, -1e200, 0, 0}, constant[] = {1e200, 1e200, 1e200, 1e200};
    const double greatest[] = {1.7e308, 1.7e308, 1.7e308, 1.7e308};
    const double *const all[] = {large, constant, greatest};
    for (size_t k = 0; k < 3; k++) {
        check_refused(dense_of(4, 1, all[k]), y, "the squares of feature X1 overflow");
        check_refused(csc_of(4, 1, all[k]), y, "the squares of feature X1 overflow");
        check_refused(counting(4), all[k], "the squares of the response overflow");
    }
}

CHECK(test_no_rows_no_columns)
{
    check_refused(dense_of(0, 3, NULL), NULL, "here: there are no rows");
    check_refused(csc_of(0, 3, NULL), NULL, "here: there are no rows");
    check_refused(dense_of(3, 0, NULL), (double[]){1, 2, 3}, "here: there are no features");
    check_refused(csc_of(3, 0, NULL), (double[]){1, 2, 3}, "here: there are no features");
}

/* ---- fingerprint --------------------------------------------------------------------------- */

static void check_digest(const tm_dataset *data, const char *other, bool same)
{
    const char *digest = tm_dataset_sha256(data);
    assert_int_equal(strlen(digest), 64);
    assert_int_equal(strspn(digest, "0123456789abcdef"), 64);
    assert_int_equal(strcmp(digest, other) == 0, same);
}

CHECK(test_fingerprint_is_of_the_content)
{
    enum { ROWS = 40, COLS = 30 };
    double columns[ROWS * COLS], y[ROWS];
    char first[65];
    tm_rng rng;
    tm_rng_seed(&rng, 51);
    fill_normal(&rng, columns, ROWS * COLS, 0.4);
    fill_normal(&rng, y, ROWS, 1);
    columns[3] = 0;
    tm_dataset *data = dataset_of(dense_of(ROWS, COLS, columns), y, true);
    snprintf(first, sizeof first, "%s", tm_dataset_sha256(data));
    check_digest(data, first, true);
    tm_dataset_unref(data);
    data = dataset_of(csc_of(ROWS, COLS, columns), y, true);
    check_digest(data, first, true);
    tm_dataset_unref(data);
    columns[3] = -0.0; /* stored by dense matrices, but no other content */
    data = dataset_of(dense_of(ROWS, COLS, columns), y, true);
    check_digest(data, first, true);
    tm_dataset_unref(data);
    for (size_t k = 0; k < ROWS * COLS; k += 37) {
        double kept = columns[k];
        columns[k] = kept == 0 ? 0x1p-1074 : nextafter(kept, INFINITY);
        data = dataset_of(k % 2 ? dense_of(ROWS, COLS, columns) : csc_of(ROWS, COLS, columns), y,
                          true);
        check_digest(data, first, false);
        tm_dataset_unref(data);
        columns[k] = kept;
    }
    y[17] = nextafter(y[17], 0);
    data = dataset_of(dense_of(ROWS, COLS, columns), y, true);
    check_digest(data, first, false);
    tm_dataset_unref(data);
}

CHECK(test_fingerprint_of_minus_zero)
{
    const double zero[] = {0, 1, 2}, minus[] = {-0.0, 1, 2};
    tm_dataset *data = dataset_of(counting(3), zero, true);
    tm_dataset *same = dataset_of(counting(3), minus, true);
    check_digest(same, tm_dataset_sha256(data), true);
    tm_dataset_unref(data);
    tm_dataset_unref(same);
}

/* The same numbers in another shape are other data. */
CHECK(test_fingerprint_knows_the_shape)
{
    const double values[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 2, 3, 4, 5, 6};
    tm_dataset *wide = dataset_of(dense_of(2, 3, values), y, true);
    tm_dataset *tall = dataset_of(dense_of(3, 2, values), y, true);
    tm_dataset *zeros = dataset_of(dense_of(2, 2, (double[]){1, 0, 0, 1}), y, true);
    tm_dataset *moved = dataset_of(dense_of(2, 2, (double[]){0, 1, 1, 0}), y, true);
    check_digest(wide, tm_dataset_sha256(tall), false);
    check_digest(zeros, tm_dataset_sha256(moved), false);
    tm_dataset_unref(wide);
    tm_dataset_unref(tall);
    tm_dataset_unref(zeros);
    tm_dataset_unref(moved);
}

/* SHA-256 of the words 1, 1, 2.0, 1, 0, 3.0 as eight bytes each, the least significant first: one
 * row, one column, y = 2, one entry at row 0 of value 3. */
CHECK(test_fingerprint_is_sha256)
{
    tm_dataset *data = dataset_of(dense_of(1, 1, (double[]){3}), (double[]){2}, true);
    assert_string_equal(tm_dataset_sha256(data),
                        "52c41047f84e45fa18b85c0fcd96481522874af84fd74c6c73944c1eb518d7a4");
    tm_dataset_unref(data);
}

static void *ask_digest(void *data)
{
    return (void *)(uintptr_t)tm_dataset_sha256(data);
}

CHECK(test_fingerprint_from_many_threads)
{
    tm_dataset *data = dataset_of(counting(2000), (double[2000]){1, 2, 3}, true);
    pthread_t threads[4];
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, ask_digest, data), 0);
    for (size_t k = 0; k < 4; k++) {
        void *digest;
        pthread_join(threads[k], &digest);
        check_digest(data, digest, true);
    }
    tm_dataset_unref(data);
}

RUN_TESTS(test_classes_of_any_two_values, test_numeric_responses, test_names_and_labels,
          test_select_rows_keeps_what_is_known, test_select_rows_of_numbers, test_statistics,
          test_constant_columns, test_nearly_constant_column, test_not_finite, test_overflow,
          test_no_rows_no_columns, test_fingerprint_is_of_the_content,
          test_fingerprint_of_minus_zero, test_fingerprint_knows_the_shape,
          test_fingerprint_is_sha256, test_fingerprint_from_many_threads)
