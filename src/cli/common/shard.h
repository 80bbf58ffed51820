/* One fit by several processes, each of which keeps a part of the columns. */
#ifndef CLI_COMMON_SHARD_H
#define CLI_COMMON_SHARD_H

#include "cli/common/comm.h"
#include "cli/print/context.h"
#include "tamis/dataset.h"

/* Puts the rank's part in place of *data, whose reference is released, and sets the parameters that
 * processes in step need. TM_EUSAGE for those that would let them fall out of step. Tells how much
 * each rank keeps. */
tm_status shard_columns(tm_dataset **data, tm_params *params, const cli_comm *comm,
                        const cli_context *context, tm_error *err);

#endif
