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

#endif
