/* The .tam column store: what is written comes back, in place and from memory, and no damage is
 * taken for data. */
#include "data_check.h"

#include "tests/core_check.h"

#include "tamis/synth.h"
#include "tamis/writer.h"

#include <math.h>
#include <unistd.h>

static char path[64];

/* Vectors of the published algorithm. */
/* ---- data sets of every kind --------------------------------------------------------------- */

enum { N = 37, P = 11 };

static double value_of(size_t i, size_t j)
{
    return (i * 7 + j * 3) % 5 < 2 ? (double)((i * 31 + j) % 9) / 4 : 0;
}

static tm_matrix *made_by(tm_matrix *(*make)(size_t n, size_t p, const double *columns))
{
    double values[N * P];
    for (size_t j = 0; j < P; j++)
        for (size_t i = 0; i < N; i++)
            values[i + j * N] = value_of(i, j);
    return make(N, P, values);
}

static tm_matrix *dense(void)
{
    return made_by(dense_of);
}

static tm_matrix *sparse(void)
{
    return made_by(csc_of);
}

static tm_matrix *genotypes(void)
{
    tm_error err;
    tm_matrix *x;
    uint8_t *packed = calloc(P, (N + 3) / 4);
    assert_non_null(packed);
    for (size_t j = 0; j < P; j++)
        for (size_t i = 0; i < N; i++)
            packed[j * ((N + 3) / 4) + i / 4] |=
                (uint8_t)((i * 5 + j * j) % (j % 2 ? 4 : 1 + 3 * (i % 2)) << 2 * (i % 4));
    must(tm_matrix_new_genotypes(&x, N, P, packed, NULL, &err), &err);
    return x;
}

static tm_matrix *narrowed(tm_matrix *x)
{
    tm_error err;
    must(tm_matrix_to_float(x, &err), &err);
    return x;
}

static tm_matrix *viewed(tm_matrix *whole)
{
    tm_error err;
    tm_matrix *x;
    must(tm_matrix_select_cols(&x, whole, (const size_t[]){4, 9, 0, 4}, 4, &err), &err);
    tm_matrix_unref(whole);
    return x;
}

static double real_response(size_t i)
{
    return sin((double)i);
}

static double two_classes(size_t i)
{
    return i % 3 ? 2 : 7;
}

static tm_dataset *with(tm_matrix *x, bool named, double (*response)(size_t i))
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data;
    tm_dataset_parts parts = {.name = "made \"up\"", .x = x, .note = "a note\nof two lines"};
    parts.response.numeric = response == real_response;
    parts.response.y = malloc(N * sizeof *parts.response.y);
    assert_non_null(parts.response.y);
    for (size_t i = 0; i < N; i++)
        parts.response.y[i] = response(i);
    if (named) {
        parts.response.name = strdup("h\xc3\xb6he");
        parts.features.names = calloc(tm_matrix_cols(x), sizeof *parts.features.names);
        for (size_t j = 0; j < tm_matrix_cols(x); j++) {
            char name[32];
            snprintf(name, sizeof name, "f,%zu\"\t%c", j, j % 2 ? '\xff' : 'a');
            parts.features.names[j] = strdup(name);
        }
        parts.rows.weights = malloc(N * sizeof *parts.rows.weights);
        parts.rows.offset = malloc(N * sizeof *parts.rows.offset);
        for (size_t i = 0; i < N; i++) {
            parts.rows.weights[i] = (double)(i % 3);
            parts.rows.offset[i] = cos((double)i);
        }
    }
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

/* ---- round trips --------------------------------------------------------------------------- */

static void write_to(const char *to, const tm_dataset *data)
{
    tm_error err = TM_ERROR_INIT;
    tm_write_options options = {"tam", NULL};
    must(tm_write(data, to, &options, &err), &err);
}

