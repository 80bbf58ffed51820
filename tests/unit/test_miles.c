/* Bags and their embedding against the definition. */
#include "tests/core_check.h"

#include <unistd.h>

typedef struct instances {
    size_t n, p;
    double x[60 * 5], y[60], ids[60];
} instances;

static instances draw(uint64_t seed)
{
    tm_rng rng;
    instances a = {0};
    tm_rng_seed(&rng, seed);
    a.n = 5 + tm_rng_below(&rng, 55);
    a.p = 1 + tm_rng_below(&rng, 5);
    fill_normal(&rng, a.x, a.n * a.p, seed % 2 ? 1 : 0.4);
    for (size_t i = 0; i < a.n; i++) {
        a.ids[i] = (double)tm_rng_below(&rng, 9) * 2.5 - 5;
        a.y[i] = tm_rng_below(&rng, 6) == 0 ? 4 : 3;
    }
    a.y[0] = 3;
    a.y[1] = 4;
    return a;
}

static tm_matrix *matrix_of(const instances *a, bool sparse)
{
    return sparse ? csc_of(a->n, a->p, a->x) : dense_of(a->n, a->p, a->x);
}

/* max over the bag's rows of exp(-|x - x^k|^2 / (2 sigma^2)). */
static double similarity(const instances *a, double id, const instances *concepts, size_t k,
                         double sigma)
{
    double best = 0;
    for (size_t i = 0; i < a->n; i++) {
        double distance = 0;
        for (size_t j = 0; j < a->p && a->ids[i] == id; j++) {
            double own = j < concepts->p ? concepts->x[j * concepts->n + k] : 0;
            double d = a->x[j * a->n + i] - own;
            distance += d * d;
        }
        if (a->ids[i] == id)
            best = fmax(best, exp(-distance / (2 * sigma * sigma)));
    }
    return best;
}

static void check_embedding(const tm_dataset *embedded, const instances *a, const tm_bags *bags,
                            const instances *concepts, double sigma)
{
    assert_int_equal(tm_dataset_rows(embedded), bags->count);
    assert_int_equal(tm_dataset_cols(embedded), concepts->n);
    double column[60];
    for (size_t k = 0; k < concepts->n; k++) {
        tm_matrix_column(tm_dataset_x(embedded), k, column);
        for (size_t i = 0; i < a->n; i++)
            must_be_near(column[bags->of[i]], similarity(a, a->ids[i], concepts, k, sigma), 1e-12);
    }
}

/* An instance is in its own bag, and a bag with a positive instance is positive. */
static void check_own(const tm_dataset *embedded, const instances *a, const tm_bags *bags)
{
    for (size_t i = 0; i < a->n; i++) {
        double column[60], label = -1;
        tm_matrix_column(tm_dataset_x(embedded), i, column);
        assert_true(column[bags->of[i]] == 1);
        for (size_t k = 0; k < a->n; k++)
            label = a->ids[k] == a->ids[i] && a->y[k] == 4 ? 1 : label;
        assert_true(tm_dataset_y(embedded)[bags->of[i]] == label);
    }
    assert_string_equal(tm_dataset_label(embedded, 1), "4");
}

CHECK(test_embedding)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        tm_error err = TM_ERROR_INIT;
        tm_bags bags;
        instances a = draw(seed), other = draw(seed + 500);
        other.p = other.p < a.p ? other.p : a.p;
        double sigma = pow(2, (double)(seed % 5) - 2);
        tm_dataset *data = dataset_of(matrix_of(&a, seed % 3 == 0), a.y, false), *out;
        tm_dataset *concepts = dataset_of(matrix_of(&other, seed % 3 == 1), other.y, false);
        must(tm_bags_from_ids(&bags, a.ids, a.n, &err), &err);
        must(tm_dataset_miles(&out, data, &bags, data, sigma, &err), &err);
        check_embedding(out, &a, &bags, &a, sigma);
        check_own(out, &a, &bags);
        tm_dataset_unref(out);
        must(tm_dataset_miles(&out, data, &bags, concepts, sigma, &err), &err);
        check_embedding(out, &a, &bags, &other, sigma);
        tm_dataset_unref(out);
        tm_bags_clear(&bags);
        tm_dataset_unref(data);
        tm_dataset_unref(concepts);
    }
}

CHECK(test_bags)
{
    tm_error err = TM_ERROR_INIT;
    tm_bags bags;
    tm_dataset *rest;
    const double ids[] = {7, -1, 7, 0, -0.0}, y[] = {1, 2, 1, 2, 2};
    const size_t expected[] = {0, 1, 0, 2, 2};
    must(tm_bags_from_ids(&bags, ids, 5, &err), &err);
    assert_int_equal(bags.count, 3);
    assert_memory_equal(bags.of, expected, sizeof expected);
    tm_bags_clear(&bags);
    const double columns[] = {1, 2, 3, 4, 5, 7, -1, 7, 0, 0, 5, 4, 3, 2, 1};
    tm_dataset *data = dataset_of(dense_of(5, 3, columns), y, false);
    must(tm_bags_from_column(&bags, &rest, data, "2", &err), &err);
    assert_int_equal(bags.count, 3);
    assert_int_equal(tm_dataset_cols(rest), 2);
    double column[5];
    tm_matrix_column(tm_dataset_x(rest), 1, column);
    assert_true(column[0] == 5 && column[4] == 1);
    tm_bags_clear(&bags);
    tm_dataset_unref(rest);
    must_refuse(tm_bags_from_column(&bags, &rest, data, "4", &err), TM_EDATA, &err,
                "no column '4' for the bags; expected a name, a number from 1 to 3, or qid");
    tm_dataset_unref(data);
}

CHECK(test_bag_file)
{
    tm_error err = TM_ERROR_INIT;
    tm_bags bags;
    const size_t expected[] = {0, 1, 0, 2};
    char path[200];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tamis_bags_XXXXXX", folder ? folder : P_tmpdir);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs("blue\nred\nblue\nsky\n", file);
    fclose(file);
    must(tm_bags_read(&bags, path, 4, &err), &err);
    assert_int_equal(bags.count, 3);
    assert_memory_equal(bags.of, expected, sizeof expected);
    tm_bags_clear(&bags);
    must_refuse(tm_bags_read(&bags, path, 5, &err), TM_EDATA, &err, "4 lines for 5 rows");
    unlink(path);
}

CHECK(test_responses)
{
    tm_error err = TM_ERROR_INIT;
    tm_bags bags;
    tm_dataset *out;
    const double ids[] = {1, 1, 2}, same[] = {5, 5, 7}, mixed[] = {5, 6, 7}, x[] = {1, 2, 3};
    must(tm_bags_from_ids(&bags, ids, 3, &err), &err);
    tm_dataset *data = dataset_of(dense_of(3, 1, x), same, true);
    must(tm_dataset_miles(&out, data, &bags, data, 1, &err), &err);
    assert_true(tm_dataset_y(out)[0] == 5 && tm_dataset_y(out)[1] == 7);
    tm_dataset_unref(out);
    must_refuse(tm_dataset_miles(&out, data, &bags, data, 0, &err), TM_EUSAGE, &err, "sigma is 0");
    tm_dataset_unref(data);
    data = dataset_of(dense_of(3, 1, x), mixed, true);
    must_refuse(tm_dataset_miles(&out, data, &bags, data, 1, &err), TM_EDATA, &err,
                "row 2 has another response than earlier rows of its bag");
    tm_dataset_unref(data);
    tm_bags_clear(&bags);
}

RUN_TESTS(test_embedding, test_bags, test_bag_file, test_responses)
