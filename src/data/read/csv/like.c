#include "data/read/csv/like.h"

#include "base/text.h"
#include "data/read/common/like.h"

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

static bool column_is_called(const void *reader, size_t place, const char *name)
{
    return is_called(&((const csv_reader *)reader)->first.fields[place], name);
}

tm_status csv_like_response(csv_reader *reader, bool *found)
{
    like_place where;
    const like_columns columns = {.in = reader->in,
                                  .count = reader->columns,
                                  .named = reader->has_header,
                                  .is_called = column_is_called,
                                  .of = reader};
    size_t place;
    tm_status status = like_response(&where, &place, reader->request, &columns);
    *found = where != LIKE_UNKNOWN;
    reader->response = where == LIKE_COLUMN ? place : NO_COLUMN;
    return status;
}

/* ---- the record for later tables ------------------------------------------------------------- */

bool csv_keep_file(const csv_reader *reader, tm_reading_file *file)
{
    bool apart = reader->response == NO_COLUMN;
    file->fields = reader->columns;
    file->header = reader->has_header;
    file->unlabelled = reader->table.lacks || (apart && reader->request->may_lack);
    file->apart = apart;
    file->place = apart ? 0 : reader->response;
    if (apart || !reader->has_header)
        return true;
    const csv_field *field = &reader->first.fields[reader->response];
    file->response = text_part(field->text, field->length);
    return file->response != NULL;
}
