/* What is written, byte for byte on small tables, and as the same data when it is read again. */
#include "comma_locale.h"
#include "data_check.h"

#include "tamis/rng.h"
#include "tamis/writer.h"

#include <float.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct folder {
    char path[64];
} folder;

static int make_folder(void **state)
{
    folder *f = malloc(sizeof *f);
    assert_non_null(f);
    strcpy(f->path, "/tmp/tamis-writer-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    *state = f;
    return 0;
}

static int remove_folder(void **state)
{
    folder *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", f->path);
    int status = system(command);
    free(f);
    return status;
}

static const char *in_folder(const folder *f, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", f->path, name);
    return path;
}

/* The whole file, with its size, NUL-terminated; the caller frees it. */
static char *file_bytes(const folder *f, const char *name, size_t *size)
{
    char path[128];
    FILE *file = fopen(in_folder(f, name, path), "rb");
    if (!file)
        return NULL;
    char *bytes = calloc(1, 1 << 20);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    return bytes;
}

static void check_text(const folder *f, const char *name, const char *expected)
{
    size_t size;
    char *bytes = file_bytes(f, name, &size);
    assert_non_null(bytes);
    assert_string_equal(bytes, expected);
    assert_int_equal(size, strlen(expected));
    free(bytes);
}

static void write_good(const folder *f, const tm_dataset *data, const char *name)
{
    char path[128];
    tm_error err = TM_ERROR_INIT;
    if (tm_write(data, in_folder(f, name, path), NULL, &err) != TM_OK)
        fail_msg("%s: %s", name, err.message);
}

static size_t count_files(const folder *f)
{
    char command[128];
    unsigned long count = 0;
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", f->path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%lu", &count), 1);
    pclose(pipe);
    return count;
}

/* --- bytes --------------------------------------------------------------------------------- */

static void libsvm_text(void **state)
{
    const folder *f = *state;
    tm_dataset *data = read_good("2 1:0.5 3:-1e-7\n1\n2 2:12345678 4:0\n", "columns=5");
    write_good(f, data, "a.svm");
    /* The labels of the file; the last feature of all is named although it is zero. */
    check_text(f, "a.svm", "2 1:0.5 3:-1e-07 5:0\n1\n2 2:12345678\n");
    tm_dataset_unref(data);
}

static void csv_text(void **state)
{
    const folder *f = *state;
    tm_dataset *data = read_good("\"a,\"\"b\"\" \",c d,\"two\nlines\",class\n"
                                 "1,2.25,-3,\"ill, very\"\n4,5,0,well\n",
                                 NULL);
    write_good(f, data, "a.csv");
    check_text(f, "a.csv",
               "\"a,\"\"b\"\" \",c d,\"two\nlines\",class\n"
               "1,2.25,-3,\"ill, very\"\n4,5,0,well\n");
    write_good(f, data, "a.TSV");
    check_text(f, "a.TSV",
               "\"a,\"\"b\"\" \"\tc d\t\"two\nlines\"\tclass\n"
               "1\t2.25\t-3\t\"ill, very\"\n4\t5\t0\twell\n");
    /* Words cannot be written as numbers; the later one is 1. */
    write_good(f, data, "a.svm");
    check_text(f, "a.svm", "-1 1:1 2:2.25 3:-3\n1 1:4 2:5\n");
    assert_false(tm_writer_numeric_labels(data));
    tm_dataset_unref(data);
}

static void csv_of_sparse_data_without_names(void **state)
{
    const folder *f = *state;
    tm_dataset *data = read_good("1.5 2:7\n2.5 4:8\n3.5\n", NULL);
    write_good(f, data, "a.csv");
    check_text(f, "a.csv", "X1,X2,X3,X4,y\n0,7,0,0,1.5\n0,0,0,8,2.5\n0,0,0,0,3.5\n");
    tm_dataset_unref(data);
}

