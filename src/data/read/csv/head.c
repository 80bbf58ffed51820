/* The first lines of a CSV file: separator, header, and response column. */
#include "base/memory.h"
#include "base/numeric/order.h"
#include "base/text.h"
#include "data/read/csv/cell.h"
#include "data/read/csv/csv.h"
#include "data/read/csv/like.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    SNIFFED_BYTES = 1 << 20,
    SNIFFED_ROWS = 1000, /* rows in which the first column is examined before it is left out */
};

/* The choices of the options `header` and `text`, in their order. */
enum { HEADER_AUTO, HEADER_YES, HEADER_NO };
enum { TEXT_ERROR, TEXT_ONE_HOT };

/* --- records in memory --------------------------------------------------------------------- */

void csv_record_clear(csv_record *record)
{
    for (size_t i = 0; i < record->count; i++)
        free((char *)record->fields[i].text);
    free(record->fields);
    *record = (csv_record){0};
}

static bool record_push(csv_record *record, const csv_field *field)
{
    if (!mem_grow(&record->fields, &record->capacity, record->count, 64, sizeof *record->fields))
        return false;
    csv_field copy = *field;
    copy.text = text_part(field->text, field->length);
    if (!copy.text)
        return false;
    record->fields[record->count++] = copy;
    return true;
}

static tm_status record_read(csv_record *record, csv_reader *reader)
{
    csv_field field = {0};
    record->line = reader->in->line;
    while (!field.last) {
        tm_status status = csv_next_field(&field, reader->in, reader->separator);
        if (status != TM_OK)
            return status;
        if (!record_push(record, &field))
            return input_fail_memory(reader->in, "fields of the first lines");
    }
    return TM_OK;
}

/* --- header and columns -------------------------------------------------------------------- */

/* The first record is a header when none of its fields is a number, or when one of its fields is
 * text in a column that has a number below. */
static bool is_value(const csv_reader *reader, const csv_field *field)
{
    double value;
    return csv_cell_boolean(field, &value) ||
           csv_cell_number(reader, field, &value) != NUMBER_MALFORMED;
}

/* 0, 1, 2, ... above a number that is not an integer: columns numbered by pandas, after its column
 * of row names if there is one. */
static bool numbers_columns(const csv_reader *reader)
{
    const csv_record *first = &reader->first, *second = &reader->second;
    double value, next = 0;
    bool whole = true;
    size_t skip = first->count > 1 && first->fields[0].length == 0;
    for (size_t i = skip; i < first->count; i++, next++)
        if (csv_cell_number(reader, &first->fields[i], &value) != NUMBER_FINITE || value != next)
            return false;
    for (size_t i = skip; i < second->count; i++)
        if (csv_cell_number(reader, &second->fields[i], &value) == NUMBER_FINITE)
            whole = whole && value == floor(value);
    return next >= 3 && !whole;
}

static bool looks_like_header(const csv_reader *reader)
{
    const csv_record *first = &reader->first;
    const csv_record *second = &reader->second;
    bool any_number = false;
    for (size_t i = 0; i < first->count; i++) {
        bool number = is_value(reader, &first->fields[i]);
        any_number |= number;
        if (!number && !csv_is_missing(&first->fields[i]) && i < second->count &&
            is_value(reader, &second->fields[i]))
            return true;
    }
    return !any_number || numbers_columns(reader);
}

static bool same_name(const csv_field *field, const char *name, bool ignore_case)
{
    if (strlen(name) != field->length)
        return false;
    return ignore_case ? strncasecmp(field->text, name, field->length) == 0
                       : memcmp(field->text, name, field->length) == 0;
}

/* The number of columns with this name; *place is the first of them. */
static size_t find_name(const csv_reader *reader, const char *name, bool ignore_case, size_t *place)
{
    size_t count = 0;
    for (size_t i = 0; reader->has_header && i < reader->columns; i++)
        if (same_name(&reader->first.fields[i], name, ignore_case) && count++ == 0)
            *place = i;
    return count;
}

static tm_status find_asked_response(csv_reader *reader)
{
    const char *label = reader->request->label;
    size_t count = find_name(reader, label, false, &reader->response);
    if (count == 0)
        count = find_name(reader, label, true, &reader->response);
    if (count == 1)
        return TM_OK;
    if (count > 1)
        return input_fail_whole(
            reader->in, "%zu columns are called \"%s\"; give the response's number as label", count,
            input_quoted(label, strlen(label)).text);
    char *end;
    unsigned long long number = strtoull(label, &end, 10);
    if (*label >= '0' && *label <= '9' && *end == '\0' && number >= 1 &&
        number <= reader->columns) {
        reader->response = (size_t)number - 1;
        return TM_OK;
    }
    return input_fail_whole(
        reader->in, "no column \"%s\" for label; expected a %snumber from 1 to %zu",
        input_quoted(label, strlen(label)).text,
        reader->has_header ? "name of the first line or a " : "", reader->columns);
}

