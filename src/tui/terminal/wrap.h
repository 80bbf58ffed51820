/* Text broken into rows at blanks. */
#ifndef TUI_TERMINAL_WRAP_H
#define TUI_TERMINAL_WRAP_H

#include "tui/terminal/terminal.h"

/* The number of bytes of text[0..length) that go into a row of `cols` columns; `*skip` is the
 * number to omit before the next row (the blank at the break). At least one byte while there are
 * any. A word that is longer than half a row is broken where the row ends. */
size_t wrap_part(const char *text, size_t length, int cols, bool utf8, size_t *skip);
/* Rows that the text takes. */
int wrap_rows(const char *text, size_t length, int cols, bool utf8);
/* Draws as much as fits into the area; returns the number of rows used. */
int wrap_draw(terminal *t, rect area, terminal_style style, const char *text);

#endif
