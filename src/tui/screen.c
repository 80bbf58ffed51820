#include "tui/screen.h"

#include "tui/cells.h"

#include <curses.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum {
    PAIR_SERIES = 1, /* PALETTE_PAIRS pairs for series */
    PALETTE_PAIRS = 24,
    PAIR_ERROR = PAIR_SERIES + PALETTE_PAIRS,
    PAIR_GOOD,
    PAIR_WARN,
    PAIR_VALUE,
};

struct screen {
    term_device *t;
    SCREEN *curses;
    bool utf8, coloured, mouse, prompt_mode;
    plot_colours colours;
    int rows, cols;
    int cursor_row, cursor_col;
};

static tm_status choose_charset(screen *s, const char *charset, tm_error *err)
{
    bool locale_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (charset == NULL || strcmp(charset, "auto") == 0) {
        s->utf8 = locale_utf8;
    } else if (strcmp(charset, "ascii") == 0) {
        s->utf8 = false;
    } else if (strcmp(charset, "utf8") == 0) {
        /* curses and readline go by the locale, so it has to agree. */
        s->utf8 = locale_utf8 || setlocale(LC_CTYPE, "C.UTF-8") != NULL;
        if (!s->utf8) {
            return tm_fail(err, TM_EUSAGE, "--charset utf8: this system has no UTF-8 locale");
        }
    } else {
        return tm_fail(err, TM_EUSAGE, "--charset is auto, utf8 or ascii, not '%.40s'", charset);
    }
    return TM_OK;
}

static tm_status check_color(const char *color, tm_error *err)
{
    static const char *const known[] = {"auto", "never", "16", "256", "true"};
    if (color == NULL) {
        return TM_OK;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(color, known[i]) == 0) {
            return TM_OK;
        }
    }
    return tm_fail(err, TM_EUSAGE, "--color is auto, never, 16, 256 or true, not '%.40s'", color);
}

/* The terminal's colours bound what was asked for: curses can send no others. */
static plot_colours choose_colours(const char *color)
{
    const char *no_color = getenv("NO_COLOR");
    bool automatic = color == NULL || strcmp(color, "auto") == 0;
    int have = tigetnum("colors");
    if ((automatic && no_color != NULL && no_color[0] != '\0') || have < 8 ||
        (color != NULL && strcmp(color, "never") == 0)) {
        return PLOT_MONO;
    }
    if (color != NULL && strcmp(color, "16") == 0) {
        return PLOT_ANSI16;
    }
    if (have >= 1 << 24 && (automatic || strcmp(color, "true") == 0)) {
        return PLOT_TRUECOLOUR;
    }
    return have >= 256 ? PLOT_ANSI256 : PLOT_ANSI16;
}

static int series_colour(const screen *s, const plot_colour *c)
{
    if (s->colours == PLOT_TRUECOLOUR) {
        return c->red << 16 | c->green << 8 | c->blue;
    }
    return s->colours == PLOT_ANSI256 ? c->xterm256 : c->ansi16;
}

static int role_colour(const screen *s, uint8_t basic, uint8_t xterm, int rgb)
{
    if (s->colours == PLOT_TRUECOLOUR) {
        return rgb;
    }
    return s->colours == PLOT_ANSI256 ? xterm : basic;
}

/* Colours lie on the terminal's own background, and text is in its own colour: nothing here
 * assumes a dark or a light one. */
static void start_colours(screen *s)
{
    s->coloured = s->colours != PLOT_MONO && start_color() == OK && use_default_colors() == OK;
    if (!s->coloured) {
        s->colours = PLOT_MONO;
        return;
    }
    for (int i = 0; i < PALETTE_PAIRS; i++) {
        init_extended_pair(PAIR_SERIES + i, series_colour(s, plot_palette(i)), -1);
    }
    init_extended_pair(PAIR_ERROR, role_colour(s, COLOR_RED, 160, 0xd02020), -1);
    init_extended_pair(PAIR_GOOD, role_colour(s, COLOR_GREEN, 28, 0x208040), -1);
    init_extended_pair(PAIR_WARN, role_colour(s, COLOR_YELLOW, 136, 0xa07000), -1);
    init_extended_pair(PAIR_VALUE, role_colour(s, COLOR_CYAN, 31, 0x0080b0), -1);
}

