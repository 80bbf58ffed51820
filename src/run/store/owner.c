#include "run/store/owner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The first line of a file without the newline; "" if it cannot be read. */
static void read_line(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "re");
    line[0] = '\0';
    if (!file)
        return;
    if (!fgets(line, size, file))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    fclose(file);
}

/* When the process started; 0 when that cannot be read, -1 when it has ended without having been
 * waited for. */
static int64_t process_start(int64_t pid)
{
    char path[64], line[1024], state;
    long long started;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    read_line(path, line, sizeof line);
    /* The name in parentheses may contain anything; state and the 22nd field come after it. */
    const char *rest = strrchr(line, ')');
    if (!rest || sscanf(rest,
                        ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                        "%*s %lld",
                        &state, &started) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? -1 : started;
}

owner owner_self(void)
{
    owner self = {.pid = getpid()};
    if (gethostname(self.host, sizeof self.host - 1) != 0)
        self.host[0] = '\0';
    read_line("/proc/sys/kernel/random/boot_id", self.boot, sizeof self.boot);
    self.started = process_start(self.pid);
    return self;
}

bool owner_alive(const owner *who)
{
    owner self = owner_self();
    if (strcmp(who->host, self.host) != 0)
        return true;
    if (strcmp(who->boot, self.boot) != 0 || who->pid <= 0)
        return false;
    int64_t started = process_start(who->pid);
    /* Another user's processes may be hidden in /proc. */
    if (started == 0 || who->started == 0)
        return started >= 0 && (kill((pid_t)who->pid, 0) == 0 || errno == EPERM);
    return started == who->started;
}
