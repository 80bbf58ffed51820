/* Data sets made of others: chosen columns, scaled columns, appended rows. */
#include "data_check.h"

#include "tamis/classes.h"
#include "tamis/rng.h"

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
        {"a,b,c,e,y\n1,2,3,4,1\n3,4,5,6,-1\n", "feature 4 is called \"d\" in in and \"e\""},
    };
    tm_error err = TM_ERROR_INIT;
    tm_dataset *a = table(false), *both = (tm_dataset *)&both;
    for (size_t c = 0; c < 2; c++) {
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

/* ---- classes ------------------------------------------------------------------------------- */

enum { MOST_ROWS = 12 };

/* A table of one column, whose responses are drawn from `count` of these words. */
static size_t draw_rows(tm_rng *rng, const char *const *words, size_t count, char *text)
{
    size_t n = 2 + tm_rng_below(rng, MOST_ROWS - 2), first = tm_rng_below(rng, count);
    *text = '\0';
    for (size_t i = 0; i < n; i++) { /* two different ones at least: a response of one is refused */
        size_t w = i == 0 ? first : i == 1 ? (first + 1) % count : tm_rng_below(rng, count);
        text += sprintf(text, "%d,%s\n", (int)tm_rng_below(rng, 9) + 1, words[w]);
    }
    return n;
}

static void check_same(const tm_dataset *a, const tm_dataset *b)
{
    size_t n = tm_dataset_rows(a), of_a, of_b;
    assert_int_equal(tm_dataset_rows(b), n);
    assert_int_equal(tm_dataset_is_binary(a), tm_dataset_is_binary(b));
    for (int sign = -1; tm_dataset_is_binary(a) && sign < 2; sign += 2)
        assert_string_equal(tm_dataset_label(a, sign), tm_dataset_label(b, sign));
    const char *const *names = tm_dataset_class_names(a, &of_a);
    const char *const *others = tm_dataset_class_names(b, &of_b);
    assert_int_equal(of_a, of_b);
    for (size_t k = 0; k < of_a; k++)
        assert_string_equal(names[k], others[k]);
    for (size_t i = 0; i < n; i++)
        assert_true(tm_dataset_y(a)[i] == tm_dataset_y(b)[i]);
    assert_string_equal(tm_dataset_sha256(a), tm_dataset_sha256(b));
}

/* Appended tables are the table of all their lines, read at once. */
CHECK(classes_are_joined_as_if_read_together)
{
    static const char *const texts[] = {"b", "a", "no", "yes", "Z"}, *const numbers[] = {
                                                                         "2", "10", "-1", "1", "0"};
    tm_error err = TM_ERROR_INIT;
    tm_rng rng;
    tm_rng_seed(&rng, 15);
    for (int round = 0; round < 300; round++) {
        char text[3][MOST_ROWS * 16], all[3 * MOST_ROWS * 16 + 8] = "x,y\n";
        const char *const *words = round % 2 ? texts : numbers;
        size_t parts = 2 + tm_rng_below(&rng, 2), from = tm_rng_below(&rng, 2);
        tm_dataset *read[3], *joined, *whole;
        const tm_dataset *list[3];
        for (size_t k = 0; k < parts; k++) {
            char one[MOST_ROWS * 64];
            size_t first = from + tm_rng_below(&rng, 2);
            draw_rows(&rng, words + first, 2 + tm_rng_below(&rng, 4 - first), text[k]);
            snprintf(one, sizeof one, "x,y\n%s", text[k]);
            strcat(all, text[k]);
            list[k] = read[k] = read_good(one, "label=y");
        }
        must(tm_dataset_append(&joined, list, parts, "all", &err), &err);
        whole = read_good(all, "label=y");
        check_same(joined, whole);
        for (size_t k = 0; k < parts; k++)
            tm_dataset_unref(read[k]);
        tm_dataset_unref(joined);
        tm_dataset_unref(whole);
    }
}

CHECK(classes_that_cannot_be_joined_are_told)
{
    static const text_case cases[] = {
        {"x,y\n1,1.5\n2,2\n3,3\n", "is numeric, and other rows have classes"},
    };
    tm_error err = TM_ERROR_INIT;
    tm_dataset *a = read_good("x,y\n1,no\n2,yes\n", NULL), *both = (tm_dataset *)&both;
    tm_dataset *b = read_good(cases[0].text, NULL), *c, *d;
    assert_int_equal(tm_dataset_append(&both, (const tm_dataset *[]){a, b}, 2, "x", &err),
                     TM_EUSAGE);
    assert_non_null(strstr(err.message, cases[0].want));
    tm_dataset_unref(b);
    b = read_good("x,y\n1,no\n2,yes\n3,perhaps\n", NULL);
    must(tm_dataset_one_vs_rest(&c, b, "no", false, &err), &err);
    assert_int_equal(tm_dataset_append(&both, (const tm_dataset *[]){a, c}, 2, "x", &err),
                     TM_EUSAGE);
    assert_non_null(strstr(err.message, "against the rest"));
    /* The same class against the same rest is. */
    must(tm_dataset_append(&d, (const tm_dataset *[]){c, c}, 2, "x", &err), &err);
    assert_string_equal(tm_dataset_label(d, 1), "no");
    assert_int_equal(tm_dataset_rows(d), 6);
    tm_dataset_unref(a);
    tm_dataset_unref(b);
    tm_dataset_unref(c);
    tm_dataset_unref(d);
}

/* The qid of both files, or of neither. */
CHECK(bags_are_joined_by_their_number)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *a = read_good("1 qid:3 1:1\n-1 qid:4 1:2\n", NULL), *both;
    tm_dataset *b = read_good("1 qid:4 1:5\n-1 qid:9 1:6\n", NULL),
               *c = read_good("1 1:5\n-1 1:6\n", NULL);
    must(tm_dataset_append(&both, (const tm_dataset *[]){a, b}, 2, "x", &err), &err);
    static const double qids[] = {3, 4, 4, 9};
    for (size_t i = 0; i < 4; i++)
        assert_true(tm_dataset_qids(both)[i] == qids[i]);
    tm_dataset_unref(both);
    must(tm_dataset_append(&both, (const tm_dataset *[]){a, c}, 2, "x", &err), &err);
    assert_null(tm_dataset_qids(both));
    tm_dataset_unref(both);
    tm_dataset_unref(a);
    tm_dataset_unref(b);
    tm_dataset_unref(c);
}

RUN_TESTS(columns_are_chosen_without_a_copy, scaled_columns_have_their_size, rows_are_appended,
          what_does_not_fit_is_not_appended, classes_are_joined_as_if_read_together,
          classes_that_cannot_be_joined_are_told, bags_are_joined_by_their_number)
