/* Splits: a partition of the rows, in the shares that were asked for. */
#include "data_check.h"

#include <math.h>

/* n rows, of which `positive` have class +1, spread so that the order of the rows does not give the
 * classes away. */
static tm_dataset *numbered(size_t n, size_t positive)
{
    double *y = malloc(n * sizeof *y);
    for (size_t i = 0; y && i < n; i++)
        y[i] = (i * 7) % n < positive ? 1 : -1;
    return numbered_rows(n, y);
}

static size_t count_positive(const tm_dataset *data)
{
    size_t count = 0;
    for (size_t i = 0; i < tm_dataset_rows(data); i++)
        count += tm_dataset_y(data)[i] > 0;
    return count;
}

/* Adds the rows of `part` to seen[], checking that they ascend and keep their response. */
static void see(const tm_dataset *part, const tm_dataset *whole, int *seen)
{
    size_t n = tm_dataset_rows(part);
    double *column = malloc(n * sizeof *column);
    assert_non_null(column);
    tm_matrix_column(tm_dataset_x(part), 0, column);
    for (size_t i = 0; i < n; i++) {
        size_t row = (size_t)column[i] - 1;
        seen[row]++;
        assert_true(tm_dataset_y(part)[i] == tm_dataset_y(whole)[row]);
        assert_true(i == 0 || column[i] > column[i - 1]);
    }
    free(column);
}

static void check_split(size_t n, size_t positive, double share, bool stratify, uint64_t seed)
{
    tm_dataset *data = numbered(n, positive);
    tm_dataset *train;
    tm_dataset *test;
    tm_error err;
    assert_int_equal(
        tm_dataset_split(&train, &test, data, &(tm_split){share, stratify, NULL, seed}, &err),
        TM_OK);
    int *seen = calloc(n, sizeof *seen);
    assert_non_null(seen);
    see(train, data, seen);
    see(test, data, seen);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(seen[i], 1);
    double rows = (double)tm_dataset_rows(test);
    /* Each class is rounded, and kept from being empty, on its own. */
    assert_true(fabs(rows - share * (double)n) <= (stratify ? 2.0 : 0.5) || rows == 1 ||
                rows == (double)n - 1);
    if (stratify && positive >= 2 && n - positive >= 2) {
        double in_test = (double)count_positive(test);
        assert_true(fabs(in_test - share * (double)positive) <= 0.5 || in_test == 1 ||
                    in_test == (double)positive - 1);
        assert_true(in_test >= 1 && count_positive(train) >= 1);
    }
    assert_string_equal(tm_dataset_name(train), "rows train");
    assert_string_equal(tm_dataset_name(test), "rows test");
    free(seen);
    tm_dataset_unref(train);
    tm_dataset_unref(test);
    tm_dataset_unref(data);
}

CHECK(splits_are_partitions_with_their_shares)
{
    static const double shares[] = {0.001, 0.1, 0.3, 0.5, 0.999};
    static const size_t sizes[][2] = {{2, 1}, {3, 1}, {38, 11}, {100, 50}, {101, 3}, {1000, 100}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++)
            for (uint64_t seed = 0; seed < 5; seed++) {
                check_split(sizes[s][0], sizes[s][1], shares[k], false, seed);
                if (sizes[s][0] > 2)
                    check_split(sizes[s][0], sizes[s][1], shares[k], true, seed);
            }
}

/* The test rows of a split as one text. */
static void describe(char *out, const tm_dataset *data, bool stratify, uint64_t seed)
{
    tm_dataset *train;
    tm_dataset *test;
    tm_error err;
    assert_int_equal(
        tm_dataset_split(&train, &test, data, &(tm_split){0.3, stratify, NULL, seed}, &err), TM_OK);
    strcpy(out, tm_dataset_sha256(test));
    tm_dataset_unref(train);
    tm_dataset_unref(test);
}

CHECK(the_seed_decides)
{
    tm_dataset *data = numbered(100, 40);
    char first[65];
    char again[65];
    char other[65];
    for (int stratify = 0; stratify < 2; stratify++) {
        describe(first, data, stratify, 1);
        describe(again, data, stratify, 1);
        describe(other, data, stratify, 2);
        assert_string_equal(first, again);
        assert_string_not_equal(first, other);
    }
    tm_dataset_unref(data);
}

/* Over many seeds every row is in the test part as often as its share says. */
CHECK(every_row_has_its_chance)
{
    enum { N = 30, SEEDS = 4000 };
    tm_dataset *data = numbered(N, 10);
    int seen[N] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tm_dataset *train;
        tm_dataset *test;
        tm_error err;
        assert_int_equal(
            tm_dataset_split(&train, &test, data, &(tm_split){0.3, true, NULL, seed}, &err), TM_OK);
        see(test, data, seen);
        tm_dataset_unref(train);
        tm_dataset_unref(test);
    }
    /* Five standard deviations of a binomial count: sqrt(4000 x 0.3 x 0.7) = 29. */
    for (size_t i = 0; i < N; i++)
        assert_true(abs(seen[i] - (int)(0.3 * SEEDS)) < 145);
    tm_dataset_unref(data);
}

CHECK(what_cannot_be_split_is_refused)
{
    static const double shares[] = {0, 1, -0.1, 1.5, NAN, INFINITY};
    tm_dataset *data = numbered(10, 5);
    tm_dataset *train;
    tm_dataset *test;
    tm_error err;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        assert_int_equal(
            tm_dataset_split(&train, &test, data, &(tm_split){shares[i], true, NULL, 0}, &err),
            TM_EUSAGE);
        assert_non_null(strstr(err.message, "test"));
        assert_null(train);
        assert_null(test);
    }
    tm_dataset_unref(data);
    data = numbered(1, 1);
    assert_int_equal(tm_dataset_split(&train, &test, data, &(tm_split){0.5, false, NULL, 0}, &err),
                     TM_EUSAGE);
    tm_dataset_unref(data);
    data = numbered(2, 1);
    assert_int_equal(tm_dataset_split(&train, &test, data, &(tm_split){0.5, true, NULL, 0}, &err),
                     TM_EUSAGE);
    assert_null(train);
    assert_int_equal(tm_dataset_split(&train, &test, data, &(tm_split){0.5, false, NULL, 0}, &err),
                     TM_OK);
    tm_dataset_unref(train);
    tm_dataset_unref(test);
    tm_dataset_unref(data);
}

RUN_TESTS(splits_are_partitions_with_their_shares, the_seed_decides, every_row_has_its_chance,
          what_cannot_be_split_is_refused)
