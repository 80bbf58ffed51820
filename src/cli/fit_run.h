/* The run of `tamis fit`: one job, what interrupts it, and what is printed at its end. */
#ifndef CLI_FIT_RUN_H
#define CLI_FIT_RUN_H

#include "cli/common/record.h"
#include "cli/print/context.h"
#include "cli/ranks/comm.h"
#include "cli/ranks/shard.h"

typedef struct fit_options {
    const char *method, *test, *model, *trace, *steps;
    const char *test_response; /* file of its response, or NULL */
    const char *class;         /* label of the class that is taken against the rest, or NULL */
    const char *bags, *test_bags, *sigma, *tags, *note;
    const char *holdout; /* share of the rows to hold out for scores, or NULL */
    bool json, shard_columns, shard_rows, one_vs_rest, resume;
} fit_options;

/* The objects that are freed at the end. */
typedef struct fit_things {
    tm_params *reader, *params;
    tm_dataset *train, *test;
    tm_pool *pool;
    tm_job *job;
    tm_annotation annotation;
    cli_comm comm;
    shard_size whole;             /* the rows of all processes, if these were condensed */
    _Atomic(cli_record *) record; /* while the run is recorded */
    bool shared;                  /* several processes have failed with the same error */
} fit_things;

/* Runs the job of things->params on things->train, and prints its result; returns the exit status.
 */
int fit_job(fit_things *things, const fit_options *options, const tm_method *method,
            cli_record *record, const cli_context *context);
/* In several processes: makes a failure of one that of all (comm_share). */
tm_status fit_share(fit_things *things, tm_status status, tm_error *err);
/* Prints the error and returns the exit status; an error of all processes is printed by the first.
 */
int fit_fail(const fit_things *things, const tm_error *err);
/* A peers_lost of a fit_things: says that a process was lost, and records what was reached. */
void fit_lost(int rank, void *things);

#endif
