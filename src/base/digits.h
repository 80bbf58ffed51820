/* Parses short decimal numbers, eight digits at a time and without a branch for each digit. Nearly
 * all numbers in data files are of this kind; number.c parses the rest. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    DIGITS_ROOM = 32,     /* bytes that must be readable from the start of a number, whatever its
                           * length */
    DIGITS_WORD = 8,      /* digits processed at a time */
    DIGITS_WHOLE = 3,     /* digits before the point of a number with more than 8 after it */
    DIGITS_FRACTION = 16, /* greatest number of digits after the point */
};

/* The largest integer up to which every integer is exactly representable as a double. */
#define DIGITS_EXACT (UINT64_C(1) << DBL_MANT_DIG)

/* Loads eight bytes, the first into the lowest bits. */
static inline uint64_t digits_load(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The number of leading digits in the eight bytes. */
static inline unsigned digits_count(uint64_t word)
{
    const uint64_t high = 0x8080808080808080u;
    uint64_t t = word ^ 0x3030303030303030u;
    uint64_t other = (((t & ~high) + 0x7676767676767676u) | t) & high; /* bytes greater than 9 */
    return other ? (unsigned)__builtin_ctzll(other) / 8 : DIGITS_WORD;
}

/* The value of the first `count` digits. */
static inline uint64_t digits_value(uint64_t word, unsigned count)
{
    const uint64_t low = 0x000000ff000000ffu;
    /* Moves the digits to the end of the eight bytes, with zeros before them. */
    uint64_t t = count ? (word ^ 0x3030303030303030u) << (64 - 8 * count) : 0;
    t = 10 * t + (t >> 8); /* pairs of digits */
    return ((t & low) * 0x000f424000000064u + ((t >> 16) & low) * 0x0000271000000001u) >> 32;
}

static const double digits_power[DIGITS_FRACTION + 1] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};

/* Parses [-] digits [. digits] with at most 7 digits before the point and 16 after it, and few
 * enough digits in total that the integer they form is exact as a double. Returns the byte after
 * the number, or NULL for any other text. One operation on two exact operands is correctly rounded,
 * so that *value is the nearest double. */
static inline const char *digits_number(const char *text, double *value)
{
    static const uint64_t shift[DIGITS_WORD + 1] = {1,      10,      100,      1000,     10000,
                                                    100000, 1000000, 10000000, 100000000};
    bool negative = *text == '-';
    const char *at = text + negative;
    uint64_t word = digits_load(at);
    unsigned whole = 1, fraction = 0;
    uint64_t number = (unsigned char)(*at - '0');
    if (at[1] != '.' || number > 9) { /* otherwise the position of the point is not on the critical
                                       * path */
        whole = digits_count(word);
        number = digits_value(word, whole);
    }
    at += whole;
    if (*at == '.') {
        word = digits_load(++at);
        fraction = digits_count(word);
        number = number * shift[fraction] + digits_value(word, fraction);
        at += fraction;
        if (fraction == DIGITS_WORD && whole <= DIGITS_WHOLE) {
            word = digits_load(at);
            unsigned more = digits_count(word);
            number = number * shift[more] + digits_value(word, more);
            fraction += more;
            at += more;
        }
    }
    bool ended = (unsigned char)(*at - '0') > 9 && *at != '.' && (*at | 0x20) != 'e';
    if (!ended || whole + fraction == 0 || number > DIGITS_EXACT)
        return NULL;
    double magnitude = (double)number / digits_power[fraction];
    *value = negative ? -magnitude : magnitude;
    return at;
}

#endif
