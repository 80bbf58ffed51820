/* What processes that run in lockstep agree on. None of it needs memory, so that no process can
 * fail while the others wait. */
#ifndef BASE_RANKS_AGREE_H
#define BASE_RANKS_AGREE_H

#include "tamis/comm.h"
#include "tamis/error.h"

#include <stdbool.h>

/* Whether `mine` is the same in all processes; and its sum over them, in their order. */
bool comm_agree(const tm_comm *comm, double mine);
double comm_sum(const tm_comm *comm, double mine);
/* The least of theirs. */
double comm_least(const tm_comm *comm, double mine);
/* Replaces each value by its sum over all processes, in their order: the same bits in each. */
void comm_add(const tm_comm *comm, double *values, size_t count);

/* The failure of one process is that of all: returns the first rank's status that is not TM_OK, and
 * its message, in each of them. To be called before a collective operation that not all processes
 * might reach. */
tm_status comm_share(const tm_comm *comm, tm_status status, tm_error *err);

#endif
