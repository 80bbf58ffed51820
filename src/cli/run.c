/* tamis run, tamis eval: scripts without a screen. */
#include "base/text.h"
#include "cli/commands.h"
#include "cli/common/confine.h"
#include "cli/common/events.h"
#include "cli/common/options.h"
#include "cli/common/session.h"
#include "cli/common/settings.h"
#include "cli/print/messages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All of standard input as text, malloc'ed. */
static tm_status read_stdin(char **out, tm_error *err)
{
    size_t used = 0, capacity = 4096;
    char *text = malloc(capacity);
    *out = NULL;
    while (text) {
        ssize_t got = read(STDIN_FILENO, text + used, capacity - used - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(text);
            return tm_fail(err, TM_EIO, "cannot read standard input: %s", strerror(errno));
        }
        used += (size_t)got;
        text[used] = '\0';
        if (got == 0) {
            *out = text;
            return TM_OK;
        }
        if (used + 1 < capacity)
            continue;
        char *more = capacity < SIZE_MAX / 2 ? realloc(text, capacity * 2) : NULL;
        if (!more)
            free(text);
        text = more;
        capacity *= 2;
    }
    return tm_fail_memory(err, "the script");
}

/* Opens a session, submits the chunk and waits. If `chunk` is NULL, runs the file words[0]. */
static int run_chunk(const cli_context *context, const char *command, const char *chunk,
                     const char *name, bool echo, const cli_arguments *arguments)
{
    cli_session session;
    tm_error err;
    int status;
    if (cli_session_open(&session, context, command, CLI_SESSION_CHUNK, &err) != TM_OK) {
        status = cli_fail(command, &err);
    } else {
        uint64_t ticket = chunk ? script_submit(session.script, chunk, name, echo)
                                : script_submit_file(session.script, arguments->words[0],
                                                     arguments->words + 1, arguments->count - 1);
        status = cli_session_wait(&session, ticket);
    }
    status = cli_session_close(&session, status);
    return cli_session_finish(&session, status);
}

/* "2/8" is the second of eight parts. */
static bool read_shard(cli_context *context, const char *text)
{
    char part[24];
    long i, n;
    size_t length = strcspn(text, "/");
    if (text[length] != '/' || length >= sizeof part)
        return false;
    memcpy(part, text, length);
    part[length] = '\0';
    if (!text_to_long(part, &i) || !text_to_long(text + length + 1, &n) || i < 1 || i > n ||
        n > 1000000)
        return false;
    context->shard = (size_t)i - 1;
    context->shards = (size_t)n;
    return true;
}

/* The sandbox's limits, which have to be positive. */
static int read_limits(cli_context *context, const char *const limits[3])
{
    static const char *const names[] = {"max-seconds", "max-output", "max-memory"};
    double *const places[] = {&context->sandbox_seconds, &context->sandbox_output,
                              &context->sandbox_memory};
    for (size_t i = 0; i < 3; i++) {
        if (!limits[i])
            continue;
        if (!context->sandbox)
            return cli_usage("run", "'--%s' is a limit of the sandbox: add '--sandbox'", names[i]);
        if (!text_to_real(limits[i], places[i]) || !(*places[i] > 0 && *places[i] <= 1e9))
            return cli_usage("run", "'--%s %.40s': expected a number above 0 and at most 1e9",
                             names[i], limits[i]);
    }
    if (context->sandbox)
        cli_confine(context);
    return CLI_DONE;
}

int cli_run(cli_context *context, int argc, char **argv)
{
    const char *shard = NULL, *limits[3] = {NULL, NULL, NULL};
    const cli_option options[] = {
        {"shard", "I/N", "sweeps: only the I-th of N parts of their tasks (I from 1)", NULL,
         &shard},
        {"sandbox", NULL,
         "for a script that is not your own: it starts no programs, loads no libraries of C, and "
         "reads and writes files of the working folder alone",
         &context->sandbox, NULL},
        {"max-seconds", "S",
         "with --sandbox: the seconds that the script may compute in Lua itself, without its runs "
         "(default 600)",
         NULL, &limits[0]},
        {"max-output", "MB", "with --sandbox: how much it may print and write (default 1000)", NULL,
         &limits[1]},
        {"max-memory", "MB",
         "with --sandbox: how much memory it may take, with its data and runs (default: half of "
         "this machine's)",
         NULL, &limits[2]},
    };
    const cli_syntax syntax = {
        .command = "run",
        .usage = "run [OPTION...] SCRIPT.lua [ARG...] [-- ARG...]",
        .summary = "Runs a Lua script without a screen ('-': from standard input). The words "
                   "after SCRIPT are its global table 'arg', but for the options below, which may "
                   "stand there too (not --help): what follows '--' is the script's whatever it "
                   "is. Figures "
                   "are printed as text. Exit status: 0 done, 1 error, 130 interrupted.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .script = true,
    };
    cli_arguments arguments;
    int done;
    tm_error err;
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &done))
        return done;
    if (shard && !read_shard(context, shard))
        return cli_usage("run", "'--shard %.40s': expected I/N with 1 <= I <= N, like 2/8", shard);
    if (shard && !cli_store(context))
        return cli_usage("run",
                         "'--shard' needs a store to record its part in: add '--store FILE'");
    if ((done = read_limits(context, limits)) != CLI_DONE)
        return done;
    if (arguments.count == 0)
        return cli_usage("run", "name a script: tamis run SCRIPT.lua [ARG...]");
    if (strcmp(arguments.words[0], "-") != 0)
        return run_chunk(context, "run", NULL, NULL, false, &arguments);
    if (arguments.count > 1)
        return cli_usage("run", "a script from standard input takes no arguments");
    char *text;
    cli_events_exit();
    if (read_stdin(&text, &err) != TM_OK)
        return cli_fail("run", &err);
    int status = run_chunk(context, "run", text, "=stdin", false, &arguments);
    free(text);
    return status;
}

int cli_eval(cli_context *context, int argc, char **argv)
{
    const cli_syntax syntax = {
        .command = "eval",
        .usage = "eval [OPTION...] 'LUA'",
        .summary = "Runs one chunk of Lua; the values of an expression are printed.",
    };
    cli_arguments arguments;
    int done;
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &done))
        return done;
    if (arguments.count != 1)
        return cli_usage("eval", "give one chunk of Lua, in quotes: tamis eval '1 + 1'");
    return run_chunk(context, "eval", arguments.words[0], "=eval", true, &arguments);
}
