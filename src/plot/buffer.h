/* A growing text buffer; a failed allocation is recorded and reported when the text is taken. */
#ifndef PLOT_BUFFER_H
#define PLOT_BUFFER_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct plot_buffer {
    char *data;
    size_t length, capacity;
    bool failed;
} plot_buffer;

#define PLOT_BUFFER_INIT                                                                           \
    {                                                                                              \
        NULL, 0, 0, false                                                                          \
    }

void plot_buffer_bytes(plot_buffer *buffer, const char *bytes, size_t count);
void plot_buffer_text(plot_buffer *buffer, const char *text);
/* printf with less than 256 bytes of output; not for real numbers, whose format depends on the
 * locale. */
void plot_buffer_format(plot_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Passes the NUL-terminated text to the caller, or frees it if memory ran out. */
tm_status plot_buffer_take(plot_buffer *buffer, char **out, tm_error *err);
void plot_buffer_free(plot_buffer *buffer);

#endif
