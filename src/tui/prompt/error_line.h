/* The line of source that an error's message points at. */
#ifndef TUI_PROMPT_ERROR_LINE_H
#define TUI_PROMPT_ERROR_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* "  3 | x = nil + 1" for a message "FILE:3: ..." or, of the chunk typed last, "prompt:3: ...";
 * false when it points nowhere, the line cannot be had, or the chunk has one line only. */
bool error_line(const char *message, const char *chunk, char *out, size_t size);

#endif
