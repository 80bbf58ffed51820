/* A response in a file of its own. */
#include "data/mtx.h"
#include "data/npy.h"
#include "data/number.h"
#include "data/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *response_path(const char *path)
{
    size_t plain = output_plain_length(path), length = strlen(path);
    size_t stem = plain;
    while (stem > 0 && path[stem - 1] != '.' && path[stem - 1] != '/')
        stem--;
    stem = stem > 0 && path[stem - 1] == '.' ? stem - 1 : plain;
    static const char tail[] = "_response";
    char *name = malloc(length + sizeof tail);
    if (name)
        sprintf(name, "%.*s%s%s", (int)stem, path, tail, path + stem);
    return name;
}

/* --- text: one number a line --------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(const input *in, const char *at)
{
    return at == in->end || *at == '\n' || *at == '\r';
}

/* To the next line that is not blank; false at the end. */
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

static tm_status fail_line(input *in)
{
    const char *end = in->cur;
    while (!is_line_end(in, end))
        end++;
    return input_fail(in, in->line, input_column(in, in->cur),
                      "expected one finite number as the response of a row, found \"%s\"",
                      input_quoted(in->cur, (size_t)(end - in->cur)).text);
}

/* The rest of a line that is known to hold a single word or number. */
static bool ends_here(const input *in, const char *at)
{
    while (at < in->end && is_blank(*at))
        at++;
    return is_line_end(in, at);
}

/* A first line without a number is the column's name. */
static void skip_header(input *in, const number_parser *numbers)
{
    double value;
    const char *rest;
    if (!find_line(in) ||
        number_parse(numbers, in->cur, in->end, &value, &rest) != NUMBER_MALFORMED)
        return;
    while (!is_line_end(in, in->cur))
        in->cur++;
}

static tm_status read_lines(value_list *list, input *in, const number_parser *numbers)
{
    skip_header(in, numbers);
    while (find_line(in)) {
        double value;
        const char *rest;
        number_kind kind = number_parse(numbers, in->cur, in->end, &value, &rest);
        if (kind != NUMBER_FINITE || !ends_here(in, rest))
            return fail_line(in);
        in->cur += rest - in->cur;
        if (!value_list_reserve(list, 1))
            return input_fail_memory(in, "the response");
        list->values[list->count++] = value;
    }
    return input_status(in);
}

static tm_status read_text(value_list *list, input *in, tm_error *err)
{
    number_parser numbers;
    tm_status status = number_parser_init(&numbers, err);
    if (status == TM_OK)
        status = read_lines(list, in, &numbers);
    number_parser_clear(&numbers);
    return status;
}

/* --- matrices of one column ---------------------------------------------------------------- */

static tm_status check_vector(input *in, uint64_t rows, uint64_t columns)
{
    if (rows == 1 || columns == 1)
        return TM_OK;
    return input_fail_whole(in, "%" PRIu64 " x %" PRIu64 " numbers; expected a single column", rows,
                            columns);
}

static tm_status spread(value_list *list, const mtx_content *content, size_t n, input *in)
{
    if (content->n * content->p != n) {
        list->count = content->n * content->p; /* refused by the caller for that */
        return TM_OK;
    }
    if (!value_list_reserve(list, n))
        return input_fail_memory(in, "the response");
    memset(list->values, 0, n * sizeof *list->values);
    for (uint64_t k = 0; k < content->triplets.count; k++)
        list->values[content->triplets.rows[k] + content->triplets.cols[k]] =
            content->triplets.values[k];
    list->count = n;
    return TM_OK;
}

static tm_status read_matrix(value_list *list, size_t n, input *in, tm_error *err)
{
    mtx_content content;
    tm_status status = mtx_read(&content, in, err);
    if (status != TM_OK)
        return status;
    status = check_vector(in, content.n, content.p);
    if (status == TM_OK && content.coordinate) {
        status = spread(list, &content, n, in);
    } else if (status == TM_OK) {
        *list = content.list;
        content.list = (value_list){0};
    }
    mtx_clear(&content);
    return status;
}

static tm_status read_array(value_list *list, input *in)
{
    npy_array array;
    tm_status status = npy_read(&array, in, NULL);
    if (status != TM_OK)
        return status;
    status = check_vector(in, array.shape[0], array.shape[1]);
    if (status == TM_OK) {
        *list = array.list;
        array.list = (value_list){0};
    }
    npy_clear(&array);
    return status;
}

static tm_status read_list(value_list *list, size_t n, input *in, tm_error *err)
{
    tm_status status;
    if (npy_is_next(in))
        status = read_array(list, in);
    else if (read_mtx_is_next(in))
        status = read_matrix(list, n, in, err);
    else
        status = read_text(list, in, err);
    if (status == TM_OK && list->count != n)
        status = input_fail_whole(in, "%" PRIu64 " responses for the %zu rows of the data",
                                  list->count, n);
    return status;
}

tm_status read_response_file(double **out, size_t n, const input_spec *spec, tm_error *err)
{
    input *in;
    *out = NULL;
    tm_status status = input_open(&in, spec, err);
    if (status != TM_OK)
        return status;
    value_list list = {0};
    status = read_list(&list, n, in, err);
    if (status == TM_OK && input_next_member(in))
        status = input_fail_whole(in, "the zip archive holds several files; expected one");
    input_close(in);
    if (status == TM_OK)
        *out = list.values;
    else
        value_list_clear(&list);
    return status;
}
