#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POLL_MILLISECONDS = 40 };

/* What the process counted, where a build counts which lines are run: exit() would write it, and
 * would run what the caller's program has planned for its own end. */
extern void __gcov_dump(void) __attribute__((weak));

/* ---- the process --------------------------------------------------------------------------- */

/* The caller's handlers would act for the caller, as on its terminal. An interrupt is for the
 * caller, who decides what becomes of the process. */
static void forget_signals(void)
{
    sigset_t none;
    for (int s = 1; s < NSIG; s++)
        signal(s, s == SIGINT || s == SIGQUIT ? SIG_IGN : SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* What the C library and others write when they find their memory damaged is not the caller's. */
static void silence(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

static _Noreturn void run(int channel, pid_t parent, void (*serve)(int channel, void *payload),
                          void *payload)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    forget_signals();
    silence();
    serve(channel, payload);
    if (__gcov_dump)
        __gcov_dump();
    _exit(0);
}

tm_status process_start(process *out, void (*serve)(int channel, void *payload), void *payload,
                        tm_error *err)
{
    int ends[2];
    *out = (process)PROCESS_NONE;
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return tm_fail(err, TM_EIO, "a channel cannot be opened: %s", strerror(errno));
    pid_t id = fork();
    if (id == 0) {
        close(ends[0]);
        run(ends[1], parent, serve, payload);
    }
    int reason = errno;
    close(ends[1]);
    if (id < 0) {
        close(ends[0]);
        return tm_fail(err, TM_EIO, "a process cannot be started: %s", strerror(reason));
    }
    *out = (process){id, ends[0]};
    return TM_OK;
}

int process_end(process *p, bool kills)
{
    int status = 0;
    if (p->id == 0)
        return 0;
    if (kills)
        kill(p->id, SIGKILL);
    /* Others that were started later may have the channel open, too. */
    shutdown(p->channel, SHUT_RDWR);
    close(p->channel);
    while (waitpid(p->id, &status, 0) < 0 && errno == EINTR)
        ;
    *p = (process)PROCESS_NONE;
    return WIFSIGNALED(status) ? WTERMSIG(status) : status ? -1 : 0;
}

/* ---- the channel --------------------------------------------------------------------------- */

bool process_send(int channel, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t sent = send(channel, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        at += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

bool process_receive(int channel, void *bytes, size_t size, bool (*stop)(void *payload),
                     void *payload)
{
    struct pollfd watched = {channel, POLLIN, 0};
    char *at = bytes;
    while (size > 0) {
        if (stop && stop(payload))
            return false;
        int ready = stop ? poll(&watched, 1, POLL_MILLISECONDS) : 1;
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        ssize_t got = read(channel, at, size);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}
