/* Weka's ARFF: attributes with their types, then rows as lists of values or, if sparse, as {number
 * value, ...}. Nominal attributes become classes, or indicators of their values. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/read/common/typed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_LINE = 1 << 30 };

typedef struct attribute {
    char **levels; /* values of a nominal attribute */
    size_t count, room;
    bool text; /* nominal, string or date */
} attribute;

typedef struct arff {
    input *in;
    typed typed;
    number_parser numbers;
    attribute *attributes;
    size_t count, room;
    char *at, *end; /* the rest of the line */
    uint64_t line;
    bool *given; /* attributes given in a sparse row */
} arff;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* ---- lines and tokens ----------------------------------------------------------------------- */

static tm_status fail(arff *r, const char *what)
{
    return input_fail(r->in, r->line, 1, "%s", what);
}

static void skip_blanks(arff *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
}

/* Reads the next line that is neither blank nor a comment; false at the end and after a failure. */
static bool next_line(arff *r)
{
    input *in = r->in;
    for (;;) {
        size_t length = 0;
        input_need(in);
        for (;;) {
            while (in->cur + length < in->end && in->cur[length] != '\n' && in->cur[length] != '\r')
                length++;
            /* The byte after the line end distinguishes CR LF from CR. */
            if (in->cur + length + 1 < in->end || in->eof || length > MAX_LINE)
                break;
            input_fill(in, length + INPUT_LOOKAHEAD);
        }
        if (in->cur == in->end || input_status(in) != TM_OK)
            return false;
        r->line = in->line;
        r->at = in->cur;
        r->end = in->cur + length;
        in->cur += length;
        if (in->cur < in->end)
            input_pass_line_end(in);
        skip_blanks(r);
        while (r->end > r->at && is_blank(r->end[-1]))
            r->end--;
        if (r->at < r->end && *r->at != '%')
            return true;
    }
}

/* Reads a word, quoted or up to one of `stops`; it is unescaped in place and terminated by a NUL,
 * which may overwrite the stop: *stop is the overwritten character ('\0': the line's end). */
static char *take_word(arff *r, const char *stops, char *stop, bool *quoted)
{
    skip_blanks(r);
    char *text = r->at, *out = r->at;
    *quoted = r->at < r->end && (*r->at == '\'' || *r->at == '"');
    char mark = *quoted ? *r->at++ : '\0';
    bool open = *quoted;
    while (r->at < r->end && (open || !strchr(stops, *r->at))) {
        if (open && *r->at == mark) {
            open = false;
            r->at++;
            break;
        }
        if (open && *r->at == '\\' && r->at + 1 < r->end)
            r->at++;
        *out++ = *r->at++;
    }
    if (open)
        return NULL; /* the closing quote is missing */
    while (!*quoted && out > text && is_blank(out[-1]))
        out--;
    skip_blanks(r);
    *stop = r->at < r->end ? *r->at++ : '\0';
    *out = '\0';
    return text;
}

static bool starts_with(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && strncasecmp(at, word, length) == 0;
}

/* ---- the header ----------------------------------------------------------------------------- */

static tm_status add_level(arff *r, attribute *a, const char *text)
{
    if (!mem_grow(&a->levels, &a->room, a->count, 16, sizeof *a->levels))
        return input_fail_memory(r->in, "values of an attribute");
    a->levels[a->count] = text_copy(text);
    return a->levels[a->count++] ? TM_OK : input_fail_memory(r->in, "values of an attribute");
}

static tm_status read_levels(arff *r, attribute *a)
{
    char stop = ',';
    while (stop == ',') {
        bool quoted;
        const char *text = take_word(r, ",}", &stop, &quoted);
        if (!text || stop == '\0')
            return fail(r,
                        "the list of the attribute's values is not closed; expected {a, b, ...}");
        tm_status status = add_level(r, a, text);
        if (status != TM_OK)
            return status;
    }
    return stop == '}' ? TM_OK : fail(r, "expected values between commas, {a, b, ...}");
}

