/* AnnData, 10x Genomics and plain HDF5: samples that h5py has written (tests/data/make_hdf5.py). */
#include "data_check.h"

#include <endian.h>
#include <pthread.h>
#include <unistd.h>

#ifdef HDF5_SONAME

#define X0 0, 2, 0
#define X1 1, 0, 3.5
#define X2 0, 0, 4
#define X3 5, 6, 0

typedef struct sample {
    char bytes[1 << 15];
    size_t size;
} sample;

static void load_sample(sample *s, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "tests/data/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    s->size = fread(s->bytes, 1, sizeof s->bytes, file);
    fclose(file);
}

static tm_status read_sample(tm_dataset **out, const char *name, const char *options, tm_error *err)
{
    sample s;
    load_sample(&s, name);
    return read_bytes(out, s.bytes, s.size, options, err);
}

static void check_sample(const char *name, const char *options, size_t n, const double *rows,
                         const double *y, const char *label)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    if (read_sample(&data, name, options, &err) != TM_OK)
        fail_msg("%s", err.message);
    check_data(data, n, tm_dataset_cols(data), rows, y);
    if (label)
        assert_string_equal(tm_dataset_label(data, 1), label);
    tm_dataset_unref(data);
}

static void refuse_sample(const char *name, const char *options, const char *what)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_sample(&data, name, options, &err), TM_EDATA);
    if (!strstr(err.message, what))
        fail_msg("expected \"%s\", got \"%s\"", what, err.message);
}

CHECK(matrices_of_anndata)
{
    static const double x[] = {X0, X1, X2, X3};
    static const double twice[] = {0, 4, 0, 2, 0, 7, 0, 0, 8, 10, 12, 0};
    static const double thrice[] = {0, 6, 0, 3, 0, 10.5, 0, 0, 12, 15, 18, 0};
    static const double good[] = {1, -1, 1, 1}, batch[] = {8, 7, 9, 7}, kind[] = {1, 2, 3, 2};
    check_sample("new.h5ad", "label=good", 4, x, good, "1");
    check_sample("new.h5ad", "label=good layer=columns", 4, twice, good, "1");
    check_sample("new.h5ad", "label=batch layer=full", 4, thrice, batch, NULL);
    check_sample("new.h5ad", "label=word", 4, x, good, "b");
    check_sample("old.h5ad", "label=kind", 4, x, kind, NULL);
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_sample(&data, "new.h5ad", "label=word", &err), TM_OK);
    assert_string_equal(tm_dataset_feature_name(data, 1), "Gr\xc3\xb6\xc3\x9f"
                                                          "e");
    assert_string_equal(tm_dataset_response_name(data), "word");
    tm_dataset_unref(data);
}

CHECK(missing_values_of_observations)
{
    static const double rows[] = {X0, X1, X3}, classes[] = {1, -1, -1}, depth[] = {1.5, 2, 4};
    check_sample("new.h5ad", "label=kind missing=drop", 3, rows, classes, "T cell");
    check_sample("new.h5ad", "label=depth missing=drop", 3, rows, depth, NULL);
    refuse_sample("new.h5ad", "label=kind", "the response of 1 of 4 rows is missing");
}

CHECK(other_layouts)
{
    static const double x[] = {X0, X1, X2, X3}, y[] = {1, 2, 3, 5};
    static const double without[] = {0, 0, 1, 3.5, 0, 4, 5, 0}, second[] = {2, 0, 0, 6};
    check_sample("plain.h5", NULL, 4, x, y, NULL);
    check_sample("tenx.h5", "label=Cd4", 4, without, second, NULL);
    check_sample("tenx.h5", "label=2", 4, without, second, NULL);
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_sample(&data, "tenx.h5", "label=2", &err), TM_OK);
    assert_string_equal(tm_dataset_feature_name(data, 1), "Zfp");
    tm_dataset_unref(data);
}

