/* What the terminal, or the file in its place, can show. */
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

/* Standard output's abilities, as --charset and --color or the environment have them. */
cli_terminal cli_terminal_find(const cli_context *context);
/* Whether progress should be drawn on standard error. */
bool cli_shows_progress(const cli_context *context);
/* Draws one line over the last one; NULL wipes it. */
void cli_progress(const char *text);

#endif
