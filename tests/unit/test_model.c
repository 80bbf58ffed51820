/* Models: what they predict, and files that give back the very same or are refused. */
#include "comma_locale.h"

#include <sys/stat.h>
#include <unistd.h>

/* A data set of n x p random numbers whose features 0 and 2 have awkward names. */
static tm_dataset *named_data(size_t n, size_t p, double *columns, bool text_labels)
{
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {.name = "named", .x = dense_of(n, p, columns)};
    double *y = malloc(n * sizeof *y);
    assert_non_null(y);
    for (size_t i = 0; i < n; i++)
        y[i] = i % 2 ? 1 : -1;
    parts.response.y = y;
    if (text_labels) {
        parts.response.labels[0] = strdup("not \"it\"");
        parts.response.labels[1] = strdup("gr\xc3\xbc\xc3\x9f\\e\n");
    }
    parts.features.names = calloc(p, sizeof *parts.features.names);
    assert_non_null(parts.features.names);
    for (size_t j = 0; j < p; j++) {
        char name[64];
        snprintf(name, sizeof name, j == 0 ? "a \"quoted\" \\ name" : "\xce\xb2_%zu, \t\x01", j);
        parts.features.names[j] = strdup(name);
    }
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

static tm_model *fit(const tm_dataset *data, const double *weights, double intercept)
{
    tm_model *model;
    tm_error err = TM_ERROR_INIT;
    must(tm_model_new(&model, data, "lasso", 0.1, weights, intercept, &err), &err);
    return model;
}

/* ---- what a model knows -------------------------------------------------------------------- */

CHECK(test_chosen_features)
{
    double columns[12] = {0};
    const double weights[] = {0, 1.5, -0.0, 0x1p-1074, 0, -2};
    tm_dataset *data = named_data(2, 6, columns, true);
    tm_model *model = fit(data, weights, -0.25);
    char buffer[64];
    tm_dataset_unref(data);
    assert_int_equal(tm_model_cols(model), 6);
    assert_int_equal(tm_model_nnz(model), 3);
    const size_t features[] = {1, 3, 5};
    assert_memory_equal(tm_model_features(model), features, sizeof features);
    for (size_t k = 0; k < 3; k++)
        assert_true(tm_model_weights(model)[k] == weights[features[k]]);
    for (size_t j = 0; j < 6; j++)
        assert_true(tm_model_weight(model, j) == weights[j]);
    assert_true(tm_model_weight(model, 6) == 0 && tm_model_weight(model, SIZE_MAX) == 0);
    assert_string_equal(tm_model_method(model), "lasso");
    assert_true(tm_model_lambda(model) == 0.1 && tm_model_intercept(model) == -0.25);
    assert_string_equal(tm_model_label(model, -1), "not \"it\"");
    assert_string_equal(tm_model_feature_label(model, 1, buffer, sizeof buffer),
                        "\xce\xb2_1, \t\x01");
    assert_string_equal(tm_model_feature_label(model, 2, buffer, sizeof buffer), "X3");
    tm_model_unref(model);
}

CHECK(test_null_model)
{
    const double columns[] = {1, 2, 3, 4}, weights[] = {0, 0};
    tm_dataset *data = dataset_of(dense_of(2, 2, columns), (double[]){1, 5}, true);
    tm_model *model = fit(data, weights, 3);
    double z[2] = {0, 0};
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(tm_model_nnz(model), 0);
    assert_false(tm_model_is_binary(model));
    assert_null(tm_model_label(model, 1));
    must(tm_model_predict(model, tm_dataset_x(data), z, &err), &err);
    assert_true(z[0] == 3 && z[1] == 3);
    tm_model_unref(model);
    tm_dataset_unref(data);
}

/* ---- predicting ---------------------------------------------------------------------------- */

static void check_predictions(const tm_model *model, const tm_matrix *x, const double *columns,
                              const double *weights, double intercept)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    double *z = malloc(n * sizeof *z);
    tm_error err = TM_ERROR_INIT;
    assert_non_null(z);
    must(tm_model_predict(model, x, z, &err), &err);
    for (size_t i = 0; i < n; i++) {
        long double sum = intercept, size = fabs(intercept);
        for (size_t j = 0; j < p; j++) {
            sum += (long double)weights[j] * columns[i + j * n];
            size += fabsl((long double)weights[j] * columns[i + j * n]);
        }
        must_be_near(z[i], (double)sum, (double)size * (double)(p + 1) * 0x1p-52);
    }
    free(z);
}