static void read_size(screen *s)
{
    struct winsize size;
    if (ioctl(s->t->fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        s->rows = size.ws_row;
        s->cols = size.ws_col;
    }
}

static void mouse_reports(const screen *s, bool on)
{
    if (s->mouse) {
        term_write(s->t, on ? "\033[?1002h\033[?1006h" : "\033[?1006l\033[?1002l");
    }
}

tm_status scr_open(screen **out, term_device *t, const char *charset, const char *color,
                   tm_error *err)
{
    screen *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return tm_fail_memory(err, "the screen");
    }
    s->t = t;
    s->cursor_row = -1;
    tm_status status = choose_charset(s, charset, err);
    if (status == TM_OK) {
        status = check_color(color, err);
    }
    if (status != TM_OK) {
        free(s);
        return status;
    }
    use_env(TRUE);
    use_tioctl(TRUE);
    s->curses = newterm(t->name, t->out, t->in);
    if (s->curses == NULL) {
        free(s);
        return tm_fail(err, TM_EIO, "the terminal type '%.64s' (TERM) cannot be drawn on", t->name);
    }
    s->colours = choose_colours(color);
    const char *mouse = tigetstr("kmous");
    s->mouse = mouse != NULL && mouse != (char *)-1;
    s->rows = LINES;
    s->cols = COLS;
    start_colours(s);
    raw();
    noecho();
    nonl();
    leaveok(stdscr, FALSE);
    read_size(s);
    resizeterm(s->rows, s->cols);
    s->prompt_mode = true;
    scr_prompt_mode(s, false);
    *out = s;
    return TM_OK;
}

void scr_leave(screen *s)
{
    mouse_reports(s, false);
    curs_set(1);
    /* Terminals without an alternate screen keep what was drawn, and some with one keep parts of it
     * after a change of size: give back an empty one. */
    erase();
    refresh();
    endwin();
    fflush(s->t->out);
}

void scr_enter(screen *s)
{
    reset_prog_mode();
    scr_resize(s);
    clearok(curscr, TRUE);
    refresh();
    s->prompt_mode = !s->prompt_mode;
    scr_prompt_mode(s, !s->prompt_mode);
}

void scr_close(screen *s)
{
    if (s == NULL) {
        return;
    }
    scr_leave(s);
    term_restore(s->t);
    delscreen(s->curses);
    free(s);
}

bool scr_resize(screen *s)
{
    int rows = s->rows, cols = s->cols;
    read_size(s);
    if (rows == s->rows && cols == s->cols) {
        return false;
    }
    resizeterm(s->rows, s->cols);
    clearok(curscr, TRUE);
    return true;
}

void scr_repaint(screen *s)
{
    (void)s;
    clearok(curscr, TRUE);
}

int scr_rows(const screen *s)
{
    return s->rows;
}

int scr_cols(const screen *s)
{
    return s->cols;
}

bool scr_utf8(const screen *s)
{
    return s->utf8;
}

void scr_prompt_mode(screen *s, bool prompt)
{
    if (s->prompt_mode == prompt) {
        return;
    }
    s->prompt_mode = prompt;
    keypad(stdscr, !prompt);
    /* keypad() speaks at the next read of a key, which never comes here. */
    const char *mode = tigetstr(prompt ? "rmkx" : "smkx");
    if (mode != NULL && mode != (char *)-1) {
        putp(mode);
        fflush(s->t->out);
    }
    mouse_reports(s, !prompt);
}

