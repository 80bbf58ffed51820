/* The LIBSVM reader against tables written by hand, and its errors against their positions. */
#include "data_check.h"

#include "tamis/rng.h"

#include <locale.h>
#include <math.h>

CHECK(reads_a_table)
{
    tm_dataset *data = read_good("1.5 1:2 3:-0.5\n"
                                 "-2 2:1e3\n"
                                 "0\n"
                                 "7 1:.25 2:4. 3:+6E-1\n",
                                 NULL);
    const double rows[] = {2, 0, -0.5, 0, 1000, 0, 0, 0, 0, 0.25, 4, 0.6};
    const double y[] = {1.5, -2, 0, 7};
    check_data(data, 4, 3, rows, y);
    assert_string_equal(tm_dataset_name(data), "in");
    assert_false(tm_dataset_is_binary(data));
    assert_non_null(strstr(tm_dataset_note(data), "LIBSVM"));
    tm_dataset_unref(data);
}

CHECK(reads_every_way_to_write_it)
{
    const double rows[] = {1, 0, 2, 0, 3, 0, 0, 0, 0};
    const double y[] = {3, 4.5, 6};
    static const char *const texts[] = {
        "3 1:1 3:2\n4.5 2:3\n6\n",
        "3 1:1 3:2\n4.5 2:3\n6",
        "3 1:1 3:2\r\n4.5 2:3\r\n6\r\n",
        "3 1:1 3:2\r4.5 2:3\r6\r",
        ("\xef\xbb\xbf"
         "3 1:1 3:2\n4.5 2:3\n6\n"),
        "\n\n3 1:1 3:2\n  \t\n\n4.5 2:3\n6\n\n \n",
        "# a comment 9:9\n3 1:1 3:2 # 5:5\n4.5 2:3# tail\n6#\n#",
        "3\t1:1\t3:2\t\n  4.5   2:3   \n\t6",
        "+3 01:1 003:2e0\n45e-1 2:0.3e1\n.6e1\n",
        "3 1:1 2:0 3:2\n4.5 1:-0 2:3 3:0.0\n6 1:0\n",
    };
    char first[65] = "";
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        tm_dataset *data = read_good(texts[i], "format=libsvm");
        check_data(data, 3, 3, rows, y);
        /* Zeros that are written out are no entries. */
        assert_string_equal(tm_matrix_kind(tm_dataset_x(data)), "csc");
        assert_int_equal(tm_matrix_nnz(tm_dataset_x(data)), 3);
        if (i == 0)
            strcpy(first, tm_dataset_sha256(data));
        assert_string_equal(tm_dataset_sha256(data), first);
        tm_dataset_unref(data);
    }
}

CHECK(keeps_qid_and_says_so)
{
    tm_dataset *data = read_good("3 qid:1 1:1\n2 qid:12 2:1\n5 qid:12\n", NULL);
    const double rows[] = {1, 0, 0, 1, 0, 0};
    const double y[] = {3, 2, 5};
    check_data(data, 3, 2, rows, y);
    assert_non_null(strstr(tm_dataset_note(data), "qid"));
    const double qids[] = {1, 12, 12};
    assert_memory_equal(tm_dataset_qids(data), qids, sizeof qids);
    tm_dataset *some;
    const size_t chosen[] = {2, 0};
    assert_int_equal(tm_dataset_select_rows(&some, data, chosen, 2, "some", NULL), TM_OK);
    assert_true(tm_dataset_qids(some)[0] == 12 && tm_dataset_qids(some)[1] == 1);
    tm_dataset_unref(some);
    tm_dataset_unref(data);
    data = read_good("3 qid:1 1:1\n2 2:1\n5 qid:12\n", NULL);
    assert_null(tm_dataset_qids(data));
    assert_non_null(strstr(tm_dataset_note(data), "qid: left out, not every row has one"));
    tm_dataset_unref(data);
}

