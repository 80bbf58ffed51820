/* The line of source that an error's message points at. */
#ifndef TUI_PROMPT_ERROR_LINE_H
#define TUI_PROMPT_ERROR_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes "  3 | x = nil + 1" for a message "FILE:3: ..." or, for the last chunk typed, "prompt:3:
 * ..."; false when the message names no line, the line cannot be read, or the chunk has only one
 * line. */
bool error_line(const char *message, const char *chunk, char *out, size_t size);

#endif
