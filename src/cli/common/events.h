/* Signals and wake-ups as file descriptors, for the main thread's poll().
 *
 * Handlers, not a signal mask with signalfd: OpenBLAS starts threads before main does, and those
 * would take a signal that every other thread blocks. */
#ifndef CLI_COMMON_EVENTS_H
#define CLI_COMMON_EVENTS_H

#include "tamis/error.h"

#include <stdbool.h>

typedef struct cli_events {
    int signals; /* read end of the handlers' pipe */
    int wake;    /* eventfd */
} cli_events;

/* From here on SIGINT, SIGTERM and SIGHUP (those that were not ignored) end the program at once
 * with status 128 + n; for work that nothing is lost with. */
void cli_events_exit(void);
/* From here on they are reported by cli_events_wait; with `interactive` so are SIGWINCH and
 * SIGTSTP. */
tm_status cli_events_open(cli_events *events, bool interactive, tm_error *err);
/* Back to cli_events_exit's behaviour. */
void cli_events_close(cli_events *events);
/* Any thread; takes a cli_events. Ends a wait. */
void cli_events_wake(void *events);

/* Waits for a signal, a wake-up, input on `fd` (or -1), or the end of `milliseconds` (negative: no
 * limit). Returns the signal, or 0; *readable says whether `fd` has input or came to its end. */
int cli_events_wait(cli_events *events, int fd, int milliseconds, bool *readable);

/* A signal to end that has come and was not waited for, or 0. */
int cli_events_pending(cli_events *events);

/* Whether a signal that comes now, after one at `first` (clock_now), is a request of its own:
 * timeout and batch systems send one signal both to the process and to its group. */
bool cli_events_again(double first);

#endif
