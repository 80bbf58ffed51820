/* Reading from files, pipes and memory: compression, damage, limits, detection, names. */
#include "data_check.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tamis/rng.h"

typedef int add_filter(struct archive *archive);

static const struct {
    const char *suffix;
    add_filter *add;
} filters[] = {
    {".gz", archive_write_add_filter_gzip}, {".bz2", archive_write_add_filter_bzip2},
    {".xz", archive_write_add_filter_xz},   {".zst", archive_write_add_filter_zstd},
    {".lz4", archive_write_add_filter_lz4}, {".lzma", archive_write_add_filter_lzma},
};
enum { FILTERS = sizeof filters / sizeof filters[0] };

typedef struct packed {
    char *bytes;
    size_t size;
} packed;

/* `level`: of the filter, NULL for its usual one. */
static packed compress_at(add_filter *add, const char *level, const char *text, size_t size)
{
    packed out = {malloc(size + 100000), 0};
    assert_non_null(out.bytes);
    struct archive *archive = archive_write_new();
    assert_int_equal(archive_write_set_format_raw(archive), ARCHIVE_OK);
    assert_int_equal(add(archive), ARCHIVE_OK);
    if (level)
        assert_int_equal(archive_write_set_filter_option(archive, NULL, "compression-level", level),
                         ARCHIVE_OK);
    archive_write_set_bytes_in_last_block(archive, 1);
    assert_int_equal(archive_write_open_memory(archive, out.bytes, size + 100000, &out.size),
                     ARCHIVE_OK);
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(archive, text, size), size);
    archive_entry_free(entry);
    assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
    return out;
}

static packed compress(add_filter *add, const char *text, size_t size)
{
    return compress_at(add, NULL, text, size);
}

/* For texts that are unpacked once for each of their bytes: the level sets the memory that takes,
 * at the usual one 8 MB. */
static packed compress_small(add_filter *add, const char *text)
{
    return compress_at(add, "1", text, strlen(text));
}

/* A random LIBSVM text of some size. */
static char *make_text(size_t rows, uint64_t seed)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    char *text = malloc(rows * 400 + 1);
    assert_non_null(text);
    size_t at = 0;
    for (size_t i = 0; i < rows; i++) {
        at += (size_t)sprintf(text + at, "%.3f", tm_rng_normal(&rng));
        for (size_t j = 1; j <= 12; j++)
            if (tm_rng_uniform(&rng) < 0.5)
                at += (size_t)sprintf(text + at, " %zu:%.17g", j, tm_rng_normal(&rng));
        at += (size_t)sprintf(text + at, "\n");
    }
    return text;
}

static char folder[] = "/tmp/tamis-input-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void write_file(char *path, size_t room, const char *name, const void *bytes, size_t size)
{
    snprintf(path, room, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Runs tm_read on "-" with standard input taken from `fd`. */
static tm_status read_standard_input(tm_dataset **out, int fd, tm_error *err)
{
    int saved = dup(STDIN_FILENO);
    assert_true(dup2(fd, STDIN_FILENO) >= 0);
    tm_status status = tm_read(out, "-", NULL, err);
    dup2(saved, STDIN_FILENO);
    close(saved);
    return status;
}

typedef struct feeder {
    int fd;
    const packed *content;
} feeder;

static void *feed(void *payload)
{
    const feeder *f = payload;
    /* In small pieces, as a slow producer would. */
    for (size_t at = 0; at < f->content->size; at += 1000) {
        size_t left = f->content->size - at;
        if (write(f->fd, f->content->bytes + at, left < 1000 ? left : 1000) < 0)
            break;
    }
    close(f->fd);
    return NULL;
}

static void check_pipe(const packed *content, const char *sha256)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    feeder f = {ends[1], content};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, feed, &f), 0);
    tm_dataset *data;
    tm_error err;
    tm_status status = read_standard_input(&data, ends[0], &err);
    pthread_join(thread, NULL);
    close(ends[0]);
    assert_int_equal(status, TM_OK);
    assert_string_equal(tm_dataset_sha256(data), sha256);
    assert_string_equal(tm_dataset_name(data), "stdin");
    tm_dataset_unref(data);
}

static void check_file(const char *suffix, const packed *content, const char *sha256)
{
    char name[64];
    char path[256];
    snprintf(name, sizeof name, "my.data.svm%s", suffix);
    write_file(path, sizeof path, name, content->bytes, content->size);
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    if (tm_read(&data, path, NULL, &err) != TM_OK)
        fail_msg("%s", err.message);
    assert_string_equal(tm_dataset_sha256(data), sha256);
    assert_string_equal(tm_dataset_name(data), "my.data");
    tm_dataset_unref(data);
    int fd = open(path, O_RDONLY);
    assert_int_equal(read_standard_input(&data, fd, &err), TM_OK);
    close(fd);
    assert_string_equal(tm_dataset_sha256(data), sha256);
    tm_dataset_unref(data);
    unlink(path);
}

