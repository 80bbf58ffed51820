/* Names of features from a file of their own. */
#include "data_check.h"

#include <unistd.h>

typedef struct folder {
    char path[64], data[96], names[96];
} folder;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static folder folder_new(const char *data, const char *names)
{
    folder f = {.path = "/tmp/tamis-names-XXXXXX"};
    assert_non_null(mkdtemp(f.path));
    snprintf(f.data, sizeof f.data, "%s/d.svm", f.path);
    snprintf(f.names, sizeof f.names, "%s/d.names", f.path);
    write_file(f.data, data);
    if (names)
        write_file(f.names, names);
    return f;
}

static void folder_free(const folder *f)
{
    unlink(f->data);
    unlink(f->names);
    rmdir(f->path);
}

/* Reads the data, with names=FILE when `asked`. */
static tm_status read_folder(tm_dataset **out, const folder *f, bool asked, tm_error *err)
{
    size_t count;
    tm_params *params = NULL;
    const tm_param_info *table = tm_reader_params(&count);
    assert_int_equal(tm_params_new(&params, "read", table, count, err), TM_OK);
    if (asked)
        assert_int_equal(tm_params_set_text(params, "names", f->names, err), TM_OK);
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.params = params;
    tm_status status = tm_read(out, f->data, &options, err);
    tm_params_free(params);
    return status;
}

static const char DATA[] = "+1 1:2 2:3\n-1 1:1 3:4\n";

CHECK(names_beside_the_data_are_found)
{
    folder f = folder_new(DATA, "alpha\n  beta two \r\ngamma");
    for (int asked = 0; asked < 2; asked++) {
        tm_error err = TM_ERROR_INIT;
        tm_dataset *data = NULL;
        assert_int_equal(read_folder(&data, &f, asked, &err), TM_OK);
        assert_int_equal(tm_dataset_cols(data), 3);
        assert_string_equal(tm_dataset_feature_name(data, 0), "alpha");
        assert_string_equal(tm_dataset_feature_name(data, 1), "beta two");
        assert_string_equal(tm_dataset_feature_name(data, 2), "gamma");
        assert_true((strstr(tm_dataset_note(data), "d.names") != NULL) == !asked);
        tm_dataset_unref(data);
    }
    folder_free(&f);
}

CHECK(more_names_widen_the_data)
{
    folder f = folder_new(DATA, "a\nb\nc\nd\ne\n");
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = NULL;
    assert_int_equal(read_folder(&data, &f, false, &err), TM_OK);
    assert_int_equal(tm_dataset_cols(data), 5);
    assert_string_equal(tm_dataset_feature_name(data, 4), "e");
    assert_true(tm_dataset_deviations(data)[4] == 0);
    tm_dataset_unref(data);
    folder_free(&f);
}

/* What lies beside by chance is left alone; what was asked for must fit. */
CHECK(names_that_do_not_fit)
{
    static const char *const bad[] = {"a\nb\n", "", "a\n\nc\n", "a\nb\n \n"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        folder f = folder_new(DATA, bad[k]);
        tm_error err = TM_ERROR_INIT;
        tm_dataset *data = NULL;
        assert_int_equal(read_folder(&data, &f, false, &err), TM_OK);
        assert_null(tm_dataset_feature_name(data, 0));
        assert_non_null(strstr(tm_dataset_note(data), "names not used"));
        tm_dataset_unref(data);
        assert_int_equal(read_folder(&data, &f, true, &err), TM_EDATA);
        assert_non_null(strstr(err.message, "d.names"));
        folder_free(&f);
    }
}

CHECK(a_missing_file_of_names)
{
    folder f = folder_new(DATA, NULL);
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = NULL;
    assert_int_equal(read_folder(&data, &f, false, &err), TM_OK);
    tm_dataset_unref(data);
    assert_int_equal(read_folder(&data, &f, true, &err), TM_EIO);
    folder_free(&f);
}

CHECK(the_example_has_the_names_of_its_genes)
{
    folder f = {.data = "examples/data/golub.svm.xz", .names = "examples/data/golub.genes.xz"};
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = NULL;
    if (read_folder(&data, &f, true, &err) != TM_OK)
        fail_msg("%s", err.message);
    assert_int_equal(tm_dataset_cols(data), 3051);
    assert_string_equal(tm_dataset_feature_name(data, 772), "MPO Myeloperoxidase [M19507_at]");
    tm_dataset_unref(data);
}

RUN_TESTS(names_beside_the_data_are_found, more_names_widen_the_data, names_that_do_not_fit,
          a_missing_file_of_names, the_example_has_the_names_of_its_genes)
