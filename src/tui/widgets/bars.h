/* Horizontal bars made of characters. */
#ifndef TUI_WIDGETS_BARS_H
#define TUI_WIDGETS_BARS_H

#include "tui/terminal/terminal.h"

/* A bar over `share` (0..1) of `width` columns, in eighths of a cell where the terminal has them.
 * What is above zero is never invisible. `light` is another pattern, for what the colour alone must
 * not tell (a negative sign, the other class). */
void bar_draw(terminal *t, int row, int col, int width, double share, int colour, bool light);

#endif
