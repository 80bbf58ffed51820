/* Writes a file so that a failure keeps the old one: to a temporary file in the same folder,
 * renamed at the end. A path that is not a regular file (a device, a pipe) is written in place. */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include "tamis/error.h"

#include <stdio.h>

typedef struct replacement {
    FILE *stream;     /* the stream to write to */
    const char *path; /* the caller's; must be valid until replace_end */
    char *beside;     /* temporary name until then; NULL: written in place */
} replacement;

/* TM_EIO tells the path and the system's reason. */
tm_status replace_begin(replacement *r, const char *path, tm_error *err);

/* Closes the stream. If `status`, the result of writing, is TM_OK and everything was written, the
 * file replaces the old one; otherwise it is removed. Returns `status`, or TM_EIO. */
tm_status replace_end(replacement *r, tm_status status, tm_error *err);

#endif
