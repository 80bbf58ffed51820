/* The processes that mpirun has started, as a tm_comm for the library. */
#ifndef CLI_COMMON_COMM_H
#define CLI_COMMON_COMM_H

#include "mpi/module.h"
#include "tamis/error.h"

typedef struct cli_comm {
    void *handle;
    const mpi_module *module;
    tm_comm comm;
} cli_comm;

/* TM_EUSAGE if the program was not started by mpirun, or was built without MPI. Standard output is
 * silenced in all ranks except the first. Close it with cli_comm_close, also after a failure. */
tm_status cli_comm_open(cli_comm *out, tm_error *err);
void cli_comm_close(cli_comm *comm);

#endif
