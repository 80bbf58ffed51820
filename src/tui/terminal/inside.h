/* The inside of a terminal: its life, sizes and colours (curses.c), what is put into its cells
 * (draw.c). */
#ifndef TUI_TERMINAL_INSIDE_H
#define TUI_TERMINAL_INSIDE_H

#include "tui/terminal/terminal.h"
#include "tui/terminal/theme.h"

#include <curses.h>

enum {
    PAIR_ROLE = 1,                       /* a pair for each role */
    PAIR_SHADE = PAIR_ROLE + ROLE_COUNT, /* a pair for each two shades: letters, and the ground */
    SHADES = 2 * PLOT_SHADES + 2,        /* the first is the terminal's own colour */
    PAIRS = PAIR_SHADE + SHADES * SHADES,
};

struct terminal {
    tty *device;   /* NULL: there is no terminal */
    FILE *nowhere; /* in its place */
    SCREEN *curses;
    bool utf8, coloured, mouse, prompt_mode;
    bool shades;          /* it has the colours of pictures */
    plot_colours colours; /* what the terminal has, and was asked for */
    theme theme;
    int rows, cols;
    int cursor_row, cursor_col;
};

/* Of draw.c. */

/* curses never writes the last cell of a terminal that would scroll; on one of a single cell
 * nothing would be seen. */
void terminal_show_single_cell(const terminal *t);

#endif
