/* Matrix Market text: a banner, sizes, then one entry on each line (coordinate) or the values in
 * column-major order (array). */
#include "base/number.h"
#include "data/read/common/format.h"
#include "data/read/common/row_store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD = 32, BANNER_WORDS = 5 };

/* The content of a file. */
typedef struct mtx_content {
    uint64_t n, p;
    bool coordinate;
    uint64_t entries;      /* stored in the file */
    triplet_list triplets; /* coordinate */
    value_list list;       /* array: n*p values in column-major order */
} mtx_content;

typedef struct mtx_reader {
    input *in;
    number_parser numbers;
    mtx_content *content;
    bool pattern;
    bool keeps_missing;   /* nan is allowed as a missing value */
    bool symmetric, skew; /* one triangle represents both */
} mtx_reader;

/* --- tokens -------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool ends_token(const input *in, const char *at)
{
    return at == in->end || is_blank(*at) || *at == '\n' || *at == '\r';
}

/* Skips blanks; true when cur is at a token of the same line. */
static bool at_token(input *in)
{
    for (;;) {
        input_need(in);
        while (in->cur < in->end && is_blank(*in->cur))
            in->cur++;
        if (in->cur < in->end)
            break;
        if (in->eof)
            return false;
    }
    input_need(in);
    return in->cur < in->end && *in->cur != '\n' && *in->cur != '\r';
}

static void skip_line(input *in)
{
    while (!ends_token(in, in->cur) || (in->cur < in->end && is_blank(*in->cur)) ||
           (in->cur == in->end && !in->eof))
        if (in->cur == in->end)
            input_need(in);
        else
            in->cur++;
    input_end_line(in);
}

/* Moves to the next token on this or a later line; comments are lines that start with '%'. False at
 * the end. */
static bool find_token(input *in)
{
    for (;;) {
        bool token = at_token(in);
        if (token && *in->cur == '%')
            skip_line(in);
        else if (token)
            return true;
        else if (in->cur == in->end)
            return false;
        else
            input_end_line(in);
    }
}

static tm_status fail_token(input *in, const char *expected)
{
    const char *end = in->cur;
    uint64_t column = input_column(in, in->cur);
    while (!ends_token(in, end))
        end++;
    if (end == in->cur)
        return input_fail(in, in->line, column, "expected %s, found the end of the %s", expected,
                          in->cur == in->end ? "file" : "line");
    return input_fail(in, in->line, column, "expected %s, found \"%s\"", expected,
                      input_quoted(in->cur, (size_t)(end - in->cur)).text);
}

/* Reads an integer from `least` to `most` on the present line. */
static tm_status read_count(input *in, const char *what, uint64_t least, uint64_t most,
                            uint64_t *value)
{
    char expected[96];
    uint64_t number = 0;
    bool token = at_token(in);
    const char *at = in->cur;
    for (; token && at < in->end && *at >= '0' && *at <= '9'; at++)
        if (number <= most)
            number = 10 * number + (uint64_t)(*at - '0');
    *value = number;
    if (at > in->cur && ends_token(in, at) && number >= least && number <= most) {
        in->cur += at - in->cur;
        return TM_OK;
    }
    snprintf(expected, sizeof expected, "%s, a whole number from %" PRIu64 " to %" PRIu64, what,
             least, most);
    return fail_token(in, expected);
}

static tm_status read_value(mtx_reader *reader, double *value)
{
    input *in = reader->in;
    const char *rest = in->cur;
    number_kind kind = at_token(in) ? number_parse(&reader->numbers, in->cur, in->end, value, &rest)
                                    : NUMBER_MALFORMED;
    if (kind == NUMBER_MALFORMED || !ends_token(in, rest))
        return fail_token(in, "a number");
    if (kind == NUMBER_NOT_FINITE && !(reader->keeps_missing && isnan(*value)))
        return fail_token(in, "a finite number");
    in->cur += rest - in->cur;
    return TM_OK;
}

static tm_status end_line(input *in)
{
    if (at_token(in))
        return fail_token(in, "the end of the line");
    input_end_line(in);
    return TM_OK;
}

/* --- the banner and the sizes -------------------------------------------------------------- */

static bool is_word(const char *word, const char *const *known)
{
    for (; *known; known++)
        if (strcasecmp(word, *known) == 0)
            return true;
    return false;
}

