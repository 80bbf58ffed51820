/* A response in a separate file. */
#include "base/number.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/read/common/class_texts.h"
#include "data/read/formats.h"
#include "data/read/steps.h"
#include "tamis/classes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct response {
    const char *what; /* name of the numbers for messages; NULL: a response, which may be words */
    value_list list;
    class_texts words;     /* used instead of numbers */
    const read_rows *rows; /* the rows that the response is for */
    bool first_is_last;    /* whether the first line is a row is only known at the end */
} response;

/* --- text: one number on each line --------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(const input *in, const char *at)
{
    return at == in->end || *at == '\n' || *at == '\r';
}

/* Moves to the next line that is not blank; false at the end. */
static bool find_line(input *in)
{
    for (;;) {
        input_need(in);
        while (in->cur < in->end && is_blank(*in->cur))
            in->cur++;
        if (in->cur == in->end && in->eof)
            return false;
        if (in->cur == in->end)
            continue;
        if (*in->cur != '\n' && *in->cur != '\r') {
            input_need(in);
            return true;
        }
        input_end_line(in);
    }
}

static tm_status fail_line(const response *r, input *in)
{
    const char *end = in->cur;
    while (!is_line_end(in, end))
        end++;
    return input_fail(in, in->line, input_column(in, in->cur),
                      "expected one finite number as the %s of a row, found \"%s\"",
                      r->what ? r->what : "response",
                      input_quoted(in->cur, (size_t)(end - in->cur)).text);
}

/* Whether the rest of the line, which must hold a single word or number, is empty. */
static bool ends_here(const input *in, const char *at)
{
    while (at < in->end && is_blank(*at))
        at++;
    return is_line_end(in, at);
}

/* The line at cur without surrounding blanks; NULL when memory ran out. Moves cur to its end. */
static char *take_line(input *in)
{
    const char *start = in->cur, *end = start;
    while (!is_line_end(in, in->cur))
        if (!is_blank(*in->cur++))
            end = in->cur;
    return text_part(start, (size_t)(end - start));
}

static void move_last_to_front(value_list *list)
{
    double last = list->values[list->count - 1];
    memmove(list->values + 1, list->values, (list->count - 1) * sizeof last);
    list->values[0] = last;
}

static tm_status add_value(response *r, input *in, double value)
{
    if (!value_list_reserve(&r->list, 1))
        return input_fail_memory(in, "the response");
    r->list.values[r->list.count++] = value;
    return TM_OK;
}

static bool is_words(const response *r)
{
    return class_texts_count(&r->words) > 0;
}

static tm_status add_word(response *r, input *in, const char *word)
{
    if (!class_texts_set(&r->words, r->list.count, word, strlen(word)))
        return input_fail_memory(in, "labels of the classes");
    if (class_texts_count(&r->words) > TM_MAX_CLASSES)
        return input_fail(in, in->line, 1,
                          "more than %d distinct texts in a response; expected classes, or numbers",
                          TM_MAX_CLASSES);
    return add_value(r, in, 0); /* a placeholder, replaced by the class once all are known */
}

/* The length of the line at cur if it is a word for a missing value, else SIZE_MAX. */
static size_t missing_here(const input *in)
{
    const char *end = in->cur;
    while (!is_line_end(in, end) && !is_blank(*end))
        end++;
    size_t length = (size_t)(end - in->cur);
    return ends_here(in, end) && is_missing_word(in->cur, length) ? length : SIZE_MAX;
}

/* The row will be left out. */
static tm_status add_missing(response *r, input *in, size_t length)
{
    const char *what = r->what ? r->what : "response";
    if (!r->rows->drop)
        return input_fail(in, in->line, input_column(in, in->cur),
                          "the %s is missing (\"%s\"); fill it in, or choose missing = drop", what,
                          input_quoted(in->cur, length).text);
    in->cur += length;
    if (!class_texts_skip(&r->words, r->list.count))
        return input_fail_memory(in, "labels of the classes");
    return add_value(r, in, NAN);
}

/* Whether an earlier row had a number. */
static bool has_numbers(const response *r)
{
    if (is_words(r))
        return false;
    for (uint64_t k = r->list.count; k-- > 0;)
        if (!isnan(r->list.values[k]))
            return true;
    return false;
}

static tm_status read_line(response *r, input *in, const number_parser *numbers)
{
    double value;
    size_t missing = missing_here(in);
    if (missing != SIZE_MAX)
        return add_missing(r, in, missing);
    const char *rest;
    number_kind kind = number_parse(numbers, in->cur, in->end, &value, &rest);
    bool number = kind == NUMBER_FINITE && ends_here(in, rest);
    if (number && !is_words(r)) {
        in->cur += rest - in->cur;
        return add_value(r, in, value);
    }
    if (number || kind != NUMBER_MALFORMED || has_numbers(r))
        return fail_line(r, in);
    char *word = take_line(in);
    tm_status status = word ? add_word(r, in, word) : input_fail_memory(in, "a class");
    free(word);
    return status;
}

/* A first line that is not a number is the column's name, or the class of the first row: the latter
 * if it makes up the number of rows, or is one of the classes. */
