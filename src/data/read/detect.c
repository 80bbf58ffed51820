/* Detects the format of a text from its content. */
#include "data/read/formats.h"
#include "data/read/steps.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the text that format detection may examine. */
enum { DETECTED_BYTES = 1 << 16 };

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The first line from `at` that is neither blank nor a comment; empty at the end. */
static const char *first_line(const char *at, const char *end, const char **line_end)
{
    for (;;) {
        while (at < end && is_space(*at))
            at++;
        const char *stop = at;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        *line_end = stop;
        if (at == end || *at != '#')
            return at;
        at = stop;
    }
}

static bool is_binary(const char *text, const char *end)
{
    for (; text < end; text++)
        if ((unsigned char)*text < 0x20 && !is_space(*text))
            return true;
    return false;
}

static const read_format *find_marked(const input *in)
{
    for (const read_format *const *format = read_formats; *format; format++)
        if ((*format)->recognise && (*format)->recognise(in))
            return *format;
    return NULL;
}

static const read_format *find_by_line(const char *line, const char *end)
{
    for (const read_format *const *format = read_formats; *format; format++)
        if ((*format)->recognise_line && (*format)->recognise_line(line, end))
            return *format;
    return NULL;
}

/* The titles of all formats, for messages. */
static const char *list_titles(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (const read_format *const *format = read_formats; *format && used < size; format++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ",
                                 (*format)->title);
    return text;
}

tm_status read_detect(const read_format **format, input *in)
{
    char titles[160];
    *format = find_marked(in);
    if (*format)
        return TM_OK;
    input_as_text(in); /* binary formats have magic numbers */
    input_fill(in, DETECTED_BYTES);
    if (input_status(in) != TM_OK)
        return input_status(in);
    const char *end = in->end - in->cur > DETECTED_BYTES ? in->cur + DETECTED_BYTES : in->end;
    if (in->cur == end)
        return input_fail_whole(in, "the file is empty; expected data (%s)",
                                list_titles(titles, sizeof titles));
    if (is_binary(in->cur, end))
        return input_fail_whole(in,
                                "neither a text file nor in a known binary format; expected data "
                                "(%s), plain or compressed with gzip, bzip2, xz, zstd, lz4 or zip",
                                list_titles(titles, sizeof titles));
    const char *line_end;
    const char *line = first_line(in->cur, end, &line_end);
    *format = find_by_line(line, line_end);
    return TM_OK;
}
