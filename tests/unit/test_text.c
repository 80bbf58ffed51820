/* Numbers to text and back, how far two words are apart, and checksums. */
#include "comma_locale.h"

#include "base/checksum.h"
#include "base/text.h"

#include <limits.h>

/* Significant digits in a number's text. */
static size_t digits_of(const char *text)
{
    size_t count = 0;
    bool leading = true;
    for (const char *c = text; *c && *c != 'e'; c++) {
        if (*c < '0' || *c > '9' || (leading && *c == '0'))
            continue;
        leading = false;
        count++;
    }
    return count;
}

/* Both texts have the same digits; one writes integers in full, the other in files' form. */
static void check_exact(double value, const char *shortest)
{
    char text[TEXT_EXACT];
    double back = 0;
    assert_true(text_to_real(text_exact(value, text), &back));
    assert_memory_equal(&back, &value, sizeof value);
    assert_true(strlen(text) < TEXT_EXACT);
    if (fabs(value) < 1e15 && value != floor(value))
        assert_int_equal(digits_of(text), digits_of(shortest));
}

/* The text must give back the very bits, and no text with one digit fewer may do so. */
static void check_round_trip(double value)
{
    char text[64], shorter[64];
    double back = 0;
    text_from_real(value, text, sizeof text);
    assert_true(text_to_real(text, &back));
    if (memcmp(&back, &value, sizeof value) != 0 || strtod(text, NULL) != value)
        fail_msg("%a became %s and then %a", value, text, back);
    check_exact(value, text);
    size_t digits = digits_of(text);
    if (digits < 2)
        return;
    /* "1200" has two digits that matter: a text with as many may end in zeros. */
    snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, value);
    const char *point = strchr(text, '.'), *exponent = strchr(text, 'e');
    if ((point || exponent) && strtod(shorter, NULL) == value)
        fail_msg("%s is longer than %s", text, shorter);
}

CHECK(test_round_trip_of_random_bits)
{
    tm_rng rng;
    tm_rng_seed(&rng, 11);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = tm_rng_next(&rng);
        if (i % 5 == 0)
            bits &= ~(UINT64_C(0x7ff) << 52); /* a denormal */
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_round_trip(value);
    }
}

CHECK(test_round_trip_of_short_numbers)
{
    static const double values[] = {0,
                                    -0.0,
                                    1,
                                    -1,
                                    0.1,
                                    0.5,
                                    100,
                                    1e5,
                                    123456,
                                    1e6,
                                    1e7,
                                    1234567,
                                    1e16,
                                    1e22,
                                    1e-5,
                                    1e-4,
                                    0x1p-1074,
                                    0x1.fffffffffffffp+1023,
                                    0x1p-1022,
                                    1.0 / 3,
                                    2.5,
                                    -3,
                                    9007199254740993.0};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        check_round_trip(values[i]);
}

CHECK(test_printed_as_people_write)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},         {-0.0, "-0"},      {0.1, "0.1"},       {-2.5, "-2.5"},
                 {1e-8, "1e-08"},  {3, "3"},          {0.25, "0.25"},     {1e300, "1e+300"},
                 {10, "10"},       {-200, "-200"},    {100000, "100000"}, {1e6, "1e+06"},
                 {0.001, "0.001"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}};
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        text_from_real(cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    double back = 0;
    text_from_real(NAN, text, sizeof text);
    assert_true(text_to_real(text, &back) && isnan(back));
}

CHECK(test_shown)
{
    static const char *const cases[][2] = {
        {"0.31622776601683794", "0.316228"},  {"1e-05", "1e-05"},
        {"12345678901", "12345678901"},       {"1.0000000000e3", "1000"},
        {"a name of 0.25", "a name of 0.25"}, {"0.123", "0.123"}};
    char buffer[TEXT_SHOWN];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(text_shown(cases[i][0], "-", buffer), cases[i][1]);
    assert_string_equal(text_shown(NULL, "-", buffer), "-");
}

/* A buffer that is too small gets the start of the text and its end, nothing beyond. */
CHECK(test_small_buffer)
{
    char buffer[8] = "#######";
    text_from_real(-1.0 / 3, buffer, 4);
    assert_string_equal(buffer, "-0.");
    assert_int_equal(buffer[4], '#');
}

CHECK(test_reading_reals)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"1", 1},          {" 1.5 ", 1.5}, {"-2e3", -2000},        {"+4", 4},
                {".5", 0.5},       {"5.", 5},      {"\t7\n", 7},           {"1e400", INFINITY},
                {"inf", INFINITY}, {"1e-400", 0},  {"4.9e-324", 0x1p-1074}};
    static const char *const bad[] = {"",    " ",  "x",  "1x", "1 2", "1,5",
                                      "--1", "e5", "1e", ".",  "+"};
    double value = 0;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(text_to_real(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        value = 77;
        if (text_to_real(bad[i], &value))
            fail_msg("'%s' was read as %g", bad[i], value);
        assert_true(value == 77);
    }
    assert_true(text_to_real("nan", &value) && isnan(value));
}