CHECK(test_predictions)
{
    enum { ROWS = 30, COLS = 17 };
    double columns[ROWS * COLS], weights[COLS], y[ROWS];
    tm_rng rng;
    tm_error err = TM_ERROR_INIT;
    tm_rng_seed(&rng, 71);
    for (int round = 0; round < 20; round++) {
        fill_normal(&rng, columns, ROWS * COLS, 0.5);
        fill_normal(&rng, weights, COLS, round % 2 ? 0.3 : 1);
        fill_normal(&rng, y, ROWS, 1);
        double intercept = tm_rng_normal(&rng);
        tm_matrix *sparse = csc_of(ROWS, COLS, columns);
        tm_matrix *narrow = csc_of(ROWS, COLS - 6, columns); /* the last six are taken as zero */
        tm_matrix *wide = dense_of(1, COLS + 1, columns);
        tm_dataset *data = dataset_of(dense_of(ROWS, COLS, columns), y, true);
        tm_model *model = fit(data, weights, intercept);
        check_predictions(model, tm_dataset_x(data), columns, weights, intercept);
        check_predictions(model, sparse, columns, weights, intercept);
        check_predictions(model, narrow, columns, weights, intercept);
        must_refuse(tm_model_predict(model, wide, y, &err), TM_EDATA, &err,
                    "the data have 18 features, the model was trained on 17");
        tm_matrix_unref(sparse);
        tm_matrix_unref(narrow);
        tm_matrix_unref(wide);
        tm_dataset_unref(data);
        tm_model_unref(model);
    }
}

/* ---- files --------------------------------------------------------------------------------- */

#define FOLDER_PLACE "/tmp/tamis-model-XXXXXX"

static int make_folder(void **state)
{
    char *place = strdup(FOLDER_PLACE);
    *state = place;
    return place && mkdtemp(place) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char path[128];
    snprintf(path, sizeof path, "%s/m.json", (char *)*state);
    unlink(path);
    /* Fails when a test left anything else behind, such as a half-written file. */
    int status = rmdir(*state);
    free(*state);
    return status;
}

static const char *path_in(void **state, char path[128])
{
    snprintf(path, 128, "%s/m.json", (char *)*state);
    return path;
}

static void must_be_same(const tm_model *a, const tm_model *b)
{
    char first[64], second[64];
    double numbers[2][2] = {{tm_model_lambda(a), tm_model_intercept(a)},
                            {tm_model_lambda(b), tm_model_intercept(b)}};
    assert_memory_equal(numbers[0], numbers[1], sizeof numbers[0]);
    assert_int_equal(tm_model_cols(a), tm_model_cols(b));
    assert_int_equal(tm_model_nnz(a), tm_model_nnz(b));
    assert_string_equal(tm_model_method(a), tm_model_method(b));
    size_t nnz = tm_model_nnz(a);
    if (nnz > 0) {
        assert_memory_equal(tm_model_features(a), tm_model_features(b), nnz * sizeof(size_t));
        assert_memory_equal(tm_model_weights(a), tm_model_weights(b), nnz * sizeof(double));
    }
    for (size_t k = 0; k < nnz; k++) {
        size_t j = tm_model_features(a)[k];
        tm_model_feature_label(a, j, first, sizeof first);
        assert_string_equal(first, tm_model_feature_label(b, j, second, sizeof second));
    }
    assert_int_equal(tm_model_is_binary(a), tm_model_is_binary(b));
    for (int sign = -1; tm_model_is_binary(a) && sign <= 1; sign += 2)
        assert_string_equal(tm_model_label(a, sign), tm_model_label(b, sign));
}

static tm_model *load(const char *path)
{
    tm_model *model;
    tm_error err = TM_ERROR_INIT;
    must(tm_model_load(&model, path, &err), &err);
    return model;
}

static void check_round_trip(const tm_model *model, const char *path)
{
    tm_error err = TM_ERROR_INIT;
    must(tm_model_save(model, path, &err), &err);
    tm_model *back = load(path);
    must_be_same(model, back);
    tm_model_unref(back);
    char *text;
    must(tm_model_to_text(&text, model, &err), &err);
    assert_null(strchr(text, '\n'));
    must(tm_model_from_text(&back, text, "here", &err), &err);
    must_be_same(model, back);
    tm_model_unref(back);
    text[strlen(text) - 1] = '\0';
    must_refuse(tm_model_from_text(&back, text, "here", &err), TM_EDATA, &err, "here:1:");
    assert_null(back);
    free(text);
}

