/* Distinguishes lines of LIBSVM text from those of other formats. */
#include "data/read/format/libsvm.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether `at` starts like "12:" or "qid:". */
static bool starts_entry(const char *at, const char *end)
{
    if (end - at >= 4 && memcmp(at, "qid:", 4) == 0)
        return true;
    const char *digit = at < end && (*at == '-' || *at == '+') ? at + 1 : at;
    const char *stop = digit;
    while (stop < end && is_digit(*stop))
        stop++;
    return stop > digit && stop < end && *stop == ':';
}

/* Whether there is a number without a colon at `at`: numbers separated by blanks are a table. */
static bool is_number(const char *at, const char *end)
{
    const char *stop = at;
    while (stop < end && *stop && strchr("0123456789+-.eE", *stop))
        stop++;
    return stop > at && (stop == end || is_blank(*stop));
}

/* Skips a token that could be intended as a label: a number, or several with commas, but not a
 * date. */
static const char *skip_label(const char *line, const char *end)
{
    const char *at = line;
    while (at < end && *at && strchr("0123456789+-.,eEinfaINFA", *at)) {
        bool sign = *at == '+' || *at == '-';
        if (sign && at > line && !strchr("eE,", at[-1]))
            break;
        at++;
    }
    return at;
}

bool libsvm_recognise_line(const char *line, const char *end)
{
    if (line == end) /* only LIBSVM has comments: a text with nothing else is taken for it */
        return true;
    const char *at = skip_label(line, end);
    bool numeric = at > line && !is_alpha(*line);
    bool label = at > line && (at == end || is_blank(*at));
    while (at < end && is_blank(*at))
        at++;
    if (starts_entry(line, end) || (label && at < end && (*at == '#' || starts_entry(at, end))))
        return true;
    size_t length = (size_t)(end - line);
    if (memchr(line, ',', length) || memchr(line, ';', length) || memchr(line, '\t', length) ||
        memchr(line, '|', length) || (label && is_number(at, end)))
        return false;
    return numeric || memchr(line, ':', length);
}
