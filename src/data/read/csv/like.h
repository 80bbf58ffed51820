/* A table that is read like another: its header and its response. */
#ifndef DATA_READ_CSV_LIKE_H
#define DATA_READ_CSV_LIKE_H

#include "data/read/csv/reader.h"

/* Whether the first record holds names that the other table has. */
bool csv_like_names(const csv_reader *reader);
/* Sets the response and *found where the other table decides it; it may find that there is none. */
tm_status csv_like_response(csv_reader *reader, bool *found);

/* What the next table needs to be read like this one. False when memory ran out. */
bool csv_keep_file(const csv_reader *reader, tm_reading_file *file);

#endif
