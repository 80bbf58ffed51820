/* The place of this process among those that mpirun or srun has started with it. */
#ifndef CLI_COMMON_RANKS_H
#define CLI_COMMON_RANKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_ranks {
    size_t rank, count; /* 0 of 1 when it was started by itself */
    bool many_hosts;
} cli_ranks;

/* From what the launcher left in the environment: Open MPI, MPICH and its kin, or a step of Slurm.
 */
cli_ranks cli_ranks_find(void);

/* Rank 0 alone prints. It holds a locked file of the temporary folder while it works, so that the
 * others of its host can tell when it was killed; the file's descriptor, or -1. */
int cli_ranks_hold(const cli_ranks *ranks);
/* The end of the first rank, or (held: -1) of another one: true when the first one has died, which
 * one of the others is told. */
bool cli_ranks_release(const cli_ranks *ranks, int held);

#endif
