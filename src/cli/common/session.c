#include "cli/common/session.h"

#include "base/clock.h"
#include "cli/common/settings.h"
#include "cli/print/messages.h"
#include "cli/print/output_kind.h"
#include "cli/print/sweep.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* The longest time that ended runs wait to be recorded. */
enum { SWEEP_MILLISECONDS = 200, WATCH_MILLISECONDS = 200 };
/* The longest wait for the end of a cancelled sweep before its results so far are printed. */
static const double PARTIAL_SECONDS = 1;

/* Called on the script thread. */
static void on_print(const char *text, size_t length, void *payload)
{
    cli_session *session = payload;
    if (session->silent)
        return;
    errno = 0;
    bool failed = fwrite(text, 1, length, stdout) != length || fflush(stdout) != 0;
    int number = !failed ? 0 : errno ? errno : EIO;
    pthread_mutex_lock(&session->lock);
    session->output_failed = session->output_failed ? session->output_failed : number;
    session->printed = true;
    pthread_mutex_unlock(&session->lock);
    cli_events_wake(&session->events);
}

static void on_started(tm_job *job, void *payload)
{
    cli_session *session = payload;
    cli_record_begin(&session->record, job);
    cli_events_wake(&session->events); /* a wait without a time limit must now also record runs */
}

static void on_trouble(const tm_error *error, void *payload)
{
    cli_session *session = payload;
    cli_record_lose(&session->record, error);
}

/* Called on the script thread. */
static void on_remark(const char *text, bool failed, void *payload)
{
    cli_session *session = payload;
    tm_error line;
    pthread_mutex_lock(&session->lock);
    session->failed = session->failed || failed;
    pthread_mutex_unlock(&session->lock);
    if (session->silent)
        return;
    tm_fail(&line, TM_EDATA, "%s", text);
    cli_fail(session->command, &line);
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
                           cli_session_kind kind, tm_error *err)
{
    *session = (cli_session){.command = command,
                             .interactive = kind == CLI_SESSION_TERMINAL,
                             .events = {-1, -1},
                             .held = -1,
                             .sandbox = context->sandbox};
    pthread_mutex_init(&session->lock, NULL);
    cli_ranks ranks = session->ranks = cli_ranks_find();
    session->held = cli_ranks_hold(&ranks);
    const char *store = cli_store(context);
    session->silent = ranks.rank > 0;
    if (ranks.count > 1 && !store)
        store = "default"; /* ranks divide sweeps among themselves through the store */
    if (ranks.many_hosts && ranks.rank == 0)
        cli_remark(context,
                   "ranks of several hosts share the store %s, which is safe only where the file "
                   "system's locks work between hosts; parts ('--shard I/N', then 'tamis runs "
                   "merge') need no such locks",
                   store);
    cli_record_open(&session->record, command, store, ranks.many_hosts);
    tm_status status = cli_events_open(&session->events, kind == CLI_SESSION_TERMINAL, err);
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
        .sandbox = {context->sandbox, context->sandbox_seconds,
                    (size_t)(1e6 * context->sandbox_output),
                    (size_t)(1e6 * context->sandbox_memory)},
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
        .remark = on_remark,
        .waits = kind == CLI_SESSION_CHUNK,
        .ended = on_ended,
        .payload = session,
    };
    return script_new(&session->script, &host, err);
}

/* The output of the first rank is in the store but was never shown. */
static int tell_dead_rank(cli_session *session, int status)
{
    if (!cli_ranks_release(&session->ranks, session->held))
        return status;
    tm_error line;
    tm_fail(&line, TM_EDATA,
            "the first rank has died, and what it had not printed is missing; all that was found "
            "is in the store: run the same command again and it prints it");
    cli_fail(session->command, &line);
    return status == CLI_DONE ? CLI_FAILED : status;
}