static void matrix_market_text(void **state)
{
    const folder *f = *state;
    tm_dataset *sparse = read_good("1.5 2:7\n2.5 1:-0.1 4:8\n3.5\n", NULL);
    tm_dataset *dense = read_good("0 1:1 2:3\n5 1:2 2:4\n", NULL);
    write_good(f, sparse, "s.mtx");
    check_text(f, "s.mtx",
               "%%MatrixMarket matrix coordinate real general\n3 4 3\n"
               "2 1 -0.1\n1 2 7\n2 4 8\n");
    check_text(f, "s_response.mtx",
               "%%MatrixMarket matrix array real general\n3 1\n1.5\n2.5\n3.5\n");
    write_good(f, dense, "d.mtx");
    check_text(f, "d.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n");
    check_text(f, "d_response.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n5\n");
    assert_int_equal(count_files(f), 4);
    tm_dataset_unref(sparse);
    tm_dataset_unref(dense);
}

static void numpy_bytes(void **state)
{
    const folder *f = *state;
    const double columns[] = {1, 2, 3, 4};
    size_t size;
    tm_dataset *dense = read_good("0 1:1 2:3\n5 1:2 2:4\n", NULL);
    write_good(f, dense, "d.npy");
    char *bytes = file_bytes(f, "d.npy", &size);
    assert_non_null(bytes);
    assert_int_equal(size, 128 + sizeof columns);
    assert_memory_equal(bytes,
                        "\x93NUMPY\x01\x00\x76\x00{'descr': '" NATIVE "f8', "
                        "'fortran_order': True, 'shape': (2, 2), }   ",
                        71);
    assert_int_equal(bytes[127], '\n');
    assert_memory_equal(bytes + 128, columns, sizeof columns);
    free(bytes);
    bytes = file_bytes(f, "d_response.npy", &size);
    assert_non_null(bytes);
    const double y[] = {0, 5};
    assert_int_equal(size, 128 + sizeof y);
    assert_non_null(strstr(bytes + 10, "'fortran_order': False, 'shape': (2,), }"));
    assert_memory_equal(bytes + 128, y, sizeof y);
    free(bytes);
    tm_dataset_unref(dense);
}

/* --- the way back -------------------------------------------------------------------------- */

static tm_dataset *random_data(uint64_t seed, size_t n, size_t p, double density)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    double *values = calloc(n * p, sizeof *values);
    double *y = malloc(n * sizeof *y);
    assert_true(values && y);
    for (size_t i = 0; i < n * p; i++)
        if (tm_rng_uniform(&rng) < density)
            values[i] = tm_rng_normal(&rng) * pow(10, floor(20 * tm_rng_uniform(&rng) - 10));
    for (size_t i = 0; i < n; i++)
        y[i] = tm_rng_normal(&rng);
    tm_dataset_parts parts = {.name = "random", .response.y = y};
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(tm_matrix_new_dense(&parts.x, n, p, values, &err), TM_OK);
    assert_int_equal(tm_dataset_new(&data, &parts, &err), TM_OK);
    return data;
}

static void check_round_trip(const folder *f, const tm_dataset *data, const char *name)
{
    char path[128];
    tm_dataset *back = NULL;
    tm_error err = TM_ERROR_INIT;
    write_good(f, data, name);
    if (tm_read(&back, in_folder(f, name, path), NULL, &err) != TM_OK)
        fail_msg("%s: %s", name, err.message);
    /* The digest is over sizes, response and every value. */
    assert_string_equal(tm_dataset_sha256(back), tm_dataset_sha256(data));
    assert_int_equal(tm_dataset_is_binary(back), tm_dataset_is_binary(data));
    if (tm_dataset_is_binary(data) && tm_writer_numeric_labels(data)) {
        assert_string_equal(tm_dataset_label(back, 1), tm_dataset_label(data, 1));
        assert_string_equal(tm_dataset_label(back, -1), tm_dataset_label(data, -1));
    }
    tm_dataset_unref(back);
}

static const char *const names[] = {
    "a.svm",     "a.csv",    "a.tsv",     "a.mtx",          "a.npy",    "a.npz",    "a.libsvm.gz",
    "a.csv.bz2", "a.svm.xz", "a.tsv.zst", "a.svmlight.LZ4", "a.mtx.gz", "a.npy.xz", "a.npz.gz",
};
enum { NAMES = sizeof names / sizeof names[0], PLAIN_NAMES = 6 };