bool read_csv_usual_response(const char *name)
{
    for (size_t i = 0; table_responses[i]; i++)
        if (strcasecmp(table_responses[i], name) == 0)
            return true;
    return false;
}

static tm_status find_response(csv_reader *reader)
{
    reader->response = NO_COLUMN;
    if (reader->request->response_apart)
        return TM_OK;
    if (reader->request->label)
        return find_asked_response(reader);
    bool found;
    tm_status status = csv_like_response(reader, &found);
    if (found)
        return status;
    for (size_t i = 0; table_responses[i]; i++)
        if (find_name(reader, table_responses[i], true, &reader->response) > 0)
            return TM_OK;
    reader->response = reader->columns - 1;
    return TM_OK;
}

/* Moves the names of the first line to the table. */
static tm_status take_names(csv_reader *reader)
{
    table *t = &reader->table;
    t->has_response = reader->response != NO_COLUMN;
    t->features = csv_feature_count(reader);
    if (!reader->has_header)
        return TM_OK;
    t->names = mem_zeros(t->features, sizeof *t->names);
    bool complete = t->names != NULL;
    for (size_t j = 0; complete && j < t->features; j++) {
        const csv_field *field = &reader->first.fields[csv_place_of(reader, j)];
        complete = (t->names[j] = text_part(field->text, field->length)) != NULL;
    }
    if (complete && t->has_response) {
        const csv_field *response = &reader->first.fields[reader->response];
        complete = (t->response_name = text_part(response->text, response->length)) != NULL;
    }
    return complete ? TM_OK : input_fail_memory(reader->in, "names of the features");
}

/* Whether the first column of the rows in the window identifies them: text, or distinct whole
 * numbers. */
static bool identifies_rows(const csv_reader *reader, double *numbers)
{
    csv_sight sight = {reader->in->cur, reader->in->end, reader->separator, reader->in->eof};
    size_t count = 0, length;
    const csv_field *field = &reader->second.fields[0];
    const char *text = field->text;
    for (length = field->length; text; text = csv_next_first_field(&sight, &length)) {
        csv_field cell = {.text = text, .length = length};
        number_kind kind = csv_cell_number(reader, &cell, &numbers[count]);
        if (kind == NUMBER_MALFORMED && count == 0)
            return !csv_is_missing(&cell);
        if (kind != NUMBER_FINITE || numbers[count] != floor(numbers[count]))
            return false;
        if (++count == SNIFFED_ROWS)
            break;
    }
    qsort(numbers, count, sizeof *numbers, order_reals);
    for (size_t k = 1; k < count; k++)
        if (numbers[k] == numbers[k - 1])
            return false;
    return count > 0;
}

/* A first column without a name, as written by spreadsheets, R and pandas, is not a feature. */
static tm_status find_row_names(csv_reader *reader)
{
    const csv_field *name = &reader->first.fields[0];
    bool unnamed = name->length == 0 || same_name(name, "Unnamed: 0", false);
    bool others = csv_feature_count(reader) > 1 && reader->response != 0;
    if (!reader->first.short_of_one && (!reader->has_header || !unnamed || !others))
        return TM_OK;
    double *numbers = mem_array(SNIFFED_ROWS, sizeof *numbers);
    if (!numbers)
        return input_fail_memory(reader->in, "numbers of the rows");
    reader->row_names = identifies_rows(reader, numbers);
    free(numbers);
    if (!reader->row_names && reader->first.short_of_one)
        return input_fail(reader->in, reader->second.line, reader->columns,
                          "the row has more fields than the %zu of line %llu", reader->columns - 1,
                          (unsigned long long)reader->first.line);
    return TM_OK;
}

static bool is_empty(const csv_field *field)
{
    return field->length == 0;
}

/* Whether the rows have one field more than the first line has names, and that field is empty: each
 * line ends with a separator. A first field that is text or quoted is a row name of R. */
static bool ends_lines(const csv_reader *reader)
{
    const csv_record *second = &reader->second;
    double value;
    return second->count == reader->first.count + 1 &&
           is_empty(&second->fields[second->count - 1]) && !second->fields[0].quoted &&
           csv_cell_number(reader, &second->fields[0], &value) != NUMBER_MALFORMED;
}

/* A separator at the end of each line does not add a column. Without names it may also mean that
 * the last value is missing, if that is allowed. */
