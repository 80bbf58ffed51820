/* Vector parameters: a number, a list, numbers by name, a file; what each refuses. */
#include "tests/core_check.h"

#include "tamis/params.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const tm_param_info table[] = {
    {.name = "factors",
     .type = TM_PARAM_VECTOR,
     .fallback = "1",
     .min = 0,
     .max = INFINITY,
     .help = "h"},
    {.name = "limits", .type = TM_PARAM_VECTOR, .min = 0, .max = 5, .help = "h"},
};

static tm_params *make(void)
{
    tm_params *params;
    tm_error err = TM_ERROR_INIT;
    must(tm_params_new(&params, "demo", table, 2, &err), &err);
    return params;
}

static void good(tm_params *params, const char *text)
{
    tm_error err = TM_ERROR_INIT;
    must(tm_params_set_text(params, "factors", text, &err), &err);
}

static void bad(tm_params *params, const char *name, const char *text, const char *what)
{
    tm_error err = TM_ERROR_INIT;
    must_refuse(tm_params_set_text(params, name, text, &err), TM_EUSAGE, &err, what);
}

CHECK(test_words)
{
    tm_params *params = make();
    tm_vector v = tm_params_vector(params, "factors");
    assert_true(v.count == 1 && v.values[0] == 1 && !v.names);
    assert_false(tm_params_given(params, "factors"));
    assert_int_equal(tm_params_vector(params, "limits").count, 0);
    good(params, "2.5");
    v = tm_params_vector(params, "factors");
    assert_true(v.count == 1 && v.values[0] == 2.5 && !v.names);
    good(params, "1, 0,inf");
    v = tm_params_vector(params, "factors");
    assert_true(v.count == 3 && v.values[1] == 0 && isinf(v.values[2]) && !v.names);
    good(params, "gene a=0, b=c=2");
    v = tm_params_vector(params, "factors");
    assert_true(v.count == 2 && v.values[0] == 0 && v.values[1] == 2);
    assert_string_equal(v.names[0], "gene a");
    assert_string_equal(v.names[1], "b=c");
    tm_params_free(params);
}

CHECK(test_refusals)
{
    tm_params *params = make();
    bad(params, "factors", "-1", "at least 0");
    bad(params, "factors", "1,nan", "at least 0");
    bad(params, "factors", "1,x", "No such file");
    bad(params, "factors", "", "expected a number");
    bad(params, "limits", "inf", "at most 5");
    bad(params, "limits", "a=6", "at most 5");
    tm_error err = TM_ERROR_INIT;
    must_refuse(tm_params_set_vector(params, "factors", &(tm_vector){0}, &err), TM_EUSAGE, &err,
                "empty");
    tm_vector v = tm_params_vector(params, "factors");
    assert_true(v.count == 1 && v.values[0] == 1);
    tm_params_free(params);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

CHECK(test_files)
{
    char path[] = "/tmp/vectorXXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    tm_params *params = make();
    write_file(path, "# factors\n1\n\n 0.5 \r\ninf\n");
    good(params, path);
    tm_vector v = tm_params_vector(params, "factors");
    assert_true(v.count == 3 && v.values[1] == 0.5 && isinf(v.values[2]) && !v.names);
    write_file(path, "gene one\t0\nX2 3\n");
    good(params, path);
    v = tm_params_vector(params, "factors");
    assert_true(v.count == 2 && v.values[1] == 3);
    assert_string_equal(v.names[0], "gene one");
    write_file(path, "1\na 2\n");
    bad(params, "factors", path, "line 2");
    write_file(path, "1\n\n# no\nx\n");
    bad(params, "factors", path, "line 4");
    write_file(path, "\n");
    bad(params, "factors", path, "no numbers");
    unlink(path);
    tm_params_free(params);
}

CHECK(test_text_round_trip)
{
    static const char *const texts[] = {"1", "1,0.1,inf", "a=0,b=3"};
    tm_params *params = make();
    for (size_t i = 0; i < 3; i++) {
        char text[64];
        good(params, texts[i]);
        assert_int_equal(tm_params_format(params, "factors", text, sizeof text), strlen(texts[i]));
        assert_string_equal(text, texts[i]);
    }
    good(params, "1,2,3,4,5,6,7,8,9");
    char text[64];
    tm_params_summary(params, "factors", text, sizeof text);
    assert_string_equal(text, "9 numbers");
    tm_params_free(params);
}

CHECK(test_copies_are_deep)
{
    tm_params *params = make(), *copy;
    tm_error err = TM_ERROR_INIT;
    good(params, "a=0,b=3");
    must(tm_params_copy(&copy, params, &err), &err);
    good(params, "7");
    tm_vector v = tm_params_vector(copy, "factors");
    assert_true(v.count == 2 && v.values[1] == 3);
    assert_string_equal(v.names[1], "b");
    must(tm_params_unset(copy, "factors", &err), &err);
    assert_true(tm_params_vector(copy, "factors").values[0] == 1);
    tm_params_free(params);
    tm_params_free(copy);
}

RUN_TESTS(test_words, test_refusals, test_files, test_text_round_trip, test_copies_are_deep)
