/* tamis run, tamis eval: scripts without a screen. */
#include "cli/common/run.h"

#include "base/clock.h"
#include "base/text.h"
#include "cli/common/options.h"
#include "cli/common/output_kind.h"
#include "cli/common/ranks.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long what has ended may wait to be recorded. */
enum { SWEEP_MILLISECONDS = 200 };

/* ---- the session --------------------------------------------------------------------------- */

/* On the script thread. */
static void on_print(const char *text, size_t length, void *payload)
{
    cli_session *session = payload;
    if (session->silent)
        return;
    bool failed = fwrite(text, 1, length, stdout) != length || fflush(stdout) != 0;
    pthread_mutex_lock(&session->lock);
    session->output_failed = session->output_failed || failed;
    session->printed = true;
    pthread_mutex_unlock(&session->lock);
    cli_events_wake(&session->events);
}

static void on_started(tm_job *job, void *payload)
{
    cli_session *session = payload;
    cli_record_begin(&session->record, job);
    cli_events_wake(&session->events); /* a wait without an end now has runs to sweep */
}

static void on_trouble(const tm_error *error, void *payload)
{
    cli_session *session = payload;
    cli_record_lose(&session->record, error);
}

static void on_ended(uint64_t ticket, const tm_error *error, void *payload)
{
    cli_session *session = payload;
    pthread_mutex_lock(&session->lock);
    session->ended = ticket;
    session->error = error ? *error : (tm_error)TM_ERROR_INIT;
    pthread_mutex_unlock(&session->lock);
    cli_events_wake(&session->events);
}

tm_status cli_session_open(cli_session *session, const cli_context *context, const char *command,
                           bool interactive, tm_error *err)
{
    *session = (cli_session){.command = command, .events = {-1, -1}};
    pthread_mutex_init(&session->lock, NULL);
    cli_ranks ranks = cli_ranks_find();
    const char *store = cli_store(context);
    session->silent = ranks.rank > 0;
    if (ranks.count > 1 && !store)
        store = "default"; /* by the store the ranks share sweeps out */
    if (ranks.many_hosts && ranks.rank == 0)
        cli_remark(context,
                   "ranks of several hosts share the store %s, which is safe only where the file "
                   "system's locks work between hosts; parts ('--shard I/N', then 'tamis runs "
                   "merge') need no such locks",
                   store);
    cli_record_open(&session->record, command, store, ranks.many_hosts);
    tm_status status = cli_events_open(&session->events, interactive, err);
    if (status == TM_OK)
        status = tm_pool_new(&session->pool,
                             ranks.count > 1 ? cli_jobs_given(context, 1) : cli_jobs(context), NULL,
                             NULL, err);
    if (status != TM_OK)
        return status;
    cli_terminal terminal = cli_terminal_find(context);
    script_host host = {
        .pool = session->pool,
        .seed = cli_seed(context),
        .utf8 = terminal.utf8,
        .colours = terminal.colours,
        .columns = terminal.columns,
        .print = on_print,
        .store = session->record.store,
        .shard = context->shard,
        .shards = context->shards,
        .ranks = ranks.count,
        .started = session->record.store && ranks.rank == 0 ? on_started : NULL,
        .trouble = on_trouble,
        .ended = on_ended,
        .payload = session,
    };
    return script_new(&session->script, &host, err);
}

int cli_session_close(cli_session *session, int status)
{
    if (session->script)
        script_free(session->script);
    if (session->pool)
        tm_pool_free(session->pool);
    if (session->events.wake >= 0)
        cli_events_close(&session->events);
    pthread_mutex_destroy(&session->lock);
    return cli_record_close(&session->record, status);
}

int cli_session_patience(cli_session *session)
{
    cli_record_sweep(&session->record);
    return cli_record_pending(&session->record) ? SWEEP_MILLISECONDS : -1;
}

/* True when the chunk has ended; *error how, *output_failed whether printing failed. */
static bool chunk_ended(cli_session *session, uint64_t ticket, tm_error *error, bool *output_failed)
{
    pthread_mutex_lock(&session->lock);
    bool ended = session->ended >= ticket;
    if (ended)
        *error = session->error;
    *output_failed = session->output_failed;
    pthread_mutex_unlock(&session->lock);
    return ended;
}