/* Random bits, denormals and the ends of the range among them. */
static void random_weights(tm_rng *rng, double *weights, size_t p)
{
    static const double special[] = {
        0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp+1023, 0x1p-1022, 0.1, 1e22, 1, -3};
    for (size_t j = 0; j < p; j++) {
        do {
            uint64_t bits = tm_rng_next(rng);
            memcpy(&weights[j], &bits, sizeof bits);
        } while (!isfinite(weights[j]));
        if (j % 3 == 0)
            weights[j] = special[tm_rng_below(rng, 8)];
        if (j % 7 == 5)
            weights[j] = 0;
    }
}

static void test_round_trips(void **state)
{
    enum { COLS = 200 };
    static double columns[2 * COLS], weights[COLS];
    char path[128];
    tm_rng rng;
    tm_rng_seed(&rng, 72);
    for (int round = 0; round < 10; round++) {
        tm_dataset *data = named_data(2, COLS, columns, round % 2);
        random_weights(&rng, weights, COLS);
        tm_model *model = fit(data, weights, round == 3 ? -0.0 : weights[1]);
        check_round_trip(model, path_in(state, path));
        tm_model_unref(model);
        tm_dataset_unref(data);
    }
    tm_dataset *plain = dataset_of(dense_of(2, COLS, columns), (double[]){1, 2}, true);
    tm_model *model = fit(plain, weights, 0.1);
    check_round_trip(model, path);
    tm_model_unref(model);
    memset(weights, 0, sizeof weights);
    model = fit(plain, weights, 0.1);
    check_round_trip(model, path);
    tm_model_unref(model);
    tm_dataset_unref(plain);
}

static void test_round_trip_with_decimal_comma(void **state)
{
    char place[] = COMMA_LOCALE_PLACE, path[128];
    double columns[2] = {1, 2};
    tm_dataset *data = named_data(2, 1, columns, true);
    tm_model *model = fit(data, (double[]){0.123456789}, -1.5), *back = NULL, *other = NULL;
    tm_error err = TM_ERROR_INIT;
    bool set = comma_locale_set(place);
    tm_status saved = tm_model_save(model, path_in(state, path), &err);
    tm_status loaded = tm_model_load(&back, path, &err);
    comma_locale_unset(place);
    must(saved, &err);
    must(loaded, &err);
    must(tm_model_load(&other, path, &err), &err); /* written there, read here */
    must_be_same(model, back);
    must_be_same(model, other);
    tm_model_unref(model);
    tm_model_unref(back);
    tm_model_unref(other);
    tm_dataset_unref(data);
    if (!set)
        skip();
}

/* JSON is UTF-8: what cannot be written is refused, not left out. */
static void test_names_that_are_not_utf8(void **state)
{
    const double columns[] = {1, 2}, weight = 1;
    char path[128];
    for (int which = 0; which < 3; which++) {
        tm_dataset *data;
        tm_model *model;
        tm_error err = TM_ERROR_INIT;
        tm_dataset_parts parts = {.name = "latin", .x = dense_of(2, 1, columns)};
        parts.response.y = copy_of((double[]){-1, 1}, 2 * sizeof(double));
        parts.response.labels[0] = strdup(which == 1 ? "gr\xfc\xdf" : "no");
        parts.response.labels[1] = strdup(which == 2 ? "gr\xfc\xdf" : "yes");
        parts.features.names = calloc(1, sizeof *parts.features.names);
        assert_non_null(parts.features.names);
        parts.features.names[0] = strdup(which == 0 ? "g\xe8ne" : "gene");
        must(tm_dataset_new(&data, &parts, &err), &err);
        must(tm_model_new(&model, data, "lasso", 1, &weight, 0, &err), &err);
        must_refuse(tm_model_save(model, path_in(state, path), &err), TM_EDATA, &err, "UTF-8");
        assert_int_not_equal(access(path, F_OK), 0);
        char *text;
        must_refuse(tm_model_to_text(&text, model, &err), TM_EDATA, &err, "UTF-8");
        assert_null(text);
        tm_model_unref(model);
        tm_dataset_unref(data);
    }
}

