/* Missing values in every format, rows left out beside files of their own, and what was learnt from
 * one file applied to another. */
#include "data_check.h"

#include <math.h>
#include <unistd.h>

static char folder[] = "/tmp/tamis-missing-XXXXXX";

static const char *write_beside(const char *name, const char *text)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* A .npy of 3 x 2 doubles, row by row. */
static size_t make_array(unsigned char *out, const double *values, size_t count)
{
    static const char header[] = "\x93NUMPY\1\0\0\0{'descr': '<f8', 'fortran_order': False, "
                                 "'shape': (3, 2), }            \n";
    memcpy(out, header, sizeof header - 1);
    out[8] = (unsigned char)(sizeof header - 1 - 10);
    const uint16_t one = 1;
    if (*(const unsigned char *)&one == 0) /* this machine's order */
        *(unsigned char *)memchr(out, '<', sizeof header - 1) = '>';
    memcpy(out + sizeof header - 1, values, count * sizeof *values);
    return sizeof header - 1 + count * sizeof *values;
}

static tm_dataset *read_array(const double *values, const char *options)
{
    unsigned char bytes[256];
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    size_t size = make_array(bytes, values, 6);
    if (read_bytes(&data, bytes, size, options, &err) != TM_OK)
        fail_msg("%s", err.message);
    return data;
}

CHECK(missing_values_of_arrays)
{
    const double values[] = {1, NAN, 2, 5, 4, 7};
    unsigned char bytes[256];
    char options[160];
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = NULL;
    snprintf(options, sizeof options, "missing=mean response=%s", write_beside("y", "1\n5\n9\n"));
    data = read_array(values, options);
    check_data(data, 3, 2, (double[]){1, 6, 2, 5, 4, 7}, (double[]){1, 5, 9});
    const tm_reading *reading = tm_dataset_reading(data);
    assert_true(reading->fills && reading->count == 2 && reading->features[1].fill == 6);
    assert_true(fabs(reading->features[0].fill - 7.0 / 3) < 1e-15);
    assert_string_equal(reading->missing, "1 value set to the mean of the column");
    tm_dataset_unref(data);
    snprintf(options, sizeof options, "missing=drop response=%s", write_beside("y", "1\n5\n9\n"));
    data = read_array(values, options);
    check_data(data, 2, 2, (double[]){2, 5, 4, 7}, (double[]){-1, 1});
    tm_dataset_unref(data);
    snprintf(options, sizeof options, "response=%s", write_beside("y", "1\n5\n9\n"));
    size_t size = make_array(bytes, values, 6);
    assert_int_equal(read_bytes(&data, bytes, size, options, &err), TM_EDATA);
    assert_non_null(strstr(err.message, "1 value is missing, the first in row 1 of feature 2"));
}

CHECK(missing_responses_apart)
{
    char options[160];
    const double values[] = {1, 4, 2, 5, 4, 7};
    tm_error err = TM_ERROR_INIT;
    unsigned char bytes[256];
    snprintf(options, sizeof options, "missing=drop response=%s", write_beside("y", "NA\n5\n9\n"));
    tm_dataset *data = read_array(values, options);
    check_data(data, 2, 2, (double[]){2, 5, 4, 7}, (double[]){-1, 1});
    tm_dataset_unref(data);
    snprintf(options, sizeof options, "missing=drop response=%s",
             write_beside("y", "name\nyes\nNA\nno\n"));
    data = read_array(values, options);
    check_data(data, 2, 2, (double[]){1, 4, 4, 7}, (double[]){1, -1});
    assert_string_equal(tm_dataset_label(data, 1), "yes");
    tm_dataset_unref(data);
    snprintf(options, sizeof options, "response=%s", write_beside("y", "1\n5\nNA\n"));
    size_t size = make_array(bytes, values, 6);
    assert_int_equal(read_bytes(&data, bytes, size, options, &err), TM_EDATA);
    assert_non_null(strstr(err.message, "line 3, column 1: the response is missing (\"NA\")"));
}

