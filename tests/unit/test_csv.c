/* The CSV reader against tables written by hand, and its errors against their positions. */
#include "data_check.h"

#include "tamis/rng.h"

CHECK(reads_a_table_with_a_header)
{
    tm_dataset *data = read_good("age,height,y\n1,2,10\n3,4,20\n-5,6.5,30\n", NULL);
    const double rows[] = {1, 2, 3, 4, -5, 6.5};
    const double y[] = {10, 20, 30};
    check_data(data, 3, 2, rows, y);
    assert_string_equal(tm_dataset_feature_name(data, 0), "age");
    assert_string_equal(tm_dataset_feature_name(data, 1), "height");
    assert_string_equal(tm_dataset_response_name(data), "y");
    const char *note = tm_dataset_note(data);
    assert_non_null(strstr(note, "separator comma"));
    assert_non_null(strstr(note, "names in the first line"));
    assert_non_null(strstr(note, "column 3 of 3, \"y\" (chosen by default)"));
    tm_dataset_unref(data);
}

CHECK(reads_every_way_to_write_it)
{
    const double rows[] = {1, 2, 3, 4, -5, 6.5};
    const double y[] = {10, 20, 30};
    static const struct {
        const char *text, *options, *note;
    } ways[] = {
        {"a,b,c\n1,2,10\n3,4,20\n-5,6.5,30", NULL, "separator comma"},
        {"a;b;c\r\n1;2;10\r\n3;4;20\r\n-5;6.5;30\r\n", NULL, "separator semicolon"},
        {"a\tb\tc\n1\t2\t10\n3\t4\t20\n-5\t6.5\t30\n", NULL, "separator tab"},
        {"\xef\xbb\xbf"
         "a,b,c\n1,2,10\n3,4,20\n-5,6.5,30\n",
         NULL, "separator comma"},
        {"\n  \na , b,c \n 1 ,2,\t10\n\n3,4,20\n-5,6.5,30\n\n\n", NULL, "separator comma"},
        {"\"a\",\"b\",\"c\"\n\"1\",\"2\",\"10\"\n3,\"4\",20\n\" -5 \",6.5 , \"30\" \n", NULL,
         "comma"},
        {"a,b,c\r1,2,10\r3,4,20\r-5,6.5,30\r", NULL, "separator comma"},
        {"1,2,10\n3,4,20\n-5,6.5,30\n", NULL, "no header"},
        {"1,2,10\n3,4,20\n-5,6.5,30\n", "header=false", "no header"},
        {"7,7,7\n1,2,10\n3,4,20\n-5,6.5,30\n", "header=true", "names in the first line"},
        {"10,1,2\n20,3,4\n30,-5,6.5\n", "label=1", "column 1 of 3"},
        {"a,LABEL,b\n1,10,2\n3,20,4\n-5,30,6.5\n", NULL, "column 2 of 3, \"LABEL\""},
        {"a,label,Y\n1,2,10\n3,4,20\n-5,6.5,30\n", NULL, "column 3 of 3, \"Y\""},
        {"a,out,b\n1,10,2\n3,20,4\n-5,30,6.5\n", "label=out", "column 2 of 3, \"out\""},
        {"a,out,b\n1,10,2\n3,20,4\n-5,30,6.5\n", "label=OUT", "column 2 of 3, \"out\""},
        {"a,y,b\n1,2,10\n3,4,20\n-5,6.5,30\n", "label=3", "column 3 of 3, \"b\""},
        {"3,1,2\n1,2,10\n3,4,20\n-5,6.5,30\n", "header=true label=2", "column 3 of 3, \"2\""},
        {"class;x;y\n10;1;2\n20;3;4\n30;-5;6.5\n", "label=class", "column 1"},
    };
    char first[65] = "";
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char options[80];
        snprintf(options, sizeof options, "format=csv %s", ways[i].options ? ways[i].options : "");
        tm_dataset *forced = read_good(ways[i].text, options);
        tm_dataset *found = read_good(ways[i].text, ways[i].options);
        check_data(forced, 3, 2, rows, y);
        if (!strstr(tm_dataset_note(found), ways[i].note))
            fail_msg("no \"%s\" in \"%s\"", ways[i].note, tm_dataset_note(found));
        if (i == 0)
            strcpy(first, tm_dataset_sha256(found));
        assert_string_equal(tm_dataset_sha256(forced), first);
        assert_string_equal(tm_dataset_sha256(found), first);
        tm_dataset_unref(forced);
        tm_dataset_unref(found);
    }
}

