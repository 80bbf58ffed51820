#include "cli/common/events.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Signals within this many seconds count as one; a user cannot press Ctrl-C twice in that time. */
static const double ONE_WISH = 0.1;

/* A handler has no user data: this is the write end of its pipe, or -1 to end the program. */
static volatile sig_atomic_t handler_pipe = -1;

static void handle(int number)
{
    int saved = errno;
    if (handler_pipe < 0)
        _exit(128 + number);
    unsigned char byte = (unsigned char)number;
    /* If the pipe is full, it already holds signals. */
    if (write(handler_pipe, &byte, 1) < 0)
        errno = saved;
    errno = saved;
}

static void install(int number, bool whatever_before)
{
    struct sigaction action, before;
    if (sigaction(number, NULL, &before) != 0 || (before.sa_handler == SIG_IGN && !whatever_before))
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void cli_events_exit(void)
{
    handler_pipe = -1;
    install(SIGINT, false);
    install(SIGTERM, false);
    install(SIGHUP, false);
}

tm_status cli_events_open(cli_events *events, bool interactive, tm_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return tm_fail(err, TM_EIO, "cannot make a pipe: %s", strerror(errno));
    int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake < 0) {
        int number = errno;
        close(ends[0]);
        close(ends[1]);
        return tm_fail(err, TM_EIO, "cannot make an event counter: %s", strerror(number));
    }
    *events = (cli_events){ends[0], wake};
    cli_events_exit();
    handler_pipe = ends[1];
    if (interactive) {
        install(SIGWINCH, true);
        install(SIGTSTP, false);
    }
    return TM_OK;
}

void cli_events_close(cli_events *events)
{
    int end = handler_pipe;
    signal(SIGWINCH, SIG_DFL);
    signal(SIGTSTP, SIG_DFL);
    handler_pipe = -1;
    close(end);
    close(events->signals);
    close(events->wake);
}

void cli_events_wake(void *payload)
{
    cli_events *events = payload;
    uint64_t one = 1;
    /* It fails only if the counter is full, and then the waiter will wake anyway. */
    ssize_t written = write(events->wake, &one, sizeof one);
    (void)written;
}

int cli_events_wait(cli_events *events, int fd, int milliseconds, bool *readable)
{
    struct pollfd polled[3] = {
        {events->signals, POLLIN, 0}, {events->wake, POLLIN, 0}, {fd, POLLIN, 0}};
    int ready = poll(polled, fd < 0 ? 2 : 3, milliseconds);
    unsigned char number = 0;
    uint64_t count;
    if (readable)
        *readable = ready > 0 && fd >= 0 && polled[2].revents != 0;
    if (ready > 0 && polled[1].revents && read(events->wake, &count, sizeof count) < 0)
        return 0;
    /* Also after EINTR: the handler has written by then. */
    if (read(events->signals, &number, 1) != 1)
        return 0;
    return number;
}

int cli_events_pending(cli_events *events)
{
    unsigned char number;
    while (read(events->signals, &number, 1) == 1)
        if (number == SIGINT || number == SIGTERM || number == SIGHUP)
            return number;
    return 0;
}

bool cli_events_again(double first)
{
    return clock_now() - first > ONE_WISH;
}
