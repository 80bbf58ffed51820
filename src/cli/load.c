#include "cli/load.h"

#include "cli/events.h"
#include "cli/terminal.h"
#include "tamis/reader.h"

#include <stdio.h>
#include <string.h>

tm_status cli_reader_params_new(tm_params **out, tm_error *err)
{
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    return tm_params_new(out, "data", table, count, err);
}

static void on_progress(uint64_t bytes, double share, void *payload)
{
    char text[160];
    double megabytes = (double)bytes / 1e6;
    if (share >= 0)
        snprintf(text, sizeof text, "reading %.60s: %.0f %%, %.1f MB", (const char *)payload,
                 100 * share, megabytes);
    else
        snprintf(text, sizeof text, "reading %.60s: %.1f MB", (const char *)payload, megabytes);
    cli_progress(text);
}

tm_status cli_load(tm_dataset **out, const char *path, const tm_params *params,
                   const cli_context *context, tm_error *err)
{
    bool shown = cli_shows_progress(context);
    const char *slash = strrchr(path, '/');
    char name[64];
    snprintf(name, sizeof name, "%.60s", slash && slash[1] ? slash + 1 : path);
    tm_read_options options = {
        .params = params,
        .progress = shown ? on_progress : NULL,
        .payload = name,
    };
    cli_events_exit();
    tm_status status = tm_read(out, path, &options, err);
    if (shown)
        cli_progress(NULL);
    return status;
}
