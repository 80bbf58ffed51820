/* Which format a text is in, from its content. */
#include "base/text.h"
#include "data/read/common/steps.h"
#include "data/read/format/mat.h"
#include "data/read/format/npy.h"
#include "data/read/format/plink.h"
#include "data/read/format/tam_file.h"

#include <string.h>

/* Bytes of the text that the choice of the format may look at. */
enum { DETECTED_BYTES = 1 << 16 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
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

/* Past a token that could be meant as a label: numbers, or several with commas, but not a date. */
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

/* A LIBSVM line is a label of number characters, then an entry, a comment or nothing; a line that
 * has no separator of a table is taken for (malformed) LIBSVM, too, when it has a colon or starts
 * with a number. */
static int detect_line(const char *line, const char *end)
{
    const char *at = skip_label(line, end);
    bool numeric = at > line && !is_alpha(*line);
    bool label = at > line && (at == end || is_blank(*at));
    while (at < end && is_blank(*at))
        at++;
    if (starts_entry(line, end) || (label && at < end && (*at == '#' || starts_entry(at, end))))
        return LIBSVM;
    size_t length = (size_t)(end - line);
    if (memchr(line, ',', length) || memchr(line, ';', length) || memchr(line, '\t', length))
        return CSV;
    return numeric || memchr(line, ':', length) ? LIBSVM : CSV;
}

static bool is_binary(const char *text, const char *end)
{
    for (; text < end; text++)
        if ((unsigned char)*text < 0x20 && !is_space(*text))
            return true;
    return false;
}

/* Formats that say what they are. */
static bool has_signature(int *format, const input *in)
{
    const char *member = input_member(in);
    if (member && text_ends_with(member, ".npy"))
        *format = NPZ;
    else if (read_tam_is_next(in))
        *format = TAM;
    else if (read_mat_is_next(in))
        *format = MAT;
    else if (read_plink_is_next(in))
        *format = PLINK;
    else if (npy_is_next(in))
        *format = NPY;
    else if (read_mtx_is_next(in))
        *format = MTX;
    else
        return false;
    return true;
}

tm_status read_detect(int *format, input *in)
{
    if (has_signature(format, in))
        return TM_OK;
    input_fill(in, DETECTED_BYTES);
    if (input_status(in) != TM_OK)
        return input_status(in);
    const char *end = in->end - in->cur > DETECTED_BYTES ? in->cur + DETECTED_BYTES : in->end;
    if (in->cur == end)
        return input_fail_whole(in,
                                "the file is empty; expected LIBSVM, CSV or Matrix Market text, or "
                                "NumPy arrays");
    const char *line_end;
    const char *line = first_line(in->cur, end, &line_end);
    if (end - in->cur > 1 &&
        (memcmp(in->cur, "\xff\xfe", 2) == 0 || memcmp(in->cur, "\xfe\xff", 2) == 0))
        return input_fail_whole(in, "text in UTF-16; save it as UTF-8, or convert it with iconv -f "
                                    "UTF-16 -t UTF-8");
    if (is_binary(in->cur, end))
        return input_fail_whole(
            in, "not a text file, and no NumPy array; expected LIBSVM, CSV or Matrix "
                "Market text, .npy or .npz, plain or compressed with gzip, "
                "bzip2, xz, zstd, lz4 or zip");
    /* Only LIBSVM has comments, so that is what a text of comments must be. */
    *format = line < line_end ? detect_line(line, line_end) : LIBSVM;
    return TM_OK;
}
