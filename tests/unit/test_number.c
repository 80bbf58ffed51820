/* Numbers in text against the compiler's and the C library's own reading of them; numbers written.
 */
#include "tests/check.h"

#include "base/number.h"
#include "tamis/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Also with more behind it, which short numbers are read in another way for. */
static void parse_in_line(const number_parser *parser, const char *text, number_kind kind,
                          double value, size_t length)
{
    static const char tail[] = " 2345678901234567890123456789012345678901234567890";
    char line[512];
    double again = 0;
    const char *rest;
    assert_true(strlen(text) + sizeof tail <= sizeof line);
    size_t size = (size_t)snprintf(line, sizeof line, "%s%s", text, tail);
    assert_int_equal(number_parse(parser, line, line + size, &again, &rest), kind);
    assert_int_equal(rest - line, length);
    if (kind == NUMBER_FINITE)
        assert_memory_equal(&again, &value, sizeof value);
}

static number_kind parse(const char *text, double *value, const char **rest)
{
    number_parser parser;
    tm_error err;
    assert_int_equal(number_parser_init(&parser, &err), TM_OK);
    number_kind kind = number_parse(&parser, text, text + strlen(text), value, rest);
    parse_in_line(&parser, text, kind, *value, (size_t)(*rest - text));
    number_parser_clear(&parser);
    return kind;
}

static void check_bits(const char *text, double expected)
{
    double value;
    const char *rest;
    assert_int_equal(parse(text, &value, &rest), NUMBER_FINITE);
    assert_int_equal(*rest, 0);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("\"%s\" gave %.17g, expected %.17g", text, value, expected);
}

CHECK(reads_known_numbers)
{
    check_bits("0", 0.0);
    check_bits("-0", -0.0);
    check_bits("+7", 7.0);
    check_bits("007", 7.0);
    check_bits(".5", 0.5);
    check_bits("5.", 5.0);
    check_bits("1E2", 100.0);
    check_bits("1e+2", 100.0);
    check_bits("0.000000000000000000000000000001", 1e-30);
    check_bits("123456789012345678901234567890", 123456789012345678901234567890.0);
    check_bits("9007199254740993", 9007199254740992.0); /* a tie goes to even */
    check_bits("9007199254740993.0000000000000000000001", 9007199254740994.0);
    check_bits("999999999999999e22", 999999999999999e22);
    check_bits("999999999999999e-22", 999999999999999e-22);
    check_bits("0e999999999999", 0.0);
    check_bits("1e-999999999999", 0.0);
    check_bits("5e-324", 5e-324);
    check_bits("1.7976931348623157e308", 1.7976931348623157e308);
}

