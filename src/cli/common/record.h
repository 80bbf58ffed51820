/* Recording runs in a store while they go on: --store of the subcommands that run jobs.
 *
 * A store that fails never stops a run: the failure is told once on standard error, and the exit
 * status tells that something asked for was not done. */
#ifndef CLI_COMMON_RECORD_H
#define CLI_COMMON_RECORD_H

#include "tamis/store.h"

#include <pthread.h>

typedef struct cli_recorded {
    tm_job *job; /* a reference */
    int64_t id;  /* in the store */
} cli_recorded;

typedef struct cli_record {
    const char *command;
    tm_store *store; /* NULL: nothing is recorded */
    pthread_mutex_t lock;
    cli_recorded *runs; /* begun and not finished */
    size_t count, capacity;
    bool later;     /* a failure is told at the end: the terminal is not ours meanwhile */
    tm_error first; /* failure, for then */
    size_t lost;    /* runs that are not recorded, or not wholly */
    double updated; /* clock: when finished points were recorded last */
} cli_record;

/* `path` as --store had it: NULL for no recording, "default" for the default place; `shared`: other
 * hosts use it at the same time. Closed with cli_record_close, whatever happened. */
void cli_record_open(cli_record *record, const char *command, const char *path, bool shared);
/* The same for the workbench: what goes wrong is told when the record is closed. */
void cli_record_open_later(cli_record *record, const char *path);
/* Any thread: the job was submitted. Takes a reference of its own. */
void cli_record_begin(cli_record *record, const tm_job *job);
/* Records what has ended, and about once a second the points that running jobs have finished. */
void cli_record_sweep(cli_record *record);
/* Any thread: something else could not be recorded, for this reason. */
void cli_record_lose(cli_record *record, const tm_error *err);
/* Whether there are runs that sweeps have to look after. */
bool cli_record_pending(cli_record *record);
/* All jobs have ended: records the rest. `status`, or CLI_FAILED in place of CLI_DONE when runs
 * that should be recorded are not. */
int cli_record_close(cli_record *record, int status);

#endif