static tm_status check_banner(mtx_reader *reader, char words[BANNER_WORDS][WORD])
{
    static const char *const fields[] = {"real",    "double", "integer", "unsigned-integer",
                                         "pattern", NULL};
    static const char *const shapes[] = {"general", "symmetric", "skew-symmetric", NULL};
    static const char *const layouts[] = {"coordinate", "array", NULL};
    input *in = reader->in;
    mtx_content *content = reader->content;
    if (strcasecmp(words[0], "%%MatrixMarket") != 0 || strcasecmp(words[1], "matrix") != 0 ||
        !is_word(words[2], layouts))
        return input_fail(in, 1, 1,
                          "expected \"%%%%MatrixMarket matrix coordinate\" or \"... array\", then "
                          "the kind of number and the symmetry");
    content->coordinate = strcasecmp(words[2], "coordinate") == 0;
    reader->pattern = strcasecmp(words[3], "pattern") == 0;
    if (!is_word(words[3], fields) || (reader->pattern && !content->coordinate))
        return input_fail(in, 1, 1,
                          "numbers of kind \"%s\" cannot be read; expected real or "
                          "integer, or pattern with coordinate",
                          input_quoted(words[3], strlen(words[3])).text);
    if (!is_word(words[4], shapes))
        return input_fail(in, 1, 1,
                          "symmetry \"%s\" cannot be read; expected general, symmetric "
                          "or skew-symmetric",
                          input_quoted(words[4], strlen(words[4])).text);
    reader->skew = strcasecmp(words[4], "skew-symmetric") == 0;
    reader->symmetric = strcasecmp(words[4], "general") != 0;
    return TM_OK;
}

static tm_status read_banner(mtx_reader *reader)
{
    input *in = reader->in;
    char words[BANNER_WORDS][WORD] = {{0}};
    for (int i = 0; i < BANNER_WORDS && at_token(in); i++) {
        size_t length = 0;
        for (; !ends_token(in, in->cur); in->cur++)
            if (length + 1 < WORD)
                words[i][length++] = *in->cur;
    }
    tm_status status = check_banner(reader, words);
    return status == TM_OK ? end_line(in) : status;
}

static tm_status read_sizes(mtx_reader *reader)
{
    input *in = reader->in;
    mtx_content *content = reader->content;
    uint64_t most = UINT64_MAX / 100; /* for entries, which will be counted */
    find_token(in);
    tm_status status = read_count(in, "the number of rows", 1, UINT32_MAX, &content->n);
    if (status == TM_OK)
        status = read_count(in, "the number of columns", 1, data_feature_limit(), &content->p);
    if (status == TM_OK && reader->symmetric && content->n != content->p)
        return input_fail(in, in->line, 1,
                          "%" PRIu64 " rows and %" PRIu64 " columns; a symmetric matrix is square",
                          content->n, content->p);
    content->entries = content->n * content->p;
    if (reader->symmetric)
        content->entries = content->n * (reader->skew ? content->n - 1 : content->n + 1) / 2;
    if (status == TM_OK && content->coordinate)
        status = read_count(in, "the number of entries", 0, most, &content->entries);
    return status == TM_OK ? end_line(in) : status;
}

/* --- the entries --------------------------------------------------------------------------- */

static tm_status add_entry(mtx_reader *reader, uint64_t row, uint64_t col, double value)
{
    triplet_list *list = &reader->content->triplets;
    bool added = triplet_list_add(list, (uint32_t)(row - 1), (uint32_t)(col - 1), value);
    if (added && reader->symmetric && row != col)
        added = triplet_list_add(list, (uint32_t)(col - 1), (uint32_t)(row - 1),
                                 reader->skew ? -value : value);
    return added ? TM_OK : input_fail_memory(reader->in, "entries of the data");
}

static tm_status read_entry(mtx_reader *reader)
{
    input *in = reader->in;
    uint64_t row = 0, col = 0, line = in->line;
    double value = 1;
    tm_status status = read_count(in, "a row", 1, reader->content->n, &row);
    if (status == TM_OK)
        status = read_count(in, "a column", 1, reader->content->p, &col);
    if (status == TM_OK && !reader->pattern)
        status = read_value(reader, &value);
    if (status == TM_OK)
        status = end_line(in);
    if (status == TM_OK && reader->skew && row == col)
        return input_fail(in, line, 1, "a skew-symmetric matrix has no entries on its diagonal");
    return status == TM_OK ? add_entry(reader, row, col, value) : status;
}

static tm_status read_cell(mtx_reader *reader)
{
    value_list *list = &reader->content->list;
    double value = 0;
    tm_status status = read_value(reader, &value);
    if (status != TM_OK)
        return status;
    if (!value_list_reserve(list, 1))
        return input_fail_memory(reader->in, "values of the data");
    list->values[list->count++] = value;
    return TM_OK;
}

