/* The rank of this process among those that mpirun or srun has started with it. */
#ifndef CLI_COMMON_RANKS_H
#define CLI_COMMON_RANKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_ranks {
    size_t rank, count; /* 0 of 1 if it was started alone */
    bool many_hosts;
} cli_ranks;

/* Reads the environment variables of the launcher: Open MPI, MPICH and its derivatives, or a step
 * of Slurm. */
cli_ranks cli_ranks_find(void);

/* Only rank 0 prints. While it works, it holds a locked file in the temporary folder, so that the
 * other ranks of its host can tell if it was killed. Returns the file's descriptor, or -1. */
int cli_ranks_hold(const cli_ranks *ranks);
/* Called at the end of the first rank, or (held: -1) of another one; returns true in one of the
 * other ranks if the first one has died. */
bool cli_ranks_release(const cli_ranks *ranks, int held);

#endif
