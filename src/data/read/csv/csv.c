/* CSV and TSV: a table of numbers with a response column, which may hold classes as text. */
#include "data/read/csv/csv.h"
#include "base/digits.h"
#include "data/read/common/format.h"
#include "data/read/csv/cell.h"
#include "tamis/classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- cells --------------------------------------------------------------------------------- */

input_quote csv_column_name(const csv_reader *reader, size_t number)
{
    if (!reader->has_header || number == 0 || number > reader->first.count)
        return (input_quote){""};
    const csv_field *field = &reader->first.fields[number - 1];
    return input_quoted(field->text, field->length);
}

static tm_status fail_cell(csv_reader *reader, const csv_field *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static tm_status fail_cell(csv_reader *reader, const csv_field *field, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    input_quote name = csv_column_name(reader, field->number);
    if (name.text[0] == '\0')
        return input_fail(reader->in, field->line, field->number, "%s", text);
    return input_fail(reader->in, field->line, field->number, "in \"%s\", %s", name.text, text);
}

static tm_status fail_missing(csv_reader *reader, const csv_field *field, const char *what)
{
    return fail_cell(
        reader, field,
        "the %s is missing (\"%s\"); fill it in or remove the row, or choose missing = "
        "%s",
        what, input_quoted(field->text, field->length).text,
        field->number == reader->response + 1 ? "drop" : "mean or drop");
}

static tm_status fail_not_finite(csv_reader *reader, const csv_field *field)
{
    return fail_cell(reader, field, "\"%s\" is not finite; expected a number",
                     input_quoted(field->text, field->length).text);
}

static size_t feature_of(const csv_reader *reader, const csv_field *field)
{
    return csv_feature_of(reader, field->number - 1);
}

static tm_status add_value(csv_reader *reader, const csv_field *field, double value)
{
    size_t feature = feature_of(reader, field);
    if (!row_store_add(&reader->table.store, (uint32_t)feature, value))
        return input_fail_memory(reader->in, "entries of the data");
    return TM_OK;
}

/* A cell of a text column. */
static tm_status add_text(csv_reader *reader, const csv_field *field)
{
    size_t feature;
    if (memchr(field->text, '\0', field->length))
        return fail_cell(reader, field, "the field holds a NUL byte; expected text");
    if (!texts_allow(&reader->table.words, feature_of(reader, field), field->text, field->length))
        return fail_cell(reader, field,
                         "\"%s\" is none of the texts that the training data have in this column",
                         input_quoted(field->text, field->length).text);
    if (!texts_feature(&reader->table.words, feature_of(reader, field), field->text, field->length,
                       &feature))
        return input_fail_memory(reader->in, "texts of the data");
    if (feature > data_feature_limit())
        return fail_cell(reader, field,
                         "\"%s\" is one text too many (%d in a column at most); remove the column",
                         input_quoted(field->text, field->length).text, MAX_TEXTS);
    if (!row_store_add(&reader->table.store, (uint32_t)feature, 1))
        return input_fail_memory(reader->in, "entries of the data");
    return TM_OK;
}

/* Whether the field belongs to a text column, which the column's first value decides. */
static bool in_text_column(csv_reader *reader, const csv_field *field, number_kind kind)
{
    if (!reader->table.words.kinds)
        return false;
    unsigned char *column = &reader->table.words.kinds[feature_of(reader, field)];
    if (*column == COLUMN_UNKNOWN)
        *column = kind == NUMBER_MALFORMED ? COLUMN_TEXTS : COLUMN_NUMBERS;
    return *column == COLUMN_TEXTS;
}

/* Whether a missing value is kept in order to be replaced. In a text column it is one of the
 * texts. */
static bool fills_missing(const csv_reader *reader, const csv_field *field)
{
    const column_texts *words = &reader->table.words;
    size_t feature = feature_of(reader, field);
    if (words->kinds && words->known[feature] != KNOWN_NOT)
        return words->known[feature] == KNOWN_WITH_MISSING;
    return read_missing_option(reader->request) == MISSING_MEAN;
}

/* A cell of the column of row ids. */
static tm_status read_id(csv_reader *reader, const csv_field *field)
{
    double value;
    if (csv_is_missing(field)) {
        if (read_missing_option(reader->request) != MISSING_DROP)
            return fail_cell(reader, field,
                             "the id is missing (\"%s\"); fill it in or remove the row, or choose "
                             "missing = drop",
                             input_quoted(field->text, field->length).text);
        reader->drop = true;
        return TM_OK;
    }
    if (memchr(field->text, '\0', field->length))
        return fail_cell(reader, field, "the id holds a NUL byte; expected text");
    /* Integers that a double would round are compared as texts. */
    bool number = csv_cell_number(reader, field, &value) == NUMBER_FINITE && fabs(value) < 0x1p53;
    return table_add_id(&reader->table, value, number ? NULL : field->text, field->length);
}

static tm_status fail_number(csv_reader *reader, const csv_field *field)
{
    input_quote found = input_quoted(field->text, field->length);
    bool comma = memchr(field->text, ',', field->length);
    if (csv_has_other_mark(reader, field))
        return fail_cell(reader, field, "\"%s\" has a decimal %s, or separates thousands; %s",
                         found.text, comma ? "comma" : "point",
                         comma ? "choose decimal = comma, or write a point and no separators"
                               : "choose decimal = point");
    return fail_cell(
        reader, field,
        "expected a number, found \"%s\"; %s (text = onehot turns columns of text into "
        "indicators, ids = NAME takes one that tells which rows belong together)",
        found.text,
        csv_has_digit(field)
            ? "numbers have no units, no currency or percent signs and no separators "
              "of thousands, and dates have to become numbers first"
            : "features are numbers with a decimal point, and only the response may "
              "be text");
}

static tm_status fail_marks(csv_reader *reader, const csv_field *field)
{
    return fail_cell(reader, field,
                     "numbers with a decimal comma (line %llu) and with a decimal point (line "
                     "%llu); choose decimal = comma or point",
                     (unsigned long long)reader->marks.comma_line,
                     (unsigned long long)reader->marks.point_line);
}

static tm_status read_feature(csv_reader *reader, const csv_field *field)
{
    double value;
    if (feature_of(reader, field) == reader->table.id_column)
        return read_id(reader, field);
    number_kind kind = csv_cell_number(reader, field, &value);
    if (reader->table.words.kinds && !csv_is_missing(field) && in_text_column(reader, field, kind))
        return add_text(reader, field);
    if (kind != NUMBER_FINITE) {
        bool missing = csv_is_missing(field);
        if (missing && read_missing_option(reader->request) == MISSING_DROP) {
            reader->drop = true;
            return TM_OK;
        }
        if (missing && fills_missing(reader, field))
            return add_value(reader, field, NAN);
        if (missing)
            return fail_missing(reader, field, "value");
        if (kind == NUMBER_NOT_FINITE)
            return fail_not_finite(reader, field);
        if (!csv_cell_boolean(field, &value))
            return fail_number(reader, field);
        reader->booleans = true;
    }
    if (!csv_note_mark(reader, field))
        return fail_marks(reader, field);
    if (fabs(value) >= 0x1p53 && reader->marks.rounded_line == 0 && csv_is_whole(field)) {
        reader->marks.rounded_line = field->line;
        reader->marks.rounded_column = field->number;
    }
    return add_value(reader, field, value);
}

/* --- the response -------------------------------------------------------------------------- */

/* Numbers among words are allowed as names of two classes, for example 0 and unknown; with more
 * classes a number is probably a mistake. */
static tm_status fail_classes(csv_reader *reader, const csv_field *field)
{
    const char *hint = reader->request->label ? "" : "; name the response column with label";
    if (reader->number_line == 0)
        return fail_cell(reader, field,
                         "the response has more than %d distinct texts; expected classes, or "
                         "numbers%s",
                         TM_MAX_CLASSES, hint);
    return fail_cell(reader, field,
                     "\"%s\" is a third value of a response with text (line %llu) and numbers "
                     "(line %llu); expected numbers, or classes that are all text%s",
                     input_quoted(field->text, field->length).text,
                     (unsigned long long)reader->text_line, (unsigned long long)reader->number_line,
                     hint);
}

/* For a numeric response at most three values are stored: enough to know that they are not two
 * classes. */
static tm_status remember_class(csv_reader *reader, const csv_field *field, bool text)
{
    uint64_t *line = text ? &reader->text_line : &reader->number_line;
    if (*line == 0)
        *line = field->line;
    size_t count = class_texts_count(&reader->table.classes);
    if (reader->text_line == 0 && count > 2)
        return TM_OK;
    if (!class_texts_set(&reader->table.classes, reader->table.store.rows, field->text,
                         field->length))
        return input_fail_memory(reader->in, "classes of the rows");
    count = class_texts_count(&reader->table.classes);
    bool mixed = reader->text_line > 0 && reader->number_line > 0;
    return (mixed && count > 2) || count > TM_MAX_CLASSES ? fail_classes(reader, field) : TM_OK;
}

static tm_status read_response(csv_reader *reader, const csv_field *field)
{
    if (csv_is_missing(field)) {
        reader->table.lacks = reader->request->may_lack;
        if (reader->table.lacks)
            return TM_OK;
        if (read_missing_option(reader->request) != MISSING_DROP)
            return fail_missing(reader, field, "response");
        reader->drop = true;
        return TM_OK;
    }
    if (memchr(field->text, '\0', field->length))
        return fail_cell(reader, field, "the response holds a NUL byte; expected text");
    number_kind kind = csv_cell_number(reader, field, &reader->y);
    if (kind == NUMBER_NOT_FINITE)
        return fail_not_finite(reader, field);
    if (kind == NUMBER_FINITE && !csv_note_mark(reader, field))
        return fail_marks(reader, field);
    return remember_class(reader, field, kind == NUMBER_MALFORMED);
}

/* --- rows ---------------------------------------------------------------------------------- */

/* Reads what follows the separator at the end of a line. */
static tm_status read_trailing(csv_reader *reader, const csv_field *field)
{
    if (field->length == 0)
        return TM_OK;
    return input_fail(reader->in, field->line, field->number,
                      "the last column has no name, and no value in the first lines, but \"%s\" "
                      "here; name it",
                      input_quoted(field->text, field->length).text);
}

static tm_status fail_width(csv_reader *reader, const csv_field *field)
{
    bool more = field->number > reader->columns;
    bool row_names = more && !reader->has_header && field->line == reader->second.line &&
                     reader->second.count == reader->columns + 1;
    return input_fail(reader->in, field->line, field->number,
                      "the row has %s fields than the %zu of line %llu%s", more ? "more" : "fewer",
                      reader->columns, (unsigned long long)reader->first.line,
                      row_names ? "; if that has the names of all columns but the rows' own, "
                                  "header = true"
                                : "");
}

static tm_status read_cell(csv_reader *reader, const csv_field *field)
{
    if (reader->trailing && field->last && field->number == reader->columns + 1)
        return read_trailing(reader, field);
    if (field->number > reader->columns || (field->last && field->number < reader->columns))
        return fail_width(reader, field);
    if (field->number == 1 && reader->row_names)
        return TM_OK;
    return field->number == reader->response + 1 ? read_response(reader, field)
                                                 : read_feature(reader, field);
}

static tm_status end_row(csv_reader *reader)
{
    bool drop = reader->drop;
    reader->drop = false;
    return drop ? table_leave_out_row(&reader->table) : table_end_row(&reader->table, reader->y);
}

static size_t id_place(const csv_reader *reader)
{
    size_t feature = reader->table.id_column;
    return feature == SIZE_MAX ? NO_COLUMN : csv_place_of(reader, feature);
}

/* Tables often have several text columns: one message lists them all. */
static tm_status check_text_columns(csv_reader *reader, const csv_record *record)
{
    char names[300] = "";
    size_t count = 0, used = 0, first = 0;
    bool all_named = true;
    for (size_t i = 0; i < record->count && i < reader->columns; i++) {
        const csv_field *field = &record->fields[i];
        double value;
        if (i == reader->response || (i == 0 && reader->row_names) || i == id_place(reader) ||
            csv_is_missing(field) || csv_cell_boolean(field, &value) ||
            csv_cell_number(reader, field, &value) != NUMBER_MALFORMED)
            continue;
        if (count == 0 && csv_has_other_mark(reader, field))
            return TM_OK; /* the message about the cell is more specific */
        input_quote name = csv_column_name(reader, i + 1);
        first = count++ == 0 ? i + 1 : first;
        all_named &= used + sizeof name.text + 32 <= sizeof names;
        if (!all_named)
            continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%zu%s%s%s",
                                 count > 1 ? ", " : "", i + 1, name.text[0] ? " (\"" : "",
                                 name.text, name.text[0] ? "\")" : "");
    }
    if (count < 2)
        return TM_OK;
    return input_fail(reader->in, record->line, first,
                      "%zu columns of features are text: %s%s; remove them, choose text = onehot, "
                      "or give the one that names rows as ids",
                      count, names, all_named ? "" : ", ...");
}