/* Files beside a table have a line for each of its rows, those that are left out, too. */
CHECK(rows_left_out_beside_other_files)
{
    static const char table[] = "a,b\n1,2\nNA,3\n4,5\n6,7\n8,?\n9,1\n";
    char response[64], options[256];
    snprintf(response, sizeof response, "%s",
             write_beside("y", "red\nblack\nblue\nred\nwhite\nblue\n"));
    snprintf(options, sizeof options, "missing=drop response=%s weights=%s", response,
             write_beside("w", "1\n2\n3\n4\n5\n6\n"));
    tm_dataset *data = read_good(table, options);
    check_data(data, 4, 2, (double[]){1, 2, 4, 5, 6, 7, 9, 1}, (double[]){1, -1, 1, -1});
    const double weights[] = {1, 3, 4, 6};
    assert_memory_equal(tm_dataset_weights(data), weights, sizeof weights);
    assert_string_equal(tm_dataset_reading(data)->missing, "2 rows left out");
    tm_dataset_unref(data);
    /* The first row's class is known to be one at the end alone. */
    snprintf(options, sizeof options, "missing=drop response=%s",
             write_beside("y", "blue\nblack\nred\nblue\nwhite\nred\n"));
    data = read_good(table, options);
    check_data(data, 4, 2, (double[]){1, 2, 4, 5, 6, 7, 9, 1}, (double[]){-1, 1, -1, 1});
    tm_dataset_unref(data);
}

CHECK(missing_values_of_other_texts)
{
    tm_dataset *data = read_good("1 1:nan 2:3\n2 1:4\n3 2:6\n", "missing=mean");
    check_data(data, 3, 2, (double[]){2, 3, 4, 0, 0, 6}, (double[]){1, 2, 3});
    tm_dataset_unref(data);
    data = read_good("1 1:nan 2:3\n2 1:4\nnan 1:1\n3 2:6\n", "missing=drop");
    check_data(data, 2, 2, (double[]){4, 0, 0, 6}, (double[]){-1, 1});
    tm_dataset_unref(data);
    check_refused("1 1:nan 2:3\n2 1:4\n", NULL, "line 1, column 5", "not finite");
    data = read_good("%%MatrixMarket matrix array real general\n2 2\n1\n2\nnan\n6\n",
                     "missing=drop label=1");
    check_data(data, 1, 1, (double[]){6}, (double[]){2});
    tm_dataset_unref(data);
}

/* ---- what was learnt from another file ------------------------------------------------------- */

static tm_status read_like(tm_dataset **out, const char *text, const tm_dataset *train,
                           tm_error *err)
{
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.like = tm_dataset_reading(train);
    return tm_read_memory(out, text, strlen(text), "new.txt", &options, err);
}

CHECK(fills_of_the_training_rows)
{
    tm_dataset *train = read_good("a,b,y\n1,10,0.5\nNA,20,1.5\n3,30,4\n", "missing=mean"), *data;
    tm_error err = TM_ERROR_INIT;
    /* Other rows, another order of the columns, one more of them. */
    assert_int_equal(read_like(&data, "c,b,a,y\n7,,NA,1\n8,1,,2\n9,2,100,3\n", train, &err), TM_OK);
    check_data(data, 3, 3, (double[]){7, 20, 2, 8, 1, 2, 9, 2, 100}, (double[]){1, 2, 3});
    assert_string_equal(tm_dataset_reading(data)->missing,
                        "3 values set to the mean of the training rows");
    tm_dataset_unref(data);
    /* A single row, without a header: by the place. */
    assert_int_equal(read_like(&data, "NA,,5\n", train, &err), TM_OK);
    check_data(data, 1, 2, (double[]){2, 20}, (double[]){5});
    tm_dataset_unref(data);
    tm_dataset_unref(train);
    train = read_good("a,b,y\n1,10,0.5\n3,30,4\n", NULL);
    assert_int_equal(read_like(&data, "a,b,y\nNA,1,5\n", train, &err), TM_EDATA);
    assert_non_null(strstr(err.message, "missing"));
    tm_dataset_unref(train);
}

