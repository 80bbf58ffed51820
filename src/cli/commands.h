/* The subcommands: each is in a file of its name and has one row in main.c's table. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/print/context.h"

/* A subcommand: argv[0] is its name. Returns the exit status. */
typedef int cli_main(cli_context *context, int argc, char **argv);

cli_main cli_fit, cli_predict, cli_info, cli_convert, cli_methods, cli_runs, cli_report, cli_run,
    cli_eval, cli_repl, cli_learn;

#endif
