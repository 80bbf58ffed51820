/* The terminal as a screen of cells: the only module that calls curses and handles colours. */
#ifndef TUI_TERMINAL_TERMINAL_H
#define TUI_TERMINAL_TERMINAL_H

#include "plot/figure.h"
#include "tui/terminal/rect.h"
#include "tui/terminal/tty.h"

#include <stdbool.h>

typedef enum terminal_style {
    STYLE_NORMAL,
    STYLE_DIM,
    STYLE_BOLD,
    STYLE_BAR, /* header */
    STYLE_BORDER,
    STYLE_TITLE,
    STYLE_SELECTED, /* the chosen row or tab */
    STYLE_VALUE,    /* what can be changed */
    STYLE_ERROR,
    STYLE_GOOD,
    STYLE_WARN,
    STYLE_COUNT,
} terminal_style;

typedef struct terminal terminal;

/* `charset` and `color` as in tui_options. The locale must be set. TM_EUSAGE: an unknown word. */
tm_status terminal_open(terminal **out, tty *t, const char *charset, const char *color,
                        tm_error *err);
/* Opens a screen of this size without a device, which can only be read with terminal_text. */
tm_status terminal_open_nowhere(terminal **out, int rows, int cols, const char *charset,
                                tm_error *err);
void terminal_close(terminal *t);
/* Leaves the terminal to the shell, and takes it back (Ctrl-Z). */
void terminal_leave(terminal *t);
void terminal_enter(terminal *t);
/* Asks the terminal for its size; true when it changed. */
bool terminal_resize(terminal *t);
void terminal_repaint(terminal *t); /* sends everything again at the next flush */

/* Sets the colours, as theme_find and theme_set take them. */
tm_status terminal_theme(terminal *t, const char *base, const char *roles, tm_error *err);
/* The screen as text, a line for each row without trailing blanks; malloc'ed, the caller frees
 * it. */
tm_status terminal_text(const terminal *t, char **out, tm_error *err);

int terminal_rows(const terminal *t);
int terminal_cols(const terminal *t);
bool terminal_utf8(const terminal *t);
bool terminal_shades(const terminal *t); /* whether it can draw pictures in shades */
/* Sets the modes of the terminal for the prompt (readline's) or for a view (keypad, mouse). */
void terminal_prompt_mode(terminal *t, bool prompt);

/* All of these clip to the screen. `text` is in the locale's encoding; it is cut at a newline. */
void terminal_erase(terminal *t, rect area);
/* Writes at most `width` columns, the last one an ellipsis where the text is longer; returns the
 * columns used. */
int terminal_put(terminal *t, int row, int col, int width, terminal_style style, const char *text);
/* The same for text[0..length), which need not end in a NUL. */
int terminal_put_bytes(terminal *t, int row, int col, int width, terminal_style style,
                       const char *text, size_t length);
/* Fills the rest of `width` with blanks, so that bars and selections end at the edge. */
void terminal_put_padded(terminal *t, int row, int col, int width, terminal_style style,
                         const char *text);
void terminal_put_right(terminal *t, int row, int col, int width, terminal_style style,
                        const char *text);
/* The same in a palette colour. */
int terminal_put_colour(terminal *t, int row, int col, int width, int colour, const char *text);
void terminal_box(terminal *t, rect area, const char *title, bool focus);
/* Writes a word into the lower edge of a box if it fits. */
void terminal_box_foot(terminal *t, rect area, const char *text);
void terminal_grid(terminal *t, int row, int col, const plot_grid *grid);
/* Returns the glyph that this terminal can show. */
const char *terminal_pick(const terminal *t, const char *utf8, const char *ascii);

/* Sets where the cursor is shown after a flush; row < 0: it is hidden. */
void terminal_cursor(terminal *t, int row, int col);
void terminal_flush(terminal *t);

#endif
