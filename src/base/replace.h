/* Writing a file so that a failure leaves the old one: into a new file beside it, renamed at the
 * end. What is not a regular file (a device, a pipe) is written in place. */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include "tamis/error.h"

#include <stdio.h>

typedef struct replacement {
    FILE *stream;     /* to be written to */
    const char *path; /* the caller's, valid until replace_end */
    char *beside;     /* the name it has until then; NULL: written in place */
} replacement;

/* TM_EIO names the path and the system's reason. */
tm_status replace_begin(replacement *r, const char *path, tm_error *err);

/* Closes the stream. When `status`, the writer's own outcome, is TM_OK and everything was written,
 * the file takes its place; otherwise it is removed. Returns `status`, or TM_EIO. */
tm_status replace_end(replacement *r, tm_status status, tm_error *err);

#endif
