/* Parameters: what the table allows is taken, what it forbids is refused with the reason. */
#include "comma_locale.h"

static const tm_choice colours[] = {
    {"red", "warm"}, {"green", "fresh"}, {"greenish", "nearly"}, {NULL, NULL}};

static const tm_param_info table[] = {
    {.name = "ratio", .type = TM_PARAM_REAL, .fallback = "0.5", .min = 0, .max = 1, .help = "h"},
    {.name = "scale",
     .type = TM_PARAM_REAL,
     .min = 0,
     .max = INFINITY,
     .help = "h",
     .flags = TM_PARAM_MIN_OPEN},
    {.name = "shift", .type = TM_PARAM_REAL, .min = -INFINITY, .max = 10, .help = "h"},
    {.name = "free", .type = TM_PARAM_REAL, .min = -INFINITY, .max = INFINITY, .help = "h"},
    {.name = "count", .type = TM_PARAM_INT, .fallback = "3", .min = 1, .max = 1e6, .help = "h"},
    {.name = "flag", .type = TM_PARAM_BOOL, .fallback = "true", .help = "h"},
    {.name = "colour",
     .type = TM_PARAM_CHOICE,
     .fallback = "green",
     .help = "h",
     .choices = colours},
    {.name = "title", .type = TM_PARAM_TEXT, .help = "h"},
    {.name = "lambda",
     .type = TM_PARAM_REALS,
     .min = 0,
     .max = 100,
     .help = "h",
     .flags = TM_PARAM_MIN_OPEN},
    {.name = "sizes",
     .type = TM_PARAM_REALS,
     .min = 1,
     .max = 50,
     .help = "h",
     .flags = TM_PARAM_WHOLE},
};

enum { COUNT = sizeof table / sizeof table[0] };

static int make(void **state)
{
    tm_params *params;
    tm_error err = TM_ERROR_INIT;
    must(tm_params_new(&params, "demo", table, COUNT, &err), &err);
    *state = params;
    return 0;
}

static int drop(void **state)
{
    tm_params_free(*state);
    return 0;
}

static void good_text(tm_params *params, const char *name, const char *text)
{
    tm_error err = TM_ERROR_INIT;
    must(tm_params_set_text(params, name, text, &err), &err);
}

static void bad_text(tm_params *params, const char *name, const char *text, const char *what)
{
    tm_error err = TM_ERROR_INIT;
    must_refuse(tm_params_set_text(params, name, text, &err), TM_EUSAGE, &err, what);
}

static void must_format(const tm_params *params, const char *name, const char *expected)
{
    char buffer[256];
    size_t length = tm_params_format(params, name, buffer, sizeof buffer);
    assert_string_equal(buffer, expected);
    assert_int_equal(length, strlen(expected));
}

static void test_defaults(void **state)
{
    tm_params *params = *state;
    size_t count = 9;
    assert_int_equal(tm_params_count(params), COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(tm_params_info(params, i), &table[i]);
        assert_int_equal(tm_params_has(params, table[i].name), table[i].fallback != NULL);
        assert_false(tm_params_given(params, table[i].name));
    }
    assert_true(tm_params_real(params, "ratio") == 0.5);
    assert_true(isnan(tm_params_real(params, "scale")));
    assert_int_equal(tm_params_int(params, "count"), 3);
    assert_true(tm_params_bool(params, "flag"));
    assert_string_equal(tm_params_text(params, "colour"), "green");
    assert_null(tm_params_text(params, "title"));
    assert_null(tm_params_reals(params, "lambda", &count));
    assert_int_equal(count, 0);
    must_format(params, "ratio", "0.5");
    must_format(params, "scale", "");
    must_format(params, "lambda", "");
}

CHECK(test_bad_default_is_refused)
{
    static const tm_param_info wrong = {
        .name = "ratio", .type = TM_PARAM_REAL, .fallback = "2", .min = 0, .max = 1, .help = "h"};
    tm_params *params = (tm_params *)&params;
    tm_error err = TM_ERROR_INIT;
    must_refuse(tm_params_new(&params, "demo", &wrong, 1, &err), TM_EUSAGE, &err, "ratio");
    assert_null(params);
}

