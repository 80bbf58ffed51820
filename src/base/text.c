#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DISTANCE_MAX = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t text_distance(const char *a, const char *b)
{
    size_t rows[3][DISTANCE_MAX + 1];
    size_t na = strnlen(a, DISTANCE_MAX), nb = strnlen(b, DISTANCE_MAX);
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= nb; j++)
        above[j] = j;
    memcpy(before, above, sizeof rows[0]);
    for (size_t i = 1; i <= na; i++) {
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replace, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[nb];
}

const char *text_closest(const char *name, const char *(*candidate)(size_t i, const void *payload),
                         const void *payload)
{
    const char *best = NULL;
    /* Up to a third of the characters may differ, or one of two or three; suggesting a more distant
     * name would confuse. */
    size_t length = strlen(name), wrong = length > 3 ? length / 3 + 1 : length > 1 ? 1 : 0;
    size_t best_distance = wrong + 1;
    for (size_t i = 0;; i++) {
        const char *other = candidate(i, payload);
        if (!other)
            return best;
        size_t distance = text_distance(name, other);
        bool extends = length >= 3 && strncmp(name, other, length) == 0;
        if (extends)
            distance = least(distance, 1);
        if (strcasecmp(name, other) == 0)
            distance = 0;
        if (distance < best_distance) {
            best_distance = distance;
            best = other;
        }
    }
}

/* strtod uses the locale's decimal separator; this function does not. */
static double strtod_c(const char *text, char **end)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return strtod(text, end);
    double value = strtod_l(text, end, c);
    freelocale(c);
    return value;
}

static bool only_spaces(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return *text == '\0';
}

bool text_to_real(const char *text, double *out)
{
    char *end;
    double value = strtod_c(text, &end);
    if (end == text || !only_spaces(end))
        return false;
    *out = value;
    return true;
}

bool text_to_long(const char *text, long *out)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end != text && only_spaces(end)) {
        *out = value;
        return errno == 0;
    }
    /* Users may write large counts as "1e5". */
    double real;
    if (!text_to_real(text, &real) || real != floor(real) || fabs(real) > 9.0e15)
        return false;
    *out = (long)real;
    return true;
}

/* snprintf uses the locale's decimal separator; files and messages use the point. */
static void point_decimal(char *text)
{
    const char *sign = localeconv()->decimal_point;
    size_t length = strlen(sign);
    char *found = length && strcmp(sign, ".") != 0 ? strstr(text, sign) : NULL;
    if (found) {
        *found = '.';
        memmove(found + 1, found + length, strlen(found + length) + 1);
    }
}

void text_from_real(double value, char *buffer, size_t size)
{
    char text[64];
    value = isnan(value) ? NAN : value; /* its sign has no meaning: 0/0 has one on some machines */
    for (int digits = 1; digits <= 17; digits++) {
        double back;
        snprintf(text, sizeof text, "%.*g", digits, value);
        point_decimal(text);
        if (isnan(value) || (text_to_real(text, &back) && back == value))
            break;
    }
    /* Writes 10 instead of the "1e+01" that a precision of one digit gives. */
    if (fabs(value) >= 10 && fabs(value) < 1e6 && strchr(text, 'e'))
        snprintf(text, sizeof text, "%.0f", value);
    snprintf(buffer, size, "%s", text);
}

const char *text_exact(double value, char buffer[TEXT_EXACT])
{
    /* 15 digits survive in any normal double; with fewer than it takes, the rest are zeros, which
     * are not written. */
    int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG;
    double back;
    do {
        snprintf(buffer, TEXT_EXACT, "%.*g", digits, value);
        point_decimal(buffer);
    } while (digits++ < DBL_DECIMAL_DIG && !isnan(value) &&
             !(text_to_real(buffer, &back) && back == value));
    return buffer;
}

const char *text_shown(const char *text, const char *none, char *buffer)
{
    enum { DIGITS = 6, LONG = 10 };
    double value;
    if (!text)
        return none;
    if (strlen(text) < LONG || !text_to_real(text, &value) || !strpbrk(text, ".eE"))
        return text;
    snprintf(buffer, TEXT_SHOWN, "%.*g", DIGITS, value);
    point_decimal(buffer);
    return buffer;
}

char *text_copy(const char *text)
{
    return text ? strdup(text) : NULL;
}

char *text_part(const char *text, size_t length)
{
    char *part = malloc(length + 1);
    if (!part)
        return NULL;
    memcpy(part, text, length);
    part[length] = '\0';
    return part;
}

char *text_put(char *out, uint32_t point)
{
    static const uint32_t limits[] = {0x80, 0x800, 0x10000};
    static const uint32_t marks[] = {0, 0xc0, 0xe0, 0xf0};
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        point = 0xfffd;
    int more = 0;
    while (more < 3 && point >= limits[more])
        more++;
    *out++ = (char)(marks[more] | point >> 6 * more);
    while (more-- > 0)
        *out++ = (char)(0x80 | (point >> 6 * more & 0x3f));
    return out;
}

char *text_from_units(const uint32_t *units, size_t count)
{
    char *text = malloc(4 * count + 1), *out = text;
    for (size_t k = 0; text && k < count; k++) {
        uint32_t point = units[k];
        bool pair = point >= 0xd800 && point < 0xdc00 && k + 1 < count && units[k + 1] >= 0xdc00 &&
                    units[k + 1] < 0xe000;
        if (pair)
            point = 0x10000 + ((point - 0xd800) << 10) + (units[++k] - 0xdc00);
        out = text_put(out, point);
    }
    if (text)
        *out = '\0';
    return text;
}

bool text_stream_end(FILE *stream, char **text)
{
    bool whole = !ferror(stream);
    whole = fclose(stream) == 0 && whole && *text;
    if (whole)
        return true;
    free(*text);
    *text = NULL;
    return false;
}

void text_list_free(char **list, size_t count)
{
    for (size_t k = 0; list && k < count; k++)
        free(list[k]);
    free(list);
}

bool text_ends_with(const char *text, const char *tail)
{
    size_t length = strlen(text), size = strlen(tail);
    return length >= size && strcmp(text + length - size, tail) == 0;
}
