#include "cli/print/output_kind.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool locale_is_utf8(void)
{
    const char *codeset = nl_langinfo(CODESET);
    return strcasecmp(codeset, "UTF-8") == 0 || strcasecmp(codeset, "utf8") == 0;
}

static plot_colours colours_of_terminal(void)
{
    const char *term = getenv("TERM"), *colorterm = getenv("COLORTERM"), *no = getenv("NO_COLOR");
    if (!isatty(STDOUT_FILENO) || (no && no[0]) || !term || strcmp(term, "dumb") == 0 ||
        strncmp(term, "vt", 2) == 0)
        return PLOT_MONO;
    if (colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0))
        return PLOT_TRUECOLOUR;
    return strstr(term, "256") ? PLOT_ANSI256 : PLOT_ANSI16;
}

static size_t columns_of_terminal(void)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    long given = columns ? strtol(columns, NULL, 10) : 0;
    return given >= 20 && given <= 1000 ? (size_t)given : 80;
}

void cli_locale(cli_context *context)
{
    setlocale(LC_CTYPE, "");
    context->utf8 = locale_is_utf8();
    if (!context->utf8 && !isatty(STDOUT_FILENO))
        setlocale(LC_CTYPE, "C.UTF-8");
}

cli_terminal cli_terminal_find(const cli_context *context)
{
    const char *charset = tm_params_text(context->common, "charset");
    const char *color = tm_params_text(context->common, "color");
    cli_terminal terminal = {false, PLOT_MONO, columns_of_terminal()};
    terminal.utf8 = strcmp(charset, "auto") == 0 ? context->utf8 : strcmp(charset, "utf8") == 0;
    if (terminal.utf8 && !locale_is_utf8())
        setlocale(LC_CTYPE, "C.UTF-8"); /* names are printed by the locale */
    if (strcmp(color, "auto") == 0)
        terminal.colours = colours_of_terminal();
    else
        terminal.colours = strcmp(color, "16") == 0     ? PLOT_ANSI16
                           : strcmp(color, "256") == 0  ? PLOT_ANSI256
                           : strcmp(color, "true") == 0 ? PLOT_TRUECOLOUR
                                                        : PLOT_MONO;
    return terminal;
}

bool cli_shows_progress(const cli_context *context)
{
    const char *term = getenv("TERM");
    return !context->quiet && isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void cli_progress(const char *text)
{
    fprintf(stderr, "\r\033[K%s", text ? text : "");
    fflush(stderr);
}
