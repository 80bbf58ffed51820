/* Folds and grouped splits: partitions with the sizes, classes and groups asked for. */
#include "data_check.h"

#include <math.h>

/* n rows of one feature with these responses. */
static tm_dataset *with_response(size_t n, double (*response)(size_t i))
{
    double *y = malloc(n * sizeof *y);
    for (size_t i = 0; y && i < n; i++)
        y[i] = response(i);
    return numbered_rows(n, y);
}

static double real_response(size_t i)
{
    return sin((double)i);
}

static double three_classes(size_t i)
{
    return (double)((i * 5) % 17 % 3);
}

/* The counts of rows with response y in each fold differ by one at most. */
static void check_even(const size_t *fold, const tm_dataset *data, size_t k, bool all, double y)
{
    size_t least = SIZE_MAX, most = 0;
    for (size_t f = 0; f < k; f++) {
        size_t count = 0;
        for (size_t i = 0; i < tm_dataset_rows(data); i++)
            count += fold[i] == f && (all || tm_dataset_y(data)[i] == y);
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    assert_true(most - least <= 1);
}

CHECK(folds_are_even_in_rows_and_classes)
{
    static const size_t sizes[] = {5, 17, 100, 1001};
    size_t fold[1001], again[1001], other[1001];
    tm_error err;
    for (size_t s = 0; s < 4; s++)
        for (size_t k = 2; k <= 5; k++) {
            size_t n = sizes[s];
            tm_dataset *real = with_response(n, real_response);
            tm_dataset *classes = with_response(n, three_classes);
            for (int stratify = 0; stratify < 2; stratify++) {
                assert_int_equal(tm_dataset_folds(fold, real, k, stratify, NULL, 3, &err), TM_OK);
                check_even(fold, real, k, true, 0);
            }
            assert_int_equal(tm_dataset_folds(fold, classes, k, true, NULL, 3, &err), TM_OK);
            check_even(fold, classes, k, true, 0);
            for (int c = 0; c < 3; c++)
                check_even(fold, classes, k, false, c);
            assert_int_equal(tm_dataset_folds(again, classes, k, true, NULL, 3, &err), TM_OK);
            assert_memory_equal(fold, again, n * sizeof *fold);
            assert_int_equal(tm_dataset_folds(other, classes, k, true, NULL, 4, &err), TM_OK);
            assert_true(n < 20 || memcmp(fold, other, n * sizeof *fold) != 0);
            tm_dataset_unref(real);
            tm_dataset_unref(classes);
        }
}

/* Every pair of rows is in one fold about as often as chance says. */
CHECK(folds_are_random)
{
    enum { N = 20, K = 4, SEEDS = 4000 };
    tm_dataset *data = with_response(N, real_response);
    size_t fold[N];
    int together[N] = {0};
    tm_error err;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        assert_int_equal(tm_dataset_folds(fold, data, K, false, NULL, seed, &err), TM_OK);
        for (size_t i = 1; i < N; i++)
            together[i] += fold[i] == fold[0];
    }
    /* 4 of the 19 others share the fold of row 0; five standard deviations of that count. */
    double share = 4.0 / 19, slack = 5 * sqrt(SEEDS * share * (1 - share));
    for (size_t i = 1; i < N; i++)
        assert_true(fabs(together[i] - SEEDS * share) < slack);
    tm_dataset_unref(data);
}

/* Ids of uneven groups, scattered over the rows. */
static void make_groups(size_t *groups, size_t n, size_t count)
{
    for (size_t i = 0; i < n; i++)
        groups[i] = 1000000007u * ((i * i + 3 * i) % 101 % count);
}

static size_t largest_group(const size_t *groups, size_t n)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t size = 0;
        for (size_t l = 0; l < n; l++)
            size += groups[l] == groups[i];
        most = size > most ? size : most;
    }
    return most;
}

CHECK(groups_are_never_in_two_folds)
{
    enum { N = 300 };
    size_t fold[N], groups[N];
    tm_error err;
    tm_dataset *data = with_response(N, three_classes);
    make_groups(groups, N, 40);
    size_t most = largest_group(groups, N);
    for (size_t k = 2; k <= 6; k++)
        for (int stratify = 0; stratify < 2; stratify++) {
            size_t sizes[6] = {0};
            assert_int_equal(tm_dataset_folds(fold, data, k, stratify, groups, k, &err), TM_OK);
            for (size_t i = 0; i < N; i++) {
                assert_true(fold[i] < k);
                sizes[fold[i]]++;
                for (size_t l = 0; l < i; l++)
                    assert_true(groups[i] != groups[l] || fold[i] == fold[l]);
            }
            /* Dealing the largest first leaves no two folds further apart than one group. */
            for (size_t f = 0; f < k; f++) {
                assert_true(sizes[f] > 0);
                for (size_t g = 0; g < k && !stratify; g++)
                    assert_true(sizes[f] <= sizes[g] + most);
            }
        }
    tm_dataset_unref(data);
}

