/* The internals of a terminal: opening, sizes and colours (curses.c), drawing into its cells
 * (draw.c). */
#ifndef TUI_TERMINAL_INSIDE_H
#define TUI_TERMINAL_INSIDE_H

#include "tui/terminal/terminal.h"
#include "tui/terminal/theme.h"

#include <curses.h>

enum {
    PAIR_ROLE = 1,                       /* a pair for each role */
    PAIR_SHADE = PAIR_ROLE + ROLE_COUNT, /* a pair for each combination of two shades: foreground
                                          * and background */
    SHADES = 2 * PLOT_SHADES + 2,        /* the first is the terminal's own colour */
    PAIRS = PAIR_SHADE + SHADES * SHADES,
};

struct terminal {
    tty *device;   /* NULL: there is no terminal */
    FILE *nowhere; /* used instead of a device */
    SCREEN *curses;
    bool utf8, coloured, mouse, prompt_mode;
    bool shades;          /* it has the colours that pictures need */
    plot_colours colours; /* the colours that the terminal has and that were requested */
    theme theme;
    int rows, cols;
    int cursor_row, cursor_col;
};

/* Defined in draw.c. */

/* curses never writes the last cell of a terminal that would scroll, so a screen of a single cell
 * would stay empty. */
void terminal_show_single_cell(const terminal *t);

#endif
