/* The terminal as a device: opening it, signals, and giving it back whatever happens.
 *
 * Signals arrive as bytes on a pipe (each byte a signal number). Handlers and a pipe are used, not
 * a signalfd: OpenBLAS starts threads before main that block no signal, and a signal such a thread
 * takes never reaches a signalfd. */
#ifndef TUI_TERMINAL_TTY_H
#define TUI_TERMINAL_TTY_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <termios.h>

typedef struct tty {
    FILE *in, *out;
    int fd;         /* to poll and to read keys from */
    int signal_fd;  /* one byte a signal */
    int capture_fd; /* what anything wrote to stdout or stderr meanwhile */
    int stdout_copy, stderr_copy;
    struct termios saved;
    const char *name; /* TERM */
} tty;

/* Opens the controlling terminal and checks that it can be drawn on. stdout and stderr stay as they
 * are until tty_capture. TM_EIO says what is missing; nothing is left open then. */
tm_status tty_open(tty *t, tm_error *err);
/* Sends stdout and stderr into capture_fd, so that nothing disturbs the screen. */
tm_status tty_capture(tty *t, tm_error *err);
/* Installs the handlers, also those that give the terminal back when the program crashes. Call it
 * when the screen library has installed its own. */
tm_status tty_signals(tty *t, tm_error *err);
/* Stops the process group as Ctrl-Z does; returns when it was continued (or could not stop). The
 * caller has left the screen. */
void tty_stop(tty *t);
/* The modes it was found with. */
void tty_restore(const tty *t);
/* From now on a signal that ends the program does so at once: its work is over. */
void tty_winding_up(void);
/* Ends the process with `status` after `seconds`, whatever it is waiting for then. */
void tty_deadline(int status, double seconds);
void tty_close(tty *t);

/* Writes to the terminal past the screen library (mouse reporting). */
void tty_write(const tty *t, const char *text);

#endif
