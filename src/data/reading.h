/* What a reader fills in. */
#ifndef DATA_READING_H
#define DATA_READING_H

#include "tamis/reading.h"

#include <stdbool.h>

/* Room for the features, of which nothing is known, unless there is some; false when memory ran
 * out. */
bool reading_make_room(tm_reading *reading, size_t count);

/* An option that concerns the columns; false when memory ran out. */
bool reading_add_option(tm_reading *reading, const char *name, const char *value);

/* Forgets feature j, which has left the data. */
void reading_drop(tm_reading *reading, size_t j);

#endif