CHECK(classes_become_signs)
{
    tm_dataset *data = read_good("2 1:1\n1 1:2\n2 1:3\n", NULL);
    const double rows[] = {1, 2, 3};
    const double y[] = {1, -1, 1};
    check_data(data, 3, 1, rows, y);
    assert_true(tm_dataset_is_binary(data));
    assert_string_equal(tm_dataset_label(data, 1), "2");
    assert_string_equal(tm_dataset_label(data, -1), "1");
    tm_dataset_unref(data);
}

CHECK(features_may_count_from_zero)
{
    const double from_zero[] = {2, 0, 3, 0, 4, 0, 0, 0, 0};
    const double y[] = {5, 6, 7};
    static const char *const texts[] = {
        "5 0:2 2:3\n6 1:4\n7\n",
        "5 00:2 2:3\n6 1:4\n7\n",
        "5 qid:3 0:2 2:3\n6 1:4 2:0\n7\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        tm_dataset *data = read_good(texts[i], NULL);
        check_data(data, 3, 3, from_zero, y);
        assert_non_null(strstr(tm_dataset_note(data), "counted from 0 (there is a feature 0 in "
                                                      "line 1)"));
        tm_dataset_unref(data);
    }
    /* A file without a feature 0 counts from 1, unless the reader is told. */
    const double shifted[] = {0, 2, 0, 0, 0, 3, 0, 0, 0};
    tm_dataset *data = read_good("5 1:2\n6 2:3\n7\n", "base=0");
    check_data(data, 3, 3, shifted, y);
    assert_non_null(strstr(tm_dataset_note(data), "counted from 0"));
    tm_dataset_unref(data);
    const double plain[] = {2, 0, 0, 3, 0, 0};
    for (int i = 0; i < 2; i++) {
        data = read_good("5 1:2\n6 2:3\n7\n", i ? "base=1" : NULL);
        check_data(data, 3, 2, plain, y);
        assert_null(strstr(tm_dataset_note(data), "counted"));
        tm_dataset_unref(data);
    }
    check_refused("5 1:2\n6 0:3\n7\n", "base=1", "line 2, column 3: ", "base = 1");
    /* The only feature of all, and widening. */
    data = read_good("5 0:1\n6\n7\n", "columns=2");
    const double single[] = {1, 0, 0, 0, 0, 0};
    check_data(data, 3, 2, single, y);
    tm_dataset_unref(data);
    /* Zeros of feature 0 count, too. */
    data = read_good("5 0:0 1:1\n6\n7\n", NULL);
    const double second[] = {0, 1, 0, 0, 0, 0};
    check_data(data, 3, 2, second, y);
    tm_dataset_unref(data);
}

CHECK(widens_to_features)
{
    tm_dataset *data = read_good("1 2:5\n3 1:4\n4\n", "columns=4");
    const double rows[] = {0, 5, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0};
    const double y[] = {1, 3, 4};
    check_data(data, 3, 4, rows, y);
    tm_dataset_unref(data);
    data = read_good("1 2:5\n3 1:4\n4\n", "columns=1");
    assert_int_equal(tm_dataset_cols(data), 2);
    tm_dataset_unref(data);
}

CHECK(stores_by_density)
{
    /* 6 of 10 entries are not more than 60 %, 7 of 10 are. */
    tm_dataset *sparse = read_good("1 1:1 2:2 3:3\n3 1:4 2:5 5:6\n", NULL);
    tm_dataset *dense = read_good("1 1:1 2:2 3:3 4:9\n3 1:4 2:5 5:6\n", NULL);
    assert_string_equal(tm_matrix_kind(tm_dataset_x(sparse)), "csc");
    assert_string_equal(tm_matrix_kind(tm_dataset_x(dense)), "dense");
    const double rows[] = {1, 2, 3, 0, 0, 4, 5, 0, 0, 6};
    const double y[] = {-1, 1};
    check_data(sparse, 2, 5, rows, y);
    tm_dataset_unref(sparse);
    tm_dataset_unref(dense);
}