static void test_saving_over_a_model(void **state)
{
    double columns[2] = {1, 2};
    char path[128], missing[160];
    tm_dataset *data = named_data(2, 1, columns, true);
    tm_model *model = fit(data, (double[]){1}, 0), *other = fit(data, (double[]){2}, 7);
    tm_error err = TM_ERROR_INIT;
    must(tm_model_save(model, path_in(state, path), &err), &err);
    check_round_trip(other, path);
    snprintf(missing, sizeof missing, "%s/none/m.json", (char *)*state);
    must_refuse(tm_model_save(model, missing, &err), TM_EIO, &err, missing);
    must_refuse(tm_model_save(model, *state, &err), TM_EIO, &err, "cannot be written");
    tm_model *back = load(path); /* what was there before a failure stays */
    must_be_same(other, back);
    tm_model_unref(back);
    tm_model_unref(model);
    tm_model_unref(other);
    tm_dataset_unref(data);
}

static void test_no_file(void **state)
{
    char path[128];
    tm_model *model = (tm_model *)&model;
    tm_error err = TM_ERROR_INIT;
    must_refuse(tm_model_load(&model, path_in(state, path), &err), TM_EIO, &err, path);
    assert_null(model);
    assert_true(tm_model_load(&model, *state, &err) != TM_OK); /* a folder */
    assert_null(model);
}

/* ---- damaged files ------------------------------------------------------------------------- */

