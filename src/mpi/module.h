/* The module's only symbol, "tamis_mpi", is a table of these functions. */
#ifndef MPI_MODULE_H
#define MPI_MODULE_H

#include "tamis/comm.h"

#include <stdbool.h>

typedef struct mpi_module {
    /* Joins the processes started by mpirun; once in a process. Returns 0, or -1 when MPI does not
     * support the program's threads. A failure of a later call ends all processes, as is the
     * default in MPI. */
    int (*begin)(tm_comm *comm);
    /* Called after the last call of `comm`, in every process; waits for the others. If this process
     * has failed and they do not come within ten seconds, they wait for something that it no longer
     * takes part in: all are ended. */
    void (*end)(bool failed);
} mpi_module;

#endif