/* Each decimal text must become the double nearest to it, which the compiler knows. */
CHECK(extreme_values_are_exact)
{
    const double values[] = {5e-324,
                             2.2250738585072014e-308,
                             1.7976931348623157e150,
                             0.1,
                             9007199254740993.0,
                             1e22,
                             1e23,
                             3.141592653589793238462643383279502884};
    tm_dataset *data = read_good("0 1:5e-324 2:2.2250738585072014e-308 3:1.7976931348623157e150 "
                                 "4:0.1 5:9007199254740993 6:1e22 7:1e23 "
                                 "8:3.141592653589793238462643383279502884\n",
                                 NULL);
    for (size_t j = 0; j < sizeof values / sizeof values[0]; j++) {
        double value;
        tm_matrix_column(tm_dataset_x(data), j, &value);
        assert_true(value == values[j]);
    }
    tm_dataset_unref(data);
}

CHECK(names_the_place_of_an_error)
{
    static const struct {
        const char *text, *where, *what;
    } cases[] = {
        {"1 1:2\n1 1:2 0:3\n", "line 2, column 7: ", "0 after feature 1"},
        {"1 0:2 0:3\n", "line 1, column 7: ", "twice"},
        {"1 0:2\n1 1:1 00:3\n", "line 2, column 7: ", "ascending"},
        {"1 1:2 3:1 2:5\n", "line 1, column 11: ", "ascending"},
        {"1 1:2 1:5\n", "line 1, column 7: ", "twice"},
        {"1 1:2\n\n# c\n1 1:nan\n", "line 4, column 5: ", "not finite"},
        {"1 1:-inf\n", "line 1, column 5: ", "not finite"},
        {"1 1:1e400\n", "line 1, column 5: ", "not finite"},
        {"nan 1:1\n", "line 1, column 1: ", "not finite"},
        {"1e999 1:1\n", "line 1, column 1: ", "not finite"},
        {"1 1:2 junk\n", "line 1, column 7: ", "\"junk\""},
        {"1 1:2 3\n", "line 1, column 7: ", "feature:value"},
        {"1 1:2 a:3\n", "line 1, column 7: ", "feature:value"},
        {"1 1:2 -3:3\n", "line 1, column 7: ", "feature:value"},
        {"1 1:2 1.5:3\n", "line 1, column 7: ", "feature:value"},
        {"1 1:\n", "line 1, column 5: ", "end of the line"},
        {"1 1:", "line 1, column 5: ", "end of the line"},
        {"1 1: 2\n", "line 1, column 5: ", "blank"},
        {"1 1:#2\n", "line 1, column 5: ", "comment"},
        {"1 1:2x\n", "line 1, column 5: ", "\"2x\""},
        {"1 1:0x10\n", "line 1, column 5: ", "\"0x10\""},
        {"1 1:1,5\n", "line 1, column 5: ", "\"1,5\""},
        {"1 1:1e\n", "line 1, column 5: ", "\"1e\""},
        {"1 1:.\n", "line 1, column 5: ", "\".\""},
        {"1:2 2:3\n", "line 1, column 1: ", "label"},
        {"one 1:2\n", "line 1, column 1: ", "label"},
        {"1,2 1:2\n", "line 1, column 1: ", "several labels"},
        {"1 1:2\n\r\n1 2:3 qid:4\n", "line 3, column 7: ", "feature:value"},
        {"1 qid:x 1:2\n", "line 1, column 7: ", "qid"},
        {"1 qid:1 qid:2 1:2\n", "line 1, column 9: ", "feature:value"},
        {"1 4294967295:1\n", "line 1, column 3: ", "too large"},
        {"1 99999999999999999999999:1\n", "line 1, column 3: ", "too large"},
        {"1 18446744073709551617:1\n", "line 1, column 3: ", "too large"},
        {"", "", "empty"},
        {"\n\n# only a comment\n", "", "no rows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(cases[i].text, NULL, cases[i].where, cases[i].what);
        /* Short entries with much behind them are read in another way. */
        char longer[400];
        size_t length = strlen(cases[i].text);
        if (i + 2 >= sizeof cases / sizeof cases[0] || cases[i].text[length - 1] != '\n')
            continue;
        snprintf(longer, sizeof longer, "%s# %0200d\n", cases[i].text, 0);
        check_refused(longer, NULL, cases[i].where, cases[i].what);
    }
}

/* Rows whose entries are zeros, or which have none, are rows. */
CHECK(rows_need_no_features)
{
    static const char *const texts[] = {"3\n4.5\n6\n", "3\n4.5 # 1:1\n6 qid:1"};
    for (size_t i = 0; i < 2; i++) {
        tm_dataset *data = read_good(texts[i], "format=libsvm");
        const double rows[] = {0, 0, 0}, y[] = {3, 4.5, 6};
        check_data(data, 3, 1, rows, y);
        assert_non_null(strstr(tm_dataset_note(data), "no row has a feature"));
        tm_dataset_unref(data);
    }
}

/* The same tables with one blank between entries, and with what makes the reader take its time. */
CHECK(short_entries_are_read_alike)
{
    NEEDS_LONG_DOUBLES();
    static const char *const numbers[] = {"%.0f",  "%.3f",  "%.7f",  "%.8f", "%.9f",   "%.15f",
                                          "%.16f", "%.17f", "%.17g", "%.5e", "%09.3f", "%+.2f"};
    enum { N = 40, P = 300 };
    tm_rng rng;
    tm_rng_seed(&rng, 21);
    double *rows = calloc(N * P, sizeof *rows), y[N];
    char *text = malloc(N * P * 60);
    assert_true(rows && text);
    for (int trial = 0; trial < 36; trial++) {
        const char *blank = trial % 3 == 0 ? " " : trial % 3 == 1 ? "\t" : "  ";
        size_t at = 0;
        for (size_t i = 0; i < N; i++) {
            y[i] = (double)i;
            at += (size_t)sprintf(text + at, "%zu", i);
            for (size_t j = 0; j < P; j++) {
                char number[64];
                rows[i * P + j] = 0;
                if (tm_rng_uniform(&rng) < 0.5 && j + 1 < P)
                    continue;
                snprintf(number, sizeof number, numbers[trial % 12],
                         tm_rng_normal(&rng) * pow(10, tm_rng_range(&rng, -2, 9)));
                rows[i * P + j] = strtod(number, NULL);
                at += (size_t)sprintf(text + at, "%s%zu:%s", blank, j + 1, number);
            }
            at += (size_t)sprintf(text + at, trial % 2 ? "\n" : " \r\n");
        }
        tm_dataset *data = read_good(text, "columns=300");
        check_data(data, N, P, rows, y);
        tm_dataset_unref(data);
    }
    free(text);
    free(rows);
}

CHECK(refuses_options_of_csv)
{
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_bytes(&data, "1 1:2\n", 6, "text=onehot", &err), TM_EUSAGE);
    assert_non_null(strstr(err.message, "text is for CSV"));
    assert_int_equal(read_bytes(&data, "1 1:2\n", 6, "label=2", &err), TM_EUSAGE);
    assert_non_null(strstr(err.message, "label"));
    assert_int_equal(read_bytes(&data, "1 1:2\n", 6, "columns=4294967294", &err), TM_EUSAGE);
    assert_non_null(strstr(err.message, "columns"));
}

