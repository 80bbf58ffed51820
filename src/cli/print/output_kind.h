/* The capabilities of the terminal, or of the file used in its place. */
#ifndef CLI_PRINT_OUTPUT_KIND_H
#define CLI_PRINT_OUTPUT_KIND_H

#include "cli/print/context.h"
#include "plot/figure.h"

#include <stddef.h>

typedef struct cli_terminal {
    bool utf8;
    plot_colours colours;
    size_t columns;
} cli_terminal;

/* Sets the locale from the environment, and context->utf8. Names of features and files, which are
 * UTF-8, are written to a file or a pipe as they are, in every locale. */
void cli_locale(cli_context *context);
/* The capabilities of standard output, as set by --charset, --color or the environment. */
cli_terminal cli_terminal_find(const cli_context *context);
/* Whether progress should be drawn on standard error. */
bool cli_shows_progress(const cli_context *context);
/* Draws one line over the previous one; NULL erases it. */
void cli_progress(const char *text);

#endif
