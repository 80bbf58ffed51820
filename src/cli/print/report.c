#include "cli/print/report.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum {
    LABEL_COLUMNS = 12,
    PAGE_COLUMNS = 80,
    USUAL_LINE = 1024,
    COLOUR_POSITIVE = 0,
    COLOUR_NEGATIVE = 1
};

/* How many bytes from here a terminal may take for a command: a control character, which is two
 * bytes from U+0080 to U+009F. */
static size_t commanding(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if ((*c < 0x20 && *c && *c != '\n' && *c != '\t') || *c == 0x7F)
        return 1;
    return *c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0 ? 2 : 0;
}

void report_clean(char *text)
{
    while (*text) {
        size_t length = commanding(text);
        memset(text, '?', length);
        text += length ? length : 1;
    }
}

/* Without a copy: a line for which there is no memory would be missing without a word. */
void report_text(const char *text)
{
    while (*text) {
        size_t length = commanding(text);
        if (length)
            fwrite("??", 1, length, stdout);
        else
            putchar(*text);
        text += length ? length : 1;
    }
}

void report_label(const char *label)
{
    printf("  %-*s", LABEL_COLUMNS, label);
}

void report_line(const char *label, const char *format, ...)
{
    char line[USUAL_LINE], *longer = NULL;
    va_list args;
    report_label(label);
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    bool fits = length < (int)sizeof line;
    if (!fits) {
        va_start(args, format);
        if (vasprintf(&longer, format, args) < 0)
            longer = NULL;
        va_end(args);
    }
    report_text(longer ? longer : line);
    puts(fits || longer ? "" : " ... (no memory for the rest)");
    free(longer);
}

void report_heading(const cli_terminal *terminal, const char *text)
{
    bool bold = terminal->colours != PLOT_MONO;
    fputs(bold ? "\033[1m" : "", stdout);
    report_text(text);
    puts(bold ? "\033[0m" : "");
}

static void start_colour(plot_colours colours, const plot_colour *colour)
{
    if (colours == PLOT_ANSI16)
        printf("\033[%dm", 30 + colour->ansi16);
    else if (colours == PLOT_ANSI256)
        printf("\033[38;5;%dm", colour->xterm256);
    else if (colours == PLOT_TRUECOLOUR)
        printf("\033[38;2;%d;%d;%dm", colour->red, colour->green, colour->blue);
}

void report_bar(const cli_terminal *terminal, double share, int cells, bool negative)
{
    int filled = (int)lround(share * cells);
    const char *utf8 = negative ? "\xE2\x96\x92" : "\xE2\x96\x88"; /* shaded, full block */
    const char *cell = terminal->utf8 ? utf8 : negative ? "-" : "+";
    start_colour(terminal->colours, plot_palette(negative ? COLOUR_NEGATIVE : COLOUR_POSITIVE));
    for (int i = 0; i < (filled > 0 ? filled : 1); i++)
        fputs(cell, stdout);
    if (terminal->colours != PLOT_MONO)
        fputs("\033[0m", stdout);
}

/* One character of the text: its bytes and its columns. Invalid bytes and control characters must
 * not reach the terminal: they count as one column and are not plain. */
typedef struct glyph {
    size_t length;
    int columns;
    bool plain;
} glyph;

static glyph next_glyph(const char *text, mbstate_t *state)
{
    wchar_t wide;
    size_t length = mbrtowc(&wide, text, strlen(text), state);
    bool broken = length == (size_t)-1 || length == (size_t)-2;
    int width = broken ? 1 : wcwidth(wide);
    if (broken || width < 0) {
        *state = (mbstate_t){0};
        return (glyph){broken ? 1 : length, 1, false};
    }
    return (glyph){length, width, true};
}

int report_columns(const char *text)
{
    mbstate_t state = {0};
    int columns = 0;
    while (*text) {
        glyph g = next_glyph(text, &state);
        columns += g.columns;
        text += g.length;
    }
    return columns;
}

/* Prints the characters that begin in the columns from `first` up to `end`; returns the columns
 * taken. */
static int print_columns(const char *text, int first, int end)
{
    mbstate_t state = {0};
    int at = 0, used = 0;
    while (*text) {
        glyph g = next_glyph(text, &state);
        if (at >= first && at + g.columns <= end) {
            fwrite(g.plain ? text : "?", 1, g.plain ? g.length : 1, stdout);
            used += g.columns;
        }
        at += g.columns;
        text += g.length;
    }
    return used;
}

void report_padded(const char *text, int columns)
{
    int width = report_columns(text), used;
    if (width <= columns) {
        used = print_columns(text, 0, width);
    } else {
        int tail = columns / 3;
        used = print_columns(text, 0, columns - tail - 3);
        used += printf("...");
        used += print_columns(text, width - tail, width);
    }
    printf("%*s", columns > used ? columns - used : 0, "");
}

void report_wrapped(const char *text, int used, int indent)
{
    for (const char *word = text; *word;) {
        int length = (int)strcspn(word, " \n"), gap = (int)strspn(word + length, " ");
        printf("%.*s", length, word);
        used += length;
        word += length + gap;
        bool ends = *word == '\n';
        if (ends)
            word++;
        int next = (int)strcspn(word, " \n");
        if (ends || (*word && used + gap + next > PAGE_COLUMNS)) {
            printf("\n%*s", *word == '\n' ? 0 : indent, "");
            used = indent;
        } else if (*word) {
            used += printf("%*s", gap, "");
        }
    }
    putchar('\n');
}

const char *report_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

void report_bytes(double bytes, char *buffer, size_t size)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        bytes /= 1000;
    snprintf(buffer, size, unit ? "%.3g %s" : "%.0f %s", bytes, units[unit]);
}

void report_model_kind(const tm_model *model)
{
    const tm_model *predictor = tm_model_predictor(model);
    if (!tm_model_predicts(model))
        report_line("model", "a selection of features, without predictions");
    else if (predictor && !tm_model_kernel(model))
        report_line("model", "a selection of features; %s on them predicts",
                    tm_model_method(predictor));
    else if (predictor)
        report_line("model",
                    "a selection of features; %s on them predicts, by %zu support vectors "
                    "(%s)",
                    tm_model_method(predictor), tm_model_support_vectors(model),
                    tm_model_kernel(model));
    else if (tm_model_kernel(model))
        report_line("model", "%zu support vectors, kernel %s", tm_model_support_vectors(model),
                    tm_model_kernel(model));
}

void report_csv_real(FILE *file, double value)
{
    char text[TEXT_EXACT];
    fprintf(file, ",%s", isnan(value) ? "" : text_exact(value, text));
}