CHECK(two_texts_become_classes)
{
    const double rows[] = {1, 2, 3};
    const double y[] = {1, -1, 1};
    static const struct {
        const char *text, *minus, *plus;
    } cases[] = {
        {"x,kind\n1,sick\n2,healthy\n3,sick\n", "healthy", "sick"},
        {"1,b\n2,a\n3,b\n", "a", "b"},
        {"1,b\n2,B\n3,b\n", "B", "b"},
        {"x,y\n1,\"two, or \"\"three\"\"\"\n2,\"one\nline\"\n3,\"two, or \"\"three\"\"\"\n",
         "one\nline", "two, or \"three\""},
        {"x,y\n1,unknown\n2,0\n3,unknown\n", "0", "unknown"},
        {"x,y\n1,\xc3\xa9t\xc3\xa9\n2,z\n3,\xc3\xa9t\xc3\xa9\n", "z", "\xc3\xa9t\xc3\xa9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tm_dataset *data = read_good(cases[i].text, NULL);
        check_data(data, 3, 1, rows, y);
        assert_true(tm_dataset_is_binary(data));
        assert_string_equal(tm_dataset_label(data, -1), cases[i].minus);
        assert_string_equal(tm_dataset_label(data, 1), cases[i].plus);
        tm_dataset_unref(data);
    }
    /* The text may come after a number that is a class, too: 1 then "no". */
    tm_dataset *data = read_good("x,y\n1,1\n2,1\n3,no\n", NULL);
    const double late[] = {-1, -1, 1};
    check_data(data, 3, 1, rows, late);
    assert_string_equal(tm_dataset_label(data, 1), "no");
    tm_dataset_unref(data);
}

CHECK(header_is_found)
{
    static const struct {
        const char *text, *options;
        size_t rows;
    } cases[] = {
        {"1,2,red\n3,4,blue\n5,6,red\n", NULL, 3}, /* text, but not above a number */
        {"a,b,kind\n3,4,blue\n5,6,red\n", NULL, 2},
        {"a,2,kind\n3,4,blue\n5,6,red\n", NULL, 2},
        {",x1,x2\n1,4,5\n1,6,8\n3,1,2\n", NULL, 3},
        {"2020,2021,kind\n3,4,blue\n5,6,red\n", "header=true", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tm_dataset *data = read_good(cases[i].text, cases[i].options);
        assert_int_equal(tm_dataset_rows(data), cases[i].rows);
        assert_int_equal(tm_dataset_feature_name(data, 0) != NULL, i > 0);
        tm_dataset_unref(data);
    }
    tm_dataset *data = read_good("2020,2021,kind\n3,4,blue\n5,6,red\n", NULL);
    size_t count;
    assert_non_null(tm_dataset_class_names(data, &count)); /* "kind" is one of them */
    assert_int_equal(count, 3);
    tm_dataset_unref(data);
}

static void check_classes(const tm_dataset *data, const double *y, const char *const *names)
{
    size_t count;
    const char *const *found = tm_dataset_class_names(data, &count);
    assert_false(tm_dataset_is_binary(data));
    assert_int_equal(count, 3);
    for (size_t k = 0; k < count; k++)
        assert_string_equal(found[k], names[k]);
    for (size_t i = 0; i < tm_dataset_rows(data); i++)
        assert_true(tm_dataset_y(data)[i] == y[i]);
}

/* Whatever the order of the rows, classes are numbered in byte order; rows that are left out take
 * theirs along. */
CHECK(words_are_classes)
{
    static const char *const names[] = {"1a", "cat", "dog"};
    static const double y[] = {3, 2, 2, 1, 3};
    tm_dataset *data = read_good("a,kind\n1,dog\n2,cat\n3,cat\n4,1a\n5,dog\n", "label=kind");
    check_classes(data, y, names);
    tm_dataset_unref(data);
    data = read_good("a,y\n1,dog\n,ape\n2,cat\n3,cat\n,zebra\n4,1a\n5,dog\n", "missing=drop");
    check_classes(data, y, names);
    tm_dataset_unref(data);
    data = read_good("a,y\n1,dog\n,ape\n2,cat\n", "missing=drop");
    assert_string_equal(tm_dataset_label(data, 1), "dog");
    assert_true(tm_dataset_y(data)[0] == 1 && tm_dataset_y(data)[1] == -1);
    tm_dataset_unref(data);
}

CHECK(too_many_words_are_no_classes)
{
    char text[16000] = "a,y\n";
    size_t used = strlen(text);
    for (int k = 0; k <= 1000; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,word %d\n", k, k);
    check_refused(text, NULL, "line 1002, column 2: ", "more than 1000 distinct texts");
    text[used - strlen("1000,word 1000\n")] = '\0';
    tm_dataset *data = read_good(text, NULL);
    size_t count;
    tm_dataset_class_names(data, &count);
    assert_int_equal(count, 1000);
    tm_dataset_unref(data);
}

CHECK(names_are_kept)
{
    tm_dataset *data = read_good(",x1,x2\n1,4,5\n1,6,8\n3,1,2\n", NULL);
    assert_string_equal(tm_dataset_feature_name(data, 0), "X1");
    assert_string_equal(tm_dataset_feature_name(data, 1), "x1");
    tm_dataset_unref(data);
    data = read_good("p\"q,\"new\nline\",\"c,\"\"d\",y\n1,2,3,4\n1,2,3,5\n1,2,3,6\n", "columns=5");
    assert_string_equal(tm_dataset_feature_name(data, 0), "p\"q");
    assert_string_equal(tm_dataset_feature_name(data, 1), "new\nline");
    assert_string_equal(tm_dataset_feature_name(data, 2), "c,\"d");
    assert_string_equal(tm_dataset_feature_name(data, 4), "X5");
    assert_int_equal(tm_dataset_cols(data), 5);
    tm_dataset_unref(data);
}

/* A column that has no name and names or numbers the rows is none of the data. */
CHECK(row_names_are_left_out)
{
    static const char *const texts[] = {
        ",a,b,y\n0,4,5,1\n1,6,8,2\n2,1,2,3\n",
        ",a,b,y\n17,4,5,1\n3,6,8,2\n99,1,2,3\n",
        "\"\",\"a\",\"b\",\"y\"\n\"1\",4,5,1\n\"2\",6,8,2\n\"3\",1,2,3\n",
        ",a,b,y\nMazda RX4,4,5,1\nDatsun,6,8,2\n\"Fiat, 128\",1,2,3\n",
        "Unnamed: 0,a,b,y\n1,4,5,1\n2,6,8,2\n3,1,2,3\n",
        "\"a\" \"b\" \"y\"\n\"1\" 4 5 1\n\"2\" 6 8 2\n\"3\" 1 2 3\n", /* R's write.table */
        "\"a\" \"2001\" \"y\"\n\"r1\" 4 5 1\n\"r2\" 6 8 2\n\"r3\" 1 2 3\n",
        "a\tb\ty\nr1\t4\t5\t1\nr2\t6\t8\t2\nr3\t1\t2\t3\n",
        "a,b,y\n1,4,5,1\n2,6,8,2\n3,1,2,3\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        tm_dataset *data = read_good(texts[k], NULL);
        check_data(data, 3, 2, (double[]){4, 5, 6, 8, 1, 2}, (double[]){1, 2, 3});
        assert_string_equal(tm_dataset_feature_name(data, 0), "a");
        assert_non_null(strstr(tm_dataset_note(data), "left out: column 1"));
        tm_dataset_unref(data);
    }
    /* Names that are numbers, without quotes: only when they are said to be names. */
    tm_dataset *years = read_good("y,2001,2002\nr1,1,4,5\nr2,2,6,8\nr3,3,1,2\n", "header=true");
    check_data(years, 3, 2, (double[]){4, 5, 6, 8, 1, 2}, (double[]){1, 2, 3});
    assert_string_equal(tm_dataset_feature_name(years, 1), "2002");
    tm_dataset_unref(years);
    tm_dataset *data = read_good(",a,color\n1,4,red\n2,6,blue\n3,1,red\n", "text=onehot label=2");
    check_data(data, 3, 2, (double[]){0, 1, 1, 0, 0, 1}, (double[]){4, 6, 1});
    assert_string_equal(tm_dataset_feature_name(data, 1), "color=red");
    tm_dataset_unref(data);
    /* With a name, or with values that come again, it is a feature. */
    data = read_good("id,a,y\n1,4,1\n2,6,2\n3,1,3\n", NULL);
    assert_int_equal(tm_dataset_cols(data), 2);
    tm_dataset_unref(data);
    data = read_good(",a,y\n1.5,4,1\n2,6,2\n3,1,3\n", NULL);
    assert_int_equal(tm_dataset_cols(data), 2);
    tm_dataset_unref(data);
}

CHECK(sparse_tables_are_stored_sparse)
{
    tm_dataset *sparse = read_good("0,0,1,5\n0,2,0,6\n0,0,-0.0,7\n", NULL);
    const double rows[] = {0, 0, 1, 0, 2, 0, 0, 0, 0};
    const double y[] = {5, 6, 7};
    check_data(sparse, 3, 3, rows, y);
    assert_string_equal(tm_matrix_kind(tm_dataset_x(sparse)), "csc");
    assert_int_equal(tm_matrix_nnz(tm_dataset_x(sparse)), 2);
    tm_dataset *libsvm = read_good("5 3:1\n6 2:2\n7\n", NULL);
    assert_string_equal(tm_dataset_sha256(sparse), tm_dataset_sha256(libsvm));
    tm_dataset_unref(sparse);
    tm_dataset_unref(libsvm);
}

CHECK(names_the_place_of_an_error)
{
    static const struct {
        const char *text, *options, *where, *what;
    } cases[] = {
        {"a,b,y\n1,2,3\n1,x,4\n", NULL, "line 3, column 2: in \"b\", ", "\"x\""},
        {"1,2,3\n1,x,4\n", NULL, "line 2, column 2: expected a number", "\"x\""},
        {"id,n,sex,y\nx1,2,f,3\nx2,3,m,4\n", NULL,
         "line 2, column 1: 2 columns of features are "
         "text: 1 (\"id\"), 3 (\"sex\")",
         "choose text = onehot"},
        {"y,id,n,sex\n3,x1,2,f\n4,x2,3,m\n", NULL, "line 2, column 2: ", "2 (\"id\"), 4 (\"sex\")"},
        {"p,q,r,y\nx,y,z,no\n1,2,3,no\n4,5,6,yes\n", "header=true",
         "line 2, column 1: ", "3 columns of features are text: 1 (\"p\"), 2 (\"q\"), 3 (\"r\");"},
        {"a,b,y\n1,2,3\n1,,4\n", NULL, "line 3, column 2: in \"b\", ", "missing"},
        {"a,b,y\n1,2,3\nNA,2,4\n", NULL, "line 3, column 1: in \"a\", ", "missing"},
        {"a,b,y\n1,2,3\n1,2,\n", NULL, "line 3, column 3: in \"y\", ", "missing"},
        {"a,b,y\n1,2,3\n1,2,NaN\n", NULL, "line 3, column 3: in \"y\", ", "missing"},
        {"a,b,y\n1,2,3\n1,inf,2\n", NULL, "line 3, column 2: in \"b\", ", "not finite"},
        {"a,b,y\n1,2,3\n1,1e400,2\n", NULL, "line 3, column 2: in \"b\", ", "not finite"},
        {"a,b,y\n1,2,3\n1,2,1e400\n", NULL, "line 3, column 3: in \"y\", ", "not finite"},
        {"a\tb\ty\n1\t2\t3\n1,5\t2\t2\n", NULL, "line 3, column 1: in \"a\", ", "decimal comma"},
        {"a;b;y\n1.5;2;3\n1,5;2;2\n", NULL, "line 3, column 1: in \"a\", ",
         "decimal point (line 2)"},
        {"a,b,y\n1,2,3\n1,2\n", NULL, "line 3, column 2: ", "fewer fields than the 3 of line 1"},
        {"a,b,y\n1,2,3\n1,2,3,4\n", NULL, "line 3, column 4: ", "more fields than the 3 of line 1"},
        {"a,b,y\n1,2,3\n\n\n1,2,3,\n", NULL, "line 5, column 4: ", "more fields"},
        {"a,b\n1,2,3\n1,2,4\n", NULL, "line 2, column 3: ", "more fields than the 2 of line 1"},
        {"2000,2001\n1,2,3\n2,2,4\n", NULL, "line 2, column 3: ", "header = true"},
        {"\"1\",\"2\"\n\"1\",\"2\",\"3\"\n", NULL, "line 2, column 3: ", "more fields than the 2"},
        {"a,b,y\n1,2,3\n4,\"5,6\n7,8,9\n", NULL, "line 3, column 2: ", "never closed"},
        {"\"a,b,y\n1,2,3\n", "format=csv", "line 1, column 1: ", "never closed"},
        {"a,\"b\nb\",y\n1,2,3\n4,z,6\n", NULL, "line 4, column 2: in \"b?b\", ", "\"z\""},
        {"a,b,y\n1,\"2\"2,3\n", NULL, "line 2, column 2: ", "closing quote"},
        {"a,y\n1,p\n2,q\n3,7\n", NULL, "line 4, column 2: in \"y\", ", "\"7\" is a third value"},
        {"a,y\n1,7\n2,p\n3,q\n", NULL, "line 4, column 2: in \"y\", ", "\"q\" is a third value"},
        {"a,y\n1,1\n2,2\n3,3\n4,q\n", NULL, "line 5, column 2: in \"y\", ",
         "(line 5) and numbers (line 2)"},
        {"a,y\n1,p\n2,p\n", NULL, "", "\"p\" in every row"},
        {"a,b,y\n", NULL, "", "no rows after the header"},
        {"1,2,3\n1,2,4\n", "label=4", "", "number from 1 to 3"},
        {"1,2,3\n1,2,4\n", "label=0", "", "number from 1 to 3"},
        {"1,2,3\n1,2,4\n", "label=y", "", "\"y\""},
        {"a,b,a\n1,2,3\n1,2,4\n", "label=a", "", "2 columns are called \"a\""},
        {"1\n2\n", "format=csv", "line 1, column 1: ", "one column only"},
        {"hello world\nfoo\n", NULL, "line 1, column 1: ", "one column only"},
        {"", "format=csv", "", "no rows"},
        {"\n \n", "format=csv", "", "no rows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(cases[i].text, cases[i].options, cases[i].where, cases[i].what);
}

CHECK(missing_values_become_means)
{
    tm_dataset *data = read_good("a,b,y\n1,NA,10\n,2,11\n5,?,12\n6,nan,13\nNull,8,14\n\"\",-1,15\n",
                                 "missing=mean");
    const double rows[] = {1, 3, 4, 2, 5, 3, 6, 3, 4, 8, 4, -1};
    const double y[] = {10, 11, 12, 13, 14, 15};
    check_data(data, 6, 2, rows, y);
    assert_non_null(strstr(tm_dataset_note(data), "missing: 6 values set to the mean"));
    tm_dataset_unref(data);
    /* Zeros count, and a mean of zero is no entry of its own value. */
    data = read_good("a,y,b\n0,10,1\nNA,11,NA\n0,12,-1\n", "missing=mean");
    const double zeros[] = {0, 1, 0, 0, 0, -1};
    const double three[] = {10, 11, 12};
    check_data(data, 3, 2, zeros, three);
    tm_dataset_unref(data);
    data = read_good("a,y\n1,10\n2,11\n3,12\n", "missing=mean");
    assert_null(strstr(tm_dataset_note(data), "missing"));
    tm_dataset_unref(data);
    check_refused("a,b,y\n1,NA,10\n2,NA,11\n", "missing=mean", "",
                  "feature 2 (\"b\") has no value");
    check_refused("y,a,b\n1,NA,10\n2,NA,11\n", "missing=mean", "",
                  "feature 1 (\"a\") has no value");
    check_refused("a,b,y\n1,2,10\n2,1,NA\n", "missing=mean", "line 3, column 3: in \"y\", ",
                  "drop");
    check_refused("a,b,y\n1,2,10\n2,x,1\n", "missing=mean", "line 3, column 2: in \"b\", ",
                  "\"x\"");
    check_refused("a,b,y\n1,2,10\n2,inf,1\n", "missing=mean", "line 3, column 2", "not finite");
}

CHECK(rows_with_missing_values_can_be_left_out)
{
    tm_dataset *data =
        read_good("a,b,y\n1,NA,10\n3,2,11\n5,4,\n6,7,13\n,8,14\n9,0,15\n1,1,?\n", "missing=drop");
    const double rows[] = {3, 2, 6, 7, 9, 0};
    const double y[] = {11, 13, 15};
    check_data(data, 3, 2, rows, y);
    assert_non_null(strstr(tm_dataset_note(data), "missing: 4 rows left out"));
    tm_dataset_unref(data);
    data = read_good("a,y\n1,no\nNA,no\n3,yes\n,yes\n5,no\n", "missing=drop");
    const double single[] = {1, 3, 5}, signs[] = {-1, 1, -1};
    check_data(data, 3, 1, single, signs);
    assert_string_equal(tm_dataset_label(data, 1), "yes");
    tm_dataset_unref(data);
    check_refused("a,y\nNA,1\n2,NA\n", "missing=drop", "", "every row has a missing value");
    check_refused("a,y\n1,no\n2,no\nNA,yes\n", "missing=drop", "", "\"no\" in every row");
    check_refused("a,b,y\n1,NA,10\n2,x,1\n", "missing=drop", "line 3, column 2: in \"b\", ",
                  "\"x\"");
}

/* A row is dropped after it has filled blocks of entries of its own. */
CHECK(long_rows_can_be_left_out)
{
    enum { COLUMNS = 150000, ROWS = 6 };
    char *text = malloc(2 * COLUMNS * ROWS + 100);
    assert_non_null(text);
    char *at = text;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            *at++ = (char)(i % 2 == 0 && j == COLUMNS - 1 ? '?' : '1' + (i + j) % 9);
            *at++ = ',';
        }
        at += sprintf(at, "%d\n", 10 + i);
    }
    tm_dataset *data = read_good(text, "missing=drop");
    assert_int_equal(tm_dataset_rows(data), ROWS / 2);
    assert_int_equal(tm_dataset_cols(data), COLUMNS);
    for (size_t j = 0; j < COLUMNS; j++) {
        double column[ROWS / 2];
        tm_matrix_column(tm_dataset_x(data), j, column);
        for (size_t k = 0; k < ROWS / 2; k++)
            if (column[k] != (double)(1 + (2 * k + 1 + j) % 9))
                fail_msg("row %zu, column %zu: %g", k, j, column[k]);
    }
    assert_true(tm_dataset_y(data)[0] == 11 && tm_dataset_y(data)[2] == 15);
    tm_dataset_unref(data);
    free(text);
}

/* The message has room for some of them only. */
CHECK(many_columns_of_text_are_one_message)
{
    char text[8000];
    size_t used = 0;
    for (int line = 0; line < 3; line++) {
        for (int j = 0; j < 200; j++)
            used += (size_t)sprintf(text + used, line ? "w%d," : "a long name %d,", j);
        used += (size_t)sprintf(text + used, line ? "%d\n" : "y\n", line);
    }
    check_refused(text, NULL, "line 2, column 1: 200 columns of features are text: 1 (\"a long",
                  ", ...;");
}

/* Fields, quotes and line ends must not depend on where the blocks of the input end. */
CHECK(blocks_do_not_show)
{
    enum { SPAN = 300000 };
    char *text = malloc(SPAN + 200);
    assert_non_null(text);
    for (size_t shift = 0; shift < 60; shift++) {
        size_t at = (1 << 18) - 40 + shift;
        memset(text, '\n', SPAN);
        memcpy(text, "a,b,y\n1,2,no", 12);
        strcpy(text + at, "12.5,\"345.25\",\"a \"\"yes\"\"\"\r\n6,7,no\r\n");
        tm_dataset *data = read_good(text, NULL);
        const double rows[] = {1, 2, 12.5, 345.25, 6, 7};
        const double y[] = {1, -1, 1};
        check_data(data, 3, 2, rows, y);
        assert_string_equal(tm_dataset_label(data, -1), "a \"yes\"");
        tm_dataset_unref(data);
        strcpy(text + at, "12.5,\"345\n25\",no\r\n6,7,no\r\n");
        char where[64];
        snprintf(where, sizeof where, "line %zu, column 2: in \"b\"", at - 12 + 2);
        check_refused(text, NULL, where, "\"345?25\"");
    }
    free(text);
}

CHECK(too_long_a_field_is_refused)
{
    enum { LENGTH = 3000000 };
    char *text = malloc(LENGTH + 100);
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    memcpy(text, "a,b,y\n1,2,3\n4,\"", 15);
    strcpy(text + LENGTH, "\",6\n");
    check_refused(text, NULL, "line 3, column 2: ", "quote");
    memset(text + 14, ' ', LENGTH - 14);
    strcpy(text + LENGTH, "5,6\n");
    check_refused(text, NULL, "line 3, column 2: ", "more than");
    free(text);
}

/* Random tables written as CSV and as LIBSVM are the same data. */
CHECK(agrees_with_libsvm)
{
    enum { N = 40, P = 12 };
    tm_rng rng;
    tm_rng_seed(&rng, 3);
    char *csv = malloc(N * P * 40);
    char *svm = malloc(N * P * 40);
    assert_non_null(csv);
    assert_non_null(svm);
    for (int trial = 0; trial < 20; trial++) {
        double density = tm_rng_uniform(&rng);
        size_t c = 0;
        size_t s = 0;
        for (size_t i = 0; i < N; i++) {
            double y = tm_rng_normal(&rng);
            s += (size_t)sprintf(svm + s, "%.17g", y);
            for (size_t j = 0; j < P; j++) {
                double value = tm_rng_uniform(&rng) < density ? tm_rng_normal(&rng) : 0.0;
                c += (size_t)sprintf(csv + c, "%.17g,", value);
                if (value != 0.0)
                    s += (size_t)sprintf(svm + s, " %zu:%.17g", j + 1, value);
            }
            c += (size_t)sprintf(csv + c, "%.17g\n", y);
            s += (size_t)sprintf(svm + s, "\n");
        }
        tm_dataset *from_csv = read_good(csv, NULL);
        tm_dataset *from_svm = read_good(svm, "columns=12");
        assert_string_equal(tm_dataset_sha256(from_csv), tm_dataset_sha256(from_svm));
        double ours[N];
        double theirs[N];
        for (size_t j = 0; j < P; j++) {
            tm_matrix_column(tm_dataset_x(from_csv), j, ours);
            tm_matrix_column(tm_dataset_x(from_svm), j, theirs);
            assert_memory_equal(ours, theirs, sizeof ours);
        }
        tm_dataset_unref(from_csv);
        tm_dataset_unref(from_svm);
    }
    free(csv);
    free(svm);
}

/* The breast cancer table that ships with the project: sizes and classes as its source says. */
CHECK(reads_the_example)
{
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    if (tm_read(&data, "examples/data/breast_cancer.csv", NULL, &err) != TM_OK)
        fail_msg("%s", err.message);
    assert_string_equal(tm_dataset_name(data), "breast_cancer");
    assert_int_equal(tm_dataset_rows(data), 569);
    assert_int_equal(tm_dataset_cols(data), 30);
    assert_string_equal(tm_dataset_label(data, 1), "malignant");
    assert_string_equal(tm_dataset_feature_name(data, 0), "mean_radius");
    size_t malignant = 0;
    for (size_t i = 0; i < 569; i++)
        malignant += tm_dataset_y(data)[i] > 0;
    assert_int_equal(malignant, 212);
    double column[569];
    tm_matrix_column(tm_dataset_x(data), 0, column);
    double least = column[0];
    double most = column[0];
    for (size_t i = 1; i < 569; i++) {
        least = column[i] < least ? column[i] : least;
        most = column[i] > most ? column[i] : most;
    }
    assert_true(least == 6.981 && most == 28.11);
    tm_dataset_unref(data);
}

/* Text becomes one feature for each of a column's texts, sorted; a missing one has its own. */
CHECK(text_becomes_indicators)
{
    static const char table[] =
        "city,age,color,y\nRome,1,7,2\nParis,,blue,3\nRome,3,,4\nOslo,4,7,5.5\n";
    static const double y[] = {2, 3, 4, 5.5};
    /* The third column begins with a number: its text is an error. */
    check_refused(table, "text=onehot missing=mean", "line 3, column 3", "expected a number");
    static const char texts[] =
        "city,age,color,y\nRome,1,red,2\nParis,,blue,3\nRome,3,,4\nOslo,4,7,5.5\n";
    static const double filled[] = {
        0, 0, 1, 1,       0, 0, 0, 1, /* Oslo Paris Rome age none 7 blue red */
        0, 1, 0, 8.0 / 3, 0, 0, 1, 0, /**/
        0, 0, 1, 3,       1, 0, 0, 0, /**/
        1, 0, 0, 4,       0, 1, 0, 0};
    static const char *const names[] = {"city=Oslo", "city=Paris", "city=Rome",  "age",
                                        "color=",    "color=7",    "color=blue", "color=red"};
    tm_dataset *data = read_good(texts, "text=onehot missing=mean");
    check_data(data, 4, 8, filled, y);
    for (size_t j = 0; j < 8; j++)
        assert_string_equal(tm_dataset_feature_name(data, j), names[j]);
    assert_non_null(strstr(tm_dataset_note(data), "2 columns became 7 indicators"));
    tm_dataset_unref(data);
    static const double y_left[] = {2, 5.5}; /* two rows with what was measured */
    data = read_good("city,age,color,y\nRome,1,red,2\nRome,3,,4\nOslo,4,7,5.5\n",
                     "text=onehot missing=drop");
    check_data(data, 2, 5, (const double[]){0, 1, 1, 0, 1, 1, 0, 4, 1, 0}, y_left);
    tm_dataset_unref(data);
    /* Without a header; the response in the middle; more columns than there are. */
    data = read_good("a,1,u\nb,2,v\n", "text=onehot label=2 columns=6 header=false");
    assert_string_equal(tm_dataset_feature_name(data, 0), "X1=a");
    assert_string_equal(tm_dataset_feature_name(data, 3), "X2=v");
    assert_int_equal(tm_dataset_cols(data), 6);
    tm_dataset_unref(data);
    /* Numbers alone are what they were. */
    data = read_good("1,2\n3,4\n", "text=onehot");
    check_data(data, 2, 1, (const double[]){1, 3}, (const double[]){-1, 1});
    assert_null(tm_dataset_feature_name(data, 0));
    tm_dataset_unref(data);
}

RUN_TESTS(reads_a_table_with_a_header, reads_every_way_to_write_it, two_texts_become_classes,
          header_is_found, words_are_classes, too_many_words_are_no_classes, names_are_kept,
          sparse_tables_are_stored_sparse, names_the_place_of_an_error, missing_values_become_means,
          rows_with_missing_values_can_be_left_out, long_rows_can_be_left_out,
          many_columns_of_text_are_one_message, blocks_do_not_show, too_long_a_field_is_refused,
          row_names_are_left_out, agrees_with_libsvm, reads_the_example, text_becomes_indicators)