static void every_format_reads_back(void **state)
{
    NEEDS_LONG_DOUBLES();
    const folder *f = *state;
    /* The last one is a block of rows and a bit for the transposition. */
    static const struct {
        size_t n, p;
        double density;
    } shapes[] = {{7, 5, 1},  {40, 30, 0.05}, {1, 3, 0.5},
                  {30, 1, 1}, {5, 400, 0.01}, {70, 9001, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        tm_dataset *data = random_data(s + 1, shapes[s].n, shapes[s].p, shapes[s].density);
        size_t some = shapes[s].n * shapes[s].p > 10000 ? PLAIN_NAMES : NAMES;
        for (size_t i = 0; i < some; i++)
            check_round_trip(f, data, names[i]);
        tm_dataset_unref(data);
    }
}

static void classes_read_back(void **state)
{
    const folder *f = *state;
    tm_dataset *numbers = read_good("7 1:1\n-2.5 2:1\n7 3:4\n", "columns=9");
    tm_dataset *words = read_good("a,y\n1,no\n2,yes\n3,no\n", NULL);
    for (size_t i = 0; i < NAMES; i++) {
        check_round_trip(f, numbers, names[i]);
        check_round_trip(f, words, names[i]);
    }
    tm_dataset_unref(numbers);
    tm_dataset_unref(words);
}

static void names_and_words_read_back_from_csv(void **state)
{
    const folder *f = *state;
    char path[128];
    tm_error err = TM_ERROR_INIT;
    tm_dataset *back = NULL;
    tm_dataset *data =
        read_good("\" lead\";\"a;b\";\"\"\"\";Result\n1;2;3;\"' \"\"\"\n4;5;6;\"\tx\"\n", NULL);
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "n.tsv" : "n.csv";
        write_good(f, data, name);
        assert_int_equal(tm_read(&back, in_folder(f, name, path), NULL, &err), TM_OK);
        assert_string_equal(tm_dataset_feature_name(back, 0), " lead");
        assert_string_equal(tm_dataset_feature_name(back, 1), "a;b");
        assert_string_equal(tm_dataset_feature_name(back, 2), "\"");
        assert_string_equal(tm_dataset_response_name(back), "Result");
        assert_string_equal(tm_dataset_label(back, 1), tm_dataset_label(data, 1));
        assert_string_equal(tm_dataset_label(back, -1), tm_dataset_label(data, -1));
        assert_string_equal(tm_dataset_sha256(back), tm_dataset_sha256(data));
        tm_dataset_unref(back);
    }
    tm_dataset_unref(data);
}

static void a_decimal_comma_changes_nothing(void **state)
{
    const folder *f = *state;
    tm_dataset *data = read_good("0.5 1:0.25 2:1e-9\n1.5 1:0.1\n2.5 2:3.5\n", NULL);
    char place[] = COMMA_LOCALE_PLACE;
    bool comma = comma_locale_set(place);
    for (size_t i = 0; comma && i < NAMES; i++)
        check_round_trip(f, data, names[i]);
    comma_locale_unset(place);
    tm_dataset_unref(data);
    if (!comma)
        skip();
}

/* --- files --------------------------------------------------------------------------------- */

static void compressed_files_are_compressed(void **state)
{
    const folder *f = *state;
    static const struct {
        const char *name, *magic;
    } cases[] = {{"a.svm.gz", "\x1f\x8b"},
                 {"a.svm.bz2", "BZh"},
                 {"a.svm.xz", "\xfd"
                              "7zXZ"},
                 {"a.svm.zst", "\x28\xb5\x2f\xfd"},
                 {"a.svm.lz4", "\x04\x22\x4d\x18"}};
    tm_dataset *data = random_data(3, 50, 20, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size, again_size;
        write_good(f, data, cases[i].name);
        char *bytes = file_bytes(f, cases[i].name, &size);
        assert_non_null(bytes);
        assert_memory_equal(bytes, cases[i].magic, strlen(cases[i].magic));
        write_good(f, data, cases[i].name);
        char *again = file_bytes(f, cases[i].name, &again_size);
        assert_non_null(again);
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again, size);
        free(bytes);
        free(again);
    }
    tm_dataset_unref(data);
}