CHECK(compressed_is_the_same)
{
    char *text = make_text(3000, 1);
    size_t size = strlen(text);
    tm_dataset *plain = read_good(text, NULL);
    packed as_it_is = {text, size};
    check_file("", &as_it_is, tm_dataset_sha256(plain));
    check_pipe(&as_it_is, tm_dataset_sha256(plain));
    for (size_t f = 0; f < FILTERS; f++) {
        packed content = compress(filters[f].add, text, size);
        assert_true(content.size < size);
        tm_dataset *data;
        tm_error err = TM_ERROR_INIT;
        assert_int_equal(read_bytes(&data, content.bytes, content.size, NULL, &err), TM_OK);
        assert_string_equal(tm_dataset_sha256(data), tm_dataset_sha256(plain));
        tm_dataset_unref(data);
        check_file(filters[f].suffix, &content, tm_dataset_sha256(plain));
        check_pipe(&content, tm_dataset_sha256(plain));
        free(content.bytes);
    }
    tm_dataset_unref(plain);
    free(text);
}

/* No beginning of a compressed file may pass for the whole. */
CHECK(truncated_is_refused)
{
    char *text = make_text(12, 2);
    for (size_t f = 0; f < FILTERS; f++) {
        packed content = compress_small(filters[f].add, text);
        for (size_t size = 0; size < content.size; size++) {
            tm_dataset *data;
            tm_error err = TM_ERROR_INIT;
            tm_status status = read_bytes(&data, content.bytes, size, NULL, &err);
            if (status != TM_EDATA)
                fail_msg("%zu of %zu bytes of %s: %d", size, content.size, filters[f].suffix,
                         (int)status);
            assert_null(data);
            assert_non_null(strstr(err.message, "in.txt: "));
            if (size > 60)
                assert_non_null(strstr(err.message, "truncated"));
        }
        free(content.bytes);
    }
    free(text);
}

/* xz and bzip2 carry check sums: a changed byte gives an error or the same data, nothing else. */
CHECK(damaged_is_refused)
{
    char *text = make_text(12, 3);
    tm_dataset *plain = read_good(text, NULL);
    for (size_t f = 1; f <= 2; f++) {
        packed content = compress_small(filters[f].add, text);
        size_t refused = 0;
        for (size_t at = 0; at < content.size; at++) {
            content.bytes[at] = (char)(content.bytes[at] ^ 0x10);
            tm_dataset *data;
            tm_error err;
            if (read_bytes(&data, content.bytes, content.size, NULL, &err) == TM_OK) {
                assert_string_equal(tm_dataset_sha256(data), tm_dataset_sha256(plain));
                tm_dataset_unref(data);
            } else {
                refused++;
            }
            content.bytes[at] = (char)(content.bytes[at] ^ 0x10);
        }
        assert_true(refused > content.size / 2);
        free(content.bytes);
    }
    tm_dataset_unref(plain);
    free(text);
}

CHECK(members_are_joined)
{
    packed one = compress(archive_write_add_filter_gzip, "1 1:5\n2 2:6\n", 12);
    packed two = compress(archive_write_add_filter_gzip, "3 1:7\n", 6);
    char *both = malloc(one.size + two.size);
    assert_non_null(both);
    memcpy(both, one.bytes, one.size);
    memcpy(both + one.size, two.bytes, two.size);
    tm_dataset *data;
    tm_error err;
    assert_int_equal(read_bytes(&data, both, one.size + two.size, NULL, &err), TM_OK);
    const double rows[] = {5, 0, 0, 6, 7, 0};
    const double y[] = {1, 2, 3};
    check_data(data, 3, 2, rows, y);
    tm_dataset_unref(data);
    free(one.bytes);
    free(two.bytes);
    free(both);
}

CHECK(the_cap_is_kept)
{
    tm_dataset *data;
    tm_error err;
    assert_int_equal(read_bytes(&data, "1 1:5\n2 2:6\n3 1:1", 17, "max_bytes=17", &err), TM_OK);
    tm_dataset_unref(data);
    assert_int_equal(read_bytes(&data, "1 1:5\n2 2:6\n3 1:1", 17, "max_bytes=16", &err), TM_EDATA);
    assert_non_null(strstr(err.message, "max_bytes"));
    /* A small file that grows a thousandfold. */
    enum { BOMB = 30000000 };
    char *blanks = malloc(BOMB);
    assert_non_null(blanks);
    memset(blanks, ' ', BOMB);
    packed content = compress(archive_write_add_filter_gzip, blanks, BOMB);
    free(blanks);
    assert_true(content.size < BOMB / 500);
    assert_int_equal(read_bytes(&data, content.bytes, content.size, "max_bytes=1000000", &err),
                     TM_EDATA);
    assert_non_null(strstr(err.message, "max_bytes"));
    free(content.bytes);
}