static attr_t style_attributes(const screen *s, scr_style style, short *pair)
{
    static const struct {
        attr_t attributes;
        short pair;
        attr_t mono; /* without colours */
    } table[STYLE_COUNT] = {
        [STYLE_NORMAL] = {A_NORMAL, 0, A_NORMAL},
        [STYLE_DIM] = {A_DIM, 0, A_DIM},
        [STYLE_BOLD] = {A_BOLD, 0, A_BOLD},
        [STYLE_BAR] = {A_REVERSE, 0, A_REVERSE},
        [STYLE_BORDER] = {A_DIM, 0, A_DIM},
        [STYLE_TITLE] = {A_BOLD, 0, A_BOLD},
        [STYLE_SELECTED] = {A_REVERSE, 0, A_REVERSE},
        [STYLE_VALUE] = {A_NORMAL, PAIR_VALUE, A_NORMAL},
        [STYLE_ERROR] = {A_BOLD, PAIR_ERROR, A_BOLD},
        [STYLE_GOOD] = {A_NORMAL, PAIR_GOOD, A_NORMAL},
        [STYLE_WARN] = {A_NORMAL, PAIR_WARN, A_BOLD},
    };
    *pair = s->coloured ? table[style].pair : 0;
    return s->coloured ? table[style].attributes : table[style].mono;
}

static int put_run(screen *s, int row, int col, int width, const char *text, size_t length)
{
    enum { CHUNK = 256 };
    wchar_t run[CHUNK];
    int count = 0, used = 0, at = col;
    if (row < 0 || row >= s->rows || col < 0 || col >= s->cols) {
        return 0;
    }
    width = width > s->cols - col ? s->cols - col : width;
    while (length > 0 && *text != '\n') {
        wchar_t ch;
        size_t taken = cells_decode(text, length, &ch);
        ch = cells_shown(ch, s->utf8);
        int columns = cells_columns(ch);
        if (used + columns > width) {
            break;
        }
        if (count == CHUNK) {
            mvaddnwstr(row, at, run, count);
            at = col + used;
            count = 0;
        }
        run[count++] = ch;
        used += columns;
        text += taken;
        length -= taken;
    }
    if (count > 0) {
        mvaddnwstr(row, at, run, count);
    }
    return used;
}

int scr_put_bytes(screen *s, int row, int col, int width, scr_style style, const char *text,
                  size_t length)
{
    short pair;
    attr_t attributes = style_attributes(s, style, &pair);
    attr_set(attributes, pair, NULL);
    int used = put_run(s, row, col, width, text, length);
    attr_set(A_NORMAL, 0, NULL);
    return used;
}

int scr_put(screen *s, int row, int col, int width, scr_style style, const char *text)
{
    return scr_put_bytes(s, row, col, width, style, text, strlen(text));
}

static void put_blanks(screen *s, int row, int col, int width, scr_style style)
{
    short pair;
    if (row < 0 || row >= s->rows || col < 0 || col >= s->cols || width <= 0) {
        return;
    }
    attr_t attributes = style_attributes(s, style, &pair);
    attr_set(attributes, pair, NULL);
    mvhline(row, col, ' ' | (chtype)attributes, width > s->cols - col ? s->cols - col : width);
    attr_set(A_NORMAL, 0, NULL);
}

void scr_put_padded(screen *s, int row, int col, int width, scr_style style, const char *text)
{
    int used = scr_put(s, row, col, width, style, text);
    put_blanks(s, row, col + used, width - used, style);
}

void scr_put_right(screen *s, int row, int col, int width, scr_style style, const char *text)
{
    int columns = cells_width(text, s->utf8);
    int offset = columns < width ? width - columns : 0;
    scr_put(s, row, col + offset, width - offset, style, text);
}

int scr_put_colour(screen *s, int row, int col, int width, int colour, const char *text)
{
    attr_set(A_NORMAL, (short)(s->coloured ? PAIR_SERIES + colour % PALETTE_PAIRS : 0), NULL);
    int used = put_run(s, row, col, width, text, strlen(text));
    attr_set(A_NORMAL, 0, NULL);
    return used;
}

void scr_erase(screen *s, rect area)
{
    for (int row = 0; row < area.rows; row++) {
        put_blanks(s, area.row + row, area.col, area.cols, STYLE_NORMAL);
    }
}

static void box_edge(screen *s, rect area, int row, const char *left, const char *right,
                     scr_style style)
{
    const char *flat = scr_pick(s, "─", "-");
    scr_put(s, row, area.col, 1, style, left);
    for (int col = 1; col < area.cols - 1; col++) {
        scr_put(s, row, area.col + col, 1, style, flat);
    }
    scr_put(s, row, area.col + area.cols - 1, 1, style, right);
}

