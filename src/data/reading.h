/* Functions with which a reader fills in a tm_reading. */
#ifndef DATA_READING_H
#define DATA_READING_H

#include "tamis/reading.h"

#include <stdbool.h>

/* Allocates the features, without content, unless they exist; false when memory ran out. */
bool reading_make_room(tm_reading *reading, size_t count);

/* Adds an option that concerns the columns; false when memory ran out. */
bool reading_add_option(tm_reading *reading, const char *name, const char *value);

/* Removes feature j, which has been removed from the data. */
void reading_drop(tm_reading *reading, size_t j);

#endif