static void write_bytes(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void check_refused(const char *path, const char *text, size_t size)
{
    tm_model *model = (tm_model *)&model;
    tm_error err = TM_ERROR_INIT;
    write_bytes(path, text, size);
    tm_status status = tm_model_load(&model, path, &err);
    if (status != TM_EDATA || model || strncmp(err.message, path, strlen(path)) != 0)
        fail_msg("status %d, \"%s\" for %.*s", (int)status, err.message, (int)size, text);
}

static const char good[] =
    "{\"tamis\":\"model\",\"version\":1,\"method\":\"lasso\",\"lambda\":0.5,\"intercept\":-1.0,"
    "\"features\":9,\"labels\":[\"a\",\"b\"],\"coef\":[[1,0.5,\"x\"],[4,-2],[9,1e-3]]}";

static void test_truncated_files(void **state)
{
    char path[128];
    path_in(state, path);
    write_bytes(path, good, sizeof good - 1);
    tm_model *model = load(path);
    assert_true(tm_model_weight(model, 3) == -2 && tm_model_nnz(model) == 3);
    tm_model_unref(model);
    for (size_t size = 0; size + 1 < sizeof good; size++)
        check_refused(path, good, size);
}

/* Bytes turned into others: no crash, and what is still accepted is a model in every respect. */
static void test_flipped_bytes(void **state)
{
    char path[128], text[sizeof good];
    tm_rng rng;
    tm_rng_seed(&rng, 73);
    path_in(state, path);
    for (int round = 0; round < 3000; round++) {
        tm_model *model;
        memcpy(text, good, sizeof good);
        for (size_t k = 0; k <= tm_rng_below(&rng, 3); k++)
            text[tm_rng_below(&rng, sizeof good - 1)] = (char)tm_rng_below(&rng, 256);
        write_bytes(path, text, sizeof good - 1);
        if (tm_model_load(&model, path, NULL) != TM_OK)
            continue;
        for (size_t k = 0; k < tm_model_nnz(model); k++) {
            size_t j = tm_model_features(model)[k];
            assert_true(j < tm_model_cols(model));
            assert_true(k == 0 || j > tm_model_features(model)[k - 1]);
            assert_true(isfinite(tm_model_weights(model)[k]) && tm_model_weights(model)[k] != 0);
        }
        tm_model_unref(model);
    }
}

/* The good file with its first `from` replaced by `to` must be refused. */
static void check_replaced(const char *path, const char *from, const char *to)
{
    char text[800];
    const char *at = strstr(good, from);
    assert_non_null(at);
    int size =
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    check_refused(path, text, (size_t)size);
}

static void test_wrong_content(void **state)
{
    static const text_case cases[] = {
        {"\"tamis\":\"model\"", "\"tamis\":\"data\""},
        {"\"tamis\":\"model\"", "\"tamis\":1"},
        {"\"tamis\":\"model\",", ""},
        {"\"version\":1", "\"version\":3"},
        {"\"version\":1", "\"version\":\"1\""},
        {"\"version\":1,", ""},
        {"\"method\":\"lasso\"", "\"method\":null"},
        {"\"method\":\"lasso\",", ""},
        {"\"method\":\"lasso\"", "\"method\":\"lasso\",\"method\":\"lasso\""},
        {"\"lambda\":0.5", "\"lambda\":\"0.5\""},
        {"\"lambda\":0.5", "\"lambda\":NaN"},
        {"\"lambda\":0.5", "\"lambda\":1e999"},
        {"\"intercept\":-1.0", "\"intercept\":[]"},
        {"\"intercept\":-1.0", "\"intercept\":true"},
        {"\"features\":9", "\"features\":8"},
        {"\"features\":9", "\"features\":0"},
        {"\"features\":9", "\"features\":-9"},
        {"\"features\":9", "\"features\":9.5"},
        {"\"features\":9", "\"features\":99999999999999999999"},
        {"[\"a\",\"b\"]", "[\"a\"]"},
        {"[\"a\",\"b\"]", "[]"},
        {"[\"a\",\"b\"]", "[\"a\",\"b\",\"c\"]"},
        {"[\"a\",\"b\"]", "[1,2]"},
        {"[\"a\",\"b\"]", "\"ab\""},
        {"[\"a\",\"b\"]", "{\"a\":\"b\"}"},
        {"[\"a\",\"b\"]", "[\"a\",\"a\"]"},
        {"[1,0.5,\"x\"]", "[0,0.5,\"x\"]"},
        {"[1,0.5,\"x\"]", "[1.0,0.5,\"x\"]"},
        {"[1,0.5,\"x\"]", "[1,\"0.5\",\"x\"]"},
        {"[1,0.5,\"x\"]", "[1,0.5,7]"},
        {"[1,0.5,\"x\"]", "[1,0.5,\"x\",\"y\"]"},
        {"[1,0.5,\"x\"]", "[1]"},
        {"[1,0.5,\"x\"]", "[]"},
        {"[1,0.5,\"x\"]", "{}"},
        {"[1,0.5,\"x\"]", "5"},
        {"[4,-2]", "[1,-2]"}, /* the same feature twice */
        {"[4,-2]", "[10,-2]"},
        {"[4,-2]", "[-4,-2]"},
        {"[4,-2]", "[9223372036854775807,-2]"},
        {"[4,-2]", "[4,0]"},
        {"[[1,0.5,\"x\"],[4,-2],[9,1e-3]]", "{}"},
        {"[[1,0.5,\"x\"],[4,-2],[9,1e-3]]", "null"},
        {"]}", "]}}"},
        {"\"x\"", "\"\xff\""},
        {"\"x\"", "\"\\u0000\""},
    };
    char path[128];
    path_in(state, path);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_replaced(path, cases[k].text, cases[k].want);
    static const char *const texts[] = {"",  " ",         "[]",         "{}",        "null",
                                        "1", "\"model\"", "y,x\n1,2\n", "+1 1:0.5\n"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        check_refused(path, texts[k], strlen(texts[k]));
}

static void test_deeply_nested_file(void **state)
{
    enum { DEPTH = 100000 };
    char path[128], *text = malloc(DEPTH);
    assert_non_null(text);
    memset(text, '[', DEPTH);
    check_refused(path_in(state, path), text, DEPTH);
    free(text);
}

/* More features than any memory holds: the model keeps the chosen ones only. */
static void test_huge_number_of_features(void **state)
{
    static const char text[] =
        "{\"tamis\":\"model\",\"version\":1,\"method\":\"lasso\",\"lambda\":1,\"intercept\":2,"
        "\"features\":9223372036854775807,\"coef\":[[2,0.5],[9223372036854775807,-2]]}";
    char path[128];
    double z[2];
    tm_error err = TM_ERROR_INIT;
    tm_matrix *x = dense_of(2, 2, (double[]){9, 9, 4, 6});
    write_bytes(path_in(state, path), text, sizeof text - 1);
    tm_model *model = load(path);
    assert_true(tm_model_cols(model) == INT64_MAX && tm_model_nnz(model) == 2);
    assert_true(tm_model_weight(model, INT64_MAX - 1) == -2);
    must(tm_model_predict(model, x, z, &err), &err);
    assert_true(z[0] == 4 && z[1] == 5);
    check_round_trip(model, path);
    tm_model_unref(model);
    tm_matrix_unref(x);
}

#define ON_FILES(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_features),
        cmocka_unit_test(test_null_model),
        cmocka_unit_test(test_predictions),
        ON_FILES(test_round_trips),
        ON_FILES(test_round_trip_with_decimal_comma),
        ON_FILES(test_names_that_are_not_utf8),
        ON_FILES(test_saving_over_a_model),
        ON_FILES(test_no_file),
        ON_FILES(test_truncated_files),
        ON_FILES(test_flipped_bytes),
        ON_FILES(test_wrong_content),
        ON_FILES(test_deeply_nested_file),
        ON_FILES(test_huge_number_of_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
