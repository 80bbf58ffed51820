/* A process of its own for work that may end a program: a library that a damaged file leads out of
 * its memory. It answers through a channel, and only it is lost. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct process {
    pid_t id;    /* 0: there is none */
    int channel; /* a stream in both directions; -1 */
} process;

#define PROCESS_NONE                                                                               \
    {                                                                                              \
        0, -1                                                                                      \
    }

/* Starts a process that calls serve(channel, payload) and ends when that returns, or with the
 * thread that started it. It has a copy of the caller's memory and its open files, one thread, no
 * handlers of signals, and standard error goes nowhere: it must take no lock that another thread
 * may hold now, other than those of malloc. Calls of process_start exclude each other, by a lock of
 * the caller's: else one process would keep another's channel. */
tm_status process_start(process *out, void (*serve)(int channel, void *payload), void *payload,
                        tm_error *err);

/* Whether all bytes could be sent, or received. Both wait. */
bool process_send(int channel, const void *bytes, size_t size);
/* `stop` (may be NULL) is asked several times a second whether to give up. */
bool process_receive(int channel, void *bytes, size_t size, bool (*stop)(void *payload),
                     void *payload);

/* Lets serve() see the end of its channel, or kills the process, and waits until it has ended; does
 * nothing when there is none. Returns the signal that ended it, 0 when it ended by itself with
 * status 0, and -1 when it did with another. */
int process_end(process *p, bool kills);

#endif
