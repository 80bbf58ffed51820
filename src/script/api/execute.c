/* An interruptible os.execute: on an interrupt the shell gets the signal, too, and its end is
 * awaited. */
#include "script/api/execute.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Pauses between checks of the command and of the interrupt flag; they grow from the first to the
 * last, so that the end of a short command is noticed quickly. */
enum { FIRST_PAUSE_US = 500, LAST_PAUSE_US = 20000, KILL_AFTER_US = 1000000 };

/* The script's thread blocks every signal; its children must not. With `group` the shell and its
 * children form a process group of their own. */
static int start_shell(pid_t *child, const char *command, bool group)
{
    char *const arguments[] = {"sh", "-c", (char *)command, NULL};
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawnattr_init(&attributes) != 0)
        return ENOMEM;
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    posix_spawnattr_setflags(&attributes, group ? flags | POSIX_SPAWN_SETPGROUP : flags);
    posix_spawnattr_setpgroup(&attributes, 0);
    int failed = posix_spawn(child, "/bin/sh", NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

static void pause_us(long microseconds)
{
    nanosleep(&(struct timespec){0, microseconds * 1000L}, NULL);
}

/* Returns the command's status as waitpid gives it, or -1. */
static int wait_for(const script *self, pid_t child, bool group)
{
    int status = -1;
    long pause = FIRST_PAUSE_US, stopping = 0;
    for (;;) {
        pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child)
            return status;
        if (got < 0 && errno != EINTR)
            return -1;
        if (script_must_stop(self)) {
            kill(group ? -child : child, stopping < KILL_AFTER_US ? SIGTERM : SIGKILL);
            stopping += pause;
        }
        pause_us(pause);
        pause = 2 * pause < LAST_PAUSE_US ? 2 * pause : LAST_PAUSE_US;
    }
}

int script_os_execute(lua_State *L)
{
    const char *command = luaL_optstring(L, 1, NULL);
    pid_t child;
    if (!command) {
        lua_pushboolean(L, 1);
        return 1;
    }
    /* A process group of its own could not read from the terminal. */
    bool group = !isatty(STDIN_FILENO);
    script_check(L);
    int failed = start_shell(&child, command, group);
    if (failed) {
        luaL_pushfail(L);
        lua_pushstring(L, strerror(failed));
        lua_pushinteger(L, failed);
        return 3;
    }
    int status = wait_for(script_of(L), child, group);
    script_check(L);
    return luaL_execresult(L, status);
}
