/* Horizontal bars made of characters. */
#ifndef TUI_WIDGETS_BARS_H
#define TUI_WIDGETS_BARS_H

#include "tui/terminal/terminal.h"

/* A bar over `share` (0..1) of `width` columns, in eighths of a cell where the terminal has them. A
 * share above zero is always visible. `light` is a second pattern, for distinctions that must not
 * depend on colour alone (a negative sign, the other class). */
void bar_draw(terminal *t, int row, int col, int width, double share, int colour, bool light);

#endif