CHECK(what_is_no_file_is_refused)
{
    tm_dataset *data;
    tm_error err;
    char path[256];
    snprintf(path, sizeof path, "%s/missing.svm", folder);
    assert_int_equal(tm_read(&data, path, NULL, &err), TM_EIO);
    assert_non_null(strstr(err.message, path));
    assert_non_null(strstr(err.message, "No such file"));
    assert_null(data);
    assert_int_equal(tm_read(&data, folder, NULL, &err), TM_EIO);
    assert_non_null(strstr(err.message, "directory"));
    assert_int_equal(tm_read(&data, "", NULL, &err), TM_EIO);
    write_file(path, sizeof path, "empty.svm", "", 0);
    assert_int_equal(tm_read(&data, path, NULL, &err), TM_EDATA);
    assert_non_null(strstr(err.message, "empty"));
    unlink(path);
    /* Names are shown without control characters, and long ones still leave room for the rest. */
    assert_int_equal(tm_read(&data, "no\033[31m\n", NULL, &err), TM_EIO);
    assert_null(strpbrk(err.message, "\033\n"));
    char long_name[2000];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_int_equal(tm_read_memory(&data, "1 x:1\n", 6, long_name, NULL, &err), TM_EDATA);
    assert_non_null(strstr(err.message, "line 1, column 3"));
}

