/* The context that every subcommand gets, and its exit statuses. */
#ifndef CLI_PRINT_CONTEXT_H
#define CLI_PRINT_CONTEXT_H

#include "tamis/params.h"

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses. A run ended by signal n gives 128 + n, so Ctrl-C gives 130. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

struct cli_syntax;
struct cli_context;
/* Prints the syntax of a subcommand in another form than the page for --help. */
typedef void cli_page(const struct cli_syntax *syntax, const struct cli_context *context,
                      void *payload);

/* The values of the common options. */
typedef struct cli_context {
    tm_params *common; /* jobs, seed, store, charset, color */
    bool quiet;
    bool utf8;    /* the locale of the environment has UTF-8 */
    bool sandbox; /* scripts are untrusted, and may use this much; 0: as by default */
    double sandbox_seconds, sandbox_output, sandbox_memory; /* of a processor; MB */
    size_t shard, shards; /* --shard: sweeps do part `shard` (from 0) of `shards`; 0 of 0: all */
    cli_page *page;       /* used instead of the page for --help, with page_payload; NULL: that
                           * page */
    void *page_payload;
} cli_context;

#endif
