/* Reading the data a subcommand is given. */
#ifndef CLI_COMMON_LOAD_H
#define CLI_COMMON_LOAD_H

#include "cli/print/context.h"
#include "tamis/dataset.h"

/* The reader's options at their defaults. */
tm_status cli_reader_params_new(tm_params **out, tm_error *err);

/* Reads `path` ("-": standard input) with progress on a terminal. A signal meanwhile ends the
 * program. The data set is the caller's. */
tm_status cli_load(tm_dataset **out, const char *path, const tm_params *params,
                   const cli_context *context, tm_error *err);

/* The same for data without a response: every column is a feature. */
tm_status cli_load_unlabelled(tm_dataset **out, const char *path, const tm_params *params,
                              const cli_context *context, tm_error *err);

/* The last features of sparse data may simply not occur; a table with fewer than `wanted` lacks
 * some, unless names tell which it has. */
tm_status cli_check_width(const tm_dataset *data, size_t wanted, tm_error *err);

/* The same for the data that test what was learned from `train`, with the options of both. A
 * response apart is the test's own: the file `response`, or NULL for the one beside the data.
 * Features are counted as in `train`: from 0 when only that has a feature 0. */
tm_status cli_load_test(tm_dataset **out, const char *path, const tm_params *params,
                        const char *response, const tm_dataset *train, const cli_context *context,
                        tm_error *err);

#endif