CHECK(test_reading_longs)
{
    static const struct {
        const char *text;
        long value;
    } good[] = {{"0", 0},      {"-7", -7}, {" 12 ", 12}, {"1e5", 100000}, {"2.0", 2},
                {"1.5e1", 15}, {"007", 7}, {"+3", 3},    {"-1e3", -1000}};
    static const char *const bad[] = {"",
                                      "1.5",
                                      "1e-1",
                                      "1e30",
                                      "nan",
                                      "inf",
                                      "ten",
                                      "1 2",
                                      "99999999999999999999",
                                      "-99999999999999999999"};
    long value = 0;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(text_to_long(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (text_to_long(bad[i], &value))
            fail_msg("'%s' was read as %ld", bad[i], value);
    char text[32];
    snprintf(text, sizeof text, "%ld", LONG_MAX);
    assert_true(text_to_long(text, &value) && value == LONG_MAX);
    snprintf(text, sizeof text, "%ld", LONG_MIN);
    assert_true(text_to_long(text, &value) && value == LONG_MIN);
}

/* Files and people write the point; the locale may say otherwise. */
CHECK(test_decimal_comma)
{
    char place[] = COMMA_LOCALE_PLACE, text[64] = "", printed[16];
    double value = 0, other = 7;
    bool set = comma_locale_set(place);
    snprintf(printed, sizeof printed, "%.1f", 2.5);
    text_from_real(-1234.5, text, sizeof text);
    char exact[TEXT_EXACT];
    text_exact(0.1, exact);
    bool read = text_to_real("2.5", &value);
    bool comma_read = text_to_real("2,5", &other);
    comma_locale_unset(place);
    if (!set)
        skip();
    assert_string_equal(printed, "2,5"); /* the locale is what this test thinks it is */
    assert_string_equal(text, "-1234.5");
    assert_string_equal(exact, "0.1");
    assert_true(read && value == 2.5);
    assert_false(comma_read);
}

/* ---- distances ----------------------------------------------------------------------------- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The definition, tried in every way: what is done about the first characters, and the rest. */
static size_t distance_by_definition(const char *a, const char *b)
{
    if (!*a || !*b)
        return strlen(a) + strlen(b);
    size_t best = (*a != *b) + distance_by_definition(a + 1, b + 1);
    best = least(best, 1 + distance_by_definition(a + 1, b));
    best = least(best, 1 + distance_by_definition(a, b + 1));
    if (a[1] && b[1] && a[0] == b[1] && a[1] == b[0])
        best = least(best, 1 + distance_by_definition(a + 2, b + 2));
    return best;
}

/* All words of up to `longest` letters over three of them; returns how many. */
static size_t make_words(char words[][8], size_t longest)
{
    size_t count = 1, from = 0;
    words[0][0] = '\0';
    for (size_t length = 1; length <= longest; length++) {
        size_t until = count;
        for (; from < until; from++)
            for (int letter = 'a'; letter <= 'c'; letter++)
                snprintf(words[count++], 8, "%.6s%c", words[from], letter);
    }
    return count;
}

CHECK(test_distances)
{
    static char words[121][8];
    size_t count = make_words(words, 4);
    assert_int_equal(count, 121);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (text_distance(words[i], words[k]) != distance_by_definition(words[i], words[k]))
                fail_msg("%s and %s: %zu", words[i], words[k], text_distance(words[i], words[k]));
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_int_equal(text_distance("lambda", "lamdba"), 1);
}

CHECK(test_distance_of_long_words)
{
    char a[500], b[500];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'b', sizeof b - 1);
    a[sizeof a - 1] = b[sizeof b - 1] = '\0';
    assert_int_equal(text_distance(a, b), 64);
    assert_int_equal(text_distance(a, ""), 64);
    assert_int_equal(text_distance(a, a), 0);
}

static const char *word_at(size_t i, const void *payload)
{
    return ((const char *const *)payload)[i];
}

CHECK(test_closest)
{
    static const char *const words[] = {"lambda",    "lambda_ratio", "tol",
                                        "intercept", "screen",       NULL};
    static const struct {
        const char *typed, *meant;
    } cases[] = {{"lamda", "lambda"},    {"lamdba", "lambda"}, {"toll", "tol"},
                 {"inter", "intercept"}, {"sceen", "screen"},  {"lambda_rato", "lambda_ratio"},
                 {"quite_other", NULL},  {"", NULL},           {"zzzzzz", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *found = text_closest(cases[i].typed, word_at, words);
        if (cases[i].meant ? !found || strcmp(found, cases[i].meant) != 0 : found != NULL)
            fail_msg("'%s' gave '%s'", cases[i].typed, found ? found : "nothing");
    }
}

CHECK(test_copy)
{
    char text[] = "word";
    char *copy = text_copy(text);
    text[0] = 'W';
    assert_string_equal(copy, "word");
    free(copy);
    assert_null(text_copy(NULL));
}

CHECK(checksums_are_xxh64)
{
    assert_true(checksum64("", 0) == 0xef46db3751d8e999u);
    assert_true(checksum64("a", 1) == 0xd24ec4f1a98c6e5bu);
    assert_true(checksum64("abc", 3) == 0x44bc2cf5ad770999u);
    assert_true(checksum64("xxhash", 6) == 0x32dd38952c4bc720u);
    assert_true(checksum64("Call me Ishmael. Some years ago--never mind how long precisely-", 63) ==
                0x02a2e85470d6fd96u);
}

RUN_TESTS(test_round_trip_of_random_bits, test_round_trip_of_short_numbers,
          test_printed_as_people_write, test_shown, test_small_buffer, test_reading_reals,
          test_reading_longs, test_decimal_comma, test_distances, test_distance_of_long_words,
          test_closest, test_copy, checksums_are_xxh64)
