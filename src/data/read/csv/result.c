/* What becomes of the rows of a CSV file. */
#include "base/text.h"
#include "data/read/csv/reader.h"
#include "tamis/classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        return text_part(column, length);
    return asprintf(&name, "%.*s=%s", (int)length, column, text) < 0 ? NULL : name;
}

/* The column (the response not counted) that feature j of the result comes from, and the text that
 * it stands for, or NULL. */
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
        parts->response_name = text_part(response->text, response->length);
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
    if (read_missing_option(reader->request) != MISSING_MEAN)
        return TM_OK;
    size_t width = reader->words.kinds ? reader->words.count : reader->columns;
    if (!row_store_fill_means(&reader->store, width, &reader->filled, &empty))
        return input_fail_memory(reader->in, "means of the columns");
    if (empty == SIZE_MAX)
        return TM_OK;
    if (reader->words.kinds)
        empty = reader->words.origin[empty];
    size_t number = empty + 1 + (empty >= reader->response);
    input_quote name = csv_column_name(reader, number);
    return input_fail_whole(reader->in,
                            "column %zu%s%s%s has no value: missing = mean cannot fill "
                            "it; remove the column",
                            number, name.text[0] ? " (\"" : "", name.text,
                            name.text[0] ? "\")" : "");
}

/* What was done to missing values, as a fact and as a line of the note. */
static void note_missing(const csv_reader *reader, read_result *result)
{
    char *fact = result->parts.reading.missing, *note = result->note;
    size_t size = sizeof result->parts.reading.missing, used = strlen(note);
    if (reader->dropped > 0)
        snprintf(fact, size, "%llu row%s left out", (unsigned long long)reader->dropped,
                 reader->dropped == 1 ? "" : "s");
    else if (reader->filled > 0)
        snprintf(fact, size, "%llu value%s set to the mean of the column",
                 (unsigned long long)reader->filled, reader->filled == 1 ? "" : "s");
    if (fact[0])
        snprintf(note + used, sizeof result->note - used, "\nmissing: %s", fact);
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
    input_quote name = csv_column_name(reader, reader->response + 1);
    const char *mark = name.text[0] ? "\"" : "";
    snprintf(note + used, size - (size_t)used, "\nresponse: column %zu of %zu%s%s%s%s%s",
             reader->response + 1, reader->columns, name.text[0] ? ", " : "", mark, name.text, mark,
             reader->request->label ? "" : " (chosen by default)");
}

tm_status csv_finish(csv_reader *reader, read_result *result, tm_error *err)
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
    note_missing(reader, result);
    note_texts(reader, result->note, sizeof result->note);
    return status;
}
