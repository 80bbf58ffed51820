/* Reading the data a subcommand is given. */
#ifndef CLI_COMMON_LOAD_H
#define CLI_COMMON_LOAD_H

#include "cli/print/context.h"
#include "tamis/dataset.h"

/* The reader's options at their defaults. */
tm_status cli_reader_params_new(tm_params **out, tm_error *err);

/* The column that tells the bags (NULL: none) is read as ids, which may be texts, unless it is
 * given by its number, or is a file. */
tm_status cli_read_bags(tm_params *reader, const char *bags, tm_error *err);

/* Reads `path` ("-": standard input) with progress on a terminal. A signal meanwhile ends the
 * program. The data set is the caller's. */
tm_status cli_load(tm_dataset **out, const char *path, const tm_params *params,
                   const cli_context *context, tm_error *err);

/* How data are read that something learned from others is applied to. */
typedef struct cli_like {
    const tm_params *params;
    const tm_reading *like; /* of the others; NULL: it is not known */
    bool unlabelled;        /* every column is a feature */
    bool may_lack;          /* a response that is not there is none */
} cli_like;
tm_status cli_load_like(tm_dataset **out, const char *path, const cli_like *how,
                        const cli_context *context, tm_error *err);

/* The last features of a file that leaves out zeros may simply not occur; another with fewer than
 * `wanted` lacks some, unless names tell which it has. */
tm_status cli_check_width(const tm_dataset *data, size_t wanted, tm_error *err);

/* The data that test what was learned from `train`, read like those. A response apart is the test's
 * own: the file `response`, or NULL for the one beside the data. */
tm_status cli_load_test(tm_dataset **out, const char *path, const tm_params *params,
                        const char *response, const tm_dataset *train, const cli_context *context,
                        tm_error *err);

#endif
