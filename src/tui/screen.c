#include "tui/screen.h"

#include "tui/cells.h"
#include "tui/theme.h"

#include <curses.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum {
    PAIR_ROLE = 1, /* a pair for each role */
    PAIRS = PAIR_ROLE + ROLE_COUNT,
};

struct screen {
    term_device *t; /* NULL: there is no terminal */
    FILE *nowhere;  /* in its place */
    SCREEN *curses;
    bool utf8, coloured, mouse, prompt_mode;
    plot_colours colours; /* what the terminal has, and was asked for */
    theme theme;
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

static int known_colour(const screen *s, theme_colour c)
{
    if (c.rgb < 0) {
        return -1;
    }
    return s->colours == PLOT_TRUECOLOUR ? c.rgb
           : s->colours == PLOT_ANSI256  ? c.xterm256
                                         : c.ansi16;
}

/* Colours lie on the terminal's own background, and text is in its own colour, unless the theme has
 * another for bars: nothing here assumes a dark or a light one. */
static void set_pairs(screen *s)
{
    for (int i = 0; i < ROLE_COUNT && s->coloured; i++) {
        theme_colour c = s->theme.colours[i];
        bool behind = (i == ROLE_BAR || i == ROLE_SELECTED) && c.rgb >= 0;
        int text = behind ? known_colour(s, theme_text_on(c)) : known_colour(s, c);
        init_extended_pair(PAIR_ROLE + i, text, behind ? known_colour(s, c) : -1);
    }
}

static void start_colours(screen *s)
{
    s->coloured = s->colours != PLOT_MONO && start_color() == OK && use_default_colors() == OK;
    if (!s->coloured) {
        s->colours = PLOT_MONO;
    }
    set_pairs(s);
}

tm_status scr_theme(screen *s, const char *base, const char *roles, tm_error *err)
{
    theme next;
    tm_status status = theme_find(&next, base, err);
    if (status == TM_OK) {
        status = theme_set(&next, roles, err);
    }
    if (status == TM_OK) {
        s->theme = next;
        s->coloured = s->colours != PLOT_MONO && !next.mono;
        set_pairs(s);
        clearok(curscr, TRUE);
    }
    return status;
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

/* Any terminal type will do that curses can draw on. */
static SCREEN *nowhere_terminal(FILE *nowhere)
{
    static const char *const types[] = {"xterm-256color", "xterm", "vt100", "linux", "ansi"};
    SCREEN *curses = NULL;
    for (size_t i = 0; i < sizeof types / sizeof types[0] && curses == NULL; i++) {
        curses = newterm(types[i], nowhere, nowhere);
    }
    return curses;
}

tm_status scr_open_nowhere(screen **out, int rows, int cols, const char *charset, tm_error *err)
{
    screen *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return tm_fail_memory(err, "the screen");
    }
    s->cursor_row = -1;
    s->colours = PLOT_MONO;
    theme_find(&s->theme, "auto", NULL);
    tm_status status = choose_charset(s, charset, err);
    if (status == TM_OK) {
        s->nowhere = fopen("/dev/null", "r+e");
        use_env(FALSE);
        s->curses = s->nowhere != NULL ? nowhere_terminal(s->nowhere) : NULL;
        status = s->curses != NULL ? TM_OK : tm_fail(err, TM_EIO, "no screen to draw on");
    }
    if (status != TM_OK) {
        if (s->nowhere != NULL) {
            fclose(s->nowhere);
        }
        free(s);
        return status;
    }
    s->rows = rows;
    s->cols = cols;
    s->prompt_mode = true;
    resizeterm(rows, cols);
    *out = s;
    return TM_OK;
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
    theme_find(&s->theme, "auto", NULL);
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
    if (s->t != NULL) {
        scr_leave(s);
        term_restore(s->t);
    }
    delscreen(s->curses);
    if (s->nowhere != NULL) {
        fclose(s->nowhere);
    }
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
    if (s->prompt_mode == prompt || s->t == NULL) {
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
        int role;    /* < 0: the terminal's own colour */
        attr_t mono; /* without colours */
    } table[STYLE_COUNT] = {
        [STYLE_NORMAL] = {A_NORMAL, -1, A_NORMAL},
        [STYLE_DIM] = {A_DIM, -1, A_DIM},
        [STYLE_BOLD] = {A_BOLD, -1, A_BOLD},
        [STYLE_BAR] = {A_NORMAL, ROLE_BAR, A_REVERSE},
        [STYLE_BORDER] = {A_NORMAL, ROLE_BORDER, A_DIM},
        [STYLE_TITLE] = {A_BOLD, ROLE_TITLE, A_BOLD},
        [STYLE_SELECTED] = {A_NORMAL, ROLE_SELECTED, A_REVERSE},
        [STYLE_VALUE] = {A_NORMAL, ROLE_VALUE, A_NORMAL},
        [STYLE_ERROR] = {A_BOLD, ROLE_ERROR, A_BOLD},
        [STYLE_GOOD] = {A_NORMAL, ROLE_GOOD, A_NORMAL},
        [STYLE_WARN] = {A_NORMAL, ROLE_WARN, A_BOLD},
    };
    int role = table[style].role;
    bool own = role >= 0 && s->theme.colours[role].rgb < 0;
    bool plain = !s->coloured || own; /* without a colour of the role, as without any */
    attr_t attributes = plain ? table[style].mono : table[style].attributes;
    *pair = (short)(plain || role < 0 ? 0 : PAIR_ROLE + role);
    return s->theme.plain ? attributes & ~(attr_t)A_DIM : attributes;
}

static int series_pair(int colour)
{
    return PAIR_ROLE + ROLE_SERIES + colour % THEME_SERIES;
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
    attr_set(A_NORMAL, (short)(s->coloured ? series_pair(colour) : 0), NULL);
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
        pair = (short)series_pair(cell->colour);
    } else if (cell->colour == PLOT_ROLE_AXIS && !s->theme.plain) {
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

/* One row without the blanks at its end. */
static size_t row_text(const screen *s, int row, char *out, size_t size)
{
    enum { ROW_CELLS = 4096 };
    wchar_t cells[ROW_CELLS];
    int count = s->cols < ROW_CELLS - 1 ? s->cols : ROW_CELLS - 1;
    size_t used = 0, end = 0;
    if (mvinnwstr(row, 0, cells, count) == ERR) {
        return 0;
    }
    for (int i = 0; cells[i] != 0 && used + MB_LEN_MAX < size; i++) {
        char bytes[MB_LEN_MAX];
        int length = wctomb(bytes, cells[i]);
        if (length > 0) {
            memcpy(out + used, bytes, (size_t)length);
            used += (size_t)length;
            end = cells[i] != L' ' ? used : end;
        }
    }
    return end;
}

tm_status scr_text(const screen *s, char **out, tm_error *err)
{
    size_t room = (size_t)s->rows * ((size_t)s->cols * 2 + 2) * 4 + MB_LEN_MAX + 1, used = 0;
    char *text = malloc(room);
    if (text == NULL) {
        return tm_fail_memory(err, "the screen's text");
    }
    for (int row = 0; row < s->rows; row++) {
        used += row_text(s, row, text + used, room - used - 2);
        text[used++] = '\n';
    }
    text[used] = '\0';
    *out = text;
    return TM_OK;
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