int cli_session_close(cli_session *session, int status)
{
    bool left = session->script && !script_free(session->script);
    if (session->pool)
        tm_pool_free(session->pool);
    if (session->events.wake >= 0)
        cli_events_close(&session->events);
    pthread_mutex_destroy(&session->lock);
    if (status == CLI_DONE && session->failed)
        status = CLI_FAILED;
    status = tell_dead_rank(session, cli_record_close(&session->record, status));
    if (left) /* a thread that is still running must not see the program's data being freed */
        _exit(cli_session_finish(session, status));
    return status;
}

int cli_session_finish(const cli_session *session, int status)
{
    return cli_finish_after(session->command, status, session->output_failed);
}

int cli_session_patience(cli_session *session)
{
    cli_record_sweep(&session->record);
    if (cli_record_pending(&session->record))
        return SWEEP_MILLISECONDS;
    return session->sandbox ? WATCH_MILLISECONDS : -1;
}

/* Whether the chunk has ended; *error is its error, *output_failed says whether printing failed. */
static bool chunk_ended(cli_session *session, uint64_t ticket, tm_error *error, bool *output_failed)
{
    pthread_mutex_lock(&session->lock);
    bool ended = session->ended >= ticket;
    if (ended)
        *error = session->error;
    *output_failed = session->output_failed != 0;
    pthread_mutex_unlock(&session->lock);
    return ended;
}

/* The chunk was interrupted but continues. A prompt continues with a new state; otherwise the
 * program ends. */
static int leave_script(cli_session *session, int interrupted)
{
    tm_error err = TM_ERROR_INIT;
    fprintf(stderr, "tamis %s: %s; a call that cannot be stopped was left behind\n",
            session->command,
            interrupted ? "interrupted" : "the sandbox's time for a script is used up");
    if (session->interactive && script_renew(&session->script, &err) == TM_OK) {
        session->ended = 0; /* the old thread does not call back from here on */
        fprintf(stderr,
                "tamis %s: Lua starts from scratch: variables and functions are gone, data in "
                "files and recorded runs are not\n",
                session->command);
    } else if (err.code != TM_OK) {
        cli_fail(session->command, &err);
    }
    return interrupted ? 128 + interrupted : CLI_FAILED;
}

/* Prints the results of an interrupted sweep that are stored nowhere else. */
static void print_partial(tm_sweep *sweep, void *payload)
{
    bool *any = payload;
    tm_sweep_cancel(sweep);
    tm_sweep_wait(sweep, PARTIAL_SECONDS);
    tm_sweep_progress p = tm_sweep_get_progress(sweep);
    tm_sweep_table *table = p.done > 0 && p.done < p.cells ? tm_sweep_snapshot(sweep) : NULL;
    if (!table)
        return;
    printf("sweep %s: %zu of %zu runs\n", tm_sweep_name(sweep), p.done, p.cells);
    sweep_print_configs(table, NULL);
    fflush(stdout);
    tm_sweep_table_free(table);
    *any = true;
}

static void show_partial(cli_session *session)
{
    bool any = false;
    script_each_sweep(session->script, print_partial, &any);
    if (any)
        fprintf(stderr,
                "tamis %s: with '--store FILE' what a sweep has found is kept, and the same "
                "command goes on from there\n",
                session->command);
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
        /* Repeated, because an interrupt before the chunk's first instruction finds the script
         * idle. */
        if (interrupted || output_failed)
            script_interrupt(session->script);
        script_watch(session->script);
        if (script_stuck(session->script))
            return leave_script(session, interrupted);
    }
    interrupted = interrupted ? interrupted : cli_events_pending(&session->events);
    if (interrupted) {
        fprintf(stderr, "tamis %s: interrupted\n", session->command);
        if (!session->record.store && !session->silent && !output_failed)
            show_partial(session);
        return 128 + interrupted;
    }
    if (output_failed || error.code == TM_OK)
        return CLI_DONE;
    /* The system keeps only eight bits of os.exit's number; if these are zero although the number
     * is not, report a failure. */
    int code = script_exit_code(session->script);
    if (code > 0)
        return code % 256 ? code % 256 : CLI_FAILED;
    cli_fail(session->command, &error);
    return CLI_FAILED;
}
