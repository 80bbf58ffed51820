#include "cli/common/ranks.h"

#include "base/text.h"

#include <stdlib.h>

/* What launchers call the rank, their number, and the number on this host. */
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