static void find_trailing(csv_reader *reader)
{
    const csv_record *first = &reader->first, *second = &reader->second;
    size_t count = first->count;
    bool may_be_missing =
        !reader->has_header && read_missing_option(reader->request) != MISSING_ERROR;
    if (ends_lines(reader) && reader->has_header) {
        reader->trailing = true;
    } else if (count > 2 && second->count == count && is_empty(&first->fields[count - 1]) &&
               is_empty(&second->fields[count - 1]) && !may_be_missing) {
        reader->trailing = true;
        reader->columns--;
    }
}

/* Excel writes a line "sep=;" before the table. */
static bool take_separator_line(csv_reader *reader)
{
    input *in = reader->in;
    if (in->end - in->cur < 6 || strncasecmp(in->cur, "sep=", 4) != 0 || isalnum(in->cur[4]) ||
        (in->cur[5] != '\n' && in->cur[5] != '\r'))
        return false;
    reader->separator = in->cur[4];
    in->cur += 5;
    input_end_line(in);
    return csv_at_record(in);
}

/* Whether the first line, which has a field less than the second, has names: R quotes those that
 * are numbers, and no value. */
static bool are_names(const csv_reader *reader, int header)
{
    const csv_record *first = &reader->first;
    bool text = true, quoted = !reader->second.fields[first->count].quoted;
    double value;
    for (size_t i = 0; i < first->count; i++) {
        const csv_field *field = &first->fields[i];
        text = text && csv_cell_number(reader, field, &value) == NUMBER_MALFORMED;
        quoted = quoted && field->quoted;
    }
    return header == HEADER_YES || (header == HEADER_AUTO && (text || quoted));
}

/* R does not name its column of row names: the first line has one field less. */
static tm_status complete_header(csv_reader *reader, int header)
{
    csv_record *first = &reader->first;
    if (reader->second.count != first->count + 1 || ends_lines(reader) ||
        !are_names(reader, header))
        return TM_OK;
    csv_field empty = {.text = "", .line = first->line};
    if (!record_push(first, &empty))
        return input_fail_memory(reader->in, "fields of the first lines");
    empty = first->fields[first->count - 1];
    memmove(first->fields + 1, first->fields, (first->count - 1) * sizeof empty);
    first->fields[0] = empty;
    first->short_of_one = true;
    for (size_t i = 0; i < first->count; i++)
        first->fields[i].number = i + 1;
    return TM_OK;
}

tm_status csv_read_first_lines(csv_reader *reader)
{
    input *in = reader->in;
    if (!csv_at_record(in))
        return input_status(in) != TM_OK
                   ? input_status(in)
                   : input_fail_whole(in, "no rows; expected a table of numbers");
    input_fill(in, SNIFFED_BYTES);
    if (!take_separator_line(reader))
        reader->separator = csv_find_separator(in);
    bool apart = reader->request->response_apart || reader->request->may_lack;
    if (reader->separator == 0 && apart)
        reader->separator = ',';
    if (reader->separator == 0 && *in->cur == '#')
        return input_fail(in, in->line, 1,
                          "a comment before the table; remove the lines that begin with #");
    if (reader->separator == 0)
        return input_fail(in, in->line, 1,
                          "one column only; expected a response and features, separated by commas, "
                          "semicolons or tabs");
    int header = tm_params_choice(reader->request->params, "header");
    tm_status status = record_read(&reader->first, reader);
    if (status == TM_OK && csv_at_record(in))
        status = record_read(&reader->second, reader);
    if (status == TM_OK)
        status = complete_header(reader, header);
    if (status != TM_OK)
        return status;
    reader->columns = reader->first.count;
    reader->has_header =
        header == HEADER_YES || reader->first.short_of_one ||
        (header == HEADER_AUTO && (looks_like_header(reader) || csv_like_names(reader)));
    find_trailing(reader);
    if (reader->columns < 2 && !apart)
        return input_fail(in, reader->first.line, 1,
                          "one column only; expected a response and "
                          "features");
    if (reader->has_header && reader->second.count == 0)
        return input_status(in) != TM_OK
                   ? input_status(in)
                   : input_fail_whole(in, "no rows after the header in line %llu",
                                      (unsigned long long)reader->first.line);
    tm_status found = find_response(reader);
    if (found == TM_OK)
        found = find_row_names(reader);
    if (found == TM_OK)
        found = take_names(reader);
    bool indicators = tm_params_choice(reader->request->params, "text") == TEXT_ONE_HOT;
    return found == TM_OK ? table_begin(&reader->table, indicators) : found;
}
