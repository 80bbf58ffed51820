/* Messages on standard error, and the end of standard output. */
#ifndef CLI_PRINT_MESSAGES_H
#define CLI_PRINT_MESSAGES_H

#include "cli/print/context.h"

/* Prints one line on standard error, "tamis COMMAND: message" (command NULL: "tamis: message"), and
 * returns the exit status for the error's code. */
int cli_fail(const char *command, const tm_error *err);
/* The same for wrong usage. */
/* Says that standard output could not be written; `number` is errno, or 0 if it is not known. */
tm_status cli_output_failed(int number, tm_error *err);
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A remark on standard error, unless --quiet. */
void cli_remark(const cli_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Flushes standard output; returns `status` if all of it was written, otherwise CLI_FAILED after a
 * message (without a message if the reader of a pipe has closed it, as in `| head`). */
int cli_finish(const char *command, int status);
/* The same when standard output has been flushed before, and failed with the errno `number` (0: it
 * has not). */
int cli_finish_after(const char *command, int status, int number);

#endif