/* Groups of one class each, of the same size: every fold gets as many of either class. */
static double class_of_group(size_t i)
{
    return i / 5 % 2 ? 1 : -1;
}

CHECK(grouped_folds_are_stratified)
{
    enum { N = 200, K = 4 };
    size_t fold[N], groups[N];
    tm_error err;
    tm_dataset *data = with_response(N, class_of_group);
    for (size_t i = 0; i < N; i++)
        groups[i] = i / 5;
    assert_int_equal(tm_dataset_folds(fold, data, K, true, groups, 9, &err), TM_OK);
    for (size_t f = 0; f < K; f++) {
        size_t positive = 0, negative = 0;
        for (size_t i = 0; i < N; i++) {
            positive += fold[i] == f && tm_dataset_y(data)[i] > 0;
            negative += fold[i] == f && tm_dataset_y(data)[i] < 0;
        }
        assert_int_equal(positive, 25);
        assert_int_equal(negative, 25);
    }
    tm_dataset_unref(data);
}

/* The feature of row i is i + 1. */
static void mark_rows(const tm_dataset *part, int *where, int mark)
{
    size_t n = tm_dataset_rows(part);
    double *column = malloc(n * sizeof *column);
    assert_non_null(column);
    tm_matrix_column(tm_dataset_x(part), 0, column);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(where[(size_t)column[i] - 1], 0);
        where[(size_t)column[i] - 1] = mark;
    }
    free(column);
}

CHECK(grouped_splits_keep_groups_whole)
{
    enum { N = 300 };
    static const double shares[] = {0.001, 0.2, 0.5, 0.999};
    size_t groups[N];
    tm_error err;
    tm_dataset *data = with_response(N, three_classes), *train, *test;
    make_groups(groups, N, 40);
    double most = (double)largest_group(groups, N);
    for (size_t s = 0; s < 4; s++)
        for (int stratify = 0; stratify < 2; stratify++) {
            int where[N] = {0};
            assert_int_equal(tm_dataset_split(&train, &test, data,
                                              &(tm_split){shares[s], stratify, groups, s}, &err),
                             TM_OK);
            mark_rows(train, where, 1);
            mark_rows(test, where, 2);
            for (size_t i = 0; i < N; i++)
                for (size_t l = 0; l < i; l++)
                    assert_true(groups[i] != groups[l] || where[i] == where[l]);
            double rows = (double)tm_dataset_rows(test);
            assert_true(stratify || fabs(rows - shares[s] * N) <= most);
            tm_dataset_unref(train);
            tm_dataset_unref(test);
        }
    tm_dataset_unref(data);
}

CHECK(what_cannot_be_is_refused)
{
    size_t fold[6], groups[6] = {7, 7, 7, 7, 9, 9}, one[6] = {0};
    tm_error err;
    tm_dataset *data = with_response(6, real_response), *train, *test;
    assert_int_equal(tm_dataset_folds(fold, data, 1, false, NULL, 0, &err), TM_EUSAGE);
    assert_int_equal(tm_dataset_folds(fold, data, 7, false, NULL, 0, &err), TM_EUSAGE);
    assert_string_equal(err.message, "k = 7: rows has only 6 rows, and every fold needs one");
    assert_int_equal(tm_dataset_folds(fold, data, 3, false, groups, 0, &err), TM_EUSAGE);
    assert_string_equal(err.message, "k = 3: rows has only 2 groups, and every fold needs one");
    assert_int_equal(tm_dataset_split(&train, &test, data, &(tm_split){0.5, false, one, 0}, &err),
                     TM_EUSAGE);
    assert_int_equal(tm_dataset_split(&train, &test, data, &(tm_split){1, false, groups, 0}, &err),
                     TM_EUSAGE);
    assert_null(train);
    tm_dataset_unref(data);
}

RUN_TESTS(folds_are_even_in_rows_and_classes, folds_are_random, groups_are_never_in_two_folds,
          grouped_folds_are_stratified, grouped_splits_keep_groups_whole, what_cannot_be_is_refused)
