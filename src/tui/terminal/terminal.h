/* The screen: the only module that speaks to curses, and the only one that knows colours. */
#ifndef TUI_TERMINAL_TERMINAL_H
#define TUI_TERMINAL_TERMINAL_H

#include "plot/figure.h"
#include "tui/terminal/tty.h"

#include <stdbool.h>

typedef enum scr_style {
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
} scr_style;

typedef struct rect {
    int row, col, rows, cols;
} rect;

typedef struct screen screen;

/* `charset` and `color` as in tui_options. The locale must be set. TM_EUSAGE: an unknown word. */
tm_status scr_open(screen **out, term_device *t, const char *charset, const char *color,
                   tm_error *err);
/* A screen of that size that goes nowhere but into scr_text. */
tm_status scr_open_nowhere(screen **out, int rows, int cols, const char *charset, tm_error *err);
void scr_close(screen *s);
/* Gives the terminal to somebody else and takes it back (Ctrl-Z). */
void scr_leave(screen *s);
void scr_enter(screen *s);
/* Asks the terminal for its size; true when it changed. */
bool scr_resize(screen *s);
void scr_repaint(screen *s); /* everything is sent again at the next flush */

/* Colours from now on, as theme_find and theme_set have them. */
tm_status scr_theme(screen *s, const char *base, const char *roles, tm_error *err);
/* What is drawn, a line for each row, without blanks at their ends; malloc'ed, the caller's. */
tm_status scr_text(const screen *s, char **out, tm_error *err);

int scr_rows(const screen *s);
int scr_cols(const screen *s);
bool scr_utf8(const screen *s);
/* Whether keys belong to the prompt (readline's own modes) or to a view (keypad, mouse). */
void scr_prompt_mode(screen *s, bool prompt);

/* All of these clip to the screen. `text` is in the locale's encoding; it is cut at a newline. */
void scr_erase(screen *s, rect area);
/* Writes at most `width` columns; returns the columns used. */
int scr_put(screen *s, int row, int col, int width, scr_style style, const char *text);
/* The same for text[0..length), which need not end in a NUL. */
int scr_put_bytes(screen *s, int row, int col, int width, scr_style style, const char *text,
                  size_t length);
/* Fills the rest of `width` with blanks, so that bars and selections reach the edge. */
void scr_put_padded(screen *s, int row, int col, int width, scr_style style, const char *text);
void scr_put_right(screen *s, int row, int col, int width, scr_style style, const char *text);
/* In a palette colour. */
int scr_put_colour(screen *s, int row, int col, int width, int colour, const char *text);
void scr_box(screen *s, rect area, const char *title, bool focus);
void scr_grid(screen *s, int row, int col, const plot_grid *grid);
/* The glyph for this terminal. */
const char *scr_pick(const screen *s, const char *utf8, const char *ascii);

/* Where the cursor shows after a flush; row < 0: nowhere. */
void scr_cursor(screen *s, int row, int col);
void scr_flush(screen *s);

#endif
