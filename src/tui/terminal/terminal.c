#include "tui/terminal/terminal_inside.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

static tm_status choose_charset(screen *s, const char *charset, tm_error *err)
{
    bool locale_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (!charset || strcmp(charset, "auto") == 0) {
        s->utf8 = locale_utf8;
    } else if (strcmp(charset, "ascii") == 0) {
        s->utf8 = false;
    } else if (strcmp(charset, "utf8") == 0) {
        /* curses and readline go by the locale, so it has to agree. */
        s->utf8 = locale_utf8 || setlocale(LC_CTYPE, "C.UTF-8");
        if (!s->utf8)
            return tm_fail(err, TM_EUSAGE, "--charset utf8: this system has no UTF-8 locale");
    } else {
        return tm_fail(err, TM_EUSAGE, "--charset is auto, utf8 or ascii, not '%.40s'", charset);
    }
    return TM_OK;
}

static tm_status check_color(const char *color, tm_error *err)
{
    static const char *const known[] = {"auto", "never", "16", "256", "true"};
    if (!color)
        return TM_OK;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(color, known[i]) == 0)
            return TM_OK;
    return tm_fail(err, TM_EUSAGE, "--color is auto, never, 16, 256 or true, not '%.40s'", color);
}

/* The terminal's colours bound what was asked for: curses can send no others. */
static plot_colours choose_colours(const char *color)
{
    const char *no_color = getenv("NO_COLOR");
    bool automatic = !color || strcmp(color, "auto") == 0;
    int have = tigetnum("colors");
    if ((automatic && no_color && no_color[0] != '\0') || have < 8 ||
        (color && strcmp(color, "never") == 0))
        return PLOT_MONO;
    if (color && strcmp(color, "16") == 0)
        return PLOT_ANSI16;
    if (have >= 1 << 24 && (automatic || strcmp(color, "true") == 0))
        return PLOT_TRUECOLOUR;
    return have >= 256 ? PLOT_ANSI256 : PLOT_ANSI16;
}

static int known_colour(const screen *s, theme_colour c)
{
    if (c.rgb < 0)
        return -1;
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
    if (!s->coloured)
        s->colours = PLOT_MONO;
    set_pairs(s);
}

tm_status scr_theme(screen *s, const char *base, const char *roles, tm_error *err)
{
    theme next;
    tm_status status = theme_find(&next, base, err);
    if (status == TM_OK)
        status = theme_set(&next, roles, err);
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
    if (s->mouse)
        term_write(s->t, on ? "\033[?1002h\033[?1006h" : "\033[?1006l\033[?1002l");
}

/* Any terminal type will do that curses can draw on. */
static SCREEN *nowhere_terminal(FILE *nowhere)
{
    static const char *const types[] = {"xterm-256color", "xterm", "vt100", "linux", "ansi"};
    SCREEN *curses = NULL;
    for (size_t i = 0; i < sizeof types / sizeof types[0] && !curses; i++)
        curses = newterm(types[i], nowhere, nowhere);
    return curses;
}

tm_status scr_open_nowhere(screen **out, int rows, int cols, const char *charset, tm_error *err)
{
    screen *s = calloc(1, sizeof *s);
    if (!s)
        return tm_fail_memory(err, "the screen");
    s->cursor_row = -1;
    s->colours = PLOT_MONO;
    theme_find(&s->theme, "auto", NULL);
    tm_status status = choose_charset(s, charset, err);
    if (status == TM_OK) {
        s->nowhere = fopen("/dev/null", "r+e");
        use_env(FALSE);
        s->curses = s->nowhere ? nowhere_terminal(s->nowhere) : NULL;
        status = s->curses ? TM_OK : tm_fail(err, TM_EIO, "no screen to draw on");
    }
    if (status != TM_OK) {
        if (s->nowhere)
            fclose(s->nowhere);
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
    if (!s)
        return tm_fail_memory(err, "the screen");
    s->t = t;
    s->cursor_row = -1;
    theme_find(&s->theme, "auto", NULL);
    tm_status status = choose_charset(s, charset, err);
    if (status == TM_OK)
        status = check_color(color, err);
    if (status != TM_OK) {
        free(s);
        return status;
    }
    use_env(TRUE);
    use_tioctl(TRUE);
    s->curses = newterm(t->name, t->out, t->in);
    if (!s->curses) {
        free(s);
        return tm_fail(err, TM_EIO, "the terminal type '%.64s' (TERM) cannot be drawn on", t->name);
    }
    s->colours = choose_colours(color);
    const char *mouse = tigetstr("kmous");
    s->mouse = mouse && mouse != (char *)-1;
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
    if (!s)
        return;
    if (s->t) {
        scr_leave(s);
        term_restore(s->t);
    }
    delscreen(s->curses);
    if (s->nowhere)
        fclose(s->nowhere);
    free(s);
}

bool scr_resize(screen *s)
{
    int rows = s->rows, cols = s->cols;
    read_size(s);
    if (rows == s->rows && cols == s->cols)
        return false;
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
    if (s->prompt_mode == prompt || !s->t)
        return;
    s->prompt_mode = prompt;
    keypad(stdscr, !prompt);
    /* keypad() speaks at the next read of a key, which never comes here. */
    const char *mode = tigetstr(prompt ? "rmkx" : "smkx");
    if (mode && mode != (char *)-1) {
        putp(mode);
        fflush(s->t->out);
    }
    mouse_reports(s, !prompt);
}

void scr_flush(screen *s)
{
    curs_set(s->cursor_row >= 0 ? 1 : 0);
    if (s->cursor_row >= 0)
        move(s->cursor_row < s->rows ? s->cursor_row : s->rows - 1, s->cursor_col);
    refresh();
    screen_show_single_cell(s);
}
