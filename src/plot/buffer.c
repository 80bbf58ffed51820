#include "plot/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(plot_buffer *buffer, size_t more)
{
    if (buffer->failed)
        return false;
    size_t need;
    if (__builtin_add_overflow(buffer->length + 1, more, &need)) {
        buffer->failed = true;
        return false;
    }
    if (need <= buffer->capacity)
        return true;
    size_t capacity = need < 256 ? 256 : need + need / 2;
    char *grown = realloc(buffer->data, capacity);
    if (!grown) {
        buffer->failed = true;
        return false;
    }
    buffer->data = grown;
    buffer->capacity = capacity;
    return true;
}

void plot_buffer_bytes(plot_buffer *buffer, const char *bytes, size_t count)
{
    if (!make_room(buffer, count))
        return;
    memcpy(buffer->data + buffer->length, bytes, count);
    buffer->length += count;
    buffer->data[buffer->length] = 0;
}

void plot_buffer_text(plot_buffer *buffer, const char *text)
{
    plot_buffer_bytes(buffer, text, strlen(text));
}

void plot_buffer_format(plot_buffer *buffer, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    plot_buffer_text(buffer, text);
}

tm_status plot_buffer_take(plot_buffer *buffer, char **out, tm_error *err)
{
    if (!make_room(buffer, 0)) {
        plot_buffer_free(buffer);
        *out = NULL;
        return tm_fail_memory(err, "a plot's text");
    }
    buffer->data[buffer->length] = 0;
    *out = buffer->data;
    *buffer = (plot_buffer)PLOT_BUFFER_INIT;
    return TM_OK;
}

void plot_buffer_free(plot_buffer *buffer)
{
    free(buffer->data);
    *buffer = (plot_buffer)PLOT_BUFFER_INIT;
}
