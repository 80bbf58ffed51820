#include "tui/terminal/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Included for terminfo only; ncurses' headers define short macros. */
#include <curses.h>
#include <term.h>

/* The data of signal handlers, which can only use statics. Written before the handlers are
 * installed. */
static struct {
    int pipe_write;
    int tty;
    int capture, stderr_copy;
    struct termios saved;
    char restore[256];
    size_t restore_length;
    volatile sig_atomic_t deadline_status, winding_up;
} handler_state = {.pipe_write = -1, .tty = -1, .capture = -1, .stderr_copy = -1};

static const int queued_signals[] = {SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT};
static const int crash_signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* The handler while the program is shutting down and the terminal has been restored: a further
 * signal ends it. */
static void end_at_once(int number)
{
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++)
        if (ending_signals[i] == number)
            _exit(128 + number);
}

static void queue_signal(int number)
{
    if (handler_state.winding_up)
        end_at_once(number);
    int kept = errno;
    char byte = (char)number;
    /* If the pipe is full, unread signals will wake the loop anyway. */
    ssize_t written = write(handler_state.pipe_write, &byte, 1);
    (void)written;
    errno = kept;
}

static void crash(int number)
{
    ssize_t written = write(handler_state.tty, handler_state.restore, handler_state.restore_length);
    tcsetattr(handler_state.tty, TCSANOW, &handler_state.saved);
    /* The message of a failed assertion or of a sanitizer is in the capture pipe. */
    if (handler_state.capture >= 0) {
        char buffer[512];
        ssize_t got;
        while ((got = read(handler_state.capture, buffer, sizeof buffer)) > 0)
            written = write(handler_state.stderr_copy, buffer, (size_t)got);
    }
    (void)written;
    raise(number); /* the handler was reset on entry, so this ends the process by the default
                    * action */
}

static void deadline_passed(int number)
{
    (void)number;
    _exit(handler_state.deadline_status);
}

static tm_status check_terminal(const char *name, int fd, tm_error *err)
{
    if (!name || name[0] == '\0') {
        return tm_fail(err, TM_EIO,
                       "the environment variable TERM is not set, so the workbench cannot draw; "
                       "set it (for example TERM=xterm), or use 'tamis run' or 'tamis repl'");
    }
    int found = 0;
    if (setupterm(name, fd, &found) != OK) {
        return tm_fail(err, TM_EIO,
                       "the terminal type '%.64s' (TERM) is not known to this system; set TERM to "
                       "a known one (for example xterm), or use 'tamis run' or 'tamis repl'",
                       name);
    }
    const char *move = tigetstr("cup");
    bool usable = move && move != (char *)-1;
    del_curterm(cur_term);
    if (!usable) {
        return tm_fail(err, TM_EIO,
                       "the terminal type '%.64s' (TERM) cannot move its cursor, which the "
                       "workbench needs; use 'tamis run' or 'tamis repl'",
                       name);
    }
    return TM_OK;
}