CHECK(stops_where_the_number_ends)
{
    static const struct {
        const char *text, *rest;
        number_kind kind;
        double value;
    } cases[] = {
        {"1.5:2", ":2", NUMBER_FINITE, 1.5},
        {"1e", "e", NUMBER_FINITE, 1},
        {"1e+x", "e+x", NUMBER_FINITE, 1},
        {"1.2.3", ".3", NUMBER_FINITE, 1.2},
        {"0x10", "x10", NUMBER_FINITE, 0},
        {"1 ", " ", NUMBER_FINITE, 1},
        {"1,5", ",5", NUMBER_FINITE, 1},
        {"inf", "", NUMBER_NOT_FINITE, 0},
        {"-INFINITY;", ";", NUMBER_NOT_FINITE, 0},
        {"NaN", "", NUMBER_NOT_FINITE, 0},
        {"1e309", "", NUMBER_NOT_FINITE, 0},
        {"-1e99999999999999999999", "", NUMBER_NOT_FINITE, 0},
        {"", "", NUMBER_MALFORMED, 0},
        {"-", "-", NUMBER_MALFORMED, 0},
        {".", ".", NUMBER_MALFORMED, 0},
        {"e5", "e5", NUMBER_MALFORMED, 0},
        {"--1", "--1", NUMBER_MALFORMED, 0},
        {" 1", " 1", NUMBER_MALFORMED, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value;
        const char *rest;
        assert_int_equal(parse(cases[i].text, &value, &rest), cases[i].kind);
        assert_string_equal(rest, cases[i].rest);
        if (cases[i].kind == NUMBER_FINITE)
            assert_true(value == cases[i].value);
    }
}

/* Every way to print a random double must read back as strtod reads it. */
CHECK(agrees_with_strtod)
{
    NEEDS_LONG_DOUBLES();
    tm_rng rng;
    tm_rng_seed(&rng, 12);
    for (int trial = 0; trial < 200000; trial++) {
        uint64_t bits = tm_rng_next(&rng);
        double number;
        memcpy(&number, &bits, sizeof number);
        if (trial % 2)
            number = tm_rng_normal(&rng) * 1000;
        if (!isfinite(number))
            continue;
        char text[400];
        snprintf(text, sizeof text, trial % 3 ? "%.*g" : "%.*e", (int)tm_rng_below(&rng, 21),
                 number);
        double value;
        const char *rest;
        if (isfinite(strtod(text, NULL)))
            check_bits(text, strtod(text, NULL));
        else
            assert_int_equal(parse(text, &value, &rest), NUMBER_NOT_FINITE);
    }
}

/* Digits alone, with a point at every place, zeros before and behind, and half ways between
 * doubles. */
CHECK(agrees_on_digits)
{
    NEEDS_LONG_DOUBLES();
    tm_rng rng;
    tm_rng_seed(&rng, 13);
    for (int trial = 0; trial < 200000; trial++) {
        char text[64] = "";
        size_t length = 1 + (size_t)tm_rng_below(&rng, 22), at = trial % 5 == 0;
        if (at)
            text[0] = '-';
        if (trial % 3 == 0) /* 54 bits: between two doubles */
            length = (size_t)snprintf(text + at, 32, "%llu",
                                      (1ull << 53) + 2 * tm_rng_below(&rng, 1ull << 52) + 1);
        else
            for (size_t k = 0; k < length; k++)
                text[at + k] = (char)('0' + tm_rng_below(&rng, trial % 4 ? 10 : 2));
        size_t point = (size_t)tm_rng_below(&rng, length + 3);
        if (point <= length) {
            memmove(text + at + point + 1, text + at + point, strlen(text + at + point) + 1);
            text[at + point] = '.';
        }
        check_bits(text, strtod(text, NULL));
    }
}

/* ---- writing ------------------------------------------------------------------------------- */

static void check_number(const number_parser *parser, double value, const char *expected)
{
    char text[NUMBER_TEXT];
    size_t length = number_write(parser, value, text);
    text[length] = '\0';
    if (expected)
        assert_string_equal(text, expected);
    double back = strtod(text, NULL);
    if (memcmp(&back, &value, sizeof back) != 0)
        fail_msg("%.17g was written as \"%s\"", value, text);
}

CHECK(numbers_are_short_and_exact)
{
    number_parser parser;
    assert_int_equal(number_parser_init(&parser, NULL), TM_OK);
    check_number(&parser, 0, "0");
    check_number(&parser, -0.0, "-0");
    check_number(&parser, -17, "-17");
    check_number(&parser, 0.1, "0.1");
    check_number(&parser, 0.1 + 0.2, "0.30000000000000004");
    check_number(&parser, 999999999999999, "999999999999999");
    check_number(&parser, 1e15, "1e+15");
    check_number(&parser, 5e-324, "5e-324");
    check_number(&parser, DBL_MIN, NULL);
    check_number(&parser, nextafter(DBL_MIN, 0), NULL);
    check_number(&parser, -DBL_MAX, NULL);
    check_number(&parser, 9007199254740993.0, NULL);
    tm_rng rng;
    tm_rng_seed(&rng, 5);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = tm_rng_next(&rng);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_number(&parser, value, NULL);
    }
    number_parser_clear(&parser);
}

RUN_TESTS(reads_known_numbers, stops_where_the_number_ends, agrees_with_strtod, agrees_on_digits,
          numbers_are_short_and_exact)
