/* What was printed: a bounded list of lines. */
#ifndef TUI_PROMPT_SCROLLBACK_H
#define TUI_PROMPT_SCROLLBACK_H

#include <stddef.h>
#include <stdint.h>

typedef enum line_kind {
    LINE_OUTPUT, /* print, and values at the prompt */
    LINE_INPUT,  /* what was typed */
    LINE_ERROR,
    LINE_STRAY, /* anything else written to stdout or stderr */
    LINE_NOTE,  /* messages of the workbench */
} line_kind;

typedef struct scrollback scrollback;

/* Keeps the last `capacity` lines; NULL when memory ran out. */
scrollback *scrollback_new(size_t capacity);
void scrollback_free(scrollback *sb);

/* Appends text; a newline ends a line, and an unfinished line is continued by the next text of the
 * same kind. When memory runs out, the text is dropped. */
void scrollback_add(scrollback *sb, line_kind kind, const char *text, size_t length);
/* Lines are numbered from 0 since the start; those in [first, end) are still there. */
uint64_t scrollback_first(const scrollback *sb);
uint64_t scrollback_end(const scrollback *sb);
const char *scrollback_line(const scrollback *sb, uint64_t number, size_t *length, line_kind *kind);

#endif
