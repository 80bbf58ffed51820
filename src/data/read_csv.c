/* CSV and TSV: a table of numbers with a response column, which may hold classes as text. */
#include "data/class_texts.h"
#include "data/csv_record.h"
#include "data/csv_texts.h"
#include "data/digits.h"
#include "data/number.h"
#include "data/read_format.h"
#include "data/row_store.h"
#include "tamis/classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SNIFFED_BYTES = 1 << 20 };

#define NO_COLUMN SIZE_MAX

/* A record held in memory: the first two, until it is known whether the first is a header. */
typedef struct csv_record {
    csv_field *fields; /* texts malloc'ed */
    size_t count, capacity;
    uint64_t line;
} csv_record;

typedef struct csv_reader {
    input *in;
    const read_request *request;
    number_parser numbers;
    row_store store;
    char separator;
    bool has_header;
    csv_record first, second;
    size_t columns;       /* fields of a record, the response included */
    size_t response;      /* its place, from 0; NO_COLUMN when it is in a file of its own */
    class_texts classes;  /* the response as text; of numbers alone the first three at most */
    uint64_t text_line;   /* line of the first response that is not a number; 0: none */
    uint64_t number_line; /* and of the first that is one */
    double y;             /* response of the row being read */
    bool drop;            /* it has a missing value, and such rows are left out */
    uint64_t dropped;     /* rows left out */
    uint64_t filled;      /* missing values that became means */
    csv_texts words;      /* columns of text, when they become indicators */
} csv_reader;

/* --- records in memory --------------------------------------------------------------------- */