void scr_box(screen *s, rect area, const char *title, bool focus)
{
    scr_style style = focus ? STYLE_BOLD : STYLE_BORDER;
    if (area.rows < 2 || area.cols < 2) {
        return;
    }
    box_edge(s, area, area.row, scr_pick(s, "┌", "+"), scr_pick(s, "┐", "+"), style);
    const char *side = scr_pick(s, "│", "|");
    for (int row = 1; row < area.rows - 1; row++) {
        scr_put(s, area.row + row, area.col, 1, style, side);
        scr_put(s, area.row + row, area.col + area.cols - 1, 1, style, side);
    }
    box_edge(s, area, area.row + area.rows - 1, scr_pick(s, "└", "+"), scr_pick(s, "┘", "+"),
             style);
    if (title != NULL && title[0] != '\0' && area.cols > 6) {
        scr_put(s, area.row, area.col + 1, 1, STYLE_NORMAL, " ");
        int used = scr_put(s, area.row, area.col + 2, area.cols - 4, STYLE_TITLE, title);
        scr_put(s, area.row, area.col + 2 + used, 1, STYLE_NORMAL, " ");
    }
}

static void grid_attributes(const screen *s, const plot_cell *cell)
{
    attr_t attributes = cell->bold ? A_BOLD : A_NORMAL;
    short pair = 0;
    if (cell->colour >= 0 && s->coloured) {
        pair = (short)(PAIR_SERIES + cell->colour % PALETTE_PAIRS);
    } else if (cell->colour == PLOT_ROLE_AXIS) {
        attributes |= A_DIM;
    } else if (cell->colour == PLOT_ROLE_CURSOR) {
        attributes |= A_BOLD;
    }
    attr_set(attributes, pair, NULL);
}

static void grid_row(screen *s, int row, int col, const plot_cell *cells, int count)
{
    enum { CHUNK = 128 };
    wchar_t run[CHUNK];
    int from = 0;
    while (from < count) {
        int length = 0, to = from;
        while (to < count && length < CHUNK && cells[to].colour == cells[from].colour &&
               cells[to].bold == cells[from].bold) {
            if (cells[to].ch != 0) {
                run[length++] = cells_shown((wchar_t)cells[to].ch, s->utf8);
            }
            to++;
        }
        grid_attributes(s, &cells[from]);
        mvaddnwstr(row, col + from, run, length);
        from = to;
    }
    attr_set(A_NORMAL, 0, NULL);
}

void scr_grid(screen *s, int row, int col, const plot_grid *grid)
{
    int cols = (int)grid->cols > s->cols - col ? s->cols - col : (int)grid->cols;
    for (int i = 0; i < (int)grid->rows && row + i < s->rows; i++) {
        grid_row(s, row + i, col, grid->cells + (size_t)i * grid->cols, cols);
    }
}

const char *scr_pick(const screen *s, const char *utf8, const char *ascii)
{
    return s->utf8 ? utf8 : ascii;
}

void scr_cursor(screen *s, int row, int col)
{
    s->cursor_row = row;
    s->cursor_col = col < s->cols ? col : s->cols - 1;
}

/* curses never writes the last cell of a terminal that would scroll; on one of a single cell nothing
 * would be seen. */
static void show_single_cell(const screen *s)
{
    wchar_t cell[2] = {0};
    char bytes[MB_LEN_MAX + 2] = "\r";
    if (s->rows == 1 && s->cols == 1 && mvinnwstr(0, 0, cell, 1) != ERR) {
        int length = wctomb(bytes + 1, cell[0]);
        bytes[length > 0 ? length + 1 : 0] = '\0';
        term_write(s->t, bytes);
    }
}

void scr_flush(screen *s)
{
    curs_set(s->cursor_row >= 0 ? 1 : 0);
    if (s->cursor_row >= 0) {
        move(s->cursor_row < s->rows ? s->cursor_row : s->rows - 1, s->cursor_col);
    }
    refresh();
    show_single_cell(s);
}