static int open_device(void)
{
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (fd < 0 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    return fd;
}

tm_status tty_open(tty *t, tm_error *err)
{
    *t = (tty){.fd = -1, .signal_fd = -1, .capture_fd = -1, .stdout_copy = -1, .stderr_copy = -1};
    t->fd = open_device();
    tm_status status;
    if (t->fd < 0 || tcgetattr(t->fd, &t->saved) != 0) {
        status = tm_fail(err, TM_EIO,
                         "the workbench needs a terminal and there is none; use 'tamis run', "
                         "'tamis eval' or 'tamis fit' without one");
        goto done;
    }
    t->name = getenv("TERM");
    status = check_terminal(t->name, t->fd, err);
    if (status != TM_OK)
        goto done;
    int second = fcntl(t->fd, F_DUPFD_CLOEXEC, 3);
    t->in = fdopen(t->fd, "r");
    t->out = second < 0 ? NULL : fdopen(second, "w");
    if (!t->in || !t->out)
        status = tm_fail(err, TM_EIO, "the terminal could not be opened: %s", strerror(errno));
done:
    if (status != TM_OK)
        tty_close(t);
    return status;
}

tm_status tty_capture(tty *t, tm_error *err)
{
    int ends[2];
    fflush(stdout);
    fflush(stderr);
    t->stdout_copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    t->stderr_copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    /* Neither end blocks: a writer that is too fast loses text instead of stopping the program. */
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return tm_fail(err, TM_EIO, "no pipe for stray output: %s", strerror(errno));
    t->capture_fd = ends[0];
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    handler_state.capture = t->capture_fd;
    handler_state.stderr_copy = t->stderr_copy;
    return TM_OK;
}

/* Composes the sequence that restores the screen, while terminfo can still be queried. */
static void compose_restore(void)
{
    static const char *const capabilities[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
    char *out = handler_state.restore;
    size_t capacity = sizeof handler_state.restore;
    size_t used = (size_t)snprintf(out, capacity, "\033[?2004l\033[?1006l\033[?1002l");
    if (!tigetstr("kmous") || tigetstr("kmous") == (char *)-1)
        used = 0;
    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++) {
        const char *text = tigetstr(capabilities[i]);
        if (!text || text == (char *)-1)
            continue;
        /* Padding like $<2> is for obsolete terminals; it must not be printed. */
        for (; *text != '\0' && used + 2 < capacity; text++) {
            if (text[0] == '$' && text[1] == '<') {
                const char *end = strchr(text, '>');
                text = end ? end : text;
                continue;
            }
            out[used++] = *text;
        }
    }
    out[used++] = '\r';
    out[used++] = '\n';
    handler_state.restore_length = used;
}

tm_status tty_signals(tty *t, tm_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return tm_fail(err, TM_EIO, "no pipe for signals: %s", strerror(errno));
    t->signal_fd = ends[0];
    handler_state.pipe_write = ends[1];
    handler_state.tty = t->fd;
    handler_state.saved = t->saved;
    compose_restore();

    struct sigaction action = {.sa_handler = queue_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof queued_signals / sizeof queued_signals[0]; i++)
        sigaction(queued_signals[i], &action, NULL);
    action = (struct sigaction){.sa_handler = crash, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof crash_signals / sizeof crash_signals[0]; i++)
        sigaction(crash_signals[i], &action, NULL);
    action = (struct sigaction){.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &action, NULL);
    return TM_OK;
}

void tty_stop(tty *t)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction natural = {.sa_handler = SIG_DFL};
    struct sigaction own;
    tty_restore(t);
    /* Stops the whole process group, as the terminal's own Ctrl-Z does: a shell script that started
     * the program must stop, too. The program itself stops last, by raise(), which returns only
     * after it was continued. */
    sigaction(SIGTSTP, &ignore, &own);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &natural, NULL);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &own, NULL);
}

void tty_restore(const tty *t)
{
    tcsetattr(t->fd, TCSANOW, &t->saved);
}

void tty_deadline(int status, double seconds)
{
    struct sigaction action = {.sa_handler = deadline_passed};
    sigemptyset(&action.sa_mask);
    handler_state.deadline_status = status;
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6);
    setitimer(ITIMER_REAL, &timer, NULL);
}

void tty_winding_up(void)
{
    handler_state.winding_up = 1;
}

void tty_write(const tty *t, const char *text)
{
    fputs(text, t->out);
    fflush(t->out);
}

static void give_back(int *copy, int original)
{
    if (*copy >= 0) {
        dup2(*copy, original);
        close(*copy);
        *copy = -1;
    }
}

static void natural_signals(const int *signals, size_t count)
{
    struct sigaction natural = {.sa_handler = SIG_DFL};
    for (size_t i = 0; i < count; i++)
        sigaction(signals[i], &natural, NULL);
}

void tty_close(tty *t)
{
    if (t->signal_fd >= 0) {
        natural_signals(queued_signals, sizeof queued_signals / sizeof queued_signals[0]);
        natural_signals(crash_signals, sizeof crash_signals / sizeof crash_signals[0]);
        close(t->signal_fd);
        close(handler_state.pipe_write);
        handler_state.pipe_write = -1;
    }
    fflush(stdout);
    fflush(stderr);
    give_back(&t->stdout_copy, STDOUT_FILENO);
    give_back(&t->stderr_copy, STDERR_FILENO);
    handler_state.capture = -1;
    if (t->capture_fd >= 0)
        close(t->capture_fd);
    if (t->out)
        fclose(t->out);
    if (t->in)
        fclose(t->in);
    else if (t->fd >= 0)
        close(t->fd);
    *t = (tty){.fd = -1, .signal_fd = -1, .capture_fd = -1, .stdout_copy = -1, .stderr_copy = -1};
}