int cli_session_wait(cli_session *session, uint64_t ticket)
{
    tm_error error = TM_ERROR_INIT;
    bool output_failed = false;
    int interrupted = 0;
    double first = 0;
    if (ticket == 0) {
        tm_fail_memory(&error, "the script");
        return cli_fail(session->command, &error);
    }
    while (!chunk_ended(session, ticket, &error, &output_failed)) {
        bool stopping = interrupted || output_failed;
        int cancel_grace = cli_session_patience(session);
        int number = cli_events_wait(&session->events, -1, stopping ? 50 : cancel_grace, NULL);
        bool ending = number == SIGINT || number == SIGTERM || number == SIGHUP;
        if (number == SIGTSTP)
            raise(SIGSTOP);
        if (ending && interrupted && cli_events_again(first))
            _exit(128 + number);
        if (ending && !interrupted) {
            first = clock_now();
            interrupted = number;
        }
        /* Again and again: an interrupt that comes before the chunk's first step finds it idle. */
        if (interrupted || output_failed)
            script_interrupt(session->script);
    }
    if (interrupted) {
        fprintf(stderr, "tamis %s: interrupted\n", session->command);
        return 128 + interrupted;
    }
    if (output_failed || error.code == TM_OK)
        return CLI_DONE;
    cli_fail(session->command, &error);
    return CLI_FAILED;
}

/* ---- the subcommands ----------------------------------------------------------------------- */

/* All of standard input as text, malloc'ed. */
static tm_status read_stdin(char **out, tm_error *err)
{
    size_t used = 0, room = 4096;
    char *text = malloc(room);
    *out = NULL;
    while (text) {
        ssize_t got = read(STDIN_FILENO, text + used, room - used - 1);
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
        if (used + 1 < room)
            continue;
        char *more = room < SIZE_MAX / 2 ? realloc(text, room * 2) : NULL;
        if (!more)
            free(text);
        text = more;
        room *= 2;
    }
    return tm_fail_memory(err, "the script");
}

/* Opens a session, hands the chunk over, waits. `chunk` NULL: the file words[0]. */
static int run_chunk(const cli_context *context, const char *command, const char *chunk,
                     const char *name, bool echo, const cli_arguments *arguments)
{
    cli_session session;
    tm_error err;
    int status;
    if (cli_session_open(&session, context, command, false, &err) != TM_OK) {
        status = cli_fail(command, &err);
    } else {
        uint64_t ticket = chunk ? script_submit(session.script, chunk, name, echo)
                                : script_submit_file(session.script, arguments->words[0],
                                                     arguments->words + 1, arguments->count - 1);
        status = cli_session_wait(&session, ticket);
    }
    status = cli_session_close(&session, status);
    return cli_finish(command, status);
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

int cli_run(cli_context *context, int argc, char **argv)
{
    const char *shard = NULL;
    const cli_option options[] = {{"shard", "I/N",
                                   "sweeps: only the I-th of N parts of their tasks (I from 1)",
                                   NULL, &shard}};
    const cli_syntax syntax = {
        .command = "run",
        .usage = "run [OPTION...] SCRIPT.lua [ARG...] [-- ARG...]",
        .summary = "Runs a Lua script without a screen ('-': from standard input). The words "
                   "after SCRIPT are its global table 'arg', but for the options below, which may "
                   "stand there too (not --help): what follows '--' is the script's whatever it "
                   "is. Figures "
                   "are printed as text. Exit status: 0 done, 1 error, 130 interrupted.",
        .options = options,
        .option_count = 1,
        .script = true,
    };
    cli_arguments arguments;
    tm_error err;
    if (cli_parse(&syntax, context, argc, argv, &arguments, &err) != TM_OK)
        return cli_fail("run", &err);
    if (arguments.help) {
        cli_print_help(&syntax, context);
        return cli_finish("run", CLI_DONE);
    }
    if (shard && !read_shard(context, shard))
        return cli_usage("run", "'--shard %.40s': expected I/N with 1 <= I <= N, like 2/8", shard);
    if (shard && !cli_store(context))
        return cli_usage("run",
                         "'--shard' needs a store to record its part in: add '--store FILE'");
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
    tm_error err;
    if (cli_parse(&syntax, context, argc, argv, &arguments, &err) != TM_OK)
        return cli_fail("eval", &err);
    if (arguments.help) {
        cli_print_help(&syntax, context);
        return cli_finish("eval", CLI_DONE);
    }
    if (arguments.count != 1)
        return cli_usage("eval", "give one chunk of Lua, in quotes: tamis eval '1 + 1'");
    return run_chunk(context, "eval", arguments.words[0], "=eval", true, &arguments);
}
