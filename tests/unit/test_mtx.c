/* The Matrix Market reader against tables written by hand, and its errors against their places. */
#include "data_check.h"

#include <unistd.h>

#define COORDINATE "%%MatrixMarket matrix coordinate "
#define ARRAY "%%MatrixMarket matrix array "

/* Column `label` is the response of these. */
static void check_matrix(const char *text, size_t n, size_t p, const double *rows, const double *y)
{
    tm_dataset *data = read_good(text, "label=1");
    check_data(data, n, p, rows, y);
    assert_non_null(strstr(tm_dataset_note(data), "Matrix Market"));
    assert_non_null(strstr(tm_dataset_note(data), "response: column 1"));
    tm_dataset_unref(data);
}

CHECK(reads_every_way_to_write_it)
{
    const double rows[] = {0, -2.5, 7, 0, 0, 4};
    const double y[] = {5, 6, 8};
    static const char *const texts[] = {
        COORDINATE "real general\n3 3 6\n1 1 5\n2 1 6\n3 1 8\n2 2 7\n1 3 -2.5\n3 3 4\n",
        /* any order, comments, blank lines, blanks, CR LF, no end of the last line */
        "%%matrixmarket MATRIX Coordinate Double GENERAL\r\n%\r\n% a remark 1 2 3\r\n\r\n"
        " 3\t3  6 \r\n3 3 4e0\r\n\r\n 1 1 +5\r\n2 2 7.\r\n3 1 8\r\n1 3 -25e-1\r\n2 1 6",
        /* stored zeros are no entries */
        COORDINATE "integer general\n3 3 8\n1 1 5\n2 1 6\n3 1 8\n2 2 7\n1 2 0\n3 2 0\n"
                   "3 3 4\n1 3 -2.5\n",
        ARRAY "real general\n3 3\n5\n6\n8\n0\n7\n0\n-2.5\n0\n4\n",
        ARRAY "integer general\n% remark\n3 3\n5 6 8\n0 7 0\n% another\n-2.5 0\n4",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_matrix(texts[i], 3, 2, rows, y);
}

CHECK(pattern_entries_are_one)
{
    const double rows[] = {1, 0, 0, 0, 0, 1};
    const double y[] = {1, -1, -1};
    check_matrix(COORDINATE "pattern general\n3 3 3\n1 1\n3 3\n1 2\n", 3, 2, rows, y);
}

CHECK(one_triangle_stands_for_both)
{
    const double symmetric[] = {2, 3, 4, 5, 5, 6};
    const double y[] = {1, 2, 3};
    check_matrix(COORDINATE "real symmetric\n3 3 6\n1 1 1\n2 1 2\n3 1 3\n2 2 4\n3 2 5\n3 3 6\n", 3,
                 2, symmetric, y);
    check_matrix(ARRAY "real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 3, 2, symmetric, y);
    const double skew[] = {-2, -3, 0, -5, 5, 0};
    const double skew_y[] = {0, 2, 3};
    check_matrix(COORDINATE "real skew-symmetric\n3 3 3\n2 1 2\n3 1 3\n3 2 5\n", 3, 2, skew,
                 skew_y);
    check_matrix(ARRAY "real skew-symmetric\n3 3\n2\n3\n5\n", 3, 2, skew, skew_y);
}

CHECK(stores_by_density)
{
    tm_dataset *dense = read_good(COORDINATE "real general\n2 3 6\n1 1 1\n2 1 2\n1 2 1\n2 2 2\n"
                                             "1 3 1\n2 3 2\n",
                                  "label=3");
    tm_dataset *sparse = read_good(ARRAY "real general\n2 3\n1 2\n0 0\n 0 5\n", "label=1");
    assert_string_equal(tm_matrix_kind(tm_dataset_x(dense)), "dense");
    assert_string_equal(tm_matrix_kind(tm_dataset_x(sparse)), "csc");
    assert_int_equal(tm_matrix_nnz(tm_dataset_x(sparse)), 1);
    tm_dataset_unref(dense);
    tm_dataset_unref(sparse);
}

CHECK(widens_to_features)
{
    const double rows[] = {7, 0, 0, 0, 8, 0, 0, 0};
    tm_dataset *data = read_good(ARRAY "real general\n2 2\n7 8\n3 4.5\n", "label=2 columns=4");
    const double measured[] = {3, 4.5}; /* one is no whole number: no classes */
    check_data(data, 2, 4, rows, measured);
    tm_dataset_unref(data);
    data =
        read_good(COORDINATE "real general\n2 2 3\n1 1 7\n1 2 3\n2 2 4.5\n", "label=2 columns=3");
    const double sparse_rows[] = {7, 0, 0, 0, 0, 0};
    check_data(data, 2, 3, sparse_rows, measured);
    tm_dataset_unref(data);
}

/* --- the response in a file of its own ----------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

CHECK(reads_a_response_apart)
{
    static const char *const responses[] = {
        "1.5\n-2\n3e2\n",
        "\n  1.5 \r\n-2\r\n\n300",
        "the response\n1.5\n-2\n300\n",
        ARRAY "real general\n3 1\n1.5\n-2\n300\n",
        ARRAY "real general\n1 3\n1.5 -2 300\n",
        COORDINATE "real general\n3 1 3\n3 1 300\n1 1 1.5\n2 1 -2\n",
    };
    char path[] = "/tmp/tamis-mtx-XXXXXX", options[80];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    snprintf(options, sizeof options, "response=%s", path);
    const double rows[] = {1, 4, 2, 5, 3, 6};
    const double y[] = {1.5, -2, 300};
    for (size_t i = 0; i < sizeof responses / sizeof responses[0]; i++) {
        write_file(path, responses[i]);
        tm_dataset *data = read_good(ARRAY "real general\n3 2\n1\n2\n3\n4\n5\n6\n", options);
        check_data(data, 3, 2, rows, y);
        assert_non_null(strstr(tm_dataset_note(data), path));
        tm_dataset_unref(data);
        /* Then all columns of a table are features. */
        data = read_good("a,y\n1,4\n2,5\n3,6\n", options);
        check_data(data, 3, 2, rows, y);
        assert_string_equal(tm_dataset_feature_name(data, 1), "y");
        assert_null(tm_dataset_response_name(data));
        tm_dataset_unref(data);
    }
    write_file(path, "7\n8\n9\n");
    tm_dataset *data = read_good("1.5\n2.5\n3.5\n", strcat(options, " format=csv"));
    const double single[] = {1.5, 2.5, 3.5}, single_y[] = {7, 8, 9};
    check_data(data, 3, 1, single, single_y);
    tm_dataset_unref(data);
    unlink(path);
}