static void check_failure(const tm_dataset *data, const char *path, const tm_write_options *options,
                          tm_status status, const char *what)
{
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(tm_write(data, path, options, &err), status);
    assert_int_equal(err.code, status);
    if (!strstr(err.message, what))
        fail_msg("expected \"%s\" in \"%s\"", what, err.message);
}

static void failures_leave_what_was_there(void **state)
{
    const folder *f = *state;
    char path[128];
    tm_dataset *data = random_data(4, 300, 50, 1);
    tm_dataset *old = read_good("1 1:1\n2 1:2\n3 1:3\n", NULL);
    tm_write_options options = {NULL, tm_cancel_new()};
    assert_non_null(options.cancel);
    tm_cancel_set(options.cancel);
    for (size_t i = 0; i < NAMES; i++) {
        write_good(f, old, names[i]);
        check_failure(data, in_folder(f, names[i], path), &options, TM_ECANCELLED, "cancelled");
        check_round_trip(f, old, names[i]);
    }
    check_failure(data, in_folder(f, "n.npy", path), &options, TM_ECANCELLED, "cancelled");
    check_failure(data, in_folder(f, "n.mtx", path), &options, TM_ECANCELLED, "cancelled");
    check_failure(data, in_folder(f, "n.npz", path), &options, TM_ECANCELLED, "cancelled");
    /* Four of the names have a response beside them. */
    assert_int_equal(count_files(f), NAMES + 4);
    tm_cancel_free(options.cancel);
    tm_dataset_unref(data);
    tm_dataset_unref(old);
}

static void refusals_say_what_to_do(void **state)
{
    const folder *f = *state;
    char path[128];
    tm_dataset *data = read_good("1 1:1\n2 1:2\n3 1:3\n", NULL);
    tm_write_options csw = {"csw", NULL}, npy = {"npy", NULL};
    check_failure(data, in_folder(f, "a.txt", path), NULL, TM_EUSAGE, ".svm, .csv");
    check_failure(data, in_folder(f, "a.gz", path), NULL, TM_EUSAGE, ".svm, .csv");
    check_failure(data, "-", NULL, TM_EUSAGE, "standard output");
    check_failure(data, in_folder(f, "a.csv", path), &csw, TM_EUSAGE, "csv");
    check_failure(data, "-", &npy, TM_EUSAGE, "second file");
    check_failure(data, in_folder(f, "no/such/a.csv", path), NULL, TM_EIO, "No such file");
    assert_int_equal(mkdir(in_folder(f, "folder.csv", path), 0700), 0);
    check_failure(data, path, NULL, TM_EIO, "directory");
    check_failure(data, "/dev/full", &(tm_write_options){"csv", NULL}, TM_EIO, "No space");
    assert_int_equal(count_files(f), 1);
    tm_dataset_unref(data);
}

static void links_and_permissions_stay(void **state)
{
    const folder *f = *state;
    char path[128];
    struct stat about;
    tm_dataset *data = read_good("1 1:1\n2 1:2\n3 1:3\n", NULL);
    write_good(f, data, "real.svm");
    assert_int_equal(chmod(in_folder(f, "real.svm", path), 0640), 0);
    assert_int_equal(symlink("real.svm", in_folder(f, "link.csv", path)), 0);
    write_good(f, data, "link.csv");
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(in_folder(f, "real.svm", path), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    check_text(f, "real.svm", "X1,y\n1,1\n2,2\n3,3\n");
    tm_dataset_unref(data);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(libsvm_text),
        IN_FOLDER(csv_text),
        IN_FOLDER(csv_of_sparse_data_without_names),
        IN_FOLDER(matrix_market_text),
        IN_FOLDER(numpy_bytes),
        IN_FOLDER(every_format_reads_back),
        IN_FOLDER(classes_read_back),
        IN_FOLDER(names_and_words_read_back_from_csv),
        IN_FOLDER(a_decimal_comma_changes_nothing),
        IN_FOLDER(compressed_files_are_compressed),
        IN_FOLDER(failures_leave_what_was_there),
        IN_FOLDER(refusals_say_what_to_do),
        IN_FOLDER(links_and_permissions_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