/* Positions and tokens must not depend on where the blocks of the input end. */
CHECK(blocks_do_not_show)
{
    enum { SPAN = 300000 };
    char *text = malloc(SPAN + 200);
    assert_non_null(text);
    for (size_t shift = 0; shift < 40; shift++) {
        /* The reader takes 2^18 bytes at a time: the row lies across that border. */
        size_t at = (1 << 18) - 20 + shift;
        memset(text, ' ', SPAN);
        memcpy(text, "5 1:7\n", 6);
        strcpy(text + at, "-3.25 2:123456.789 3:4e2\r\n8 1:1 1:1\n");
        char where[64];
        snprintf(where, sizeof where, "line 3, column 7: ");
        check_refused(text, NULL, where, "twice");
        strcpy(text + at, "-3.25 2:123456.789 3:4e2\r\n8 1:1\n");
        tm_dataset *data = read_good(text, NULL);
        const double rows[] = {7, 0, 0, 0, 123456.789, 400, 1, 0, 0};
        const double y[] = {5, -3.25, 8};
        check_data(data, 3, 3, rows, y);
        tm_dataset_unref(data);
    }
    free(text);
}

/* One row of some megabytes, and comments of some: only their content counts. */
CHECK(long_lines_are_read)
{
    enum { FEATURES = 300000, COMMENT = 3000000 };
    size_t room = FEATURES * 20 + COMMENT + 100;
    char *text = malloc(room);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "1");
    for (int j = 1; j <= FEATURES; j++)
        at += (size_t)sprintf(text + at, " %d:%d.5", j, j % 1000);
    text[at++] = '#';
    memset(text + at, 'x', COMMENT);
    at += COMMENT;
    strcpy(text + at, "\n2\n3 1:4\n5 x\n");
    check_refused(text, NULL, "line 4, column 3: ", "\"x\"");
    strcpy(text + at, "\n2\n3 1:4\n");
    tm_dataset *data = read_good(text, NULL);
    assert_int_equal(tm_dataset_cols(data), FEATURES);
    for (size_t j = 0; j < FEATURES; j++) {
        double column[3];
        tm_matrix_column(tm_dataset_x(data), j, column);
        assert_true(column[0] == (double)((j + 1) % 1000) + 0.5);
        assert_true(column[2] == (j == 0 ? 4.0 : 0.0));
    }
    tm_dataset_unref(data);
    free(text);
}

