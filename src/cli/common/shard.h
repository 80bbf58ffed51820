/* A fit by several processes, each of which keeps a part of the columns. */
#ifndef CLI_COMMON_SHARD_H
#define CLI_COMMON_SHARD_H

#include "cli/common/comm.h"
#include "cli/print/context.h"
#include "tamis/dataset.h"

/* Replaces *data by the rank's part, releases the old reference, and sets the parameters that
 * lockstep execution requires. TM_EUSAGE for parameters that would break it. Reports how much each
 * rank keeps. */
tm_status shard_columns(tm_dataset **data, tm_params *params, const cli_comm *comm,
                        const cli_context *context, tm_error *err);

/* Reports from the first rank what the ranks have received from each other; called by all of them.
 */
void shard_tell_traffic(const tm_dataset *data, const cli_comm *comm, const cli_context *context);

#endif
