/* Recording runs in a store while they run: --store of the subcommands that run jobs.
 *
 * A store that fails never stops a run: the failure is reported once on standard error, and the
 * exit status shows that a request was not fulfilled. */
#ifndef CLI_COMMON_RECORD_H
#define CLI_COMMON_RECORD_H

#include "tamis/store.h"

#include <pthread.h>

typedef struct cli_recorded {
    tm_job *job; /* a reference */
    int64_t id;  /* id in the store */
} cli_recorded;

typedef struct cli_record {
    const char *command;
    tm_store *store; /* NULL: nothing is recorded */
    pthread_mutex_t lock;
    cli_recorded *runs; /* runs that have started and not ended */
    size_t count, capacity;
    bool later;     /* report a failure only at the end, as the terminal is in use until then */
    tm_error first; /* the first failure */
    size_t lost;    /* number of runs that are not recorded, or not completely */
    double updated; /* clock: when finished points were recorded last */
} cli_record;

/* `path` is the value of --store: NULL for no recording, "default" for the default place; `shared`:
 * other hosts use it at the same time. Close it with cli_record_close in all cases. */
void cli_record_open(cli_record *record, const char *command, const char *path, bool shared);
/* The same for the workbench: failures are reported when the record is closed. */
void cli_record_open_later(cli_record *record, const char *path);
/* Any thread: call it when the job has been submitted. Takes a reference of its own. */
void cli_record_begin(cli_record *record, const tm_job *job);
/* The same for a run that the store has in part, up to point `known` (see store_continue). */
void cli_record_continue(cli_record *record, const tm_job *job, int64_t id, size_t known);
/* Records runs that have ended and, about once a second, the points that running jobs have
 * finished. */
void cli_record_sweep(cli_record *record);
/* Any thread: records all that is finished, at once. */
void cli_record_flush(cli_record *record);
/* Any thread: notes that something else could not be recorded, for this reason. */
void cli_record_lose(cli_record *record, const tm_error *err);
/* Whether there are runs for which cli_record_sweep must be called. */
bool cli_record_pending(cli_record *record);
/* Call it when all jobs have ended: records the rest. Returns `status`, or CLI_FAILED instead of
 * CLI_DONE if runs could not be recorded. */
int cli_record_close(cli_record *record, int status);

#endif
