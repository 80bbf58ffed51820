/* The module's only symbol, "tamis_mpi", is a table of these calls. */
#ifndef MPI_MODULE_H
#define MPI_MODULE_H

#include "tamis/comm.h"

typedef struct mpi_module {
    /* Joins the processes that mpirun has started; once in a process. 0, or -1 when MPI cannot be
     * used from the threads of a program. A failure of a later call ends all processes, as MPI has
     * it. */
    int (*begin)(tm_comm *comm);
    /* After the last call of `comm`, in every process. */
    void (*end)(void);
} mpi_module;

#endif
