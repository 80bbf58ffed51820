/* Pages for people: aligned lines, headings, bars; on standard output. */
#ifndef CLI_PRINT_REPORT_H
#define CLI_PRINT_REPORT_H

#include "cli/print/output_kind.h"

#include "tamis/model.h"

/* "  label       text\n" */
void report_line(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "  label       ", without the rest of the line. */
void report_label(const char *label);
/* A line, bold where there are colours. */
void report_heading(const cli_terminal *terminal, const char *text);
/* `share` of `cells` filled: one colour and character for positive, another for negative. */
void report_bar(const cli_terminal *terminal, double share, int cells, bool negative);
/* How many columns of the terminal the text takes. */
int report_columns(const char *text);
/* The text padded to `columns` (9 at least); a longer one has "..." for what is between its two
 * ends. */
void report_padded(const char *text, int columns);
/* The text and a line's end, broken between words so that no line is longer than 80 columns; `used`
 * columns of the first line are taken, the other lines begin with `indent` spaces. */
void report_wrapped(const char *text, int used, int indent);
/* What predicts, where that is not the weights alone: support vectors, or another model. */
void report_model_kind(const tm_model *model);
/* "1.2 MB" */
void report_bytes(double bytes, char *buffer, size_t size);

#endif
