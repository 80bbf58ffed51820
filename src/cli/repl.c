/* tamis repl: a prompt for Lua, with readline on a terminal and plain lines on a pipe. */
#include "cli/commands.h"
#include "cli/common/prompt.h"
#include "cli/print/messages.h"

#include "cli/common/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a pipe -------------------------------------------------------------------------------- */

typedef struct lines {
    char *bytes;
    size_t used, capacity;
} lines;

/* Reads the available input; false at its end or on an error. */
static bool lines_read(lines *in, tm_error *err)
{
    if (in->capacity - in->used < 4096) {
        char *more = realloc(in->bytes, in->capacity + 65536);
        if (!more) {
            tm_fail_memory(err, "the line");
            return false;
        }
        in->bytes = more;
        in->capacity += 65536;
    }
    ssize_t got = read(STDIN_FILENO, in->bytes + in->used, in->capacity - in->used - 1);
    if (got < 0 && errno != EINTR && errno != EAGAIN)
        tm_fail(err, TM_EIO, "cannot read standard input: %s", strerror(errno));
    if (got > 0)
        in->used += (size_t)got;
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Runs the complete lines read so far; at the end of the input also the last one. */
static void run_lines(cli_prompt *r, lines *in)
{
    size_t start = 0;
    while (!r->killed && start < in->used) {
        char *end = memchr(in->bytes + start, '\n', in->used - start);
        if (!end && !r->over)
            break;
        size_t stop = end ? (size_t)(end - in->bytes) : in->used;
        in->bytes[stop] = '\0';
        cli_prompt_take(r, in->bytes + start);
        start = stop + 1;
        start = start < in->used ? start : in->used;
    }
    memmove(in->bytes, in->bytes + start, in->used - start);
    in->used -= start;
}

static void repl_pipe(cli_prompt *r)
{
    lines in = {NULL, 0, 0};
    tm_error err = TM_ERROR_INIT;
    while (!r->over && !r->killed) {
        bool readable;
        int cancel_grace = cli_session_patience(&r->session);
        int number = cli_events_wait(&r->session.events, STDIN_FILENO, cancel_grace, &readable);
        if (number != 0)
            r->killed = number;
        else if (readable && !lines_read(&in, &err))
            r->over = true;
        if (in.bytes && !r->killed)
            run_lines(r, &in);
    }
    /* An incomplete chunk is run for its error message. */
    if (r->chunk && !r->killed)
        cli_prompt_run(r);
    if (err.code != TM_OK)
        r->status = cli_fail("repl", &err);
    free(in.bytes);
}

/* ---- a terminal ---------------------------------------------------------------------------- */

static void repl_terminal(cli_prompt *r)
{
    cli_prompt_begin(r);
    while (!r->over && !r->killed) {
        char *line = cli_prompt_line(r, r->chunk ? "..> " : "tm> ");
        if (line)
            cli_prompt_take(r, line);
        free(line);
        r->status = CLI_DONE; /* the user has seen the errors */
    }
    cli_prompt_end(r);
}

int cli_repl(cli_context *context, int argc, char **argv)
{
    const cli_syntax syntax = {
        .command = "repl",
        .usage = "repl [OPTION...]",
        .summary = "A plain prompt for Lua: history, completion with Tab, chunks of several lines; "
                   "Ctrl-C interrupts a chunk, Ctrl-D ends. Without a terminal the chunks are "
                   "read from standard input, and the exit status is 1 when one of them failed.",
    };
    cli_arguments arguments;
    int done;
    tm_error err;
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &done))
        return done;
    if (arguments.count > 0)
        return cli_usage("repl", "takes no arguments, but '%.100s' is one", arguments.words[0]);
    cli_prompt r = {.command = "repl", .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
    if (cli_prompt_open(&r, context, &err) != TM_OK) {
        r.status = cli_fail("repl", &err);
    } else if (r.terminal) {
        cli_remark(context, "Lua prompt; help() explains, Ctrl-D ends");
        repl_terminal(&r);
    } else {
        repl_pipe(&r);
    }
    cli_prompt_drop(&r);
    int status = cli_session_close(&r.session, r.killed ? 128 + r.killed : r.status);
    return cli_session_finish(&r.session, status);
}