CHECK(words_are_two_classes)
{
    static const char *const responses[] = {"well\nvery ill\nwell\n",
                                            "state\n well\nvery ill \nwell"};
    char path[] = "/tmp/tamis-mtx-XXXXXX", options[80];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    snprintf(options, sizeof options, "response=%s", path);
    const double rows[] = {1, 2, 3}, y[] = {1, -1, 1};
    for (size_t i = 0; i < sizeof responses / sizeof responses[0]; i++) {
        write_file(path, responses[i]);
        tm_dataset *data = read_good(ARRAY "real general\n3 1\n1\n2\n3\n", options);
        check_data(data, 3, 1, rows, y);
        assert_string_equal(tm_dataset_label(data, 1), "well");
        assert_string_equal(tm_dataset_label(data, -1), "very ill");
        tm_dataset_unref(data);
    }
    static const char *const classes[] = {"y\nc\na\nb\n", "c\na\nb\n"};
    for (size_t i = 0; i < 2; i++) {
        size_t count;
        write_file(path, classes[i]);
        tm_dataset *data = read_good(ARRAY "real general\n3 1\n1\n2\n3\n", options);
        assert_string_equal(tm_dataset_class_names(data, &count)[2], "c");
        assert_int_equal(count, 3);
        check_data(data, 3, 1, rows, (const double[]){3, 1, 2});
        tm_dataset_unref(data);
    }
    write_file(path, "b\na\n");
    tm_dataset *data = read_good("1,2\n3,4\n", options);
    assert_true(tm_dataset_y(data)[0] == 1 && tm_dataset_y(data)[1] == -1);
    tm_dataset_unref(data);
    unlink(path);
}

CHECK(refuses_a_response_that_does_not_fit)
{
    static const text_case cases[] = {
        {"1\n2\n", "2 responses for the 3 rows"},
        {"1\n2\n3\n4\n", "4 responses for the 3 rows"},
        {"", "0 responses"},
        {"1\n2 3\n4\n", "line 2, column 1: expected one finite number"},
        {"1\nx\n4\n", "line 2, column 1: expected one finite number"},
        {"a\nx\n4\n", "line 3, column 1: expected one finite number"},
        {"y\na\nb\nc\nd\n", "4 responses for the 3 rows"},
        {"a\nb\na\nb\n", "4 responses for the 3 rows"},
        {"a\na\na\n", "\"a\" in every row"},
        {"a\nb\na\nb\na\n", "5 responses for the 3 rows"},
        {"1\nnan\n4\n", "line 2, column 1: the response is missing"},
        {ARRAY "real general\n2 3\n1\n2\n3\n4\n5\n6\n", "2 x 3 numbers; expected a single column"},
        {COORDINATE "real general\n4 1 1\n1 1 1\n", "4 responses for the 3 rows"},
        {COORDINATE "real general\n4294967295 1 1\n1 1 1\n", "4294967295 responses for the 3"},
        {ARRAY "real general\n3 1\n1\n2\n", "ends after 2 of the 3"},
    };
    char path[] = "/tmp/tamis-mtx-XXXXXX", options[80];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    snprintf(options, sizeof options, "response=%s", path);
    static const char matrix[] = ARRAY "real general\n3 1\n1\n2\n3\n";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tm_dataset *data = NULL;
        tm_error err = TM_ERROR_INIT;
        write_file(path, cases[i].text);
        assert_int_equal(read_bytes(&data, matrix, sizeof matrix - 1, options, &err), TM_EDATA);
        assert_null(data);
        if (!strstr(err.message, cases[i].want) || !strstr(err.message, path))
            fail_msg("expected \"%s\", got \"%s\"", cases[i].want, err.message);
    }
    unlink(path);
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_bytes(&data, matrix, sizeof matrix - 1, options, &err), TM_EIO);
    assert_int_equal(read_bytes(&data, "1 1:1\n", 6, options, &err), TM_EIO);
    strcat(options, " label=1");
    assert_int_equal(read_bytes(&data, matrix, sizeof matrix - 1, options, &err), TM_EUSAGE);
}

