/* Text broken into rows at blanks. */
#ifndef TUI_TERMINAL_WRAP_H
#define TUI_TERMINAL_WRAP_H

#include "tui/terminal/terminal.h"

/* Bytes of text[0..length) that go into a row of `cols` columns, and those (`*skip`) to leave out
 * before the next row: the blank at which it was broken. At least one byte while there are any. A
 * word that is longer than half a row is broken where the row ends. */
size_t wrap_part(const char *text, size_t length, int cols, bool utf8, size_t *skip);
/* Rows that the text takes. */
int wrap_rows(const char *text, size_t length, int cols, bool utf8);
/* Draws as much as there are rows; returns the rows used. */
int wrap_draw(terminal *t, rect area, terminal_style style, const char *text);

#endif
