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

typedef struct term_device {
    FILE *in, *out;
    int fd;         /* to poll and to read keys from */
    int signal_fd;  /* one byte a signal */
    int capture_fd; /* what anything wrote to stdout or stderr meanwhile */
    int stdout_copy, stderr_copy;
    struct termios saved;
    const char *name; /* TERM */
} term_device;

/* Opens the controlling terminal and checks that it can be drawn on. stdout and stderr stay as they
 * are until term_capture. TM_EIO says what is missing; nothing is left open then. */
tm_status term_open(term_device *t, tm_error *err);
/* Sends stdout and stderr into capture_fd, so that nothing disturbs the screen. */
tm_status term_capture(term_device *t, tm_error *err);
/* Installs the handlers, also those that give the terminal back when the program crashes. Call it
 * when the screen library has installed its own. */
tm_status term_signals(term_device *t, tm_error *err);
/* Stops the process group as Ctrl-Z does; returns when it was continued (or could not stop). The
 * caller has left the screen. */
void term_stop(term_device *t);
/* The modes it was found with. */
void term_restore(const term_device *t);
/* From now on a signal that ends the program does so at once: its work is over. */
void term_winding_up(void);
/* Ends the process with `status` after `seconds`, whatever it is waiting for then. */
void term_deadline(int status, double seconds);
void term_close(term_device *t);

/* Writes to the terminal past the screen library (mouse reporting). */
void term_write(const term_device *t, const char *text);

#endif
