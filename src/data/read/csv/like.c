#include "data/read/csv/like.h"

#include "base/text.h"

#include <string.h>

/* The file record of the reading to imitate, if that was a table too, else NULL. */
static const tm_reading_file *like_of(const csv_reader *reader)
{
    const tm_reading *like = reader->request->like;
    return like && like->file.fields > 0 ? &like->file : NULL;
}

static bool is_called(const csv_field *field, const char *name)
{
    return name && strlen(name) == field->length && memcmp(field->text, name, field->length) == 0;
}

bool csv_like_names(const csv_reader *reader)
{
    const tm_reading_file *file = like_of(reader);
    if (!file || !file->header)
        return false;
    for (size_t i = 0; i < reader->first.count; i++) {
        const csv_field *field = &reader->first.fields[i];
        if (field->length == 0)
            continue;
        if (is_called(field, file->response))
            return true;
        for (size_t j = 0; j < reader->request->like->count; j++)
            if (is_called(field, reader->request->like->features[j].column))
                return true;
    }
    return false;
}

/* ---- the response -------------------------------------------------------------------------- */

static tm_status lack_response(csv_reader *reader, const tm_reading_file *file)
{
    if (reader->request->may_lack) {
        reader->response = NO_COLUMN;
        return TM_OK;
    }
    return input_fail_whole(reader->in,
                            "no column \"%s\", which the training data have for the response; name "
                            "the response column with label",
                            input_quoted(file->response, strlen(file->response)).text);
}

/* The position of the column with the response's name: the original one, or the only one. */
static tm_status find_named(csv_reader *reader, const tm_reading_file *file)
{
    size_t count = 0;
    if (file->place < reader->columns &&
        is_called(&reader->first.fields[file->place], file->response)) {
        reader->response = file->place;
        return TM_OK;
    }
    for (size_t i = 0; i < reader->columns; i++)
        if (is_called(&reader->first.fields[i], file->response) && count++ == 0)
            reader->response = i;
    if (count == 1)
        return TM_OK;
    if (count == 0)
        return lack_response(reader, file);
    return input_fail_whole(reader->in,
                            "%zu columns are called \"%s\"; give the response's number as label",
                            count, input_quoted(file->response, strlen(file->response)).text);
}

tm_status csv_like_response(csv_reader *reader, bool *found)
{
    const tm_reading_file *file = like_of(reader);
    *found = false;
    if (!file)
        return TM_OK;
    if (file->apart) {
        *found = reader->request->may_lack;
        return *found ? lack_response(reader, file) : TM_OK;
    }
    *found = true;
    if (reader->has_header && file->header)
        return find_named(reader, file);
    if (reader->columns == file->fields)
        reader->response = file->place;
    else if (reader->columns + 1 == file->fields && reader->request->may_lack)
        return lack_response(reader, file);
    else
        return input_fail_whole(reader->in,
                                "%zu columns; the training data have %zu, the response among them",
                                reader->columns, file->fields);
    return TM_OK;
}

/* ---- the record for later tables ------------------------------------------------------------- */

bool csv_keep_file(const csv_reader *reader, tm_reading_file *file)
{
    bool apart = reader->response == NO_COLUMN;
    file->fields = reader->columns;
    file->header = reader->has_header;
    file->unlabelled = apart && reader->request->may_lack && !reader->request->response_apart;
    file->apart = apart;
    file->place = apart ? 0 : reader->response;
    if (apart || !reader->has_header)
        return true;
    const csv_field *field = &reader->first.fields[reader->response];
    file->response = text_part(field->text, field->length);
    return file->response != NULL;
}