CHECK(what_is_not_there)
{
    refuse_sample("new.h5ad", NULL, "name a column of obs with label");
    refuse_sample("new.h5ad", "label=none", "there is no column obs/none");
    refuse_sample("new.h5ad", "label=word layer=none", "there is no matrix layers/none");
    refuse_sample("new.h5ad", "label=names/x", "there is no column");
    refuse_sample("plain.h5", "layer=a", "layer is for AnnData");
    refuse_sample("tenx.h5", NULL, "a matrix without a response");
}

/* Values and objects in other files, as tests/data/make_outside.c makes them: what is read would be
 * another's choice. */
CHECK(other_files)
{
    static const char *const paths[] = {"tests/data/outside_link.h5", "tests/data/outside_raw.h5",
                                        "tests/data/outside_virtual.h5"};
    tm_read_options options = TM_READ_OPTIONS_INIT;
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
        tm_dataset *data = NULL;
        tm_error err = TM_ERROR_INIT;
        assert_int_equal(tm_read(&data, paths[k], &options, &err), TM_EDATA);
        assert_non_null(strstr(err.message, "there is no dataset X"));
    }
}

/* A file of 2 kB that claims gigabytes of values is refused before they are made. */
CHECK(more_values_than_the_file_can_hold)
{
    refuse_sample("claims.h5", NULL, "more values than the file can hold");
}

/* AddressSanitizer's allocator, unlike glibc's, is of no use in a process that was started while
 * another thread was in it. */
#ifdef __SANITIZE_ADDRESS__
enum { READERS = 1 };
#else
enum { READERS = 4 };
#endif
enum { READINGS = 25 };

static void *read_again(void *payload)
{
    static const char *const paths[] = {"tests/data/new.h5ad", "tests/data/mat/v73_cell.mat",
                                        "tests/data/mat/v5_char.mat", "tests/data/plain.h5"};
    int *failed = payload, from = *failed;
    tm_error err;
    tm_params *params;
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    *failed = 0;
    for (int k = 0; k < READINGS; k++) {
        const char *path = paths[(from + k) % 4];
        tm_dataset *data = NULL;
        *failed += tm_params_new(&params, "read", table, count, &err) != TM_OK;
        if (strstr(path, "h5ad"))
            *failed += tm_params_set_text(params, "label", "word", &err) != TM_OK;
        tm_read_options options = {.params = params};
        bool left_out = tm_read(&data, path, &options, &err) == TM_EUSAGE; /* without matio */
        *failed += !left_out && (!data || tm_dataset_rows(data) != 4);
        tm_dataset_unref(data);
        tm_params_free(params);
    }
    return NULL;
}

/* libhdf5 and matio, which calls it, have no locks of their own. */
/* The damaged sample is refused, as bytes and as a file. */
static void refuse_damaged(const sample *s)
{
    static const char what[] = "a collection of its texts cannot be read";
    tm_read_options options = TM_READ_OPTIONS_INIT;
    char path[] = "/tmp/tamis-hdf5-XXXXXX";
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_bytes(&data, s->bytes, s->size, "label=good", &err), TM_EDATA);
    assert_non_null(strstr(err.message, what));
    int fd = mkstemp(path);
    assert_int_equal(write(fd, s->bytes, s->size), s->size);
    close(fd);
    err = (tm_error)TM_ERROR_INIT;
    assert_int_equal(tm_read(&data, path, &options, &err), TM_EDATA);
    assert_non_null(strstr(err.message, what));
    unlink(path);
}

/* Where texts stand there are zeros, as in a file that was not written to its end, or lengths out
 * of all bounds: libhdf5 itself would go on for ever. */
