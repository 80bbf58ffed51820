/* Vectors given as text: one number for all items (features or rows), one number for each item, or
 * numbers by name for some items. */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

#include "tamis/params.h"

/* A copy whose parts are malloc'ed and freed by vector_free. */
tm_status vector_copy(tm_vector *out, const tm_vector *from, tm_error *err);
void vector_free(tm_vector *vector);

/* Reads "2", "1,0,3" or "NAME=2,OTHER=0"; any other text is the name of a file with a number, or a
 * name and a number, on each line. Blank lines and lines that begin with '#' are skipped. TM_EUSAGE
 * describes the error, with file and line; `what` is the name of the parameter. */
tm_status vector_read(tm_vector *out, const char *what, const char *text, tm_error *err);

/* The text that vector_read reads back; returns its length like snprintf. */
size_t vector_format(const tm_vector *vector, char *buffer, size_t size);

#endif
