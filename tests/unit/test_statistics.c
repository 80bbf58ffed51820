/* Files of Stata, SPSS and SAS, written here by ReadStat's own writers. */
#include "data_check.h"

#ifdef HAVE_READSTAT

#include <readstat.h>

enum { ROWS = 4 };

typedef struct file {
    char bytes[1 << 18];
    size_t size;
} file;

static ssize_t keep(const void *bytes, size_t size, void *payload)
{
    file *f = payload;
    assert_true(f->size + size <= sizeof f->bytes);
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
    return (ssize_t)size;
}

typedef readstat_error_t begin(readstat_writer_t *writer, void *payload, long rows);

/* Columns age, name and, with labels 1 ill, 2 well, outcome. The age of row 3 is missing. */
static void write_table(file *f, begin *begin_file, bool labels)
{
    static const char *const names[ROWS] = {"ann", "bob", "ann", "eve"};
    static const double ages[ROWS] = {31, 42.5, 0, 27}, outcomes[ROWS] = {1, 2, 1, 2};
    readstat_writer_t *writer = readstat_writer_init();
    readstat_set_data_writer(writer, keep);
    f->size = 0;
    readstat_variable_t *age = readstat_add_variable(writer, "age", READSTAT_TYPE_DOUBLE, 0);
    readstat_variable_t *name = readstat_add_variable(writer, "name", READSTAT_TYPE_STRING, 8);
    readstat_variable_t *outcome =
        readstat_add_variable(writer, "outcome", READSTAT_TYPE_DOUBLE, 0);
    if (labels) {
        readstat_label_set_t *set = readstat_add_label_set(writer, READSTAT_TYPE_DOUBLE, "health");
        readstat_label_double_value(set, 1, "ill");
        readstat_label_double_value(set, 2, "well");
        readstat_variable_set_label_set(outcome, set);
    }
    assert_int_equal(begin_file(writer, f, ROWS), READSTAT_OK);
    for (int i = 0; i < ROWS; i++) {
        readstat_begin_row(writer);
        if (i == 2)
            readstat_insert_missing_value(writer, age);
        else
            readstat_insert_double_value(writer, age, ages[i]);
        readstat_insert_string_value(writer, name, names[i]);
        readstat_insert_double_value(writer, outcome, outcomes[i]);
        assert_int_equal(readstat_end_row(writer), READSTAT_OK);
    }
    assert_int_equal(readstat_end_writing(writer), READSTAT_OK);
    readstat_writer_free(writer);
}

static tm_dataset *read_table(const file *f, const char *options)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    if (read_bytes(&data, f->bytes, f->size, options, &err) != TM_OK)
        fail_msg("%s", err.message);
    return data;
}

static void refuse_table(const file *f, const char *options, const char *what)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_bytes(&data, f->bytes, f->size, options, &err), TM_EDATA);
    assert_null(data);
    if (!strstr(err.message, what))
        fail_msg("expected \"%s\", got \"%s\"", what, err.message);
}

/* Every kind of file gives the same data; names are in capitals in some. */
static void check_table(begin *begin_file, bool labels, const char *format)
{
    file *f = malloc(sizeof *f);
    assert_non_null(f);
    write_table(f, begin_file, labels);
    refuse_table(f, NULL, "1 column of features is text: 2 (\"");
    refuse_table(f, "text=onehot", "row 3, column 1 (\"");
    tm_dataset *data = read_table(f, "text=onehot missing=drop");
    check_data(data, 3, 4, (double[]){31, 1, 0, 0, 42.5, 0, 1, 0, 27, 0, 0, 1},
               (double[]){-1, 1, 1});
    assert_string_equal(tm_dataset_label(data, 1), labels ? "well" : "2");
    assert_non_null(strstr(tm_dataset_note(data), format));
    tm_dataset_unref(data);
    data = read_table(f, "text=onehot label=1 missing=drop");
    assert_true(tm_dataset_y(data)[1] == 42.5);
    tm_dataset_unref(data);
    free(f);
}

CHECK(stata_files)
{
    check_table(readstat_begin_writing_dta, true, "format: Stata");
}

CHECK(spss_files)
{
    check_table(readstat_begin_writing_sav, true, "format: SPSS");
}

CHECK(sas_files)
{
    check_table(readstat_begin_writing_xport, false, "format: SAS");
    check_table(readstat_begin_writing_sas7bdat, false, "format: SAS");
}

/* Cut short anywhere, a file is refused or gives what it has: no crash, and always a report. */
CHECK(damaged_files)
{
    begin *const all[] = {readstat_begin_writing_dta, readstat_begin_writing_sav,
                          readstat_begin_writing_xport};
    file *f = malloc(sizeof *f);
    assert_non_null(f);
    for (size_t k = 0; k < 3; k++) {
        write_table(f, all[k], true);
        size_t whole = f->size;
        for (size_t size = 12; size < whole; size += whole / 40 + 1) {
            tm_dataset *data = NULL;
            tm_error err = TM_ERROR_INIT;
            tm_status status = read_bytes(&data, f->bytes, size, "text=onehot missing=drop", &err);
            assert_true((status == TM_OK) == (data != NULL));
            assert_true(status == TM_OK || err.message[0]);
            tm_dataset_unref(data);
        }
    }
    free(f);
}

static void put(file *f, const void *bytes, size_t size)
{
    assert_int_equal(keep(bytes, size, f), size);
}

/* A file of this early version of Stata: two columns of bytes with two rows; the second's name and
 * the names of both's labels are all x, with no zero behind them. */
static void write_unended(file *f, uint8_t version)
{
    const uint8_t start[] = {version, 2, 1, 0, 2, 0, 2, 0, 0, 0};
    const size_t label = version < 108 ? 32 : 81, name = version < 110 ? 9 : 33,
                 shown = version < 105   ? 7
                         : version < 114 ? 12
                                         : 49;
    static const char zeros[256], names[33] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    f->size = 0;
    put(f, start, sizeof start);
    put(f, zeros, label + (version < 105 ? 0 : 18));
    put(f, version < 111 ? "bb" : "\373\373", 2);
    put(f, "y", 1);
    put(f, zeros, name - 1);
    put(f, names, name);
    put(f, zeros, 6 + 2 * shown);
    put(f, names, name);
    put(f, names, name);
    put(f, zeros, 2 * label + (version < 105 ? 0 : version < 110 ? 3 : 5));
    put(f, "\1\2\3\4", 4);
}

/* Names that fill all bytes that they may have are read to their end and no further. */
CHECK(unended_names)
{
    static const uint8_t versions[] = {104, 105, 108, 110, 111, 113, 114, 115};
    file *f = malloc(sizeof *f);
    assert_non_null(f);
    for (size_t k = 0; k < sizeof versions; k++) {
        write_unended(f, versions[k]);
        tm_dataset *data = NULL;
        tm_error err = TM_ERROR_INIT;
        if (read_bytes(&data, f->bytes, f->size, "format=stata label=y", &err) != TM_OK)
            fail_msg("version %d: %s", versions[k], err.message);
        size_t length = versions[k] < 110 ? 9 : 33;
        char expected[40] = "";
        memset(expected, 'x', length);
        assert_string_equal(tm_dataset_feature_name(data, 0), expected);
        tm_dataset_unref(data);
    }
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stata_files),   cmocka_unit_test(spss_files),
        cmocka_unit_test(sas_files),     cmocka_unit_test(damaged_files),
        cmocka_unit_test(unended_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 77; /* left out */
}

#endif