CHECK(damaged_texts)
{
    enum { HEADER = 16 };
    sample whole, s;
    load_sample(&whole, "new.h5ad");
    char *found = memmem(whole.bytes, whole.size, "GCOL", 4);
    assert_non_null(found);
    size_t first = (size_t)(found - whole.bytes) + HEADER;
    s = whole;
    memset(s.bytes + first, 0, 512);
    refuse_damaged(&s);
    for (int low = 0; low < 256; low += 8) { /* of the first text's length: from -256 to -8 */
        s = whole;
        memset(s.bytes + first + 8, 255, 8);
        s.bytes[first + 8] = (char)low;
        refuse_damaged(&s);
    }
}

enum { LENGTH = 4, ADDRESS = 8, REFERENCE = LENGTH + ADDRESS + 4 };

/* Reads columns of texts of a sample with another value in place of `count` bytes; how many of them
 * are refused. */
static int refused_with(const sample *whole, size_t place, uint64_t value, size_t count)
{
    static const char *const options[] = {"label=word", "label=kind missing=drop", "label=good"};
    int refused = 0;
    sample s = *whole;
    value = htole64(value);
    memcpy(s.bytes + place, &value, count);
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        tm_dataset *data = NULL;
        tm_error err = TM_ERROR_INIT;
        tm_status status = read_bytes(&data, s.bytes, s.size, options[k], &err);
        assert_true(status == TM_OK || status == TM_EDATA);
        refused += status != TM_OK;
        tm_dataset_unref(data);
    }
    return refused;
}

/* References to texts that are not where they say, or are shorter: libhdf5 itself would follow them
 * out of its memory. */
CHECK(damaged_references)
{
    sample whole;
    load_sample(&whole, "new.h5ad");
    char *found = memmem(whole.bytes, whole.size, "GCOL", 4);
    assert_non_null(found);
    uint64_t collection = htole64((uint64_t)(found - whole.bytes)); /* as the file has it */
    int references = 0, refused = 0;
    for (size_t k = 0; k + REFERENCE <= whole.size; k++) {
        if (memcmp(whole.bytes + k + LENGTH, &collection, ADDRESS) != 0)
            continue;
        if (references++ % 3 != 0)
            continue; /* each takes 36 processes */
        for (int bit = 0; bit < 64; bit += 21) {
            uint64_t value = (uint64_t)1 << bit;
            refused += refused_with(&whole, k, value, LENGTH);
            refused += refused_with(&whole, k + LENGTH, value - 1, ADDRESS);
            refused += refused_with(&whole, k + LENGTH + ADDRESS, value, 4);
        }
    }
    assert_true(references >= 20);
    assert_true(refused >= references);
}

/* Files that led libhdf5 out of its memory when they were found: what is damaged in them ends the
 * process that reads them at most. */
CHECK(files_that_end_libhdf5)
{
    static const char *const names[] = {"damaged_attributes.h5ad", "damaged_names.h5ad",
                                        "damaged_values.h5ad", "damaged_names.h5"};
    static const double x[] = {X0, X1, X2, X3}, good[] = {1, -1, 1, 1};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        refuse_sample(names[k], "label=kind", "");
        check_sample("new.h5ad", "label=good", 4, x, good, "1");
    }
}

CHECK(several_threads)
{
    pthread_t threads[READERS];
    int failed[READERS];
    for (int k = 0; k < READERS; k++) {
        failed[k] = k;
        assert_int_equal(pthread_create(&threads[k], NULL, read_again, &failed[k]), 0);
    }
    for (int k = 0; k < READERS; k++) {
        pthread_join(threads[k], NULL);
        assert_int_equal(failed[k], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_files),
        cmocka_unit_test(several_threads),
        cmocka_unit_test(matrices_of_anndata),
        cmocka_unit_test(missing_values_of_observations),
        cmocka_unit_test(other_layouts),
        cmocka_unit_test(what_is_not_there),
        cmocka_unit_test(more_values_than_the_file_can_hold),
        cmocka_unit_test(damaged_texts),
        cmocka_unit_test(damaged_references),
        cmocka_unit_test(files_that_end_libhdf5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 77; /* left out */
}

#endif
