/* Text of other encodings. What is expected is written here by hand, byte by byte. */
#include "data_check.h"

static tm_dataset *read_sized(const void *bytes, size_t size, const char *options)
{
    tm_dataset *data = NULL;
    tm_error err = TM_ERROR_INIT;
    if (read_bytes(&data, bytes, size, options, &err) != TM_OK)
        fail_msg("%s", err.message);
    return data;
}

CHECK(latin_1_becomes_utf8)
{
    tm_dataset *data = read_good("caf\xe9,b,y\n1,2,gr\xfcn\n3,4,rot\n", NULL);
    check_data(data, 2, 2, (double[]){1, 2, 3, 4}, (double[]){-1, 1});
    assert_string_equal(tm_dataset_feature_name(data, 0), "caf\xc3\xa9");
    assert_string_equal(tm_dataset_label(data, -1), "gr\xc3\xbcn");
    assert_non_null(strstr(tm_dataset_note(data), "encoding: WINDOWS-1252, converted to UTF-8"));
    tm_dataset_unref(data);
    /* The euro sign of Windows takes three bytes. */
    data = read_good("\x80,y\n1,2\n3,4\n5,6\n", NULL);
    assert_string_equal(tm_dataset_feature_name(data, 0), "\xe2\x82\xac");
    tm_dataset_unref(data);
    data = read_good("caf\xc3\xa9,y\n1,2\n3,4\n5,6\n", NULL);
    assert_string_equal(tm_dataset_feature_name(data, 0), "caf\xc3\xa9");
    assert_null(strstr(tm_dataset_note(data), "converted"));
    tm_dataset_unref(data);
}

CHECK(utf_16_becomes_utf8)
{
    static const char text[] = "a,\xe4,y\r\n1,2,3\r\n4,5,6\r\n7,8,9";
    char wide[2 * sizeof text + 2];
    for (int big = 0; big < 2; big++) {
        size_t size = 0;
        wide[size++] = big ? '\xfe' : '\xff';
        wide[size++] = big ? '\xff' : '\xfe';
        for (size_t k = 0; k < sizeof text - 1; k++) {
            wide[size + (size_t)big] = text[k];
            wide[size + (size_t)!big] = '\0';
            size += 2;
        }
        tm_dataset *data = read_sized(wide, size, NULL);
        check_data(data, 3, 2, (double[]){1, 2, 4, 5, 7, 8}, (double[]){3, 6, 9});
        assert_string_equal(tm_dataset_feature_name(data, 1), "\xc3\xa4");
        tm_dataset_unref(data);
        data = read_sized(wide + 2, size - 2, big ? "encoding=utf-16be" : "encoding=utf-16le");
        assert_string_equal(tm_dataset_feature_name(data, 0), "a");
        tm_dataset_unref(data);
    }
}

CHECK(encodings_by_name)
{
    tm_dataset *data = read_good("\xc4\xe0,y\n1,2\n3,4\n5,6\n", "encoding=cp1251");
    assert_string_equal(tm_dataset_feature_name(data, 0), "\xd0\x94\xd0\xb0");
    tm_dataset_unref(data);
    check_refused("a,y\n1,2\n", "encoding=klingon", "", "\"klingon\" is not known");
    check_refused("caf\xc3\xa9,gr\xfcn,y\n1,2,3\n", NULL, "", "UTF-8 at first and then is not");
    check_refused("caf\xe9,y\n1,2\n", "encoding=utf-8", "", "not valid in its encoding");
}

/* Characters that the blocks of a long text cut in two. */
CHECK(long_texts)
{
    enum { ROWS = 60000, LINE = 16 };
    static const char *const names[] = {"\xe4", "\xc3\xa4", "\xe2\x82\xac"};
    char *text = malloc(ROWS * LINE + 64);
    assert_non_null(text);
    for (size_t k = 0; k < 3; k++) {
        size_t size = (size_t)sprintf(text, "x,y\n");
        for (int i = 0; i < ROWS; i++)
            size += (size_t)sprintf(text + size, "%d,%s%d\n", i, names[k], i % 3);
        tm_dataset *data = read_sized(text, size, NULL);
        size_t count;
        const char *const *classes = tm_dataset_class_names(data, &count);
        assert_int_equal(tm_dataset_rows(data), ROWS);
        assert_int_equal(count, 3);
        char expected[8];
        snprintf(expected, sizeof expected, "%s2", k == 0 ? "\xc3\xa4" : names[k]);
        assert_string_equal(classes[2], expected);
        tm_dataset_unref(data);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latin_1_becomes_utf8),
        cmocka_unit_test(utf_16_becomes_utf8),
        cmocka_unit_test(encodings_by_name),
        cmocka_unit_test(long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
