#include "cli/common/wait.h"

#include "base/clock.h"
#include "cli/print/output_kind.h"

#include <unistd.h>

static void show(const cli_waited *what)
{
    char text[160];
    what->tell(what->payload, text, sizeof text);
    cli_progress(text);
}

int cli_wait(const cli_waited *what, cli_events *events, tm_pool *pool, cli_record *record,
             const cli_context *context)
{
    bool shown = cli_shows_progress(context);
    int interrupted = 0;
    double first = 0;
    while (!what->ended(what->payload)) {
        int number = cli_events_wait(events, -1, 100, NULL);
        tm_pool_acknowledge(pool);
        cli_record_sweep(record);
        if (number && interrupted && cli_events_again(first))
            _exit(128 + number);
        if (number && !interrupted) {
            first = clock_now();
            interrupted = number;
            what->cancel(what->payload);
        }
        if (shown)
            show(what);
    }
    if (shown)
        cli_progress(NULL);
    cli_record_sweep(record);
    return interrupted;
}