static tm_status read_attribute(arff *r)
{
    char stop;
    bool quoted;
    r->at += strlen("@attribute");
    const char *name = take_word(r, " \t{", &stop, &quoted);
    if (!name || (!quoted && !name[0]))
        return fail(r, "an attribute without a name");
    if (!mem_grow(&r->attributes, &r->room, r->count, 64, sizeof *r->attributes))
        return input_fail_memory(r->in, "attributes");
    /* The character after the name was overwritten: a blank, or the first byte of the type, which
     * is restored. */
    if (stop && !is_blank(stop))
        *--r->at = stop;
    attribute *a = &r->attributes[r->count++];
    *a = (attribute){.text = true};
    char *copy = text_copy(name);
    if (!copy)
        return input_fail_memory(r->in, "attributes");
    tm_status status = TM_OK;
    skip_blanks(r);
    bool nominal = r->at < r->end && *r->at == '{';
    if (nominal) {
        r->at++;
        status = read_levels(r, a);
    } else if (starts_with(r->at, r->end, "numeric") || starts_with(r->at, r->end, "real") ||
               starts_with(r->at, r->end, "integer")) {
        a->text = false;
    } else if (!starts_with(r->at, r->end, "string") && !starts_with(r->at, r->end, "date")) {
        status = fail(r, "an attribute of an unsupported type; expected numeric, real, integer, "
                         "string, date or {a, b, ...}");
    }
    if (status == TM_OK)
        status = typed_add_column(&r->typed, copy, a->text, nominal);
    free(copy);
    return status;
}

static tm_status read_header(arff *r)
{
    while (next_line(r)) {
        tm_status status = TM_OK;
        if (starts_with(r->at, r->end, "@data"))
            return TM_OK;
        if (starts_with(r->at, r->end, "@attribute"))
            status = read_attribute(r);
        else if (!starts_with(r->at, r->end, "@relation"))
            status = fail(r, "expected @relation, @attribute or @data");
        if (status != TM_OK)
            return status;
    }
    return input_status(r->in) != TM_OK ? input_status(r->in)
                                        : input_fail_whole(r->in, "there is no @data");
}

/* ---- rows ----------------------------------------------------------------------------------- */

static tm_status read_nominal(arff *r, size_t j, const char *text)
{
    const attribute *a = &r->attributes[j];
    bool known = a->count == 0;
    for (size_t k = 0; k < a->count && !known; k++)
        known = strcmp(a->levels[k], text) == 0;
    if (known)
        return typed_text(&r->typed, j, text);
    return input_fail(r->in, r->line, j + 1, "\"%s\" is none of the values of the attribute",
                      input_quoted(text, strlen(text)).text);
}

static tm_status read_value(arff *r, size_t j, const char *text, bool quoted)
{
    double value;
    const char *rest, *end = text + strlen(text);
    if (!quoted && strcmp(text, "?") == 0)
        return typed_missing(&r->typed, j);
    if (r->attributes[j].text)
        return read_nominal(r, j, text);
    number_kind kind = number_parse(&r->numbers, text, end, &value, &rest);
    if (kind == NUMBER_MALFORMED || rest != end)
        return input_fail(r->in, r->line, j + 1, "expected a number or ?, found \"%s\"",
                          input_quoted(text, strlen(text)).text);
    bool rounded = fabs(value) >= 0x1p53 && typed_is_id(&r->typed, j);
    return rounded ? typed_text(&r->typed, j, text) : typed_number(&r->typed, j, value, NULL);
}

static tm_status read_dense(arff *r)
{
    char stop = ',';
    tm_status status = TM_OK;
    size_t j = 0;
    for (; status == TM_OK && stop == ','; j++) {
        bool quoted;
        const char *text = take_word(r, ",", &stop, &quoted);
        if (!text)
            return fail(r, "a quote is never closed");
        if (j == r->count || (stop && stop != ','))
            return input_fail(r->in, r->line, j + 1,
                              "more than the values of the %zu attributes (weights of rows are not "
                              "read)",
                              r->count);
        status = read_value(r, j, text, quoted);
    }
    if (status == TM_OK && j < r->count)
        return input_fail(r->in, r->line, j, "the row has %zu values for %zu attributes", j,
                          r->count);
    return status;
}

