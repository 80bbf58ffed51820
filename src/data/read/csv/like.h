/* Reads a table like another one: its header and its response. */
#ifndef DATA_READ_CSV_LIKE_H
#define DATA_READ_CSV_LIKE_H

#include "data/read/csv/reader.h"

/* Whether the first record contains names of the other table. */
bool csv_like_names(const csv_reader *reader);
/* Sets the response and *found if the other table determines it; this may be that there is no
 * response. */
tm_status csv_like_response(csv_reader *reader, bool *found);

/* Records what a later table needs to be read like this one. False when memory ran out. */
bool csv_keep_file(const csv_reader *reader, tm_reading_file *file);

#endif