static char *contents(size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void same_text(const char *a, const char *b)
{
    assert_true((!a) == (!b));
    assert_true(!a || strcmp(a, b) == 0);
}

static void same_vector(const double *a, const double *b, size_t count)
{
    assert_true((!a) == (!b));
    assert_true(!a || memcmp(a, b, count * sizeof *a) == 0);
}

static void check_same(const tm_dataset *ours, const tm_dataset *theirs)
{
    size_t n = tm_dataset_rows(ours), p = tm_dataset_cols(ours), a_count, b_count;
    const tm_matrix *a = tm_dataset_x(ours), *b = tm_dataset_x(theirs);
    double left[N], right[N];
    assert_int_equal(tm_dataset_rows(theirs), n);
    assert_int_equal(tm_dataset_cols(theirs), p);
    assert_true(tm_matrix_nnz(a) == tm_matrix_nnz(b));
    for (size_t j = 0; j < p; j++) {
        tm_matrix_column(a, j, left);
        tm_matrix_column(b, j, right);
        assert_memory_equal(left, right, n * sizeof *left);
        assert_true(tm_matrix_dot(a, j, tm_dataset_y(ours)) ==
                    tm_matrix_dot(b, j, tm_dataset_y(ours)));
        same_text(tm_dataset_feature_name(ours, j), tm_dataset_feature_name(theirs, j));
    }
    same_vector(tm_dataset_y(ours), tm_dataset_y(theirs), n);
    same_vector(tm_dataset_weights(ours), tm_dataset_weights(theirs), n);
    same_vector(tm_dataset_offset(ours), tm_dataset_offset(theirs), n);
    same_vector(tm_dataset_means(ours), tm_dataset_means(theirs), p);
    same_vector(tm_dataset_deviations(ours), tm_dataset_deviations(theirs), p);
    same_vector(tm_dataset_truth(ours), tm_dataset_truth(theirs), p);
    const uint32_t *edges = tm_dataset_edges(ours, &a_count);
    assert_true((!edges) == (!tm_dataset_edges(theirs, &b_count)));
    assert_int_equal(a_count, b_count);
    assert_string_equal(tm_dataset_note(ours), tm_dataset_note(theirs));
    same_text(tm_dataset_response_name(ours), tm_dataset_response_name(theirs));
    same_text(tm_dataset_label(ours, 1), tm_dataset_label(theirs, 1));
    same_text(tm_dataset_label(ours, -1), tm_dataset_label(theirs, -1));
    assert_string_equal(tm_dataset_sha256(ours), tm_dataset_sha256(theirs));
}

/* Takes the data set. */
static void round_trip(tm_dataset *data, const char *kind)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *mapped, *held;
    size_t size;
    write_to(path, data);
    must(tm_read(&mapped, path, NULL, &err), &err);
    assert_string_equal(tm_matrix_kind(tm_dataset_x(mapped)), kind);
    assert_true(tm_matrix_is_mapped(tm_dataset_x(mapped)));
    check_same(data, mapped);
    char *bytes = contents(&size);
    must(tm_read_memory(&held, bytes, size, "bytes", NULL, &err), &err);
    assert_false(tm_matrix_is_mapped(tm_dataset_x(held)));
    check_same(data, held);
    /* Rows of a mapped matrix are a matrix of their own. */
    tm_matrix *ours, *theirs;
    const size_t rows[] = {36, 0, 5, 5};
    double left[4], right[4];
    must(tm_matrix_select_rows(&ours, tm_dataset_x(data), rows, 4, &err), &err);
    must(tm_matrix_select_rows(&theirs, tm_dataset_x(mapped), rows, 4, &err), &err);
    tm_matrix_column(ours, 2, left);
    tm_matrix_column(theirs, 2, right);
    assert_memory_equal(left, right, sizeof left);
    tm_matrix_unref(ours);
    tm_matrix_unref(theirs);
    /* Rows of data in a file are a view of it, and the same data as a copy. */
    tm_dataset *viewed, *copied;
    must(tm_dataset_select_rows(&viewed, mapped, (const size_t[]){0, 5, 6, 36}, 4, "rows", &err),
         &err);
    must(tm_dataset_select_rows(&copied, data, (const size_t[]){0, 5, 6, 36}, 4, "rows", &err),
         &err);
    if (strcmp(kind, "genotypes") != 0)
        assert_string_equal(tm_matrix_kind(tm_dataset_x(viewed)), "row view");
    assert_string_equal(tm_dataset_sha256(viewed), tm_dataset_sha256(copied));
    tm_dataset_unref(viewed);
    tm_dataset_unref(copied);
    /* Rewritten from the file it is in: the same bytes. */
    size_t again_size;
    write_to(path, mapped);
    char *again = contents(&again_size);
    assert_int_equal(size, again_size);
    assert_memory_equal(bytes, again, size);
    free(bytes);
    free(again);
    tm_dataset_unref(mapped);
    tm_dataset_unref(held);
    tm_dataset_unref(data);
}