static void test_closed_range(void **state)
{
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    const double bad[] = {-0x1p-1074, 0x1.0000000000001p0, -1, 2, NAN, INFINITY, -INFINITY};
    must(tm_params_set_real(params, "ratio", 0, &err), &err);
    assert_true(tm_params_real(params, "ratio") == 0);
    must(tm_params_set_real(params, "ratio", 1, &err), &err);
    assert_true(tm_params_real(params, "ratio") == 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        must_refuse(tm_params_set_real(params, "ratio", bad[i], &err), TM_EUSAGE, &err,
                    "demo: parameter 'ratio'");
        assert_non_null(strstr(err.message, "a number at least 0 and at most 1"));
        assert_true(tm_params_real(params, "ratio") == 1); /* a refusal changes nothing */
    }
    assert_true(tm_params_given(params, "ratio"));
}

static void test_open_ends(void **state)
{
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    must_refuse(tm_params_set_real(params, "scale", 0, &err), TM_EUSAGE, &err,
                "is 0; expected a number above 0");
    assert_false(tm_params_has(params, "scale"));
    must(tm_params_set_real(params, "scale", 0x1p-1074, &err), &err);
    must(tm_params_set_real(params, "scale", 0x1.fffffffffffffp+1023, &err), &err);
    must_refuse(tm_params_set_real(params, "scale", INFINITY, &err), TM_EUSAGE, &err, "inf");
    must_refuse(tm_params_set_text(params, "scale", "1e400", &err), TM_EUSAGE, &err,
                "is '1e400'; expected a number above 0");
    must_refuse(tm_params_set_text(params, "scale", "-2.5e-400", &err), TM_EUSAGE, &err,
                "is '-2.5e-400', which is less than any number but 0");
    must(tm_params_set_real(params, "shift", -1e300, &err), &err);
    must_refuse(tm_params_set_real(params, "shift", 10.5, &err), TM_EUSAGE, &err,
                "a number of at most 10");
    must(tm_params_set_real(params, "free", -1e300, &err), &err);
    must_refuse(tm_params_set_real(params, "free", NAN, &err), TM_EUSAGE, &err,
                "is nan; expected a number");
}

static void test_integers(void **state)
{
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    must(tm_params_set_int(params, "count", 1, &err), &err);
    must(tm_params_set_int(params, "count", 1000000, &err), &err);
    must_refuse(tm_params_set_int(params, "count", 0, &err), TM_EUSAGE, &err,
                "is 0; expected a whole number at least 1 and at most 1e+06");
    must_refuse(tm_params_set_int(params, "count", 1000001, &err), TM_EUSAGE, &err, "1000001");
    must(tm_params_set_real(params, "count", 12, &err), &err);
    assert_int_equal(tm_params_int(params, "count"), 12);
    must_refuse(tm_params_set_real(params, "count", 12.5, &err), TM_EUSAGE, &err, "12.5");
    must_refuse(tm_params_set_real(params, "count", NAN, &err), TM_EUSAGE, &err, "nan");
    must_refuse(tm_params_set_real(params, "count", 1e300, &err), TM_EUSAGE, &err, "1e+300");
    good_text(params, "count", "1e3");
    assert_int_equal(tm_params_int(params, "count"), 1000);
    bad_text(params, "count", "1.5", "'1.5'");
    bad_text(params, "count", "many", "a whole number");
    bad_text(params, "count", "", "a whole number");
    good_text(params, "sizes", "2,1e1");
    bad_text(params, "sizes", "2,2.5", "each a whole number at least 1 and at most 50");
    must_refuse(tm_params_set_real(params, "sizes", 2.5, &err), TM_EUSAGE, &err, "a whole number");
    must(tm_params_set_int(params, "ratio", 1, &err), &err);
    assert_true(tm_params_real(params, "ratio") == 1);
}

