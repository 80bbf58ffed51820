/* Waiting for the work of a pool, with progress on the terminal, recording in the store, and
 * signals. */
#ifndef CLI_COMMON_WAIT_H
#define CLI_COMMON_WAIT_H

#include "cli/common/events.h"
#include "cli/common/record.h"
#include "cli/print/context.h"

/* The work to wait for. */
typedef struct cli_waited {
    void *payload;
    bool (*ended)(const void *payload);
    void (*cancel)(void *payload);
    /* Writes one line of progress into text. */
    void (*tell)(const void *payload, char *text, size_t size);
} cli_waited;

/* Waits until it has ended. The first signal cancels it and is returned (0: none); a second one
 * ends the program. */
int cli_wait(const cli_waited *what, cli_events *events, tm_pool *pool, cli_record *record,
             const cli_context *context);

#endif
