/* Signals and wake-ups as file descriptors, for the main thread's poll().
 *
 * Handlers are used instead of a signal mask with signalfd: OpenBLAS starts threads before main
 * runs, and a signal that all other threads block would be delivered to those. */
#ifndef CLI_COMMON_EVENTS_H
#define CLI_COMMON_EVENTS_H

#include "tamis/error.h"

#include <stdbool.h>

typedef struct cli_events {
    int signals; /* read end of the handlers' pipe */
    int wake;    /* eventfd */
} cli_events;

/* From here on SIGINT, SIGTERM and SIGHUP (unless they were ignored) end the program at once with
 * status 128 + n; for work that can be lost without harm. */
void cli_events_exit(void);
/* From here on cli_events_wait reports them; with `interactive` also SIGWINCH and SIGTSTP. */
tm_status cli_events_open(cli_events *events, bool interactive, tm_error *err);
/* Restores the behaviour of cli_events_exit. */
void cli_events_close(cli_events *events);
/* Ends a wait. Any thread; the argument is a cli_events. */
void cli_events_wake(void *events);

/* Waits for a signal, a wake-up, input on `fd` (or -1), or the end of `milliseconds` (negative:
 * no limit). Returns the signal, or 0; *readable says whether `fd` has input or has reached its
 * end. */
int cli_events_wait(cli_events *events, int fd, int milliseconds, bool *readable);

/* A termination signal that has arrived and was not yet reported, or 0. */
int cli_events_pending(cli_events *events);

/* Whether a signal that arrives now, after one at `first` (clock_now), is a separate request:
 * timeout and batch systems send one signal both to the process and to its group. */
bool cli_events_again(double first);

#endif