/* Random tables written with 17 digits come back bit by bit, whatever their density. */
CHECK(round_trips)
{
    NEEDS_LONG_DOUBLES();
    enum { N = 60, P = 50 };
    tm_rng rng;
    tm_rng_seed(&rng, 20);
    double rows[N * P];
    double y[N];
    char *text = malloc(N * P * 40);
    assert_non_null(text);
    for (int trial = 0; trial < 20; trial++) {
        double density = tm_rng_uniform(&rng);
        size_t at = 0;
        for (size_t i = 0; i < N; i++) {
            y[i] = tm_rng_normal(&rng);
            at += (size_t)sprintf(text + at, "%.17g", y[i]);
            for (size_t j = 0; j < P; j++) {
                bool stored = tm_rng_uniform(&rng) < density;
                double value = tm_rng_normal(&rng) * pow(10, tm_rng_range(&rng, -30, 30));
                rows[i * P + j] = stored ? value : 0.0;
                if (stored)
                    at += (size_t)sprintf(text + at, " %zu:%.17g", j + 1, value);
            }
            at += (size_t)sprintf(text + at, "\n");
        }
        char features[32];
        snprintf(features, sizeof features, "columns=%d", P);
        tm_dataset *data = read_good(text, features);
        check_data(data, N, P, rows, y);
        tm_dataset_unref(data);
    }
    free(text);
}

/* A locale with decimal commas changes nothing. */
CHECK(locale_does_not_matter)
{
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8"};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++)
        if (setlocale(LC_ALL, locales[i]))
            break;
    tm_dataset *data = read_good("1.5 1:0.12345678901234567890\n2 1:1e-300\n3 1:4.5\n", NULL);
    const double rows[] = {0.12345678901234567890, 1e-300, 4.5};
    const double y[] = {1.5, 2, 3};
    setlocale(LC_ALL, "C");
    check_data(data, 3, 1, rows, y);
    tm_dataset_unref(data);
}

RUN_TESTS(reads_a_table, reads_every_way_to_write_it, keeps_qid_and_says_so, classes_become_signs,
          features_may_count_from_zero, widens_to_features, stores_by_density,
          extreme_values_are_exact, names_the_place_of_an_error, rows_need_no_features,
          short_entries_are_read_alike, refuses_options_of_csv, blocks_do_not_show,
          long_lines_are_read, round_trips, locale_does_not_matter)