CHECK(cancelled_reading_ends)
{
    tm_cancel *token = tm_cancel_new();
    assert_non_null(token);
    tm_cancel_set(token);
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.cancel = token;
    tm_dataset *data;
    tm_error err;
    assert_int_equal(tm_read_memory(&data, "1 1:2\n", 6, "in", &options, &err), TM_ECANCELLED);
    assert_null(data);
    /* A FIFO without a writer must not hold up a cancelled reader either. */
    char path[256];
    snprintf(path, sizeof path, "%s/fifo", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(tm_read(&data, path, &options, &err), TM_ECANCELLED);
    unlink(path);
    tm_cancel_free(token);
}

typedef struct seen_progress {
    uint64_t bytes;
    double share;
    int calls;
} seen_progress;

static void note_progress(uint64_t bytes, double share, void *payload)
{
    seen_progress *seen = payload;
    assert_true(bytes > seen->bytes && share >= seen->share && share <= 1.0);
    *seen = (seen_progress){bytes, share, seen->calls + 1};
}

CHECK(progress_rises)
{
    char *text = make_text(20000, 4);
    packed content = compress(archive_write_add_filter_xz, text, strlen(text));
    seen_progress seen = {0};
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.progress = note_progress;
    options.payload = &seen;
    tm_dataset *data;
    tm_error err;
    assert_int_equal(tm_read_memory(&data, content.bytes, content.size, "in", &options, &err),
                     TM_OK);
    assert_true(seen.calls >= 1 && seen.bytes <= strlen(text) && seen.share > 0);
    tm_dataset_unref(data);
    free(content.bytes);
    free(text);
    /* A plain text is read twice: one rise over both. */
    seen = (seen_progress){0};
    text = make_text(400000, 4);
    assert_int_equal(tm_read_memory(&data, text, strlen(text), "in", &options, &err), TM_OK);
    assert_true(seen.calls >= 1 && seen.bytes <= strlen(text) && seen.share > 0.4);
    tm_dataset_unref(data);
    free(text);
}

CHECK(format_is_found_from_the_content)
{
    static const text_case cases[] = {
        {"1 1:2\n2 1:3\n4 1:1\n", "LIBSVM"},
        {"1\n2 1:3\n", "LIBSVM"},
        {"# a,b,c\n\n-1\t1:3\n", "LIBSVM"},
        {"1 qid:3 1:3\n", "LIBSVM"},
        {"+1 1:3,5\n", "LIBSVM"},
        {"1,2 1:3\n", "LIBSVM"},
        {"1:3 2:4\n", "LIBSVM"},
        {"nan 1:3\n", "LIBSVM"},
        {"spam 1:3\n", "LIBSVM"},
        {"1 2 3\n", "CSV"},
        {"1,2\n3,4\n", "CSV"},
        {"1\t2\n3\t4\n", "CSV"},
        {"a;b\n3;4\n", "CSV"},
        {"12:30,5\n3,4\n", "LIBSVM"},
        {"x 12:30,5\n3,4\n", "CSV"},
        {"\"a\",b\n3,4\n", "CSV"},
        {"2020-01-01 12:30,5,1\n", "CSV"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* Each forced format reports what it cannot read in its own words; the format found must be
         * the one whose answer equals that of the automatic choice. */
        const char *option = strcmp(cases[i].want, "CSV") == 0 ? "format=csv" : "format=libsvm";
        const char *other = strcmp(cases[i].want, "CSV") == 0 ? "format=libsvm" : "format=csv";
        char answers[3][TM_ERROR_MAX] = {"", "", ""};
        const char *const options[] = {NULL, option, other};
        for (int k = 0; k < 3; k++) {
            tm_dataset *data;
            tm_error err;
            if (read_bytes(&data, cases[i].text, strlen(cases[i].text), options[k], &err) ==
                TM_OK) {
                strcpy(answers[k], tm_dataset_note(data));
                tm_dataset_unref(data);
            } else {
                strcpy(answers[k], err.message);
            }
        }
        assert_string_equal(answers[0], answers[1]);
        if (strcmp(answers[0], answers[2]) == 0)
            fail_msg("\"%s\" does not tell the formats apart", cases[i].text);
    }
}

CHECK(binary_is_refused)
{
    tm_rng rng;
    tm_rng_seed(&rng, 9);
    for (int trial = 0; trial < 300; trial++) {
        unsigned char bytes[400];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)tm_rng_below(&rng, 256);
        tm_dataset *data;
        tm_error err;
        assert_int_equal(read_bytes(&data, bytes, sizeof bytes, NULL, &err), TM_EDATA);
        assert_null(data);
    }
    check_refused("\x7f"
                  "ELF\x02\x01\x01",
                  NULL, "neither a text file", "gzip");
    check_refused("\xff\xfe"
                  "1\xd8", /* UTF-16, and half a character of it */
                  NULL, "", "not valid in its encoding");
}

CHECK(names_are_short)
{
    static const char *const cases[][2] = {
        {"/a/b.c/leukemia.svm.xz", "leukemia"},
        {"leukemia.libsvm", "leukemia"},
        {"news20.SVM.BZ2", "news20"},
        {"table.csv.gz", "table"},
        {"table.v2.tsv", "table.v2"},
        {"plain", "plain"},
        {"dir/.csv", ".csv"},
        {"x.gz", "x"},
        {"a.train", "a.train"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tm_dataset *data;
        tm_error err;
        assert_int_equal(tm_read_memory(&data, "1 1:2\n", 6, cases[i][0], NULL, &err), TM_OK);
        assert_string_equal(tm_dataset_name(data), cases[i][1]);
        tm_dataset_unref(data);
    }
}

/* The leukemia table that ships with the project: sizes, classes and some entries as its source
 * has them, and samples standardised over their genes, up to the five decimals of the source. */
CHECK(reads_the_example)
{
    enum { N = 38, P = 3051 };
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    if (tm_read(&data, "examples/data/golub.svm.xz", NULL, &err) != TM_OK)
        fail_msg("%s", err.message);
    assert_string_equal(tm_dataset_name(data), "golub");
    assert_int_equal(tm_dataset_rows(data), N);
    assert_int_equal(tm_dataset_cols(data), P);
    for (size_t i = 0; i < N; i++)
        assert_true(tm_dataset_y(data)[i] == (i < 27 ? -1 : 1));
    double sums[N] = {0};
    double squares[N] = {0};
    double column[N];
    for (size_t j = 0; j < P; j++) {
        tm_matrix_column(tm_dataset_x(data), j, column);
        if (j == 0)
            assert_true(column[0] == -1.45769 && column[1] == -1.3942 && column[3] == -1.40715);
        if (j == 2)
            assert_true(column[0] == 0.45695 && column[2] == 0.90325);
        for (size_t i = 0; i < N; i++) {
            sums[i] += column[i];
            squares[i] += column[i] * column[i];
        }
    }
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(sums[i] / P) < 1e-5 && fabs(squares[i] / (P - 1) - 1) < 1e-5);
    tm_dataset_unref(data);
}

RUN_TESTS_BETWEEN(make_folder, remove_folder, compressed_is_the_same, truncated_is_refused,
                  damaged_is_refused, members_are_joined, the_cap_is_kept,
                  what_is_no_file_is_refused, cancelled_reading_ends, progress_rises,
                  format_is_found_from_the_content, binary_is_refused, names_are_short,
                  reads_the_example)