static tm_status read_held(csv_reader *reader, const csv_record *record)
{
    tm_status status = reader->table.words.kinds ? TM_OK : check_text_columns(reader, record);
    for (size_t i = 0; i < record->count && status == TM_OK; i++)
        status = read_cell(reader, &record->fields[i]);
    return status == TM_OK ? end_row(reader) : status;
}

/* The common case: short numbers, each followed directly by a separator. Stops at anything else. */
static tm_status read_short_cells(csv_reader *reader, csv_field *field)
{
    input *in = reader->in;
    const char *at, *end;
    double value;
    size_t ids = id_place(reader);
    input_need(in);
    bool marks = csv_looks_at_marks(reader);
    for (at = in->cur; in->end - at > DIGITS_ROOM && field->number + 1 < reader->columns;
         at = end + 1) {
        if (field->number == reader->response || (field->number == 0 && reader->row_names) ||
            field->number == ids || !(end = digits_number(at, &value)) ||
            *end != reader->separator || (marks && memchr(at, '.', (size_t)(end - at))) ||
            fabs(value) >= 0x1p53)
            break;
        field->number++;
        if (!row_store_add(&reader->table.store, (uint32_t)feature_of(reader, field), value))
            return input_fail_memory(in, "entries of the data");
    }
    in->cur += at - in->cur;
    return TM_OK;
}