static tm_status read_entries(mtx_reader *reader)
{
    input *in = reader->in;
    mtx_content *content = reader->content;
    for (uint64_t k = 0; k < content->entries; k++) {
        if (!find_token(in))
            return input_fail_whole(in,
                                    "the file ends after %" PRIu64 " of the %" PRIu64 " %s that "
                                    "its sizes promise",
                                    k, content->entries,
                                    content->coordinate ? "entries" : "values");
        tm_status status = content->coordinate ? read_entry(reader) : read_cell(reader);
        if (status != TM_OK)
            return status;
    }
    if (find_token(in))
        return input_fail(in, in->line, input_column(in, in->cur),
                          "more than the %" PRIu64 " %s that the sizes promise", content->entries,
                          content->coordinate ? "entries" : "values");
    return input_status(in);
}

/* Completes the lower triangle, given in column-major order, to both. */
static tm_status mirror(mtx_reader *reader)
{
    mtx_content *content = reader->content;
    size_t n = content->n, at = 0;
    value_list full = {0};
    if (!value_list_reserve(&full, (uint64_t)n * n))
        return input_fail_memory(reader->in, "values of the data");
    full.count = (uint64_t)n * n;
    memset(full.values, 0, full.count * sizeof *full.values);
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + reader->skew; i < n; i++) {
            double value = content->list.values[at++];
            full.values[j + i * n] = reader->skew ? -value : value;
            full.values[i + j * n] = value;
        }
    value_list_clear(&content->list);
    content->list = full;
    return TM_OK;
}

static bool recognise(const input *in)
{
    static const char banner[] = "%%MatrixMarket";
    return (size_t)(in->end - in->cur) >= sizeof banner - 1 &&
           strncasecmp(in->cur, banner, sizeof banner - 1) == 0;
}

static void mtx_clear(mtx_content *content)
{
    value_list_clear(&content->list);
    triplet_list_clear(&content->triplets);
}

/* Symmetric matrices are completed. On failure nothing is kept. */
static tm_status mtx_read(mtx_content *content, input *in, bool keeps_missing, tm_error *err)
{
    *content = (mtx_content){0};
    mtx_reader reader = {.in = in, .content = content, .keeps_missing = keeps_missing};
    tm_status status = number_parser_init(&reader.numbers, err);
    if (status == TM_OK)
        status = read_banner(&reader);
    if (status == TM_OK)
        status = read_sizes(&reader);
    if (status == TM_OK)
        status = read_entries(&reader);
    if (status == TM_OK && reader.symmetric && !content->coordinate)
        status = mirror(&reader);
    number_parser_clear(&reader.numbers);
    if (status != TM_OK)
        mtx_clear(content);
    return status;
}

static tm_status read_mtx(read_result *result, input *in, const read_request *request,
                          tm_error *err)
{
    mtx_content content;
    tm_status status = mtx_read(&content, in, read_missing_option(request) != MISSING_ERROR, err);
    if (status != TM_OK)
        return status;
    status = content.coordinate
                 ? build_from_triplets(&result->parts.x, &content.triplets, content.n, content.p,
                                       input_name(in), err)
                 : build_from_columns(&result->parts.x, &content.list, content.n, content.p, err);
    mtx_clear(&content);
    snprintf(result->note, sizeof result->note, "format: Matrix Market, %s",
             content.coordinate ? "coordinate" : "array");
    return status;
}

/* --- a response ------------------------------------------------------------------------------- */

static tm_status spread(value_list *list, const mtx_content *content, size_t n, input *in)
{
    if (content->n * content->p != n) {
        list->count = content->n * content->p; /* the caller rejects it for its shape */
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

static tm_status read_column(value_list *list, size_t n, input *in, tm_error *err)
{
    mtx_content content;
    tm_status status = mtx_read(&content, in, true, err);
    if (status != TM_OK)
        return status;
    status = build_check_vector(in, content.n, content.p);
    if (status == TM_OK && content.coordinate) {
        status = spread(list, &content, n, in);
    } else if (status == TM_OK) {
        *list = content.list;
        content.list = (value_list){0};
    }
    mtx_clear(&content);
    return status;
}

/* --- the format ---------------------------------------------------------------------------- */

static const char *const extensions[] = {".mtx", NULL};

const read_format read_format_mtx = {
    .info = {"mtx", "Matrix Market text: coordinate or array; the response is a file or column of "
                    "its own"},
    .title = "Matrix Market",
    .text = true,
    .extensions = extensions,
    .recognise = recognise,
    .read = read_mtx,
    .read_column = read_column,
};