static bool is_row(const response *r, const char *first, size_t n)
{
    return class_texts_has(&r->words, first) || (r->list.count + 1 == n && (is_words(r) || n == 1));
}

static tm_status read_lines(response *r, size_t n, input *in, const number_parser *numbers)
{
    double ignored;
    const char *rest;
    char *first = NULL;
    if (find_line(in) && missing_here(in) == SIZE_MAX &&
        number_parse(numbers, in->cur, in->end, &ignored, &rest) == NUMBER_MALFORMED) {
        first = take_line(in);
        if (!first)
            return input_fail_memory(in, "the response");
    }
    tm_status status = TM_OK;
    while (status == TM_OK && find_line(in))
        status = read_line(r, in, numbers);
    if (status == TM_OK && first && is_row(r, first, n)) {
        status = add_word(r, in, first);
        r->first_is_last = true;
    }
    free(first);
    return status == TM_OK ? input_status(in) : status;
}

/* Rows left out of the data do not add a class. */
static tm_status skip_left_out(response *r, input *in)
{
    for (size_t k = 0; k < r->rows->left_out_count; k++) {
        size_t row = r->rows->left_out[k], count = r->list.count;
        size_t place = !r->first_is_last ? row : row == 0 ? count - 1 : row - 1;
        if (place < count && !class_texts_skip(&r->words, place))
            return input_fail_memory(in, "labels of the classes");
    }
    return TM_OK;
}

static tm_status finish_words(response *r, input *in, tm_dataset_parts *parts, tm_error *err)
{
    if (r->what && is_words(r))
        return input_fail_whole(in, "%s are words; expected numbers", r->what);
    if (!is_words(r))
        return TM_OK;
    tm_status status = skip_left_out(r, in);
    if (status == TM_OK)
        status = class_texts_finish(&r->words, r->list.values, r->list.count, parts, err);
    if (status == TM_OK && r->first_is_last)
        move_last_to_front(&r->list);
    return status;
}

static tm_status read_text(response *r, size_t n, input *in, tm_dataset_parts *parts, tm_error *err)
{
    number_parser numbers;
    tm_status status = number_parser_init(&numbers, err);
    if (status == TM_OK)
        status = input_as_text(in);
    if (status == TM_OK)
        status = read_lines(r, n, in, &numbers);
    if (status == TM_OK)
        status = finish_words(r, in, parts, err);
    number_parser_clear(&numbers);
    return status;
}

/* --- any format ----------------------------------------------------------------------------- */

/* The format with a column reader that recognises the content; NULL: text of one number on each
 * line. */
static const read_format *find_format(const input *in)
{
    for (const read_format *const *format = read_formats; *format; format++)
        if ((*format)->read_column && (*format)->recognise(in))
            return *format;
    return NULL;
}

/* Removes the values of rows that were left out of the data. */
static void keep_rows(response *r)
{
    size_t kept = 0, next = 0;
    for (size_t i = 0; i < r->list.count; i++)
        if (next < r->rows->left_out_count && r->rows->left_out[next] == i)
            next++;
        else
            r->list.values[kept++] = r->list.values[i];
    r->list.count = kept;
}

static tm_status read_any(response *r, input *in, tm_dataset_parts *parts, tm_error *err)
{
    size_t n = r->rows->kept + r->rows->left_out_count;
    const read_format *format = find_format(in);
    tm_status status =
        format ? format->read_column(&r->list, n, in, err) : read_text(r, n, in, parts, err);
    if (status == TM_OK && r->list.count != n)
        status = r->what
                     ? input_fail_whole(in, "%s: %" PRIu64 " numbers for the %zu rows of the data",
                                        r->what, r->list.count, n)
                     : input_fail_whole(in, "%" PRIu64 " responses for the %zu rows of the data",
                                        r->list.count, n);
    if (status == TM_OK && input_next_member(in))
        status = input_fail_whole(in, "the zip archive holds several files; expected one");
    return status == TM_OK ? input_status(in) : status;
}

/* Reads into parts->y; the words of classes also go into parts. */
static tm_status read_file(tm_dataset_parts *parts, const char *what, const read_rows *rows,
                           const input_spec *spec, tm_error *err)
{
    input *in;
    tm_status status = input_open(&in, spec, err);
    if (status != TM_OK)
        return status;
    response r = {.what = what, .rows = rows};
    status = read_any(&r, in, parts, err);
    input_close(in);
    class_texts_clear(&r.words);
    if (status != TM_OK) {
        value_list_clear(&r.list);
        return status;
    }
    keep_rows(&r);
    parts->response.y = r.list.values;
    return TM_OK;
}

tm_status read_response_file(tm_dataset_parts *parts, const read_rows *rows, const input_spec *spec,
                             tm_error *err)
{
    return read_file(parts, NULL, rows, spec, err);
}

tm_status read_numbers_file(double **out, const char *what, const read_rows *rows,
                            const input_spec *spec, tm_error *err)
{
    tm_dataset_parts file = {.response.y = NULL};
    tm_status status = read_file(&file, what, rows, spec, err);
    if (status == TM_OK) {
        *out = file.response.y;
        file.response.y = NULL;
    }
    dataset_parts_free(&file, 0);
    return status;
}