static tm_status read_row(csv_reader *reader)
{
    csv_field field = {0};
    while (!field.last) {
        if (!reader->table.words.kinds) {
            tm_status added = read_short_cells(reader, &field);
            if (added != TM_OK)
                return added;
        }
        tm_status status = csv_next_field(&field, reader->in, reader->separator);
        if (status == TM_OK)
            status = read_cell(reader, &field);
        if (status != TM_OK)
            return status;
    }
    return end_row(reader);
}

static tm_status read_rows(csv_reader *reader)
{
    tm_status status = TM_OK;
    if (!reader->has_header)
        status = read_held(reader, &reader->first);
    if (status == TM_OK && reader->second.count > 0)
        status = read_held(reader, &reader->second);
    while (status == TM_OK && csv_at_record(reader->in))
        status = read_row(reader);
    return status == TM_OK ? input_status(reader->in) : status;
}

/* --- the whole file ------------------------------------------------------------------------ */

static tm_status read_csv(read_result *result, input *in, const read_request *request,
                          tm_error *err)
{
    csv_reader reader = {.in = in,
                         .request = request,
                         .table = {.in = in, .request = request},
                         .decimal = (csv_decimal)tm_params_choice(request->params, "decimal")};
    tm_status status = number_parser_init(&reader.numbers, err);
    if (status == TM_OK)
        status = csv_read_first_lines(&reader);
    if (status == TM_OK)
        status = read_rows(&reader);
    if (status == TM_OK)
        status = csv_finish(&reader, result, err);
    csv_record_clear(&reader.first);
    csv_record_clear(&reader.second);
    table_clear(&reader.table);
    number_parser_clear(&reader.numbers);
    return status;
}

/* --- the format ---------------------------------------------------------------------------- */

/* What no other format recognises is treated as a table, or at least gives an error with a
 * position. */
static bool recognise_line(const char *line, const char *end)
{
    (void)line;
    (void)end;
    return true;
}

const tm_choice csv_headers[] = {
    {"auto", "found from the first two lines"},
    {"true", "the first line names the columns"},
    {"false", "the first line is a row of data"},
    {NULL, NULL},
};

const tm_choice csv_decimals[] = {
    {"auto", "a point, or a comma where semicolons separate the fields"},
    {"point", "a point"},
    {"comma", "a comma"},
    {NULL, NULL},
};

const tm_choice csv_text_columns[] = {
    {"error", "an error that names the columns"},
    {"onehot", "one feature for each of a column's texts, 1 in the rows that have it"},
    {NULL, NULL},
};

static const char *const extensions[] = {".csv", ".tsv", ".txt", ".dat", ".data", NULL};

const read_format read_format_csv = {
    .info = {"csv",
             "CSV or TSV: a table of numbers, with or without a header, and a response column"},
    .title = "CSV",
    .text = true,
    .extensions = extensions,
    .recognise_line = recognise_line,
    .read = read_csv,
};
