/* Data sets made of others: chosen columns, scaled columns, appended rows. */
#include "data_check.h"

#include <math.h>

static void must(tm_status status, const tm_error *err)
{
    if (status != TM_OK)
        fail_msg("%s", err->message);
}

/* The same table as a dense data set with names, and as a sparse one without. */
static tm_dataset *table(bool sparse)
{
    static const double columns[] = {3, 0, 4, 0, 0, 2, 0, 0, -4, 0, 3, 0.5, 0, 0, 0, 0};
    if (sparse)
        return read_good("1 1:3 3:-4\n-1 2:2\n1 1:4 3:3\n-1 3:0.5 4:0\n", NULL);
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data;
    tm_dataset_parts parts = {.name = "in", .response.y = malloc(4 * sizeof *parts.response.y)};
    double *values = malloc(sizeof columns);
    parts.features.names = calloc(4, sizeof *parts.features.names);
    assert_non_null(values);
    assert_non_null(parts.response.y);
    assert_non_null(parts.features.names);
    memcpy(values, columns, sizeof columns);
    for (size_t k = 0; k < 4; k++) {
        parts.response.y[k] = k % 2 ? -1 : 1;
        parts.features.names[k] = strdup((const char[]){(char)('a' + k), '\0'});
    }
    must(tm_matrix_new_dense(&parts.x, 4, 4, values, &err), &err);
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

CHECK(columns_are_chosen_without_a_copy)
{
    static const double rows[] = {-4, 3, -4, 0, 0, 0, 3, 4, 3, 0.5, 0, 0.5}, y[] = {1, -1, 1, -1};
    tm_error err = TM_ERROR_INIT;
    for (int sparse = 0; sparse < 2; sparse++) {
        tm_dataset *data = table(sparse), *part, *rest;
        must(tm_dataset_select_cols(&part, data, (const size_t[]){2, 0, 2}, 3, "part", &err), &err);
        tm_dataset_unref(data);
        check_data(part, 4, 3, rows, y);
        assert_string_equal(tm_dataset_feature_name(part, 0), sparse ? "X3" : "c");
        assert_string_equal(tm_dataset_feature_name(part, 1), sparse ? "X1" : "a");
        assert_string_equal(tm_dataset_label(part, 1), "1");
        assert_string_equal(tm_matrix_kind(tm_dataset_x(part)), "view");
        must(tm_dataset_select_rows(&rest, part, (const size_t[]){3, 0}, 2, "rest", &err), &err);
        check_data(rest, 2, 3, (const double[]){0.5, 0, 0.5, -4, 3, -4}, (const double[]){-1, 1});
        assert_int_equal(tm_dataset_select_cols(&data, part, (const size_t[]){3}, 1, NULL, &err),
                         TM_EUSAGE);
        assert_null(data);
        tm_dataset_unref(part);
        tm_dataset_unref(rest);
    }
}

CHECK(scaled_columns_have_their_size)
{
    static const tm_scaling ways[] = {TM_SCALE_STANDARD, TM_SCALE_MAXABS, TM_SCALE_NORM};
    tm_error err = TM_ERROR_INIT;
    for (int sparse = 0; sparse < 2; sparse++)
        for (size_t w = 0; w < 3; w++) {
            tm_dataset *data = table(sparse), *scaled, *again;
            must(tm_dataset_scale(&scaled, data, ways[w], NULL, &err), &err);
            const tm_matrix *x = tm_dataset_x(scaled);
            assert_int_equal(tm_matrix_is_sparse(x), tm_matrix_is_sparse(tm_dataset_x(data)));
            assert_true(tm_matrix_nnz(x) == tm_matrix_nnz(tm_dataset_x(data)));
            for (size_t j = 0; j < 4; j++) {
                double column[4], most = 0, square = 0;
                tm_matrix_column(x, j, column);
                for (size_t i = 0; i < 4; i++) {
                    most = fmax(most, fabs(column[i]));
                    square += column[i] * column[i];
                }
                double size = w == 0   ? sqrt(tm_dataset_deviations(scaled)[j] / 4)
                              : w == 1 ? most
                                       : sqrt(square);
                assert_true(fabs(size - (j < 3)) < 1e-14); /* the last column is empty */
            }
            /* Scaled like the whole, a part is the part of the scaled whole. */
            tm_dataset *part, *ours, *theirs;
            must(tm_dataset_select_rows(&part, data, (const size_t[]){2}, 1, "part", &err), &err);
            must(tm_dataset_scale(&ours, part, ways[w], data, &err), &err);
            must(tm_dataset_select_rows(&theirs, scaled, (const size_t[]){2}, 1, "part", &err),
                 &err);
            assert_string_equal(tm_dataset_sha256(ours), tm_dataset_sha256(theirs));
            assert_int_equal(tm_dataset_scale(&again, data, ways[w], part, &err), TM_OK);
            tm_dataset_unref(again);
            tm_dataset_unref(part);
            tm_dataset_unref(ours);
            tm_dataset_unref(theirs);
            tm_dataset_unref(scaled);
            tm_dataset_unref(data);
        }
}

CHECK(rows_are_appended)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *both;
    for (int first = 0; first < 2; first++)
        for (int second = 0; second < 2; second++) {
            tm_dataset *a = table(first), *b = table(second), *half;
            must(tm_dataset_select_rows(&half, b, (const size_t[]){3, 0}, 2, "half", &err), &err);
            const tm_dataset *list[] = {a, half, half};
            must(tm_dataset_append(&both, list, 3, "both", &err), &err);
            check_data(both, 8, 4,
                       (const double[]){3, 0, -4,  0, 0, 2, 0,  0, 4, 0, 3,   0, 0, 0, 0.5, 0,
                                        0, 0, 0.5, 0, 3, 0, -4, 0, 0, 0, 0.5, 0, 3, 0, -4,  0},
                       (const double[]){1, -1, 1, -1, -1, 1, -1, 1});
            assert_int_equal(tm_matrix_is_sparse(tm_dataset_x(both)), first && second);
            tm_dataset_unref(both);
            tm_dataset_unref(half);
            tm_dataset_unref(a);
            tm_dataset_unref(b);
        }
}

CHECK(what_does_not_fit_is_not_appended)
{
    static const text_case cases[] = {
        {"a,b,y\n1,2,1\n3,4,-1\n", "has 4 features and in 2"},
        {"a,b,c,d,y\n1,2,3,4,no\n3,4,5,6,yes\n", "do not have the same classes"},
        {"a,b,c,e,y\n1,2,3,4,1\n3,4,5,6,-1\n", "feature 4 is called \"d\" in in and \"e\""},
    };
    tm_error err = TM_ERROR_INIT;
    tm_dataset *a = table(false), *both = (tm_dataset *)&both;
    for (size_t c = 0; c < 3; c++) {
        tm_dataset *b = read_good(cases[c].text, NULL);
        const tm_dataset *list[] = {a, b};
        assert_int_equal(tm_dataset_append(&both, list, 2, "both", &err), TM_EUSAGE);
        assert_null(both);
        if (!strstr(err.message, cases[c].want))
            fail_msg("%s", err.message);
        tm_dataset_unref(b);
    }
    tm_dataset_unref(a);
}

RUN_TESTS(columns_are_chosen_without_a_copy, scaled_columns_have_their_size, rows_are_appended,
          what_does_not_fit_is_not_appended)
