/* A fit by several processes, each of which keeps a part of the columns. */
#ifndef CLI_RANKS_SHARD_H
#define CLI_RANKS_SHARD_H

#include "cli/print/context.h"
#include "cli/ranks/comm.h"
#include "tamis/dataset.h"
#include "tamis/method.h"

/* The name of the file of part `number` of `count`: d.2of4.tam for d.tam. Freed by the caller; NULL
 * when memory ran out. */
char *shard_file(const char *path, size_t number, size_t count);

/* Loads the data of a fit by several processes: the rank's own file, if they were divided by `tamis
 * convert --shards`, otherwise `path`, as also if `comm` is not open. */
tm_status shard_load(tm_dataset **out, const char *path, const tm_params *params,
                     const cli_comm *comm, const cli_context *context, tm_error *err);

/* Whether the data are a part of others, from a file of `tamis convert --shards`. */
bool shard_is_part(const tm_dataset *data);

typedef struct shard_fit {
    const tm_method *method;
    tm_params *params;
    bool rows; /* share rows, not columns */
} shard_fit;

/* The size of the whole, where rows are shared; else n = 0. */
typedef struct shard_size {
    size_t n;
    uint64_t nnz;
    bool condensed; /* the rows at hand are p + 2 that stand for all */
} shard_size;

/* Replaces *data, releases the old reference, and reports how much each rank keeps. Columns: by the
 * rank's part; the parameters that lockstep execution requires are set. Rows: by all ranks' rows
 * condensed to p + 2, or, for other losses than the squared one, by the rank's own rows, whose sums
 * are shared. TM_EUSAGE for parameters or methods that do not allow it. Does nothing if
 * `comm` is not open. */
tm_status shard_data(tm_dataset **data, shard_size *whole, const shard_fit *fit,
                     const cli_comm *comm, const cli_context *context, tm_error *err);

/* Reports from the first rank what the ranks have received from each other; called by all of them.
 */
void shard_tell_traffic(const tm_dataset *data, const cli_comm *comm, const cli_context *context);

#endif
