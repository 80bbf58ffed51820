#include "tui/terminal/inside.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

static tm_status choose_charset(terminal *t, const char *charset, tm_error *err)
{
    bool locale_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (!charset || strcmp(charset, "auto") == 0) {
        t->utf8 = locale_utf8;
    } else if (strcmp(charset, "ascii") == 0) {
        t->utf8 = false;
    } else if (strcmp(charset, "utf8") == 0) {
        /* curses and readline use the locale, so it has to agree. */
        t->utf8 = locale_utf8 || setlocale(LC_CTYPE, "C.UTF-8");
        if (!t->utf8)
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

/* The request is limited to the terminal's colours, as curses can send no others. */
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

static int known_colour(const terminal *t, theme_colour c)
{
    if (c.rgb < 0)
        return -1;
    return t->colours == PLOT_TRUECOLOUR ? c.rgb
           : t->colours == PLOT_ANSI256  ? c.xterm256
                                         : c.ansi16;
}

/* Colours are drawn on the terminal's default background, and text in its default colour, unless
 * the theme sets others for bars: nothing here assumes a dark or light background. */
static void set_pairs(terminal *t)
{
    for (int i = 0; i < ROLE_COUNT && t->coloured; i++) {
        theme_colour c = t->theme.colours[i];
        bool behind = (i == ROLE_BAR || i == ROLE_SELECTED) && c.rgb >= 0;
        int text = behind ? known_colour(t, theme_text_on(c)) : known_colour(t, c);
        init_extended_pair(PAIR_ROLE + i, text, behind ? known_colour(t, c) : -1);
    }
}

/* Number 0 is the terminal's own colour. */
static int shade_colour(const terminal *t, int number)
{
    if (number == 0)
        return -1;
    double share = (double)(number - 1 - PLOT_SHADES) / PLOT_SHADES;
    uint32_t rgb = plot_shade(share, strcmp(t->theme.name, "light") != 0);
    return t->colours == PLOT_TRUECOLOUR ? (int)rgb : plot_xterm(rgb);
}

static void set_shades(terminal *t)
{
    t->shades = t->coloured && t->colours >= PLOT_ANSI256 && COLOR_PAIRS >= PAIRS;
    for (int i = 0; t->shades && i < SHADES * SHADES; i++)
        init_extended_pair(PAIR_SHADE + i, shade_colour(t, i / SHADES),
                           shade_colour(t, i % SHADES));
}

static void start_colours(terminal *t)
{
    t->coloured = t->colours != PLOT_MONO && start_color() == OK && use_default_colors() == OK;
    if (!t->coloured)
        t->colours = PLOT_MONO;
    set_pairs(t);
    set_shades(t);
}

tm_status terminal_theme(terminal *t, const char *base, const char *roles, tm_error *err)
{
    theme next;
    tm_status status = theme_find(&next, base, err);
    if (status == TM_OK)
        status = theme_set(&next, roles, err);
    if (status == TM_OK) {
        t->theme = next;
        t->coloured = t->colours != PLOT_MONO && !next.mono;
        set_pairs(t);
        set_shades(t);
        clearok(curscr, TRUE);
    }
    return status;
}

static void read_size(terminal *t)
{
    struct winsize size;
    if (ioctl(t->device->fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        t->rows = size.ws_row;
        t->cols = size.ws_col;
    }
}

static void mouse_reports(const terminal *t, bool on)
{
    if (t->mouse)
        tty_write(t->device, on ? "\033[?1002h\033[?1006h" : "\033[?1006l\033[?1002l");
}

/* Requests marks around pasted text; terminals with a mouse understand the request, others might
 * print it. */
static void paste_marks(const terminal *t, bool on)
{
    if (t->mouse)
        tty_write(t->device, on ? "\033[?2004h" : "\033[?2004l");
}

/* newterm without its signal handlers, which would end the program with status 1 at any point until
 * the program's own handlers are installed. */
static SCREEN *new_screen(const char *type, FILE *out, FILE *in)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    enum { COUNT = sizeof numbers / sizeof numbers[0] };
    struct sigaction before[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        sigaction(numbers[i], NULL, &before[i]);
    SCREEN *screen = newterm(type, out, in);
    for (size_t i = 0; i < COUNT; i++)
        sigaction(numbers[i], &before[i], NULL);
    return screen;
}

/* Any terminal type that curses can draw on will do. */
static SCREEN *nowhere_terminal(FILE *nowhere)
{
    static const char *const types[] = {"xterm-256color", "xterm", "vt100", "linux", "ansi"};
    SCREEN *curses = NULL;
    for (size_t i = 0; i < sizeof types / sizeof types[0] && !curses; i++)
        curses = new_screen(types[i], nowhere, nowhere);
    return curses;
}

tm_status terminal_open_nowhere(terminal **out, int rows, int cols, const char *charset,
                                tm_error *err)
{
    terminal *t = calloc(1, sizeof *t);
    if (!t)
        return tm_fail_memory(err, "the screen");
    t->cursor_row = -1;
    t->colours = PLOT_MONO;
    theme_find(&t->theme, "auto", NULL);
    tm_status status = choose_charset(t, charset, err);
    if (status == TM_OK) {
        t->nowhere = fopen("/dev/null", "r+e");
        use_env(FALSE);
        t->curses = t->nowhere ? nowhere_terminal(t->nowhere) : NULL;
        status = t->curses ? TM_OK : tm_fail(err, TM_EIO, "no screen to draw on");
    }
    if (status != TM_OK) {
        if (t->nowhere)
            fclose(t->nowhere);
        free(t);
        return status;
    }
    t->rows = rows;
    t->cols = cols;
    t->prompt_mode = true;
    resizeterm(rows, cols);
    *out = t;
    return TM_OK;
}

tm_status terminal_open(terminal **out, tty *device, const char *charset, const char *color,
                        tm_error *err)
{
    terminal *t = calloc(1, sizeof *t);
    if (!t)
        return tm_fail_memory(err, "the screen");
    t->device = device;
    t->cursor_row = -1;
    theme_find(&t->theme, "auto", NULL);
    tm_status status = choose_charset(t, charset, err);
    if (status == TM_OK)
        status = check_color(color, err);
    if (status != TM_OK)
        goto done;
    use_env(TRUE);
    use_tioctl(TRUE);
    t->curses = new_screen(device->name, device->out, device->in);
    if (!t->curses) {
        status = tm_fail(err, TM_EIO, "the terminal type '%.64s' (TERM) cannot be drawn on",
                         device->name);
        goto done;
    }
    t->colours = choose_colours(color);
    const char *mouse = tigetstr("kmous");
    t->mouse = mouse && mouse != (char *)-1;
    t->rows = LINES;
    t->cols = COLS;
    start_colours(t);
    raw();
    noecho();
    nonl();
    leaveok(stdscr, FALSE);
    read_size(t);
    resizeterm(t->rows, t->cols);
    t->prompt_mode = true;
    terminal_prompt_mode(t, false);
    paste_marks(t, true);
    *out = t;
    return TM_OK;
done:
    free(t);
    return status;
}

void terminal_leave(terminal *t)
{
    mouse_reports(t, false);
    paste_marks(t, false);
    curs_set(1);
    /* Terminals without an alternate screen keep what was drawn, and some with one keep parts of it
     * after a change of size: leave an empty screen. */
    erase();
    refresh();
    endwin();
    fflush(t->device->out);
}

void terminal_enter(terminal *t)
{
    reset_prog_mode();
    terminal_resize(t);
    clearok(curscr, TRUE);
    refresh();
    t->prompt_mode = !t->prompt_mode;
    terminal_prompt_mode(t, !t->prompt_mode);
    paste_marks(t, true);
}

void terminal_close(terminal *t)
{
    if (!t)
        return;
    if (t->device) {
        terminal_leave(t);
        tty_restore(t->device);
    }
    delscreen(t->curses);
    if (t->nowhere)
        fclose(t->nowhere);
    free(t);
}

bool terminal_resize(terminal *t)
{
    int rows = t->rows, cols = t->cols;
    read_size(t);
    if (rows == t->rows && cols == t->cols)
        return false;
    resizeterm(t->rows, t->cols);
    clearok(curscr, TRUE);
    return true;
}

void terminal_repaint(terminal *t)
{
    (void)t;
    clearok(curscr, TRUE);
}

int terminal_rows(const terminal *t)
{
    return t->rows;
}

int terminal_cols(const terminal *t)
{
    return t->cols;
}

bool terminal_shades(const terminal *t)
{
    return t->shades;
}

bool terminal_utf8(const terminal *t)
{
    return t->utf8;
}

void terminal_prompt_mode(terminal *t, bool prompt)
{
    if (t->prompt_mode == prompt || !t->device)
        return;
    t->prompt_mode = prompt;
    keypad(stdscr, !prompt);
    /* keypad() takes effect at the next curses read of a key, which never happens here. */
    const char *mode = tigetstr(prompt ? "rmkx" : "smkx");
    if (mode && mode != (char *)-1) {
        putp(mode);
        fflush(t->device->out);
    }
    mouse_reports(t, !prompt);
}

void terminal_flush(terminal *t)
{
    curs_set(t->cursor_row >= 0 ? 1 : 0);
    if (t->cursor_row >= 0)
        move(t->cursor_row < t->rows ? t->cursor_row : t->rows - 1, t->cursor_col);
    refresh();
    terminal_show_single_cell(t);
}
