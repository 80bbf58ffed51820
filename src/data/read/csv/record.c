/* Splits CSV text into fields. */
#include "data/read/csv/record.h"

#include <string.h>

enum {
    FIELD_MAX = 1 << 20, /* a longer field is an error, usually a missing closing quote */
    SNIFFED_RECORDS = 16,
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

bool csv_at_record(input *in)
{
    for (;;) {
        input_need(in);
        const char *at = in->cur;
        while (at < in->end && is_blank(*at))
            at++;
        if (at == in->end) {
            in->cur += at - in->cur;
            if (in->eof)
                return false;
        } else if (is_line_end(*at)) {
            in->cur += at - in->cur;
            input_end_line(in);
        } else {
            return true;
        }
    }
}

/* Extends the unread part of the window. False at the end of the input and when a field would
 * become too long. */
static bool extend(input *in)
{
    size_t unread = (size_t)(in->end - in->cur);
    if (in->eof || unread >= FIELD_MAX)
        return false;
    input_fill(in, unread + INPUT_LOOKAHEAD);
    return (size_t)(in->end - in->cur) > unread;
}

/* Whether the byte at `offset` from cur and the next one are in the window, or the input ends
 * before them: the byte after a field distinguishes CR LF from CR. */
static bool has_pair(input *in, size_t offset)
{
    while ((size_t)(in->end - in->cur) < offset + 2)
        if (!extend(in))
            return in->eof;
    return true;
}

/* The first offset from `offset` on whose byte is not a blank. */
static size_t skip_blanks(input *in, size_t offset, char separator)
{
    while (has_pair(in, offset) && is_blank(in->cur[offset]) && in->cur[offset] != separator)
        offset++;
    return offset;
}

static tm_status fail_long(input *in, const csv_field *field)
{
    return input_fail(in, field->line, field->number,
                      "a field of more than %d bytes; is a quote missing?", FIELD_MAX);
}

/* Consumes the separator or line end at cur, or nothing at the end of the input. Does not move the
 * window, so that the field's text stays valid. */
static void end_field(csv_field *field, input *in, char separator)
{
    field->last = true;
    if (in->cur == in->end)
        return;
    if (*in->cur == separator) {
        in->cur++;
        field->last = false;
        return;
    }
    input_pass_line_end(in);
}

/* Ends a field whose separator is a run of blanks; blanks before the end of a line are not a
 * separator. `after` is the offset of the first byte after them. */
static void end_blank_field(csv_field *field, input *in, size_t after)
{
    in->cur += after;
    field->last = in->cur == in->end || is_line_end(*in->cur);
    if (in->cur < in->end && field->last)
        input_pass_line_end(in);
}

static tm_status unquoted(csv_field *field, input *in, char separator)
{
    size_t length = 0;
    do {
        const char *at = in->cur + length;
        while (at < in->end && *at != separator && !is_line_end(*at))
            at++;
        length = (size_t)(at - in->cur);
    } while (in->cur + length + 1 >= in->end && extend(in));
    if (in->cur + length + 1 >= in->end && !in->eof)
        return fail_long(in, field);
    size_t after = separator == ' ' ? skip_blanks(in, length, 0) : 0;
    if (!has_pair(in, after))
        return fail_long(in, field);
    const char *text = in->cur;
    if (separator == ' ') {
        field->text = text;
        field->length = length;
        end_blank_field(field, in, after);
        return TM_OK;
    }
    in->cur += length;
    while (length > 0 && is_blank(text[0])) {
        text++;
        length--;
    }
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    field->text = text;
    field->length = length;
    end_field(field, in, separator);
    return TM_OK;
}

/* The offset from cur of the closing quote for the one at cur, or 0 when there is none. */
static size_t find_closing(input *in)
{
    size_t offset = 1;
    while (has_pair(in, offset)) {
        if (in->cur + offset >= in->end)
            return 0;
        if (in->cur[offset] != '"')
            offset++;
        else if (in->cur[offset + 1] == '"')
            offset += 2;
        else
            return offset;
    }
    return 0;
}

/* Replaces doubled quotes in [from, from + length) in place; returns the new length. Line ends
 * inside are counted for the position. */
static size_t unescape(input *in, char *from, size_t length)
{
    char *out = from;
    for (size_t i = 0; i < length; i++) {
        if (from[i] == '"')
            i++;
        if (from[i] == '\n' || (from[i] == '\r' && from[i + 1] != '\n')) {
            in->line++;
            in->line_start = in->buffer_start + (uint64_t)(from + i + 1 - in->buffer);
        }
        *out++ = from[i];
    }
    return (size_t)(out - from);
}

static tm_status quoted(csv_field *field, input *in, char separator)
{
    size_t closing = find_closing(in);
    if (closing == 0 && in->eof)
        return input_fail(in, field->line, field->number,
                          "the quote that opens here is never closed");
    if (closing == 0)
        return fail_long(in, field);
    size_t after = skip_blanks(in, closing + 1, separator == ' ' ? 0 : separator);
    if (!has_pair(in, after))
        return fail_long(in, field);
    char *text = in->cur + 1;
    in->cur += after;
    field->text = text;
    field->length = unescape(in, text, closing - 1);
    if (separator == ' ' && after > closing + 1) {
        end_blank_field(field, in, 0);
        return TM_OK;
    }
    if (in->cur < in->end && *in->cur != separator && !is_line_end(*in->cur))
        return input_fail(in, in->line, field->number,
                          "text after a closing quote; quotes inside a quoted field are doubled");
    end_field(field, in, separator);
    return TM_OK;
}

tm_status csv_next_field(csv_field *field, input *in, char separator)
{
    input_need(in);
    field->line = in->line;
    field->number++;
    size_t start = 0;
    if (in->cur < in->end && is_blank(*in->cur))
        start = skip_blanks(in, 0, separator == ' ' ? 0 : separator);
    if (separator == ' ') {
        in->cur += start;
        start = 0;
    }
    field->quoted = in->cur + start < in->end && in->cur[start] == '"';
    if (field->quoted)
        in->cur += start;
    tm_status status =
        field->quoted ? quoted(field, in, separator) : unquoted(field, in, separator);
    return status == TM_OK ? input_status(in) : status;
}

/* A record split with a candidate separator, as far as the window shows it. */
typedef struct sniffed {
    const char *end;   /* end of the record and its line end */
    size_t separators; /* number of separators outside quotes */
    bool unclosed;     /* it ends inside quotes */
} sniffed;

static sniffed sniff_record(const char *at, const char *end, char separator)
{
    sniffed record = {0};
    bool starts = true;             /* at the start of a field, or at a quote that may be doubled */
    bool gap = false, seen = false; /* a run of blanks is one separator; blanks at either end are
                                     * none */
    for (; at < end && (record.unclosed || !is_line_end(*at)); at++) {
        bool blank = *at == ' ';
        if (separator == ' ' && !record.unclosed) {
            record.separators += !blank && gap && seen;
            seen = seen || !blank;
            gap = blank;
        }
        if (*at == '"' && (record.unclosed || starts)) {
            starts = record.unclosed;
            record.unclosed = !record.unclosed;
        } else if (!record.unclosed) {
            record.separators += separator != ' ' && *at == separator;
            starts = *at == separator || (starts && is_blank(*at));
        }
    }
    while (at < end && is_line_end(*at))
        at++;
    record.end = at;
    return record;
}

const char *csv_next_first_field(csv_sight *sight, size_t *length)
{
    const char *text = sight->at, *stop;
    sniffed record = sniff_record(text, sight->end, sight->separator);
    if (text == sight->end || (record.end == sight->end && !sight->whole))
        return NULL;
    sight->at = record.end;
    while (is_blank(*text) && (*text != sight->separator || sight->separator == ' '))
        text++;
    bool quoted = *text == '"';
    text += quoted;
    for (stop = text; stop < record.end && !is_line_end(*stop); stop++)
        if (quoted ? *stop == '"' : *stop == sight->separator)
            break;
    *length = (size_t)(stop - text);
    return text;
}

char csv_find_separator(const input *in)
{
    /* Commas are tried after the others: they may also be decimal commas between semicolons or
     * tabs. Blanks, which R writes, are separators when all records have equally many. */
    static const char candidates[] = {'\t', ';', ',', '|', ' '};
    char most = 0;
    size_t most_count = 0;
    for (size_t c = 0; c < sizeof candidates; c++) {
        const sniffed first = sniff_record(in->cur, in->end, candidates[c]);
        bool same = first.separators > 0;
        const char *at = first.end;
        size_t others = first.separators; /* R omits the name of its column of row names */
        for (int records = 1; same && records < SNIFFED_RECORDS && at < in->end; records++) {
            sniffed next = sniff_record(at, in->end, candidates[c]);
            at = next.end;
            if (records == 1 && next.separators == first.separators + 1)
                others = next.separators;
            /* The last record may continue beyond the window. */
            same = next.separators == others || (at == in->end && !in->eof);
        }
        if (same)
            return candidates[c];
        /* A missing closing quote hides the separators; the parser will report it. */
        if (candidates[c] == ' ')
            break;
        if (first.separators > most_count || (most == 0 && first.unclosed)) {
            most = candidates[c];
            most_count = first.separators;
        }
    }
    return most;
}
