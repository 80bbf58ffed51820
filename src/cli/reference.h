/* docs/reference.md, made from the tables. */
#ifndef CLI_REFERENCE_H
#define CLI_REFERENCE_H

#include "cli/print/context.h"

/* Methods, strategies, readers, generators, metrics and common options as Markdown on standard
 * output. */
void reference_print(const cli_context *context);

#endif