static void test_flags(void **state)
{
    static const char *const yes[] = {"true", "yes", "on", "1", "TRUE", "Yes"};
    static const char *const no[] = {"false", "no", "off", "0", "False", "OFF"};
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    for (size_t i = 0; i < 6; i++) {
        good_text(params, "flag", no[i]);
        assert_false(tm_params_bool(params, "flag"));
        good_text(params, "flag", yes[i]);
        assert_true(tm_params_bool(params, "flag"));
    }
    bad_text(params, "flag", "maybe", "true or false");
    bad_text(params, "flag", "", "true or false");
    must_refuse(tm_params_set_bool(params, "ratio", true, &err), TM_EUSAGE, &err, "a number");
    must_refuse(tm_params_set_real(params, "flag", 1, &err), TM_EUSAGE, &err, "true or false");
    must_refuse(tm_params_set_int(params, "flag", 1, &err), TM_EUSAGE, &err, "true or false");
}

static void test_choices(void **state)
{
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    for (const tm_choice *c = colours; c->name; c++) {
        good_text(params, "colour", c->name);
        assert_string_equal(tm_params_text(params, "colour"), c->name);
    }
    bad_text(params, "colour", "gren", "did you mean 'green'?");
    bad_text(params, "colour", "Red", "did you mean 'red'?");
    bad_text(params, "colour", "ultramarine", "one of red, green, greenish");
    assert_string_equal(tm_params_text(params, "colour"), "greenish");
    must_refuse(tm_params_set_real(params, "colour", 1, &err), TM_EUSAGE, &err,
                "one of red, green, greenish");
}

/* Many choices: the message ends with the room it has. */
CHECK(test_long_list_of_choices)
{
    static char names[100][16];
    tm_choice many[101] = {{NULL, NULL}};
    for (size_t i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "choice%zu", i);
        many[i] = (tm_choice){names[i], "h"};
    }
    tm_param_info info = {.name = "one", .type = TM_PARAM_CHOICE, .help = "h", .choices = many};
    tm_params *params;
    tm_error err = TM_ERROR_INIT;
    must(tm_params_new(&params, "demo", &info, 1, &err), &err);
    bad_text(params, "one", "quite different", "one of choice0, choice1");
    good_text(params, "one", "choice99");
    tm_params_free(params);
}

