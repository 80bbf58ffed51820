/* LIBSVM / SVMlight text: `label [qid:N] feature:value ... [# comment]`, with ascending features,
 * counted from 1 or, if a feature 0 occurs, from 0. */
#include "data/read/format/libsvm.h"

#include "base/digits.h"
#include "base/number.h"
#include "data/read/common/entry_sink.h"
#include "data/read/common/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that must be readable at an entry for the fast path. */
enum { ENTRY_ROOM = DIGITS_WORD + 1 + DIGITS_ROOM };

typedef struct libsvm_reader {
    input *in;
    number_parser numbers;
    entry_sink sink;
    uint64_t feature_limit; /* greatest feature number that fits in this machine's memory */
    uint64_t first_feature; /* least number allowed */
    bool keeps_missing;     /* a nan is a missing value, which is no error */
    bool like_from_1;       /* the other file's features are counted from 1, so that these are
                             * too */
    int base;               /* of the option: 0 or 1; -1: determined from the numbers that occur */
    uint64_t max_next;      /* one more than the greatest number so far; 0: none */
    uint64_t zero_line;     /* line of the first feature 0; 0: there is none */
    bool apart;             /* the response is in a separate file: rows need no label */
    bool may_lack, lacks;   /* a label may be missing; one is missing in some row */
    uint64_t row_line;      /* line of the last row; 0: there was none */
    uint64_t blank_line;    /* line of an empty line followed by a row; 0: there is none */
    value_list qids;        /* of all rows, or empty */
} libsvm_reader;

static bool ends_token(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '#';
}

/* The token at cur, as far as it is in the window, for messages. */
static input_quote quote_token(const input *in, const char *at)
{
    const char *end = at;
    while (end < in->end && !ends_token(*end))
        end++;
    return input_quoted(at, (size_t)(end - at));
}

static tm_status fail_at(input *in, const char *at, const char *expected)
{
    uint64_t column = input_column(in, at);
    const char *end = at == in->end || *at == '\n' || *at == '\r' ? "the end of the line"
                      : *at == '#'                                ? "a comment"
                      : ends_token(*at)                           ? "a blank"
                                                                  : NULL;
    if (end)
        return input_fail(in, in->line, column, "expected %s, found %s", expected, end);
    input_quote found = quote_token(in, at);
    return input_fail(in, in->line, column, "expected %s, found \"%s\"", expected, found.text);
}

/* Skips blanks and comments; true when cur is at a token, false at a line end or the end of input.
 */
static bool at_token(input *in)
{
    bool comment = false;
    for (;;) {
        while (in->cur < in->end && (*in->cur == ' ' || *in->cur == '\t' || comment) &&
               *in->cur != '\n' && *in->cur != '\r')
            in->cur++;
        if (in->cur == in->end) {
            if (in->eof)
                return false;
            input_need(in);
            continue;
        }
        if (*in->cur != '#' || comment)
            break;
        comment = true;
    }
    if (*in->cur == '\n' || *in->cur == '\r')
        return false;
    input_need(in);
    return in->cur < in->end;
}

/* Reads a finite number that is a whole token. `what` is "a label" or the like. */
static tm_status read_number(libsvm_reader *reader, const char *what, double *value)
{
    input *in = reader->in;
    const char *rest;
    number_kind kind = number_parse(&reader->numbers, in->cur, in->end, value, &rest);
    bool ended = rest == in->end || ends_token(*rest);
    if (kind == NUMBER_MALFORMED || !ended) {
        char expected[64];
        snprintf(expected, sizeof expected, "a number as %s", what);
        return fail_at(in, in->cur, expected);
    }
    if (kind == NUMBER_NOT_FINITE && !(reader->keeps_missing && isnan(*value))) {
        input_quote found = quote_token(in, in->cur);
        return input_fail(in, in->line, input_column(in, in->cur),
                          "\"%s\" as %s is not finite; remove the row or give a number", found.text,
                          what);
    }
    in->cur += rest - in->cur;
    return TM_OK;
}

