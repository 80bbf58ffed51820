/* The command line: what the subcommands share. */
#ifndef CLI_COMMON_CLI_H
#define CLI_COMMON_CLI_H

#include "tamis/params.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses. A run ended by signal n gives 128 + n, so Ctrl-C gives 130. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* What the common options said. */
typedef struct cli_context {
    tm_params *common; /* jobs, seed, store, charset, color */
    bool quiet;
    size_t shard, shards; /* --shard: sweeps do part `shard` (from 0) of `shards`; 0 of 0: all */
} cli_context;

/* A subcommand: argv[0] is its name. Returns the exit status. */
typedef int cli_main(cli_context *context, int argc, char **argv);

cli_main cli_fit, cli_predict, cli_info, cli_convert, cli_methods, cli_runs, cli_report, cli_run,
    cli_eval, cli_repl, cli_learn;

/* Prints one line on standard error, "tamis COMMAND: message" (command NULL: "tamis: message"), and
 * returns the exit status that goes with the error's code. */
int cli_fail(const char *command, const tm_error *err);
/* The same for wrong usage. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A remark on standard error, unless --quiet. */
void cli_remark(const cli_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Flushes standard output: `status` when all of it was written, else CLI_FAILED after a message
 * (without one when the reader of a pipe went away, as in `| head`). */
int cli_finish(const char *command, int status);

/* Worker threads to use: --jobs, or one for each core. */
int cli_jobs(const cli_context *context);
/* The same, with another default. */
int cli_jobs_given(const cli_context *context, int fallback);
uint64_t cli_seed(const cli_context *context);
/* --store as it was given; NULL without it. */
const char *cli_store(const cli_context *context);

#endif