static void record_clear(csv_record *record)
{
    for (size_t i = 0; i < record->count; i++)
        free((char *)record->fields[i].text);
    free(record->fields);
    *record = (csv_record){0};
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

static bool record_push(csv_record *record, const csv_field *field)
{
    if (record->count == record->capacity) {
        size_t capacity = record->capacity ? 2 * record->capacity : 64;
        csv_field *grown = realloc(record->fields, capacity * sizeof *grown);
        if (!grown)
            return false;
        record->fields = grown;
        record->capacity = capacity;
    }
    csv_field copy = *field;
    copy.text = copy_text(field->text, field->length);
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

/* --- cells --------------------------------------------------------------------------------- */

static bool is_missing(const csv_field *field)
{
    static const char *const words[] = {"", "na", "n/a", "nan", "null", "none", "?"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == field->length &&
            strncasecmp(words[i], field->text, field->length) == 0)
            return true;
    return false;
}

/* A quoted number may have blanks around it. */
static number_kind cell_number(const csv_reader *reader, const csv_field *field, double *value)
{
    const char *text = field->text;
    const char *end = text + field->length;
    while (text < end && *text == ' ')
        text++;
    const char *rest;
    number_kind kind = number_parse(&reader->numbers, text, end, value, &rest);
    while (rest < end && *rest == ' ')
        rest++;
    return rest == end ? kind : NUMBER_MALFORMED;
}

/* The name of a column as messages show it, empty without a header. */
static input_quote column_name(const csv_reader *reader, size_t number)
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
    input_quote name = column_name(reader, field->number);
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
    size_t place = field->number - 1;
    return place < reader->response ? place : place - 1;
}

static tm_status add_value(csv_reader *reader, const csv_field *field, double value)
{
    size_t feature = feature_of(reader, field);
    if (!row_store_add(&reader->store, (uint32_t)feature, value))
        return input_fail_memory(reader->in, "entries of the data");
    return TM_OK;
}

/* A cell of a column of text. */
static tm_status add_text(csv_reader *reader, const csv_field *field)
{
    size_t feature;
    if (memchr(field->text, '\0', field->length))
        return fail_cell(reader, field, "the field holds a NUL byte; expected text");
    if (!csv_texts_feature(&reader->words, feature_of(reader, field), field->text, field->length,
                           &feature))
        return input_fail_memory(reader->in, "texts of the data");
    if (feature > data_feature_limit())
        return fail_cell(reader, field,
                         "\"%s\" is one text too many (%d in a column at most); remove the column",
                         input_quoted(field->text, field->length).text, CSV_TEXTS_MOST);
    if (!row_store_add(&reader->store, (uint32_t)feature, 1))
        return input_fail_memory(reader->in, "entries of the data");
    return TM_OK;
}

/* Whether the field belongs to a column of text, which its first value decides. */
static bool in_text_column(csv_reader *reader, const csv_field *field, number_kind kind)
{
    if (!reader->words.kinds)
        return false;
    unsigned char *column = &reader->words.kinds[feature_of(reader, field)];
    if (*column == COLUMN_UNKNOWN)
        *column = kind == NUMBER_MALFORMED ? COLUMN_TEXTS : COLUMN_NUMBERS;
    return *column == COLUMN_TEXTS;
}

static tm_status read_feature(csv_reader *reader, const csv_field *field)
{
    double value;
    number_kind kind = cell_number(reader, field, &value);
    if (reader->words.kinds && !is_missing(field) && in_text_column(reader, field, kind))
        return add_text(reader, field);
    if (kind != NUMBER_FINITE) {
        bool missing = is_missing(field);
        if (missing && reader->request->missing == MISSING_DROP) {
            reader->drop = true;
            return TM_OK;
        }
        if (missing && reader->request->missing == MISSING_MEAN)
            return add_value(reader, field, NAN);
        if (missing)
            return fail_missing(reader, field, "value");
        if (kind == NUMBER_NOT_FINITE)
            return fail_not_finite(reader, field);
        return fail_cell(reader, field,
                         "expected a number, found \"%s\"; features are numbers with a decimal "
                         "point, and only the response may be text (text = onehot turns columns of "
                         "text into indicators)",
                         input_quoted(field->text, field->length).text);
    }
    return add_value(reader, field, value);
}

/* --- the response -------------------------------------------------------------------------- */

/* Numbers among words are two classes at most, say 0 and unknown; of more one is a slip of the pen. */
static tm_status fail_classes(csv_reader *reader, const csv_field *field)
{
    const char *hint = reader->request->label ? "" : "; name the response column with label";
    if (reader->number_line == 0)
        return fail_cell(reader, field,
                         "the response has more than %d distinct texts; expected classes, or "
                         "numbers%s",
                         TM_CLASSES_MOST, hint);
    return fail_cell(reader, field,
                     "\"%s\" is a third value of a response with text (line %llu) and numbers "
                     "(line %llu); expected numbers, or classes that are all text%s",
                     input_quoted(field->text, field->length).text,
                     (unsigned long long)reader->text_line, (unsigned long long)reader->number_line,
                     hint);
}

/* Of numbers alone no more than three are remembered: enough to know that they are no two classes. */
static tm_status remember_class(csv_reader *reader, const csv_field *field, bool text)
{
    uint64_t *line = text ? &reader->text_line : &reader->number_line;
    if (*line == 0)
        *line = field->line;
    size_t count = class_texts_count(&reader->classes);
    if (reader->text_line == 0 && count > 2)
        return TM_OK;
    if (!class_texts_set(&reader->classes, reader->store.rows, field->text, field->length))
        return input_fail_memory(reader->in, "classes of the rows");
    count = class_texts_count(&reader->classes);
    bool mixed = reader->text_line > 0 && reader->number_line > 0;
    return (mixed && count > 2) || count > TM_CLASSES_MOST ? fail_classes(reader, field) : TM_OK;
}

static tm_status read_response(csv_reader *reader, const csv_field *field)
{
    if (is_missing(field)) {
        if (reader->request->missing != MISSING_DROP)
            return fail_missing(reader, field, "response");
        reader->drop = true;
        return TM_OK;
    }
    if (memchr(field->text, '\0', field->length))
        return fail_cell(reader, field, "the response holds a NUL byte; expected text");
    number_kind kind = cell_number(reader, field, &reader->y);
    if (kind == NUMBER_NOT_FINITE)
        return fail_not_finite(reader, field);
    return remember_class(reader, field, kind == NUMBER_MALFORMED);
}

/* --- rows ---------------------------------------------------------------------------------- */

static tm_status read_cell(csv_reader *reader, const csv_field *field)
{
    if (field->number > reader->columns || (field->last && field->number < reader->columns))
        return input_fail(reader->in, field->line, field->number,
                          "the row has %s fields than the %zu of line %llu",
                          field->number > reader->columns ? "more" : "fewer", reader->columns,
                          (unsigned long long)reader->first.line);
    return field->number == reader->response + 1 ? read_response(reader, field)
                                                 : read_feature(reader, field);
}

static tm_status end_row(csv_reader *reader)
{
    if (reader->drop) {
        row_store_drop_row(&reader->store);
        reader->drop = false;
        reader->dropped++;
        return TM_OK;
    }
    if (reader->store.rows == UINT32_MAX)
        return input_fail_whole(reader->in, "more than %u rows", UINT32_MAX);
    if (!row_store_end_row(&reader->store, reader->y))
        return input_fail_memory(reader->in, "rows of the data");
    return TM_OK;
}

/* Tables that people have often hold several columns of text: one message names them all. */
static tm_status check_text_columns(csv_reader *reader, const csv_record *record)
{
    char names[300] = "";
    size_t count = 0, used = 0, first = 0;
    bool all_named = true;
    for (size_t i = 0; i < record->count && i < reader->columns; i++) {
        const csv_field *field = &record->fields[i];
        double value;
        if (i == reader->response || is_missing(field) ||
            cell_number(reader, field, &value) != NUMBER_MALFORMED)
            continue;
        input_quote name = column_name(reader, i + 1);
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
                      "%zu columns of features are text: %s%s; remove them, or choose text = "
                      "onehot",
                      count, names, all_named ? "" : ", ...");
}

static tm_status read_held(csv_reader *reader, const csv_record *record)
{
    tm_status status = reader->words.kinds ? TM_OK : check_text_columns(reader, record);
    for (size_t i = 0; i < record->count && status == TM_OK; i++)
        status = read_cell(reader, &record->fields[i]);
    return status == TM_OK ? end_row(reader) : status;
}

/* Features as nearly all are: short numbers, each with a separator right behind it. Stops at whatever is
 * written otherwise. */
static tm_status read_short_cells(csv_reader *reader, csv_field *field)
{
    input *in = reader->in;
    const char *at, *end;
    double value;
    input_need(in);
    for (at = in->cur; in->end - at > DIGITS_ROOM && field->number + 1 < reader->columns;
         at = end + 1) {
        if (field->number == reader->response || !(end = digits_number(at, &value)) ||
            *end != reader->separator)
            break;
        field->number++;
        if (!row_store_add(&reader->store, (uint32_t)feature_of(reader, field), value))
            return input_fail_memory(in, "entries of the data");
    }
    in->cur += at - in->cur;
    return TM_OK;
}

static tm_status read_row(csv_reader *reader)
{
    csv_field field = {0};
    while (!field.last) {
        if (!reader->words.kinds) {
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

/* --- header and columns -------------------------------------------------------------------- */

/* The first record is a header when none of its fields is a number, or when a field of it is text
 * above a number. */
static bool looks_like_header(const csv_reader *reader)
{
    const csv_record *first = &reader->first;
    const csv_record *second = &reader->second;
    bool any_number = false;
    for (size_t i = 0; i < first->count; i++) {
        double value;
        bool number = cell_number(reader, &first->fields[i], &value) != NUMBER_MALFORMED;
        any_number |= number;
        if (!number && !is_missing(&first->fields[i]) && i < second->count &&
            cell_number(reader, &second->fields[i], &value) == NUMBER_FINITE)
            return true;
    }
    return !any_number;
}

static bool same_name(const csv_field *field, const char *name, bool ignore_case)
{
    if (strlen(name) != field->length)
        return false;
    return ignore_case ? strncasecmp(field->text, name, field->length) == 0
                       : memcmp(field->text, name, field->length) == 0;
}

/* How many columns have this name; *place is the first of them. */
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

static const char *const usual[] = {"y", "label", "class", "target", "response"};
enum { USUAL = sizeof usual / sizeof usual[0] };

bool read_csv_usual_response(const char *name)
{
    for (size_t i = 0; i < USUAL; i++)
        if (strcasecmp(usual[i], name) == 0)
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
    for (size_t i = 0; i < USUAL; i++)
        if (find_name(reader, usual[i], true, &reader->response) > 0)
            return TM_OK;
    reader->response = reader->columns - 1;
    return TM_OK;
}

static tm_status read_first_lines(csv_reader *reader)
{
    input *in = reader->in;
    if (!csv_at_record(in))
        return input_status(in) != TM_OK
                   ? input_status(in)
                   : input_fail_whole(in, "no rows; expected a table of numbers");
    input_fill(in, SNIFFED_BYTES);
    reader->separator = csv_find_separator(in);
    bool apart = reader->request->response_apart;
    if (reader->separator == 0 && apart)
        reader->separator = ',';
    if (reader->separator == 0)
        return input_fail(in, in->line, 1,
                          "one column only; expected a response and features, separated by commas, "
                          "semicolons or tabs");
    tm_status status = record_read(&reader->first, reader);
    if (status == TM_OK && csv_at_record(in))
        status = record_read(&reader->second, reader);
    if (status != TM_OK)
        return status;
    reader->columns = reader->first.count;
    reader->has_header = reader->request->header == HEADER_YES ||
                         (reader->request->header == HEADER_AUTO && looks_like_header(reader));
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
    size_t features = reader->columns - (reader->response != NO_COLUMN);
    if (found == TM_OK && reader->request->one_hot && !csv_texts_init(&reader->words, features))
        return input_fail_memory(in, "texts of the data");
    return found;
}

/* --- the result ---------------------------------------------------------------------------- */

static tm_status finish_classes(csv_reader *reader, tm_dataset_parts *parts, tm_error *err)
{
    const char *only;
    if (reader->text_line == 0)
        return TM_OK;
    tm_status status = class_texts_finish(&reader->classes, reader->store.y, reader->store.rows,
                                          parts, &only, err);
    if (status != TM_OK || !only)
        return status;
    return input_fail_whole(reader->in,
                            "the response is \"%s\" in every row; expected classes, or numbers%s",
                            input_quoted(only, strlen(only)).text,
                            reader->request->label ? "" : "; name the response column with label");
}

/* A column without a name gets the one that a file without a header would give it. */
static char *name_of_feature(const csv_field *field, size_t feature, const char *text)
{
    char numbered[32], *name = NULL;
    snprintf(numbered, sizeof numbered, "X%zu", feature + 1);
    const char *column = field->length > 0 ? field->text : numbered;
    size_t length = field->length > 0 ? field->length : strlen(numbered);
    if (!text)
        return copy_text(column, length);
    return asprintf(&name, "%.*s=%s", (int)length, column, text) < 0 ? NULL : name;
}

/* The column (the response not counted) that feature j of the result comes from, and the text that it
 * stands for, or NULL. */
static size_t origin_of(const csv_reader *reader, size_t j)
{
    const csv_texts *texts = &reader->words;
    if (!texts->kinds)
        return j;
    return j < texts->count ? texts->origin[j] : j - texts->count + texts->features;
}

static const char *text_of(const csv_reader *reader, size_t j)
{
    return reader->words.kinds && j < reader->words.count ? reader->words.texts[j] : NULL;
}

static tm_status finish_names(csv_reader *reader, tm_dataset_parts *parts, size_t p)
{
    if (!reader->has_header && reader->words.text_count == 0)
        return TM_OK;
    if (reader->has_header && reader->response != NO_COLUMN) {
        const csv_field *response = &reader->first.fields[reader->response];
        parts->response_name = copy_text(response->text, response->length);
        if (!parts->response_name)
            return input_fail_memory(reader->in, "name of the response");
    }
    parts->feature_names = calloc(p, sizeof *parts->feature_names);
    bool complete = parts->feature_names != NULL;
    static const csv_field unnamed = {0};
    for (size_t j = 0; complete && j < p; j++) {
        size_t column = origin_of(reader, j);
        size_t place = column + (column >= reader->response);
        const csv_field *field =
            reader->has_header && place < reader->columns ? &reader->first.fields[place] : &unnamed;
        parts->feature_names[j] = name_of_feature(field, column, text_of(reader, j));
        complete = parts->feature_names[j] != NULL;
    }
    return complete ? TM_OK : input_fail_memory(reader->in, "names of the features");
}

static tm_status finish_missing(csv_reader *reader)
{
    size_t empty = SIZE_MAX;
    if (reader->store.rows == 0 && reader->dropped > 0)
        return input_fail_whole(reader->in, "every row has a missing value: missing = drop leaves "
                                            "nothing");
    if (reader->words.kinds && !csv_texts_finish(&reader->words, &reader->store))
        return input_fail_memory(reader->in, "texts of the data");
    if (reader->request->missing != MISSING_MEAN)
        return TM_OK;
    size_t width = reader->words.kinds ? reader->words.count : reader->columns;
    if (!row_store_fill_means(&reader->store, width, &reader->filled, &empty))
        return input_fail_memory(reader->in, "means of the columns");
    if (empty == SIZE_MAX)
        return TM_OK;
    if (reader->words.kinds)
        empty = reader->words.origin[empty];
    size_t number = empty + 1 + (empty >= reader->response);
    input_quote name = column_name(reader, number);
    return input_fail_whole(reader->in,
                            "column %zu%s%s%s has no value: missing = mean cannot fill "
                            "it; remove the column",
                            number, name.text[0] ? " (\"" : "", name.text,
                            name.text[0] ? "\")" : "");
}

/* Appends what was done to missing values. */
static void note_missing(const csv_reader *reader, char *note, size_t size)
{
    size_t used = strlen(note);
    if (reader->dropped > 0)
        snprintf(note + used, size - used, "\nmissing: %llu rows left out",
                 (unsigned long long)reader->dropped);
    else if (reader->filled > 0)
        snprintf(note + used, size - used, "\nmissing: %llu values set to the mean of their column",
                 (unsigned long long)reader->filled);
}

static void note_texts(const csv_reader *reader, char *note, size_t size)
{
    size_t used = strlen(note);
    if (reader->words.text_count > 0)
        snprintf(note + used, size - used, "\ntext: %zu columns became %zu indicators",
                 reader->words.text_count,
                 reader->words.count - (reader->words.features - reader->words.text_count));
}

static void write_note(const csv_reader *reader, char *note, size_t size)
{
    const char *separator = reader->separator == '\t'  ? "tab"
                            : reader->separator == ';' ? "semicolon"
                                                       : "comma";
    int used = snprintf(note, size, "format: CSV, separator %s, %s", separator,
                        reader->has_header ? "names in the first line" : "no header");
    if (reader->response == NO_COLUMN)
        return;
    input_quote name = column_name(reader, reader->response + 1);
    const char *mark = name.text[0] ? "\"" : "";
    snprintf(note + used, size - (size_t)used, "\nresponse: column %zu of %zu%s%s%s%s%s",
             reader->response + 1, reader->columns, name.text[0] ? ", " : "", mark, name.text, mark,
             reader->request->label ? "" : " (chosen by default)");
}

static tm_status finish(csv_reader *reader, read_result *result, tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    bool apart = reader->response == NO_COLUMN;
    tm_status status = finish_missing(reader);
    size_t p = reader->words.kinds ? reader->words.count : reader->columns - !apart;
    if (reader->request->features > p)
        p = reader->request->features;
    if (status == TM_OK)
        status = finish_classes(reader, parts, err);
    if (status == TM_OK)
        status = row_store_matrix(&parts->x, &reader->store, p, err);
    if (status == TM_OK)
        status = finish_names(reader, parts, p);
    result->complete = !apart;
    if (!apart) {
        parts->y = reader->store.y;
        reader->store.y = NULL;
    }
    write_note(reader, result->note, sizeof result->note);
    note_missing(reader, result->note, sizeof result->note);
    note_texts(reader, result->note, sizeof result->note);
    return status;
}

tm_status read_csv(read_result *result, input *in, const read_request *request, tm_error *err)
{
    csv_reader reader = {.in = in, .request = request};
    tm_status status = number_parser_init(&reader.numbers, err);
    if (status == TM_OK)
        status = read_first_lines(&reader);
    if (status == TM_OK)
        status = read_rows(&reader);
    if (status == TM_OK)
        status = finish(&reader, result, err);
    record_clear(&reader.first);
    record_clear(&reader.second);
    row_store_clear(&reader.store);
    csv_texts_clear(&reader.words);
    number_parser_clear(&reader.numbers);
    class_texts_clear(&reader.classes);
    return status;
}