static tm_status read_label(libsvm_reader *reader, double *label)
{
    input *in = reader->in;
    const char *rest;
    double ignored;
    number_parse(&reader->numbers, in->cur, in->end, &ignored, &rest);
    bool entry = rest > in->cur && rest < in->end && *rest == ':';
    if ((reader->apart || reader->may_lack) && (entry || *in->cur == 'q')) {
        reader->lacks = reader->may_lack;
        *label = 0;
        return TM_OK;
    }
    if (rest > in->cur && rest < in->end && *rest == ',')
        return input_fail(in, in->line, input_column(in, in->cur),
                          "several labels in one row (\"%s\"); Tamis reads one label a row",
                          quote_token(in, in->cur).text);
    if (entry)
        return input_fail(in, in->line, input_column(in, in->cur),
                          "the row starts with \"%s\"; expected its label first",
                          quote_token(in, in->cur).text);
    return read_number(reader, "the label", label);
}

static const char *skip_digits(const input *in, const char *at)
{
    while (at < in->end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* qid:N marks rows that belong together: the bags of multiple-instance learning. Kept if every row
 * has one. */
static tm_status read_qid(libsvm_reader *reader)
{
    input *in = reader->in;
    if (in->end - in->cur < 4 || memcmp(in->cur, "qid:", 4) != 0)
        return TM_OK;
    const char *at = in->cur + 4;
    const char *end = skip_digits(in, at);
    if (end == at || (end < in->end && !ends_token(*end)))
        return fail_at(in, at, "a whole number after \"qid:\"");
    if (reader->sink.phase != SINK_FILL) {
        double qid;
        const char *rest;
        if (!value_list_reserve(&reader->qids, 1))
            return input_fail_memory(in, "the qid of the rows");
        number_parse(&reader->numbers, at, end, &qid, &rest);
        if (qid >= 0x1p53)
            return fail_at(in, at, "a number below 2^53 after \"qid:\"");
        reader->qids.values[reader->qids.count++] = qid;
    }
    in->cur += end - in->cur;
    return TM_OK;
}

/* Reads any number of digits, saturating above all allowed values. */
static const char *parse_feature(const input *in, const char *at, uint64_t *feature)
{
    uint64_t number = 0;
    for (; at < in->end && *at >= '0' && *at <= '9'; at++)
        if (number <= UINT32_MAX)
            number = 10 * number + (uint64_t)(*at - '0');
    *feature = number;
    return at;
}

static tm_status fail_too_many(input *in, uint64_t column, const char *digits, uint64_t limit)
{
    return input_fail(
        in, in->line, column,
        "feature number %s is too large: tables for that many features do not fit the "
        "memory of this machine (at most %" PRIu64 "); number the features 1, 2, 3, "
        "... without gaps",
        digits, limit);
}

static tm_status check_feature(libsvm_reader *reader, const char *digits_end, uint64_t feature,
                               uint64_t next)
{
    input *in = reader->in;
    uint64_t column = input_column(in, in->cur);
    input_quote digits = input_quoted(in->cur, (size_t)(digits_end - in->cur));
    if (feature < reader->first_feature)
        return input_fail(in, in->line, column, "feature number 0, but %s counted from 1",
                          reader->like_from_1 ? "the training data are"
                                              : "base = 1 says that features are");
    if (feature > reader->feature_limit)
        return fail_too_many(in, column, digits.text, reader->feature_limit);
    if (feature + 1 == next)
        return input_fail(in, in->line, column, "feature %s appears twice in the row", digits.text);
    if (feature < next)
        return input_fail(in, in->line, column,
                          "feature %s after feature %" PRIu64
                          "; the features of a row must be in ascending order",
                          digits.text, next - 1);
    return TM_OK;
}

/* `next` is the least feature that may follow. */
static tm_status read_entry(libsvm_reader *reader, uint64_t *next)
{
    input *in = reader->in;
    uint64_t feature;
    const char *colon = parse_feature(in, in->cur, &feature);
    if (colon == in->cur || colon == in->end || *colon != ':')
        return fail_at(in, in->cur, "feature:value");
    if (feature < *next || feature > reader->feature_limit)
        return check_feature(reader, colon, feature, *next);
    in->cur += colon + 1 - in->cur;
    double value = 1;
    tm_status status = read_number(reader, "the feature's value", &value);
    if (status != TM_OK)
        return status;
    if (!entry_sink_add(&reader->sink, (uint32_t)feature, value))
        return input_fail_memory(in, "entries of the data");
    *next = feature + 1;
    return TM_OK;
}

/* The common case: a few digits, a colon, a short number, one blank or the line's end. Stops at
 * anything else, including errors, which read_entry reports. */
static tm_status read_short_entries(libsvm_reader *reader, uint64_t *next)
{
    input *in = reader->in;
    const char *at = in->cur, *end = at;
    while (in->end - at >= ENTRY_ROOM && *end != '\n') {
        uint64_t word = digits_load(at);
        unsigned count = digits_count(word);
        uint64_t feature = digits_value(word, count);
        double value;
        if (count == 0 || at[count] != ':' || feature < *next || feature > reader->feature_limit ||
            !(end = digits_number(at + count + 1, &value)) || (*end != ' ' && *end != '\n'))
            break;
        if (!entry_sink_add(&reader->sink, (uint32_t)feature, value))
            return input_fail_memory(in, "entries of the data");
        *next = feature + 1;
        at = end + (*end == ' ');
    }
    in->cur += at - in->cur;
    return TM_OK;
}

/* Records that the first feature of the row is 0, which may be written with leading zeros. */
static void note_zero(libsvm_reader *reader)
{
    uint64_t feature;
    const char *end = parse_feature(reader->in, reader->in->cur, &feature);
    if (feature == 0 && end < reader->in->end && *end == ':')
        reader->zero_line = reader->in->line;
}

static tm_status read_row(libsvm_reader *reader)
{
    input *in = reader->in;
    double label;
    tm_status status = read_label(reader, &label);
    if (status == TM_OK && at_token(in))
        status = read_qid(reader);
    uint64_t first = reader->first_feature, next = first;
    if (status == TM_OK && at_token(in)) {
        if (*in->cur == '0' && reader->zero_line == 0)
            note_zero(reader);
        status = read_entry(reader, &next);
    }
    while (status == TM_OK && at_token(in)) {
        const char *before = in->cur;
        status = read_short_entries(reader, &next);
        if (status == TM_OK && in->cur == before)
            status = read_entry(reader, &next);
    }
    if (status != TM_OK)
        return status;
    if (next > reader->max_next && next > first)
        reader->max_next = next;
    if (reader->sink.store.rows == UINT32_MAX)
        return input_fail(in, in->line, 1, "more than %" PRIu32 " rows", UINT32_MAX);
    if (!entry_sink_end_row(&reader->sink, label))
        return input_fail_memory(in, "rows of the data");
    return TM_OK;
}

/* To be called at the start of a line. */
static bool at_blank_line(input *in)
{
    input_need(in);
    return in->cur < in->end && (*in->cur == '\n' || *in->cur == '\r');
}

static tm_status read_rows(libsvm_reader *reader)
{
    input *in = reader->in;
    tm_status status = TM_OK;
    uint64_t blank = 0;
    reader->row_line = 0;
    while (status == TM_OK) {
        if (in->line != reader->row_line && blank == 0 && at_blank_line(in))
            blank = in->line;
        if (at_token(in)) {
            reader->blank_line = blank;
            status = read_row(reader);
            reader->row_line = in->line;
        } else if (in->cur < in->end) {
            input_end_line(in);
        } else {
            break;
        }
    }
    return status == TM_OK ? input_status(in) : status;
}

static bool every_row_has_qid(const libsvm_reader *reader)
{
    return reader->qids.count > 0 && reader->qids.count == reader->sink.store.rows;
}

static void write_note(const libsvm_reader *reader, read_result *result)
{
    char from_zero[120] = "";
    if (reader->base == 0)
        strcpy(from_zero, ", features counted from 0: feature 0 is X1");
    else if (reader->zero_line > 0)
        snprintf(from_zero, sizeof from_zero,
                 ", features counted from 0 (there is a feature 0 in line %" PRIu64
                 "): feature 0 is X1",
                 reader->zero_line);
    snprintf(result->note, sizeof result->note, "format: LIBSVM%s%s%s", from_zero,
             reader->max_next == 0 ? "\nno row has a feature: all are 0" : "",
             reader->qids.count == 0     ? ""
             : every_row_has_qid(reader) ? "\nqid: kept, for bags of rows (--bags qid)"
                                         : "\nqid: left out, not every row has one");
}

/* Determines the number of features and the number of the first one. Rows without entries are still
 * rows: a model predicts its intercept for them. */
static tm_status find_width(libsvm_reader *reader, const read_request *request, uint64_t *p)
{
    row_store *store = &reader->sink.store;
    bool from_zero = reader->base == 0 || reader->zero_line > 0;
    store->base = from_zero ? 0 : 1;
    *p = reader->max_next > 0 ? reader->max_next - store->base : 0;
    if (request->features > *p)
        *p = request->features;
    if (store->rows == 0)
        return input_fail_whole(reader->in, "no rows; expected lines like \"+1 3:0.5 7:2\"");
    if (*p == 0)
        *p = 1;
    if ((reader->lacks || request->unlabelled) && reader->blank_line > 0)
        return input_fail(reader->in, reader->blank_line, 1,
                          "the line is blank, and in rows without labels it may be a row without "
                          "features; remove it, or write a label, say 0, before each row");
    return TM_OK;
}

/* The second reading, after the entries were counted. */
static tm_status read_again(libsvm_reader *reader, const read_request *request, size_t p,
                            tm_error *err)
{
    input *in;
    input_spec spec = *request->spec;
    spec.again = true;
    if (!entry_sink_begin_fill(&reader->sink, p, reader->sink.store.base))
        return input_fail_memory(reader->in, "matrix of the data");
    tm_status status = input_open(&in, &spec, err);
    if (status != TM_OK)
        return status;
    reader->in = in;
    status = input_as_text(in);
    if (status == TM_OK)
        status = read_rows(reader);
    input_close(in);
    return status;
}

static tm_status finish(libsvm_reader *reader, read_result *result, const read_request *request,
                        tm_error *err)
{
    uint64_t p;
    tm_status status = find_width(reader, request, &p);
    if (status == TM_OK && reader->sink.phase == SINK_COUNT)
        status = read_again(reader, request, p, err);
    if (status == TM_OK)
        status = entry_sink_matrix(&result->parts.x, &reader->sink, p, err);
    bool apart = reader->apart || reader->lacks;
    result->complete = !apart;
    result->parts.reading->file.unlabelled = reader->lacks;
    result->parts.reading->numbering =
        reader->sink.store.base == 0 ? TM_NUMBERING_FROM_0 : TM_NUMBERING_FROM_1;
    write_note(reader, result);
    if (every_row_has_qid(reader)) {
        result->parts.rows.qids = reader->qids.values;
        reader->qids = (value_list){0};
    }
    if (!apart) {
        result->parts.response.y = reader->sink.store.y;
        reader->sink.store.y = NULL;
    }
    return status;
}

/* The number of the first feature, -1 when it is to be determined: as given by the option, or as in
 * the other file. */
static int base_of(const read_request *request)
{
    int asked = tm_params_choice(request->params, "base") - 1;
    if (asked >= 0 || !request->like || request->like->numbering == TM_NUMBERING_NONE)
        return asked;
    return request->like->numbering == TM_NUMBERING_FROM_1;
}

static tm_status read_libsvm(read_result *result, input *in, const read_request *request,
                             tm_error *err)
{
    libsvm_reader reader = {.in = in,
                            .feature_limit = data_feature_limit(),
                            .base = base_of(request),
                            .keeps_missing = read_missing_option(request) != MISSING_ERROR,
                            .apart = request->response_apart,
                            .may_lack = request->may_lack};
    reader.like_from_1 = reader.base == 1 && tm_params_choice(request->params, "base") == 0;
    reader.first_feature = reader.base == 1 ? 1 : 0;
    if (request->label)
        return tm_fail(err, TM_EUSAGE,
                       "%s: label is for tables and matrices; a LIBSVM file has its labels in its "
                       "rows, or in a file of their own (response)",
                       input_name(in));
    bool again = (request->path || request->spec->bytes) && input_is_plain(in);
    reader.sink.phase = again ? SINK_COUNT : SINK_KEEP;
    if (again)
        input_reads_twice(in);
    tm_status status = number_parser_init(&reader.numbers, err);
    if (status == TM_OK)
        status = read_rows(&reader);
    if (status == TM_OK)
        status = finish(&reader, result, request, err);
    entry_sink_clear(&reader.sink);
    value_list_clear(&reader.qids);
    number_parser_clear(&reader.numbers);
    return status;
}

/* --- the format -------------------------------------------------------------------------- */

const tm_choice libsvm_bases[] = {
    {"auto", "0 when a feature 0 occurs, else 1"},
    {"0", "features are counted from 0"},
    {"1", "features are counted from 1"},
    {NULL, NULL},
};

static const char *const extensions[] = {".libsvm", ".svmlight", ".svm", NULL};

const read_format read_format_libsvm = {
    .info = {"libsvm",
             "LIBSVM / SVMlight text: label feature:value ..., features counted from 1 or 0"},
    .title = "LIBSVM",
    .text = true,
    .extensions = extensions,
    .recognise_line = libsvm_recognise_line,
    .read = read_libsvm,
};
