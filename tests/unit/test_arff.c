/* ARFF. What is expected is written by hand. */
#include "data_check.h"

#include <math.h>

#define HEAD                                                                                       \
    "% a comment\n\n@RELATION weather\n@attribute outlook {sunny, 'over cast', rainy}\n"           \
    "@ATTRIBUTE \"temp x\" real\n@attribute play {yes,no}\n\n@DATA\n"

CHECK(dense_rows)
{
    tm_dataset *data = read_good(HEAD "sunny, 85, no\n% in between\n'over cast',83.5,yes\r\n"
                                      "rainy,?,yes\n",
                                 "missing=mean");
    check_data(data, 3, 4, (double[]){0, 0, 1, 85, 1, 0, 0, 83.5, 0, 1, 0, 84.25},
               (double[]){-1, 1, 1});
    assert_string_equal(tm_dataset_feature_name(data, 0), "outlook=over cast");
    assert_string_equal(tm_dataset_feature_name(data, 3), "temp x");
    assert_string_equal(tm_dataset_label(data, 1), "yes");
    assert_string_equal(tm_dataset_response_name(data), "play");
    const tm_reading *reading = tm_dataset_reading(data);
    assert_int_equal(reading->count, 4);
    assert_string_equal(reading->features[0].level, "over cast");
    assert_true(reading->features[3].fill == 84.25);
    tm_dataset_unref(data);
    /* A value that the attribute declares has its feature, whether a row has it or not. */
    data = read_good(HEAD "sunny,1,yes\nsunny,2,no\n", NULL);
    assert_int_equal(tm_dataset_cols(data), 4);
    tm_dataset_unref(data);
    data = read_good(HEAD "sunny,1,yes\nrainy,2.5,no\nrainy,7,no\n", "label=2");
    assert_int_equal(tm_dataset_cols(data), 5);
    assert_true(tm_dataset_y(data)[1] == 2.5);
    tm_dataset_unref(data);
}

/* What a sparse row does not name is 0, or the first value of a nominal attribute. */
CHECK(sparse_rows)
{
    static const char text[] =
        "@relation r\n@attribute a numeric\n@attribute b integer\n@attribute color {red,blue}\n"
        "@attribute class {no,maybe,yes}\n@data\n{1 5, 3 yes}\n{ 0 2.5 ,2 blue}\n{}\n{3 'maybe'}\n";
    tm_dataset *data = read_good(text, NULL);
    size_t count;
    check_data(data, 4, 4, (double[]){0, 5, 0, 1, 2.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1},
               (double[]){3, 2, 2, 1});
    assert_string_equal(tm_dataset_class_names(data, &count)[0], "maybe");
    assert_string_equal(tm_dataset_feature_name(data, 2), "color=blue");
    tm_dataset_unref(data);
}

CHECK(text_attributes)
{
    static const char text[] = "@relation r\n@attribute id string\n@attribute a numeric\n"
                               "@attribute y numeric\n@data\n'it\\'s',1,2\nb,3,4\nb,4,5\n";
    check_refused(text, NULL, "", "1 column of features is text: 1 (\"id\"); remove it");
    tm_dataset *data = read_good(text, "text=onehot");
    check_data(data, 3, 3, (double[]){0, 1, 1, 1, 0, 3, 1, 0, 4}, (double[]){2, 4, 5});
    assert_string_equal(tm_dataset_feature_name(data, 1), "id=it's");
    tm_dataset_unref(data);
}

CHECK(malformed_text)
{
    static const struct {
        const char *text, *where, *what;
    } cases[] = {
        {"@relation r\n@attribute a numeric\n", "", "there is no @data"},
        {"@relation r\nattribute a numeric\n", "line 2", "expected @relation, @attribute"},
        {"@relation r\n@attribute a relational\n@data\n", "line 2", "an unsupported type"},
        {"@relation r\n@attribute a {x,y\n@data\n", "line 2", "not closed"},
        {HEAD "sunny,1\n", "line 9", "2 values for 3 attributes"},
        {HEAD "sunny,1,yes,4\n", "line 9, column 4", "more than the values"},
        {HEAD "sunny,hot,yes\n", "line 9, column 2", "expected a number or ?, found \"hot\""},
        {HEAD "sunny,1,maybe\n", "line 9, column 3", "\"maybe\" is none of the values"},
        {HEAD "sunny,?,yes\n", "line 9, column 2", "in \"temp x\", the value is missing"},
        {HEAD "sunny,1,?\n", "line 9, column 3", "the response is missing"},
        {HEAD "sunny,inf,yes\n", "line 9, column 2", "not finite"},
        {HEAD "'sunny,1,yes\n", "line 9", "a quote is never closed"},
        {HEAD "{0 sunny, 0 rainy}\n", "line 9", "each once"},
        {HEAD "{3 sunny}\n", "line 9", "numbers of attributes from 0"},
        {HEAD "{1 3\n", "line 9", "does not end"},
        {HEAD "sunny,1,yes,{5}\n", "line 9", "weights of rows are not read"},
        {HEAD "", "", "there are no rows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(cases[i].text, NULL, cases[i].where, cases[i].what);
}

CHECK(levels_of_the_training_data)
{
    tm_dataset *train = read_good(HEAD "sunny,1,yes\nrainy,2,no\n", NULL), *data;
    tm_error err = TM_ERROR_INIT;
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.like = tm_dataset_reading(train);
    static const char other[] = "outlook,temp x,play\nrainy,3,5\n";
    assert_int_equal(tm_read_memory(&data, other, sizeof other - 1, "new", &options, &err), TM_OK);
    check_data(data, 1, 4, (double[]){0, 1, 0, 3}, tm_dataset_y(data));
    tm_dataset_unref(data);
    tm_dataset_unref(train);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_rows),
        cmocka_unit_test(sparse_rows),
        cmocka_unit_test(text_attributes),
        cmocka_unit_test(malformed_text),
        cmocka_unit_test(levels_of_the_training_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
