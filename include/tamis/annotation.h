/* Annotations of runs and sweeps by the user: tags, which are words, and a note. */
#ifndef TAMIS_ANNOTATION_H
#define TAMIS_ANNOTATION_H

#include "tamis/error.h"

#include <stdbool.h>

typedef struct tm_annotation {
    char *tags; /* words with single blanks between them; NULL: none */
    char *note; /* NULL: none */
} tm_annotation;

/* Adds the tag unless it exists already. TM_EUSAGE: it is not a word (without blanks, commas and
 * control characters) of 1 to 64 bytes. Unchanged on failure. */
tm_status tm_annotation_add(tm_annotation *annotation, const char *tag, tm_error *err);
/* Removes the tag; false when it does not exist. */
bool tm_annotation_remove(tm_annotation *annotation, const char *tag);
/* Sets the note; NULL or an empty text removes it. */
tm_status tm_annotation_set_note(tm_annotation *annotation, const char *note, tm_error *err);
/* `from` NULL: makes an empty annotation. Freed with tm_annotation_clear, also after a failure. */
tm_status tm_annotation_copy(tm_annotation *out, const tm_annotation *from, tm_error *err);
void tm_annotation_clear(tm_annotation *annotation);

#endif