CHECK(every_kind_comes_back)
{
    for (int named = 0; named < 2; named++) {
        round_trip(with(dense(), named, real_response), "dense");
        round_trip(with(sparse(), named, real_response), "csc");
        round_trip(with(narrowed(dense()), named, two_classes), "dense float");
        round_trip(with(narrowed(sparse()), named, two_classes), "csc float");
        round_trip(with(genotypes(), named, two_classes), "genotypes");
        round_trip(with(viewed(dense()), named, real_response), "dense");
        round_trip(with(viewed(sparse()), named, real_response), "csc");
        round_trip(with(viewed(genotypes()), named, real_response), "genotypes");
    }
}

static tm_dataset *synthetic(const char *id, const char *const *pairs)
{
    tm_error err = TM_ERROR_INIT;
    const tm_synth_info *info = tm_synth_find(id, &err);
    tm_params *params;
    tm_dataset *data;
    must(tm_params_new(&params, id, info->params, info->param_count, &err), &err);
    for (; *pairs; pairs += 2)
        must(tm_params_set_text(params, pairs[0], pairs[1], &err), &err);
    must(tm_synth_make(&data, info, params, NULL, &err), &err);
    tm_params_free(params);
    return data;
}

CHECK(generated_data_keep_truth_and_graph)
{
    round_trip(
        synthetic("gfl", (const char *const[]){"n", "37", "p", "20", "storage", "generated", NULL}),
        "dense");
}

/* ---- damage -------------------------------------------------------------------------------- */

static void must_not_read(const char *bytes, size_t size, const char *where)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    tm_status status = tm_read_memory(&data, bytes, size, "in.tam", NULL, &err);
    if (status != TM_EDATA)
        fail_msg("%s: status %d, %s", where, (int)status, err.message);
    assert_null(data);
}

/* Every byte matters, those between the sections too. */
CHECK(flipped_bits_are_found)
{
    tm_dataset *data = with(sparse(), true, two_classes);
    size_t size;
    write_to(path, data);
    char *bytes = contents(&size), where[64];
    for (size_t at = 0; at < size; at += at < 512 ? 1 : 13) {
        bytes[at] = (char)(bytes[at] ^ 1 << at % 8);
        snprintf(where, sizeof where, "bit flipped in byte %zu", at);
        must_not_read(bytes, size, where);
        bytes[at] = (char)(bytes[at] ^ 1 << at % 8);
    }
    free(bytes);
    tm_dataset_unref(data);
}

