#include "cli/common/settings.h"

#include <unistd.h>

int cli_jobs_given(const cli_context *context, int fallback)
{
    return tm_params_has(context->common, "jobs") ? (int)tm_params_int(context->common, "jobs")
                                                  : fallback;
}

int cli_jobs(const cli_context *context)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cli_jobs_given(context, cores > 0 && cores <= 1024 ? (int)cores : 1);
}

uint64_t cli_seed(const cli_context *context)
{
    return (uint64_t)tm_params_int(context->common, "seed");
}

const char *cli_store(const cli_context *context)
{
    return tm_params_has(context->common, "store") ? tm_params_text(context->common, "store")
                                                   : NULL;
}
