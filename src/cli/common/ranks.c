#include "cli/common/ranks.h"

#include "base/text.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* The environment variables in which launchers pass the rank, the number of ranks, and their number
 * on this host. */
static const struct {
    const char *rank, *count, *here;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL},
};

static bool number_of(const char *name, size_t *out)
{
    const char *text = name ? getenv(name) : NULL;
    long number;
    if (!text || !text_to_long(text, &number) || number < 0)
        return false;
    *out = (size_t)number;
    return true;
}

cli_ranks cli_ranks_find(void)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        cli_ranks found = {0, 1, false};
        size_t here, nodes;
        if (!number_of(launchers[i].rank, &found.rank) ||
            !number_of(launchers[i].count, &found.count) || found.rank >= found.count)
            continue;
        if (number_of(launchers[i].here, &here))
            found.many_hosts = here < found.count;
        else if (number_of("SLURM_STEP_NUM_NODES", &nodes))
            found.many_hosts = nodes > 1;
        return found;
    }
    return (cli_ranks){0, 1, false};
}

/* The path of the lock file, by the parent process: all ranks of a host have the launcher, or its
 * daemon, as parent. */
static bool lock_path(char path[PATH_MAX], const char *suffix)
{
    const char *folder = getenv("TMPDIR");
    int used =
        snprintf(path, PATH_MAX, "%s/tamis-first-rank-%ld-%ld%s",
                 folder && *folder ? folder : "/tmp", (long)getuid(), (long)getppid(), suffix);
    return used > 0 && used < PATH_MAX;
}

int cli_ranks_hold(const cli_ranks *ranks)
{
    char made[PATH_MAX], path[PATH_MAX];
    if (ranks->rank > 0 || ranks->count < 2 || !lock_path(made, "-new") || !lock_path(path, ""))
        return -1;
    unlink(made);
    int file = open(made, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return -1;
    /* The file is locked before it gets its name, so that no process can see it unlocked. */
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && rename(made, path) == 0)
        return file;
    unlink(made);
    close(file);
    return -1;
}

bool cli_ranks_release(const cli_ranks *ranks, int held)
{
    char path[PATH_MAX];
    if (ranks->count < 2 || !lock_path(path, ""))
        return false;
    if (held >= 0) {
        unlink(path);
        close(held);
        return false;
    }
    int file = ranks->rank > 0 ? open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (file < 0)
        return false;
    bool dead = flock(file, LOCK_EX | LOCK_NB) == 0 && unlink(path) == 0;
    close(file);
    return dead;
}
