/* Groups of features: text, files, and the structure that is found in them. */
#include "data_check.h"

#include "tamis/groups.h"

#include <math.h>
#include <unistd.h>

/* p columns of zeros; names are the words of `names`, or none when NULL. */
static tm_dataset *data_of(size_t p, const char *names)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {.name = "d"};
    double *values = calloc(2 * p, sizeof *values);
    assert_int_equal(tm_matrix_new_dense(&parts.x, 2, p, values, &err), TM_OK);
    parts.response.y = calloc(2, sizeof *parts.response.y);
    if (names) {
        parts.features.names = calloc(p, sizeof *parts.features.names);
        for (size_t j = 0; j < p; j++) {
            size_t length = strcspn(names, "|");
            parts.features.names[j] = strndup(names, length);
            names += length + (names[length] == '|');
        }
    }
    tm_dataset *data;
    assert_int_equal(tm_dataset_new(&data, &parts, &err), TM_OK);
    return data;
}

static tm_groups *parse_good(const char *text, const tm_dataset *data)
{
    tm_groups *groups;
    tm_error err = TM_ERROR_INIT;
    if (tm_groups_parse(&groups, text, data, &err) != TM_OK)
        fail_msg("%s: %s", text, err.message);
    return groups;
}

/* Group g is exactly the features listed, from 1, separated by blanks. */
static void check_members(const tm_groups *groups, size_t g, const char *expected)
{
    char text[256] = "";
    size_t count, used = 0;
    const size_t *members = tm_groups_members(groups, g, &count);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu", i ? " " : "",
                                 members[i] + 1);
    assert_string_equal(text, expected);
}

CHECK(a_number_makes_consecutive_groups)
{
    tm_dataset *data = data_of(8, NULL);
    tm_groups *groups = parse_good("3", data);
    assert_int_equal(tm_groups_count(groups), 3);
    check_members(groups, 0, "1 2 3");
    check_members(groups, 1, "4 5 6");
    check_members(groups, 2, "7 8");
    assert_false(tm_groups_overlap(groups));
    assert_true(tm_groups_is_tree(groups));
    assert_true(tm_groups_cover(groups));
    assert_true(isnan(tm_groups_weight(groups, 0, NAN)));
    size_t count;
    assert_int_equal(*tm_groups_of(groups, 7, &count), 2);
    assert_int_equal(count, 1);
    tm_groups_unref(groups);
    tm_dataset_unref(data);
}

CHECK(text_lists_numbers_ranges_names_and_weights)
{
    tm_dataset *data = data_of(6, "a|b c|1|d,e|say \"f\"|weight=2");
    tm_groups *groups =
        parse_good("[ 1-2 , 6 weight=2.5; \"1\" a;\"b c\",\"d,e\" name=\"last one\";"
                   "\"say \"\"f\"\"\" \"weight=2\"]",
                   data);
    assert_int_equal(tm_groups_count(groups), 4);
    check_members(groups, 0, "1 2 6");
    check_members(groups, 1, "1 3");
    check_members(groups, 2, "2 4");
    check_members(groups, 3, "5 6");
    assert_true(tm_groups_weight(groups, 0, 1) == 2.5);
    assert_true(tm_groups_weight(groups, 1, 7) == 7);
    assert_string_equal(tm_groups_name(groups, 2), "last one");
    assert_null(tm_groups_name(groups, 0));
    assert_true(tm_groups_overlap(groups));
    assert_false(tm_groups_is_tree(groups));
    assert_int_equal(tm_groups_parent(groups, 1), TM_NO_GROUP);
    size_t count;
    const size_t *of = tm_groups_of(groups, 5, &count);
    assert_int_equal(count, 2);
    assert_int_equal(of[0], 0);
    assert_int_equal(of[1], 3);
    tm_groups_unref(groups);
    tm_dataset_unref(data);
}

CHECK(trees_are_found_by_inclusion)
{
    tm_dataset *data = data_of(7, NULL);
    tm_groups *groups = parse_good("[1; 1-6; 2 3; 1-3; 5; X4; 2 3]", data);
    static const size_t parents[] = {3, TM_NO_GROUP, 6, 1, 1, 1, 3};
    assert_true(tm_groups_is_tree(groups));
    assert_true(tm_groups_overlap(groups));
    assert_false(tm_groups_cover(groups));
    for (size_t g = 0; g < 7; g++)
        assert_int_equal(tm_groups_parent(groups, g), parents[g]);
    tm_groups_unref(groups);
    groups = parse_good("[1 2; 1-4; 4 5]", data);
    assert_false(tm_groups_is_tree(groups));
    tm_groups_unref(groups);
    tm_dataset_unref(data);
}

CHECK(parents_hold_what_is_below_them)
{
    tm_dataset *data = data_of(6, NULL);
    tm_groups *groups = parse_good(
        "[1 2 parent=left; 3 name=left parent=top weight=3; 5-6 parent=top; name=top]", data);
    assert_true(tm_groups_is_tree(groups));
    check_members(groups, 0, "1 2");
    check_members(groups, 1, "1 2 3");
    check_members(groups, 3, "1 2 3 5 6");
    assert_int_equal(tm_groups_parent(groups, 0), 1);
    assert_int_equal(tm_groups_parent(groups, 1), 3);
    assert_int_equal(tm_groups_parent(groups, 2), 3);
    assert_true(tm_groups_weight(groups, 1, 1) == 3);
    tm_groups_unref(groups);
    tm_dataset_unref(data);
}

