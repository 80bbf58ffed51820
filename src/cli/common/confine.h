/* Limits that the system keeps for the whole process while it runs untrusted scripts. */
#ifndef CLI_COMMON_CONFINE_H
#define CLI_COMMON_CONFINE_H

#include "cli/print/context.h"

/* Limits the memory that the process may take from now on, and the size of the files that it
 * writes: the limits of the Lua side know nothing of data sets, runs and what is saved. Without the
 * first limit where a sanitizer needs the addresses. */
void cli_confine(const cli_context *context);

#endif
