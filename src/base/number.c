/* Decimal numbers in text: exact arithmetic for up to 19 digits, strtod for the rest. */
#include "base/number.h"

#include "base/digits.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    EXACT_POWER = 22,      /* 10^22 is the largest power of ten that a double holds exactly */
    EXACT_DIGITS = 15,     /* any 15 digits fit the 53 bits of a double's significand */
    SHORT_DIGITS = 19,     /* any 19 digits fit 64 bits */
    TOKEN_MAX = 1000,      /* longer tokens are not read as numbers */
    EXPONENT_MAX = 100000, /* larger exponents saturate: the value is 0 or not finite anyway */
};

typedef struct decimal {
    uint64_t digits; /* the significant digits as an integer, if there are few */
    int count;       /* number of significant digits, without leading zeros */
    int exponent;    /* value = digits * 10^exponent */
} decimal;

tm_status number_parser_init(number_parser *parser, tm_error *err)
{
    parser->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return parser->c_locale ? TM_OK : tm_fail_memory(err, "locale of numbers");
}

void number_parser_clear(number_parser *parser)
{
    if (parser->c_locale)
        freelocale(parser->c_locale);
    parser->c_locale = (locale_t)0;
}

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const char *scan_digits(const char *at, const char *end, decimal *number)
{
    for (; is_digit(at, end); at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (number->count < SHORT_DIGITS)
            number->digits = 10 * number->digits + digit;
        if (number->count > 0 || digit > 0)
            number->count++;
    }
    return at;
}

/* An exponent without digits ("1e") is not part of the number: it is left to the caller. */
static const char *scan_exponent(const char *at, const char *end, decimal *number)
{
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
    const char *digit = at + 1;
    bool negative = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+'))
        digit++;
    if (!is_digit(digit, end))
        return at;
    int exponent = 0;
    for (; is_digit(digit, end); digit++)
        if (exponent < EXPONENT_MAX)
            exponent = 10 * exponent + (*digit - '0');
    number->exponent += negative ? -exponent : exponent;
    return digit;
}

/* The end of the decimal number at `text`, or NULL when there is none. */
static const char *scan(const char *text, const char *end, decimal *number)
{
    const char *at = scan_digits(text, end, number);
    size_t digits = (size_t)(at - text);
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = scan_digits(fraction, end, number);
        number->exponent = -(int)(at - fraction);
        digits += (size_t)(at - fraction);
    }
    return digits > 0 ? scan_exponent(at, end, number) : NULL;
}

static const double power[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* One correctly rounded operation on two exact operands is correctly rounded. If long double has 64
 * bits, which hold any 19 digits, rounding its result to double gives the same as rounding the
 * exact value unless the result lies halfway between two doubles: rounding is monotonic, so that
 * both are on the same side of the midpoint. */
static bool exact(const decimal *number, double *value)
{
    if (number->count > SHORT_DIGITS || abs(number->exponent) > EXACT_POWER)
        return false;
    double scale = power[abs(number->exponent)];
    if (number->digits <= DIGITS_EXACT) {
        double digits = (double)number->digits;
        *value = number->exponent < 0 ? digits / scale : digits * scale;
        return true;
    }
#if LDBL_MANT_DIG == 64
    long double wide = number->digits;
    wide = number->exponent < 0 ? wide / scale : wide * scale;
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits); /* significand */
    *value = (double)wide;
    return (bits & 0x7ff) != 0x400;
#else
    return false;
#endif
}

static const char *skip_word(const char *text, const char *end)
{
    static const char *const words[] = {"infinity", "inf", "nan"};
    if (text == end || *text <= '9')
        return NULL; /* nearly always */
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - text) >= length && strncasecmp(text, words[i], length) == 0)
            return text + length;
    }
    return NULL;
}

number_kind number_parse(const number_parser *parser, const char *text, const char *end,
                         double *value, const char **rest)
{
    if (end - text >= DIGITS_ROOM && (*rest = digits_number(text, value)))
        return NUMBER_FINITE;
    bool negative = text < end && *text == '-';
    const char *from = text + (text < end && (*text == '-' || *text == '+'));
    if ((*rest = skip_word(from, end))) {
        *value = *from == 'n' || *from == 'N' ? NAN : negative ? -INFINITY : INFINITY;
        return NUMBER_NOT_FINITE;
    }
    if (end - from > TOKEN_MAX)
        end = from + TOKEN_MAX;
    decimal number = {0};
    *rest = scan(from, end, &number);
    if (!*rest) {
        *rest = text;
        return NUMBER_MALFORMED;
    }
    double magnitude;
    if (!exact(&number, &magnitude)) {
        char token[TOKEN_MAX + 1];
        size_t length = (size_t)(*rest - from);
        memcpy(token, from, length);
        token[length] = '\0';
        magnitude = strtod_l(token, NULL, parser->c_locale);
    }
    *value = negative ? -magnitude : magnitude;
    return isfinite(magnitude) ? NUMBER_FINITE : NUMBER_NOT_FINITE;
}

/* Integers below 10^15, by far the most frequent case. */
static size_t write_whole(int64_t whole, char *buffer)
{
    char digits[20];
    char *at = digits + sizeof digits;
    uint64_t rest = whole < 0 ? (uint64_t)-whole : (uint64_t)whole;
    do
        *--at = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (whole < 0)
        *--at = '-';
    size_t length = (size_t)(digits + sizeof digits - at);
    memcpy(buffer, at, length);
    return length;
}

size_t number_write(const number_parser *parser, double value, char buffer[NUMBER_TEXT])
{
    if (fabs(value) < 1e15 && value == (double)(int64_t)value && !(value == 0 && signbit(value)))
        return write_whole((int64_t)value, buffer);
    /* Any decimal of 15 digits survives conversion to a normal double and back, so that no text can
     * be shorter than "%.15g" without its zeros; subnormal doubles hold fewer digits. */
    int digits = fabs(value) < DBL_MIN ? 1 : EXACT_DIGITS;
    locale_t before = uselocale(parser->c_locale);
    int length = 0;
    for (; digits <= DBL_DECIMAL_DIG; digits++) {
        double back;
        const char *rest;
        length = snprintf(buffer, NUMBER_TEXT, "%.*g", digits, value);
        if (number_parse(parser, buffer, buffer + length, &back, &rest) == NUMBER_FINITE &&
            back == value)
            break;
    }
    uselocale(before);
    return (size_t)length;
}
