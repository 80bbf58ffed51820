/* Readable pages: aligned lines, headings, bars; on standard output. */
#ifndef CLI_PRINT_REPORT_H
#define CLI_PRINT_REPORT_H

#include "cli/print/output_kind.h"

#include "tamis/model.h"

#include <stdio.h>

/* Replaces what a terminal may take for a command: texts of files are shown on it. Line ends and
 * tabs stay. */
void report_clean(char *text);
/* Prints the text, so cleaned. */
void report_text(const char *text);
/* "  label       text\n" */
/* "s" after a number that is not one, else "". */
const char *report_plural(size_t count);
void report_line(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "  label       ", without the rest of the line. */
void report_label(const char *label);
/* A line, bold if colours are used. */
void report_heading(const cli_terminal *terminal, const char *text);
/* `share` of `cells` filled: one colour and character for positive, another for negative. */
void report_bar(const cli_terminal *terminal, double share, int cells, bool negative);
/* The width of the text in terminal columns. */
int report_columns(const char *text);
/* The text padded to `columns` (at least 9); in a longer text, "..." replaces the middle. */
void report_padded(const char *text, int columns);
/* The text and a newline, broken between words so that no line is longer than 80 columns; `used`
 * columns of the first line are already used, the other lines begin with `indent` spaces. */
void report_wrapped(const char *text, int used, int indent);
/* What the model predicts with if not only its weights: support vectors, or another model. */
void report_model_kind(const tm_model *model);
/* A comma, and the number in the fewest digits unless it is NaN. */
void report_csv_real(FILE *file, double value);
/* "1.2 MB" */
void report_bytes(double bytes, char *buffer, size_t size);

#endif