static void test_unknown_names(void **state)
{
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    double one = 1;
    const char *suggestion = "demo has no parameter 'lamda'; did you mean 'lambda'?";
    bad_text(params, "lamda", "1", suggestion);
    must_refuse(tm_params_set_real(params, "lamda", 1, &err), TM_EUSAGE, &err, suggestion);
    must_refuse(tm_params_set_int(params, "lamda", 1, &err), TM_EUSAGE, &err, suggestion);
    must_refuse(tm_params_set_bool(params, "lamda", 1, &err), TM_EUSAGE, &err, suggestion);
    must_refuse(tm_params_set_reals(params, "lamda", &one, 1, &err), TM_EUSAGE, &err, suggestion);
    must_refuse(tm_params_unset(params, "lamda", &err), TM_EUSAGE, &err, suggestion);
    assert_null(tm_params_find(params, "lamda", &err));
    assert_ptr_equal(tm_params_find(params, "lambda", NULL), &table[8]);
    bad_text(params, "weather", "1", "demo has no parameter 'weather'");
    char longest[2000];
    memset(longest, 'q', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    bad_text(params, longest, "1", "demo has no parameter 'qqq");
    bad_text(params, "ratio", longest, "'qqq");
    bad_text(params, "colour", longest, "qqq");
    assert_int_equal(tm_params_set_text(params, "lamda", "1", NULL), TM_EUSAGE);
}

static void test_lists(void **state)
{
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    size_t count = 0;
    good_text(params, "lambda", "0.5");
    assert_true(tm_params_reals(params, "lambda", &count)[0] == 0.5);
    assert_int_equal(count, 1);
    good_text(params, "lambda", "3, 0.25 ,1e1");
    const double *reals = tm_params_reals(params, "lambda", &count);
    assert_int_equal(count, 3);
    assert_true(reals[0] == 3 && reals[1] == 0.25 && reals[2] == 10); /* as given, not sorted */
    must_format(params, "lambda", "3,0.25,10");
    static const char *const bad[] = {"",  ",",   "1,",    ",1",  "1,,2",  "1,x",
                                      "0", "1,0", "1,101", "nan", "1,inf", "1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        bad_text(params, "lambda", bad[i], "one or more numbers, each a number above 0");
    must_format(params, "lambda", "3,0.25,10");
    const double values[] = {1, 2};
    must(tm_params_set_reals(params, "lambda", values, 2, &err), &err);
    must_refuse(tm_params_set_reals(params, "lambda", values, 0, &err), TM_EUSAGE, &err, "empty");
    must_refuse(tm_params_set_reals(params, "ratio", values, 2, &err), TM_EUSAGE, &err, "a list");
    must(tm_params_set_reals(params, "ratio", values, 1, &err), &err);
    must(tm_params_set_real(params, "lambda", 7, &err), &err);
    must_format(params, "lambda", "7");
    must(tm_params_set_int(params, "lambda", 8, &err), &err);
    must_format(params, "lambda", "8");
    /* The list that is already held may be handed back. */
    good_text(params, "lambda", "5,6");
    reals = tm_params_reals(params, "lambda", &count);
    must(tm_params_set_reals(params, "lambda", reals, count, &err), &err);
    must_format(params, "lambda", "5,6");
}

static void test_long_list(void **state)
{
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    double values[500];
    for (size_t i = 0; i < 500; i++)
        values[i] = 1.0 / (double)(i + 3);
    must(tm_params_set_reals(params, "lambda", values, 500, &err), &err);
    size_t length = tm_params_format(params, "lambda", NULL, 0), count;
    char *text = malloc(length + 1), small[10];
    assert_non_null(text);
    assert_int_equal(tm_params_format(params, "lambda", text, length + 1), length);
    assert_int_equal(strlen(text), length);
    assert_int_equal(tm_params_format(params, "lambda", small, sizeof small), length);
    assert_int_equal(strlen(small), sizeof small - 1);
    must(tm_params_unset(params, "lambda", &err), &err);
    good_text(params, "lambda", text);
    const double *reals = tm_params_reals(params, "lambda", &count);
    assert_int_equal(count, 500);
    assert_memory_equal(reals, values, sizeof values);
    free(text);
}

static void test_round_trips(void **state)
{
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    tm_rng rng;
    char text[64];
    tm_rng_seed(&rng, 21);
    for (int i = 0; i < 2000; i++) {
        double value = ldexp(tm_rng_normal(&rng), (int)tm_rng_below(&rng, 2000) - 1060);
        must(tm_params_set_real(params, "free", value, &err), &err);
        tm_params_format(params, "free", text, sizeof text);
        must(tm_params_set_real(params, "free", 1, &err), &err);
        good_text(params, "free", text);
        assert_true(tm_params_real(params, "free") == value);
        long integer = 1 + (long)tm_rng_below(&rng, 1000000);
        must(tm_params_set_int(params, "count", integer, &err), &err);
        tm_params_format(params, "count", text, sizeof text);
        must(tm_params_unset(params, "count", &err), &err);
        good_text(params, "count", text);
        assert_int_equal(tm_params_int(params, "count"), integer);
    }
    static const char *const words[] = {"", " ", "a, b = \"c\"", "\xc3\xa9t\xc3\xa9", "%s%n"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        good_text(params, "title", words[i]);
        assert_string_equal(tm_params_text(params, "title"), words[i]);
        must_format(params, "title", words[i]);
    }
    good_text(params, "flag", "off");
    must_format(params, "flag", "false");
    good_text(params, "colour", "red");
    must_format(params, "colour", "red");
}

static void test_decimal_comma(void **state)
{
    tm_params *params = *state;
    char place[] = COMMA_LOCALE_PLACE, list[64] = "", real[64] = "";
    bool set = comma_locale_set(place);
    tm_status status = tm_params_set_text(params, "lambda", "0.5,2.25", NULL);
    tm_status other = tm_params_set_text(params, "free", "-0.125", NULL);
    tm_params_format(params, "lambda", list, sizeof list);
    tm_params_format(params, "free", real, sizeof real);
    comma_locale_unset(place);
    if (!set)
        skip();
    assert_int_equal(status, TM_OK);
    assert_int_equal(other, TM_OK);
    assert_string_equal(list, "0.5,2.25");
    assert_string_equal(real, "-0.125");
}

static void test_unset(void **state)
{
    tm_params *params = *state;
    tm_error err = TM_ERROR_INIT;
    good_text(params, "ratio", "0.75");
    good_text(params, "title", "word");
    good_text(params, "lambda", "1,2");
    static const char *const names[] = {"ratio", "title", "lambda"};
    for (size_t i = 0; i < 3; i++) {
        assert_true(tm_params_given(params, names[i]) && tm_params_has(params, names[i]));
        must(tm_params_unset(params, names[i], &err), &err);
        assert_false(tm_params_given(params, names[i]));
    }
    assert_true(tm_params_real(params, "ratio") == 0.5 && tm_params_has(params, "ratio"));
    assert_false(tm_params_has(params, "title") || tm_params_has(params, "lambda"));
    assert_null(tm_params_text(params, "title"));
}

static void test_copies_are_independent(void **state)
{
    tm_params *params = *state, *copy, *second;
    tm_error err = TM_ERROR_INIT;
    size_t count;
    good_text(params, "title", "first");
    good_text(params, "lambda", "1,2,3");
    good_text(params, "count", "9");
    must(tm_params_copy(&copy, params, &err), &err);
    assert_true(tm_params_given(copy, "count") && !tm_params_given(copy, "ratio"));
    assert_true(tm_params_has(copy, "ratio") && !tm_params_has(copy, "scale"));
    good_text(params, "title", "second");
    good_text(params, "lambda", "4");
    good_text(params, "count", "10");
    good_text(params, "colour", "red");
    assert_string_equal(tm_params_text(copy, "title"), "first");
    must_format(copy, "lambda", "1,2,3");
    assert_int_equal(tm_params_int(copy, "count"), 9);
    assert_string_equal(tm_params_text(copy, "colour"), "green");
    must(tm_params_copy(&second, copy, &err), &err);
    tm_params_free(copy);
    assert_true(tm_params_reals(second, "lambda", &count)[2] == 3 && count == 3);
    tm_params_free(second);
    assert_string_equal(tm_params_text(params, "title"), "second");
}

CHECK(test_empty_table)
{
    tm_params *params, *copy;
    tm_error err = TM_ERROR_INIT;
    must(tm_params_new(&params, "nothing", NULL, 0, &err), &err);
    assert_int_equal(tm_params_count(params), 0);
    bad_text(params, "any", "1", "nothing has no parameter 'any'");
    must(tm_params_copy(&copy, params, &err), &err);
    tm_params_free(params);
    tm_params_free(copy);
    tm_params_free(NULL);
}

#define ON_PARAMS(test) cmocka_unit_test_setup_teardown(test, make, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_PARAMS(test_defaults),
        cmocka_unit_test(test_bad_default_is_refused),
        ON_PARAMS(test_closed_range),
        ON_PARAMS(test_open_ends),
        ON_PARAMS(test_integers),
        ON_PARAMS(test_flags),
        ON_PARAMS(test_choices),
        cmocka_unit_test(test_long_list_of_choices),
        ON_PARAMS(test_unknown_names),
        ON_PARAMS(test_lists),
        ON_PARAMS(test_long_list),
        ON_PARAMS(test_round_trips),
        ON_PARAMS(test_decimal_comma),
        ON_PARAMS(test_unset),
        ON_PARAMS(test_copies_are_independent),
        cmocka_unit_test(test_empty_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