/* --- errors -------------------------------------------------------------------------------- */

CHECK(names_the_place_of_an_error)
{
    static const struct {
        const char *text, *where, *what;
    } cases[] = {
        {"%%MatrixMarket vector coordinate real general\n", "line 1", "matrix coordinate"},
        {"%%MatrixMarket\n", "line 1", "matrix coordinate"},
        {COORDINATE "complex general\n1 1 1\n1 1 1 0\n", "line 1", "\"complex\""},
        {COORDINATE "real hermitian\n1 1 1\n1 1 1\n", "line 1", "\"hermitian\""},
        {ARRAY "pattern general\n1 1\n", "line 1", "\"pattern\""},
        {COORDINATE "real general\n", "line 2", "number of rows"},
        {COORDINATE "real general\n3\n", "line 2, column 2: ", "number of columns"},
        {COORDINATE "real general\n3 3\n", "line 2, column 4: ", "number of entries"},
        {COORDINATE "real general\n0 3 0\n", "line 2, column 1: ", "number of rows"},
        {COORDINATE "real general\n3 9999999999 0\n", "line 2, column 3: ", "number of columns"},
        {COORDINATE "real general\n3 -1 0\n", "line 2, column 3: ", "\"-1\""},
        {COORDINATE "real general\n3 3 1 1\n", "line 2, column 7: ", "end of the line"},
        {ARRAY "real general\n2 2 4\n", "line 2, column 5: ", "end of the line"},
        {COORDINATE "real symmetric\n2 3 0\n", "line 2", "square"},
        {COORDINATE "real general\n2 2 1\n0 1 1\n", "line 3, column 1: ", "from 1 to 2"},
        {COORDINATE "real general\n2 2 1\n1 3 1\n", "line 3, column 3: ", "from 1 to 2"},
        {COORDINATE "real general\n2 2 1\n1 1\n", "line 3, column 4: ", "a number"},
        {COORDINATE "real general\n2 2 1\n1 1 x\n", "line 3, column 5: ", "\"x\""},
        {COORDINATE "real general\n2 2 1\n1 1 1e999\n", "line 3, column 5: ", "finite"},
        {COORDINATE "real general\n2 2 1\n1 1 1 1\n", "line 3, column 7: ", "end of the line"},
        {COORDINATE "pattern general\n2 2 1\n1 1 1\n", "line 3, column 5: ", "end of the line"},
        {COORDINATE "real general\n2 2 2\n1 1 1\n", "", "ends after 1 of the 2 entries"},
        {COORDINATE "real general\n2 2 1\n1 1 1\n2 2 2\n", "line 4", "more than the 1 entries"},
        {COORDINATE "real general\n2 2 2\n1 2 1\n1 2 1\n", "", "row 1, column 2"},
        {COORDINATE "real symmetric\n2 2 2\n1 2 1\n2 1 1\n", "", "given twice"},
        {COORDINATE "real skew-symmetric\n2 2 1\n1 1 1\n", "line 3", "diagonal"},
        {ARRAY "real general\n2 2\n1\n2\n3\n", "", "ends after 3 of the 4 values"},
        {ARRAY "real general\n1 2\n1\n2\n3\n", "line 5", "more than the 2 values"},
        {ARRAY "real general\n1 2\n1\ninf\n", "line 4, column 1: ", "finite"},
        {ARRAY "real general\n999999 999999\n1\n", "", "ends after 1 of the"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(cases[i].text, "label=1", cases[i].where, cases[i].what);
}

CHECK(asks_for_the_response)
{
    static const char matrix[] = ARRAY "real general\n2 2\n1\n2\n3\n4\n";
    check_refused(matrix, NULL, "", "name the file that holds it with response");
    check_refused(matrix, "label=0", "", "from 1 to 2");
    check_refused(matrix, "label=3", "", "from 1 to 2");
    check_refused(matrix, "label=y", "", "from 1 to 2");
    check_refused(ARRAY "real general\n2 1\n1\n2\n", "label=1", "", "features beside it");
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_bytes(&data, matrix, sizeof matrix - 1, "header=true label=1", &err),
                     TM_EUSAGE);
}

RUN_TESTS(reads_every_way_to_write_it, pattern_entries_are_one, one_triangle_stands_for_both,
          stores_by_density, widens_to_features, reads_a_response_apart, words_are_two_classes,
          refuses_a_response_that_does_not_fit, names_the_place_of_an_error, asks_for_the_response)