/* Attributes that a sparse row does not give are 0, or the first value of a nominal attribute. */
static tm_status complete_sparse(arff *r)
{
    tm_status status = TM_OK;
    for (size_t j = 0; status == TM_OK && j < r->count; j++) {
        const attribute *a = &r->attributes[j];
        if (r->given[j])
            continue;
        if (a->text)
            status =
                a->count ? typed_text(&r->typed, j, a->levels[0]) : typed_missing(&r->typed, j);
        else if (j == r->typed.response)
            status = typed_number(&r->typed, j, 0, NULL);
    }
    return status;
}

static tm_status read_sparse(arff *r)
{
    char stop = ',';
    tm_status status = TM_OK;
    memset(r->given, 0, r->count * sizeof *r->given);
    r->at++;
    skip_blanks(r);
    if (r->at < r->end && *r->at == '}') {
        r->at++;
        return complete_sparse(r);
    }
    while (status == TM_OK && stop == ',') {
        bool quoted;
        long j;
        const char *number = take_word(r, " \t,}", &stop, &quoted);
        if (!number || !text_to_long(number, &j) || j < 0 || (size_t)j >= r->count || r->given[j])
            return fail(r, "expected {number value, ...} with numbers of attributes from 0, each "
                           "once");
        if (stop && !is_blank(stop))
            *--r->at = stop;
        const char *text = take_word(r, ",}", &stop, &quoted);
        if (!text || !stop)
            return fail(r, "the row does not end; expected {number value, ...}");
        r->given[j] = true;
        status = read_value(r, (size_t)j, text, quoted);
    }
    if (status == TM_OK && stop != '}')
        return fail(r, "expected {number value, ...}");
    return status == TM_OK ? complete_sparse(r) : status;
}

static tm_status read_rows(arff *r)
{
    r->given = mem_zeros(r->count, sizeof *r->given);
    if (!r->given)
        return input_fail_memory(r->in, "attributes");
    while (next_line(r)) {
        r->typed.line = r->line;
        tm_status status = *r->at == '{' ? read_sparse(r) : read_dense(r);
        skip_blanks(r);
        if (status == TM_OK && r->at < r->end)
            status = fail(r, "text after the row (weights of rows are not read)");
        if (status == TM_OK)
            status = typed_end_row(&r->typed);
        if (status != TM_OK)
            return status;
    }
    return input_status(r->in);
}

static tm_status begin(arff *r)
{
    tm_status status = typed_begin(&r->typed);
    for (size_t j = 0; status == TM_OK && j < r->count; j++)
        for (size_t k = 0; status == TM_OK && k < r->attributes[j].count; k++)
            status = typed_add_level(&r->typed, j, r->attributes[j].levels[k]);
    return status;
}

static tm_status read_arff(read_result *result, input *in, const read_request *request,
                           tm_error *err)
{
    arff r = {.in = in};
    typed_open(&r.typed, in, request);
    tm_status status = number_parser_init(&r.numbers, err);
    if (status == TM_OK)
        status = read_header(&r);
    if (status == TM_OK)
        status = begin(&r);
    if (status == TM_OK)
        status = read_rows(&r);
    snprintf(result->note, sizeof result->note, "format: ARFF");
    if (status == TM_OK)
        status = typed_finish(&r.typed, result, err);
    for (size_t j = 0; j < r.count; j++)
        text_list_free(r.attributes[j].levels, r.attributes[j].count);
    free(r.attributes);
    free(r.given);
    typed_clear(&r.typed);
    number_parser_clear(&r.numbers);
    return status;
}

/* ---- the format ----------------------------------------------------------------------------- */

/* Recognises @relation after comments and blank lines. */
static bool recognise(const input *in)
{
    const char *at = in->cur;
    while (at < in->end) {
        while (at < in->end && (is_blank(*at) || *at == '\n' || *at == '\r'))
            at++;
        if (at == in->end || *at != '%')
            break;
        while (at < in->end && *at != '\n' && *at != '\r')
            at++;
    }
    return starts_with(at, in->end, "@relation");
}

static const char *const extensions[] = {".arff", NULL};
static const char *const shared[] = {"text", NULL};

const read_format read_format_arff = {
    .info = {"arff", "Weka's ARFF, dense or sparse; nominal attributes are classes, or indicators"},
    .title = "ARFF",
    .text = true,
    .extensions = extensions,
    .shared = shared,
    .recognise = recognise,
    .read = read_arff,
};
