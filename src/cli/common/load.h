/* Reading the data of a subcommand. */
#ifndef CLI_COMMON_LOAD_H
#define CLI_COMMON_LOAD_H

#include "cli/print/context.h"
#include "tamis/dataset.h"

/* Makes the reader's options with their defaults. */
tm_status cli_reader_params_new(tm_params **out, tm_error *err);

/* Makes the reader read the column of the bags (NULL: none) as ids, which may be strings, unless it
 * is given by its number or is a file. */
tm_status cli_read_bags(tm_params *reader, const char *bags, tm_error *err);

/* Reads `path` ("-": standard input) with progress on a terminal. A signal during that time ends
 * the program. The caller owns the data set. */
tm_status cli_load(tm_dataset **out, const char *path, const tm_params *params,
                   const cli_context *context, tm_error *err);

/* How to read data to which a model learned from other data is applied. */
typedef struct cli_like {
    const tm_params *params;
    const tm_reading *like; /* how the other data were read; NULL: not known */
    bool unlabelled;        /* every column is a feature */
    bool may_lack;          /* the response may be missing */
} cli_like;
tm_status cli_load_like(tm_dataset **out, const char *path, const cli_like *how,
                        const cli_context *context, tm_error *err);

/* Checks the number of features. In a file that omits zeros, the last features may not occur; other
 * data with fewer than `wanted` features lack some, unless names identify those that they have. */
tm_status cli_check_width(const tm_dataset *data, size_t wanted, tm_error *err);

/* Loads test data for a model learned from `train`, read in the same way. A separate response is
 * that of the test data: the file `response`, or NULL for the one beside the data. */
tm_status cli_load_test(tm_dataset **out, const char *path, const tm_params *params,
                        const char *response, const tm_dataset *train, const cli_context *context,
                        tm_error *err);

/* Splits the rows of *data as the workbench does, classes in their shares: `text` is the share of
 * the rows that become *held. */
tm_status cli_hold_out(tm_dataset **data, tm_dataset **held, const char *text,
                       const cli_context *context, tm_error *err);

#endif
