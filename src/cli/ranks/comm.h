/* The processes that mpirun has started, as a tm_comm for the library. */
#ifndef CLI_RANKS_COMM_H
#define CLI_RANKS_COMM_H

#include "cli/ranks/peers.h"
#include "mpi/module.h"
#include "tamis/error.h"
#include "tamis/job.h"

#include <stdatomic.h>
#include <stdint.h>

/* Its address must stay the same while it is open. */
typedef struct cli_comm {
    void *handle;
    const mpi_module *module; /* NULL: not open */
    tm_comm comm;             /* for the library */
    tm_comm plain;            /* the module's; `comm` passes on in its gatherings who has to stop */
    double *mine, *all;       /* what is gathered, with some numbers of each process for that */
    int *counts;
    uint64_t received;     /* numbers of the other processes */
    double began;          /* clock at the beginning of the job; 0: it has not begun */
    atomic_int asked;      /* the signal that this process has got; 0: none */
    atomic_int stopped;    /* the signal that one of the processes has got */
    _Atomic(tm_job *) job; /* the job that uses `comm`: cancelled in all processes at one step, as
                            * it is told the time of the first one */
    peers_watch watch;
} cli_comm;

/* TM_EUSAGE if the program was not started by mpirun, or was built without MPI. Standard output is
 * silenced in all ranks except the first. Close it with cli_comm_close, also after a failure. */
tm_status cli_comm_open(cli_comm *out, tm_error *err);
/* Watches over the other processes until it is closed; see peers_watch_begin. */
tm_status cli_comm_watch(cli_comm *comm, peers_lost *lost, void *payload, tm_error *err);
/* Waits for the other processes; `failed`: this one has, perhaps alone. */
void cli_comm_close(cli_comm *comm, bool failed);

/* Asks for the end of the job of all processes because of a signal that this one has got. The job
 * is cancelled in each of them when they have next gathered something, so that all end at the same
 * step. */
void cli_comm_stop(cli_comm *comm, int signal);

/* Begins to tell the job the time, which is soon submitted and put into `job`. */
void cli_comm_count_time(cli_comm *comm);

#endif
