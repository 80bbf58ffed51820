/* PLINK 1 genotypes against the same numbers written out. */
#include "data_check.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/tamis-plink-XXXXXX";

static void write_file(const char *ending, const void *bytes, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/x%s", folder, ending);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *ending, const char *text)
{
    write_file(ending, text, strlen(text));
}

static tm_status read_it(tm_dataset **out, const char *options, tm_error *err)
{
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    tm_params *params;
    char path[128], words[200];
    snprintf(path, sizeof path, "%s/x.bed", folder);
    assert_int_equal(tm_params_new(&params, "read", table, count, err), TM_OK);
    snprintf(words, sizeof words, "%s", options);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        assert_int_equal(tm_params_set_text(params, word, value, err), TM_OK);
    }
    tm_read_options with = TM_READ_OPTIONS_INIT;
    with.params = params;
    *out = NULL;
    tm_status status = tm_read(out, path, &with, err);
    tm_params_free(params);
    return status;
}

static void refused(const char *options, const char *what)
{
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    tm_status status = read_it(&data, options, &err);
    if (status != TM_EDATA || !strstr(err.message, what))
        fail_msg("status %d, \"%s\" has no \"%s\"", (int)status, err.message, what);
    assert_null(data);
}

/* Five samples, three variants. By hand: 2 copies = 00, 1 = 10, 0 = 11, missing = 01, from the low
 * bits up. Variant 1: 2 1 0 1 2; variant 2: 0 0 0 0 1; variant 3: 1 missing 2 missing 0. */
static const unsigned char bed[] = {0x6c, 0x1b, 0x01, 0xb8, 0x00, 0xff, 0x02, 0x46, 0x03};
static const char bim[] = "1 rs1 0 100 A G\n1\trs2\t0\t200\tC\tT\nX . 0 300 T A\n";
static const char fam[] =
    "f1 s1 0 0 1 2\nf2 s2 0 0 2 1\n\nf3 s3 0 0 1 2\r\nf4 s4 0 0 2 1\nf5 s5 0 0 1 2";

static void write_all(void)
{
    write_file(".bed", bed, sizeof bed);
    write_text(".bim", bim);
    write_text(".fam", fam);
}

CHECK(genotypes_are_copies_of_the_first_allele)
{
    static const double rows[] = {2, 0, 1, 1, 0, 1, 0, 0, 2, 1, 0, 1, 2, 1, 0};
    static const double y[] = {1, -1, 1, -1, 1};
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data;
    write_all();
    if (read_it(&data, "missing=mean", &err) != TM_OK)
        fail_msg("%s", err.message);
    check_data(data, 5, 3, rows, y);
    assert_string_equal(tm_matrix_kind(tm_dataset_x(data)), "genotypes");
    assert_string_equal(tm_dataset_name(data), "x");
    assert_string_equal(tm_dataset_feature_name(data, 0), "rs1_A");
    assert_string_equal(tm_dataset_feature_name(data, 1), "rs2_C");
    assert_string_equal(tm_dataset_feature_name(data, 2), "X:300_T");
    assert_string_equal(tm_dataset_label(data, 1), "2");
    assert_non_null(strstr(tm_dataset_note(data), "2 values set to the mean"));
    tm_dataset_unref(data);
}

CHECK(missing_values_are_treated_as_asked)
{
    static const double rows[] = {2, 0, 1, 0, 0, 2, 2, 1, 0};
    static const double y[] = {1.5, 2.5, -3};
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data;
    write_all();
    refused("", "2 values are missing, the first in row");
    write_text(".fam", "a a 0 0 1 1.5\nb b 0 0 1 -9\nc c 0 0 1 2.5\nd d 0 0 1 NA\ne e 0 0 1 -3\n");
    refused("missing=mean", "the response of 2 of 5 rows is missing");
    if (read_it(&data, "missing=drop", &err) != TM_OK)
        fail_msg("%s", err.message);
    check_data(data, 3, 3, rows, y);
    assert_non_null(strstr(tm_dataset_note(data), "2 rows left out"));
    tm_dataset_unref(data);
    /* Beside classes 1 and 2, a 0 is missing. */
    write_text(".fam", "a a 0 0 1 1\nb b 0 0 1 0\nc c 0 0 1 2\nd d 0 0 1 2\ne e 0 0 1 1\n");
    refused("missing=mean", "the response of 1 of 5 rows is missing");
    char option[160];
    write_text(".y", "1\n2\n3\n4\n5\n");
    snprintf(option, sizeof option, "missing=mean response=%s/x.y", folder);
    if (read_it(&data, option, &err) != TM_OK)
        fail_msg("%s", err.message);
    assert_true(tm_dataset_y(data)[4] == 5 && tm_dataset_y(data)[1] == 2);
    tm_dataset_unref(data);
}

CHECK(malformed_files_are_refused)
{
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    write_all();
    write_file(".bed", bed, sizeof bed - 1);
    refused("missing=mean", "ends after 5 of the 6 bytes");
    unsigned char longer[sizeof bed + 1] = {0};
    memcpy(longer, bed, sizeof bed);
    write_file(".bed", longer, sizeof longer);
    refused("missing=mean", "continues after the genotypes");
    write_file(".bed", bed, sizeof bed);
    write_text(".bim", "1 rs1 0 100 A\n");
    refused("missing=mean", "line 1, column 1: 5 fields; a line of a .bim has six");
    write_text(".bim", bim);
    write_text(".fam", "f1 s1 0 0 1 2\nf2 s2 0 0 2 tall\n");
    refused("missing=mean", "line 2, column 1: the phenotype \"tall\" is not a number");
    write_text(".fam", "");
    refused("missing=mean", "no samples");
    write_text(".fam", fam);
    char path[128];
    snprintf(path, sizeof path, "%s/x.bim", folder);
    assert_int_equal(remove(path), 0);
    assert_int_equal(read_it(&data, "missing=mean", &err), TM_EIO);
    assert_int_equal(tm_read_memory(&data, bed, sizeof bed, "bytes", NULL, &err), TM_EDATA);
    assert_non_null(strstr(err.message, "need the .bim and .fam beside"));
}

int main(void)
{
    assert_non_null(mkdtemp(folder));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(genotypes_are_copies_of_the_first_allele),
        cmocka_unit_test(missing_values_are_treated_as_asked),
        cmocka_unit_test(malformed_files_are_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const endings[] = {".bed", ".bim", ".fam", ".y"};
    for (size_t k = 0; k < 4; k++) {
        char path[128];
        snprintf(path, sizeof path, "%s/x%s", folder, endings[k]);
        remove(path);
    }
    rmdir(folder);
    return failed;
}