CHECK(truncated_files_are_found)
{
    tm_dataset *data = with(genotypes(), false, real_response);
    tm_error err = TM_ERROR_INIT;
    size_t size;
    write_to(path, data);
    char *bytes = contents(&size), where[64];
    for (size_t left = 8; left < size; left += left < 600 ? 1 : 1009) {
        snprintf(where, sizeof where, "cut to %zu bytes", left);
        must_not_read(bytes, left, where);
    }
    assert_int_equal(truncate(path, (off_t)size - 1), 0);
    tm_dataset *none = (tm_dataset *)&none;
    assert_int_equal(tm_read(&none, path, NULL, &err), TM_EDATA);
    assert_null(none);
    assert_non_null(strstr(err.message, "its header says"));
    free(bytes);
    tm_dataset_unref(data);
}

CHECK(a_failed_write_leaves_the_old_file)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = with(dense(), false, real_response);
    size_t before, after;
    write_to(path, data);
    char *old = contents(&before);
    tm_write_options options = {"tam", tm_cancel_new()};
    tm_cancel_set(options.cancel);
    assert_int_equal(tm_write(data, path, &options, &err), TM_ECANCELLED);
    char *now = contents(&after);
    assert_int_equal(before, after);
    assert_memory_equal(old, now, before);
    tm_cancel_free(options.cancel);
    options.cancel = NULL;
    assert_int_equal(tm_write(data, "-", &options, &err), TM_EUSAGE);
    assert_int_equal(tm_write(data, "x.tam.gz", &(tm_write_options){NULL, NULL}, &err), TM_EUSAGE);
    free(old);
    free(now);
    tm_dataset_unref(data);
}

/* ---- what stays in memory ------------------------------------------------------------------ */

static size_t resident_of_files(void)
{
    char line[256];
    size_t kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    assert_non_null(status);
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "RssFile: %zu", &kilobytes) == 1)
            break;
    fclose(status);
    return kilobytes * 1024;
}

/* 64 MB under a budget of 4 MB: passes by column, by range and through views. */
CHECK(what_is_resident_is_bounded)
{
    enum { ROWS = 2000, COLUMNS = 4000, BUDGET = 4 << 20, SLACK = 8 << 20 };
    tm_error err = TM_ERROR_INIT;
    tm_dataset *made = synthetic(
        "fgm", (const char *const[]){"n", "2000", "p", "4000", "storage", "generated", NULL});
    write_to(path, made);
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    tm_read_options options = TM_READ_OPTIONS_INIT;
    tm_params *params;
    tm_dataset *data;
    must(tm_params_new(&params, "read", table, count, &err), &err);
    must(tm_params_set_int(params, "resident", BUDGET, &err), &err);
    options.params = params;
    size_t before = resident_of_files();
    must(tm_read(&data, path, &options, &err), &err);
    const tm_matrix *x = tm_dataset_x(data);
    double *out = malloc(COLUMNS * sizeof *out), *y = calloc(ROWS, sizeof *y);
    assert_non_null(out);
    assert_non_null(y);
    assert_true(resident_of_files() < before + SLACK);
    tm_matrix_dot_range(x, 0, COLUMNS, tm_dataset_y(data), out);
    assert_true(resident_of_files() < before + SLACK);
    for (size_t j = 0; j < COLUMNS; j++)
        tm_matrix_axpy(x, j, 0.5, y);
    assert_true(resident_of_files() < before + SLACK);
    /* Without a budget the same passes hold everything: the measure can tell. */
    tm_dataset *all;
    must(tm_read(&all, path, NULL, &err), &err);
    assert_true(resident_of_files() > before + 8 * (size_t)ROWS * COLUMNS / 2);
    tm_dataset_unref(all);
    tm_params_free(params);
    free(out);
    free(y);
    tm_dataset_unref(data);
    tm_dataset_unref(made);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/test_tam_%ld.tam", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_comes_back),
        cmocka_unit_test(generated_data_keep_truth_and_graph),
        cmocka_unit_test(flipped_bits_are_found),
        cmocka_unit_test(truncated_files_are_found),
        cmocka_unit_test(a_failed_write_leaves_the_old_file),
        cmocka_unit_test(what_is_resident_is_bounded),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(path);
    return failed;
}
