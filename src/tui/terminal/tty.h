/* The terminal as a device: opening it, signals, and restoring it in all cases.
 *
 * Signals arrive as bytes on a pipe (each byte a signal number). Handlers and a pipe are used, not
 * a signalfd: OpenBLAS starts threads before main that block no signals, and a signal delivered to
 * such a thread never reaches a signalfd. */
#ifndef TUI_TERMINAL_TTY_H
#define TUI_TERMINAL_TTY_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <termios.h>

typedef struct tty {
    FILE *in, *out;
    int fd;         /* for polling and for reading keys */
    int signal_fd;  /* one byte per signal */
    int capture_fd; /* reads what was written to stdout or stderr while they are captured */
    int stdout_copy, stderr_copy;
    struct termios saved;
    const char *name; /* TERM */
} tty;

/* Opens the controlling terminal and checks that it can be drawn on. stdout and stderr stay as they
 * are until tty_capture. On TM_EIO the error says what is missing, and nothing is left open. */
tm_status tty_open(tty *t, tm_error *err);
/* Redirects stdout and stderr to capture_fd, so that nothing disturbs the screen. */
tm_status tty_capture(tty *t, tm_error *err);
/* Installs the signal handlers, including those that restore the terminal when the program crashes.
 * Call it after the screen library has installed its own. */
tm_status tty_signals(tty *t, tm_error *err);
/* Stops the process group as Ctrl-Z does; returns when it is continued (or could not be stopped).
 * The caller must have left the screen. */
void tty_stop(tty *t);
/* Restores the terminal modes that were set at the start. */
void tty_restore(const tty *t);
/* Makes a signal that ends the program do so at once, because its work is over. */
void tty_winding_up(void);
/* Ends the process with `status` after `seconds`, whatever it is doing then. */
void tty_deadline(int status, double seconds);
void tty_close(tty *t);

/* Writes to the terminal directly, bypassing the screen library (mouse reporting). */
void tty_write(const tty *t, const char *text);

#endif