CHECK(files_have_comments_and_lines)
{
    char path[] = "/tmp/tamis-groups-XXXXXX";
    tm_dataset *data = data_of(5, NULL);
    tm_error err = TM_ERROR_INIT;
    tm_groups *groups;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    static const char text[] = "# two pathways\r\n1-2 weight=2 # the first\r\n\n 3,\t5 ,\n";
    assert_int_equal(write(fd, text, sizeof text - 1), (ssize_t)(sizeof text - 1));
    assert_int_equal(tm_groups_parse(&groups, path, data, &err), TM_OK);
    assert_int_equal(tm_groups_count(groups), 2);
    check_members(groups, 0, "1 2");
    check_members(groups, 1, "3 5");
    tm_groups_unref(groups);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(pwrite(fd, "1 2\n3\t9\n", 8, 0), 8);
    assert_int_equal(tm_groups_parse(&groups, path, data, &err), TM_EDATA);
    assert_null(groups);
    assert_non_null(strstr(err.message, path));
    assert_non_null(strstr(err.message, ": line 2, column 3: features are numbered from 1 to 5"));
    close(fd);
    unlink(path);
    assert_int_equal(tm_groups_parse(&groups, path, data, &err), TM_EIO);
    tm_dataset_unref(data);
}

CHECK(what_is_wrong_is_named)
{
    static const text_case cases[] = {
        {"0", "expected a size above 0"},
        {"-3", "expected a size above 0"},
        {"[]", "there is no group"},
        {"[1 2; 1 9]", "column 9: features are numbered from 1 to 4"},
        {"[1 0]", "column 4: features are numbered from 1 to 4"},
        {"[1 99999999999999999999]", "features are numbered from 1 to 4"},
        {"[3-2]", "this range ends at 2, before it begins"},
        {"[1-3 2]", "feature 2 is twice in this group"},
        {"[alpha bta]", "no feature is called 'bta'; did you mean 'beta'?"},
        {"[twin]", "several features are called 'twin'"},
        {"[1 weight=0]", "expected a weight above 0, found '0'"},
        {"[1 weight=x]", "expected a weight above 0, found 'x'"},
        {"[1 weight=]", "nothing after 'weight='"},
        {"[1 weight=1 weight=2]", "twice for one group: 'weight'"},
        {"[1 name=a name=b]", "twice for one group: 'name'"},
        {"[\"alpha]", "this quote is not closed"},
        {"[\"alpha\"x]", "expected a blank or comma after a closing quote"},
        {"[1; name=a]", "column 5: this group has no features"},
        {"[1 name=a; 2 name=a]", "several groups are called 'a'"},
        {"[1 parent=b]", "column 4: no group is called 'b'"},
        {"[1 name=a parent=b; 2 name=b parent=a]", "above itself"},
        {"[1 name=a parent=a]", "above itself"},
    };
    tm_dataset *data = data_of(4, "alpha|beta|twin|twin");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        tm_error err = TM_ERROR_INIT;
        tm_groups *groups = (tm_groups *)&err;
        assert_int_not_equal(tm_groups_parse(&groups, cases[k].text, data, &err), TM_OK);
        assert_null(groups);
        if (!strstr(err.message, cases[k].want))
            fail_msg("%s: %s", cases[k].text, err.message);
    }
    tm_dataset_unref(data);
}

CHECK(arrays_are_checked)
{
    tm_groups *groups;
    tm_error err = TM_ERROR_INIT;
    static const size_t starts[] = {0, 2, 3}, features[] = {4, 1, 3};
    static const double weights[] = {NAN, 2}, bad[] = {-1, 1};
    assert_int_equal(tm_groups_new(&groups, 5, 2, starts, features, weights, &err), TM_OK);
    check_members(groups, 0, "2 5");
    assert_true(tm_groups_weight(groups, 0, 9) == 9);
    assert_true(tm_groups_weight(groups, 1, 9) == 2);
    tm_groups *again = tm_groups_ref(groups);
    tm_groups_unref(groups);
    assert_int_equal(tm_groups_features(again), 5);
    tm_groups_unref(again);
    assert_int_equal(tm_groups_new(&groups, 4, 2, starts, features, NULL, &err), TM_EDATA);
    assert_int_equal(tm_groups_new(&groups, 5, 2, starts, features, bad, &err), TM_EDATA);
    static const size_t empty[] = {0, 0, 3}, descending[] = {0, 3, 2}, twice[] = {1, 1, 3};
    assert_int_equal(tm_groups_new(&groups, 5, 2, empty, features, NULL, &err), TM_EDATA);
    assert_int_equal(tm_groups_new(&groups, 5, 2, descending, features, NULL, &err), TM_EDATA);
    assert_int_equal(tm_groups_new(&groups, 5, 1, starts, twice, NULL, &err), TM_EDATA);
    assert_int_equal(tm_groups_new(&groups, 5, 0, starts, features, NULL, &err), TM_EDATA);
    assert_int_equal(tm_groups_consecutive(&groups, 5, 0, &err), TM_EUSAGE);
}

RUN_TESTS(a_number_makes_consecutive_groups, text_lists_numbers_ranges_names_and_weights,
          trees_are_found_by_inclusion, parents_hold_what_is_below_them,
          files_have_comments_and_lines, what_is_wrong_is_named, arrays_are_checked)
