/* The values of the common options. */
#ifndef CLI_COMMON_SETTINGS_H
#define CLI_COMMON_SETTINGS_H

#include "cli/print/context.h"

#include <stdint.h>

/* Worker threads to use: --jobs, or one for each core. */
int cli_jobs(const cli_context *context);
/* The same, with another default. */
int cli_jobs_given(const cli_context *context, int fallback);
uint64_t cli_seed(const cli_context *context);
/* The value of --store; NULL if it was not given. */
const char *cli_store(const cli_context *context);

#endif
