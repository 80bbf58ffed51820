/* What becomes of the rows of a CSV file. */
#include "base/text.h"
#include "data/read/csv/like.h"
#include "data/reading.h"
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
        size_t place = csv_place_of(reader, column);
        const csv_field *field =
            reader->has_header && place < reader->columns ? &reader->first.fields[place] : &unnamed;
        parts->feature_names[j] = name_of_feature(field, column, text_of(reader, j));
        complete = parts->feature_names[j] != NULL;
    }
    return complete ? TM_OK : input_fail_memory(reader->in, "names of the features");
}

/* How each feature was made, when some are texts. */
static tm_status finish_reading(const csv_reader *reader, tm_reading *reading)
{
    if (reader->words.text_count == 0)
        return TM_OK;
    if (!reading_make_room(reading, reader->words.count))
        return input_fail_memory(reader->in, "texts of the data");
    for (size_t j = 0; j < reader->words.count; j++) {
        tm_reading_feature *feature = &reading->features[j];
        size_t column = origin_of(reader, j);
        const char *text = text_of(reader, j);
        feature->number = column + 1;
        feature->level = text_copy(text);
        if (reader->has_header)
            feature->column =
                name_of_feature(&reader->first.fields[csv_place_of(reader, column)], column, NULL);
        if ((text && !feature->level) || (reader->has_header && !feature->column))
            return input_fail_memory(reader->in, "texts of the data");
    }
    return TM_OK;
}

static tm_status finish_columns(csv_reader *reader)
{
    if (reader->store.rows == 0 && reader->dropped > 0)
        return input_fail_whole(reader->in, "every row has a missing value: missing = drop leaves "
                                            "nothing");
    if (reader->words.kinds && !csv_texts_finish(&reader->words, &reader->store))
        return input_fail_memory(reader->in, "texts of the data");
    return TM_OK;
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
                            : reader->separator == ' ' ? "blank"
                                                       : "comma";
    int used = snprintf(note, size, "format: CSV, separator %s, %s%s", separator,
                        reader->has_header ? "names in the first line" : "no header",
                        reader->row_names ? "\nleft out: column 1, which has no name and names or "
                                            "numbers the rows"
                                          : "");
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
    tm_status status = finish_columns(reader);
    size_t p = reader->words.kinds ? reader->words.count : csv_feature_count(reader);
    if (reader->request->features > p)
        p = reader->request->features;
    if (status == TM_OK)
        status = finish_classes(reader, parts, err);
    if (status == TM_OK)
        status = row_store_matrix(&parts->x, &reader->store, p, err);
    if (status == TM_OK)
        status = finish_names(reader, parts, p);
    if (status == TM_OK)
        status = finish_reading(reader, parts->reading);
    if (status == TM_OK && !csv_keep_file(reader, &parts->reading->file))
        status = input_fail_memory(reader->in, "what the table is like");
    result->complete = !apart;
    if (!apart) {
        parts->y = reader->store.y;
        reader->store.y = NULL;
    }
    write_note(reader, result->note, sizeof result->note);
    result->left_out = reader->left_out;
    result->left_out_count = reader->dropped;
    reader->left_out = NULL;
    note_texts(reader, result->note, sizeof result->note);
    return status;
}