CHECK(texts_of_the_training_rows)
{
    static const char table[] = "size,color,y\n1,red,1\n2,blue,2.5\n3,red,4\n";
    tm_dataset *train = read_good(table, "text=onehot"), *data;
    tm_error err = TM_ERROR_INIT;
    assert_string_equal(tm_dataset_feature_name(train, 1), "color=blue");
    const tm_reading *reading = tm_dataset_reading(train);
    assert_int_equal(reading->count, 3);
    assert_string_equal(reading->features[2].level, "red");
    assert_string_equal(reading->features[2].column, "color");
    assert_null(reading->features[0].level);
    /* A single text gives all the features; one that is new is refused by name. */
    assert_int_equal(read_like(&data, "size,color,y\n5,red,1\n", train, &err), TM_OK);
    check_data(data, 1, 3, (double[]){5, 0, 1}, (double[]){1});
    tm_dataset_unref(data);
    assert_int_equal(read_like(&data, "color,size,y\nblue,6,1\nred,5,3\n", train, &err), TM_OK);
    check_data(data, 2, 3, (double[]){1, 0, 6, 0, 1, 5}, (double[]){-1, 1});
    tm_dataset_unref(data);
    assert_int_equal(read_like(&data, "size,color,y\n5,red,1\n5,green,1\n", train, &err), TM_EDATA);
    assert_non_null(
        strstr(err.message, "line 3, column 2: in \"color\", \"green\" is none of the"));
    assert_int_equal(read_like(&data, "size,color,y\n5,,1\n", train, &err), TM_EDATA);
    assert_int_equal(read_like(&data, "size,color,y\nbig,red,1\n", train, &err), TM_EDATA);
    tm_dataset_unref(train);
    train = read_good("size,color,y\n1,red,1\n2,,2.5\n3,red,4\n", "text=onehot missing=mean");
    assert_int_equal(tm_dataset_cols(train), 3);
    assert_int_equal(read_like(&data, "size,color,y\n5,,1\n,red,1\n", train, &err), TM_OK);
    check_data(data, 2, 3, (double[]){5, 1, 0, 2, 0, 1}, (double[]){1, 1});
    tm_dataset_unref(data);
    tm_dataset_unref(train);
}

CHECK(numbers_of_the_training_features)
{
    tm_dataset *from_0 = read_good("1 0:1 2:3\n2 1:4\n", NULL), *data;
    tm_dataset *from_1 = read_good("1 1:1 3:3\n2 1:4\n", NULL);
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(read_like(&data, "1 2:5\n", from_0, &err), TM_OK);
    check_data(data, 1, 3, (double[]){0, 0, 5}, (double[]){1});
    tm_dataset_unref(data);
    assert_int_equal(read_like(&data, "1 0:1 2:5\n", from_1, &err), TM_EDATA);
    assert_non_null(
        strstr(err.message, "feature number 0, but the training data are counted from 1"));
    tm_dataset_unref(from_0);
    tm_dataset_unref(from_1);
}

int main(void)
{
    assert_non_null(mkdtemp(folder));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_values_of_arrays),
        cmocka_unit_test(missing_responses_apart),
        cmocka_unit_test(rows_left_out_beside_other_files),
        cmocka_unit_test(missing_values_of_other_texts),
        cmocka_unit_test(fills_of_the_training_rows),
        cmocka_unit_test(texts_of_the_training_rows),
        cmocka_unit_test(numbers_of_the_training_features),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(write_beside("y", ""));
    unlink(write_beside("w", ""));
    rmdir(folder);
    return failed;
}
