/* tamis repl: a prompt for Lua, with readline on a terminal and plain lines on a pipe. */
#include "cli/run.h"

#include "cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

enum { HISTORY_LINES = 2000 };

typedef struct repl {
    cli_session session;
    bool terminal;
    char *chunk; /* the lines of an unfinished chunk, or NULL */
    int status;  /* of the chunks so far: CLI_FAILED after one that failed */
    int killed;  /* a signal that ends the program, or 0 */
    bool over;   /* end of input */
    char *line;  /* what readline has read, when `have_line` */
    bool have_line;
} repl;

/* Readline's callbacks have no payload. */
static repl *current;

/* ---- chunks -------------------------------------------------------------------------------- */

static void drop_chunk(repl *r)
{
    free(r->chunk);
    r->chunk = NULL;
}

static void run_pending(repl *r)
{
    uint64_t ticket = script_submit(r->session.script, r->chunk, "=prompt", true);
    int status = cli_session_wait(&r->session, ticket);
    if (status > 128 && (status != 128 + SIGINT || !r->terminal))
        r->killed = status - 128;
    else if (status != CLI_DONE)
        r->status = status;
    pthread_mutex_lock(&r->session.lock);
    r->over = r->over || r->session.output_failed;
    pthread_mutex_unlock(&r->session.lock);
    drop_chunk(r);
}

/* Adds a line to the chunk; runs the chunk when it is whole. */
static void take_line(repl *r, const char *line)
{
    char *chunk = NULL;
    int length = asprintf(&chunk, "%s%s%s", r->chunk ? r->chunk : "", r->chunk ? "\n" : "", line);
    drop_chunk(r);
    if (length < 0) {
        tm_error err;
        tm_fail_memory(&err, "the line");
        r->status = cli_fail("repl", &err);
        return;
    }
    r->chunk = chunk;
    if (!script_incomplete(chunk))
        run_pending(r);
}

/* ---- a pipe -------------------------------------------------------------------------------- */

typedef struct lines {
    char *bytes;
    size_t used, room;
} lines;

/* Reads what there is; false at the end of the input or on an error. */
static bool lines_read(lines *in, tm_error *err)
{
    if (in->room - in->used < 4096) {
        char *more = realloc(in->bytes, in->room + 65536);
        if (!more) {
            tm_fail_memory(err, "the line");
            return false;
        }
        in->bytes = more;
        in->room += 65536;
    }
    ssize_t got = read(STDIN_FILENO, in->bytes + in->used, in->room - in->used - 1);
    if (got < 0 && errno != EINTR && errno != EAGAIN)
        tm_fail(err, TM_EIO, "cannot read standard input: %s", strerror(errno));
    if (got > 0)
        in->used += (size_t)got;
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Runs the whole lines read so far; at the end of the input the last one too. */
static void run_lines(repl *r, lines *in)
{
    size_t start = 0;
    while (!r->killed && start < in->used) {
        char *end = memchr(in->bytes + start, '\n', in->used - start);
        if (!end && !r->over)
            break;
        size_t stop = end ? (size_t)(end - in->bytes) : in->used;
        in->bytes[stop] = '\0';
        take_line(r, in->bytes + start);
        start = stop + 1;
        start = start < in->used ? start : in->used;
    }
    memmove(in->bytes, in->bytes + start, in->used - start);
    in->used -= start;
}

static void repl_pipe(repl *r)
{
    lines in = {NULL, 0, 0};
    tm_error err = TM_ERROR_INIT;
    while (!r->over && !r->killed) {
        bool readable;
        int patience = cli_session_patience(&r->session);
        int number = cli_events_wait(&r->session.events, STDIN_FILENO, patience, &readable);
        if (number != 0)
            r->killed = number;
        else if (readable && !lines_read(&in, &err))
            r->over = true;
        if (in.bytes && !r->killed)
            run_lines(r, &in);
    }
    /* What is still unfinished is run for its message. */
    if (r->chunk && !r->killed)
        run_pending(r);
    if (err.code != TM_OK)
        r->status = cli_fail("repl", &err);
    free(in.bytes);
}

/* ---- a terminal ---------------------------------------------------------------------------- */

static void on_line(char *line)
{
    rl_callback_handler_remove();
    current->line = line;
    current->have_line = true;
}

/* script_complete's words replace the line from `ours` on, readline's matches from `theirs` on: the
 * difference is cut from, or put before, every word. */
static char **fit_matches(char **words, const char *line, size_t ours, size_t theirs)
{
    size_t count = 0;
    while (words[count])
        count++;
    char **matches = calloc(count + 2, sizeof *matches);
    size_t shared = SIZE_MAX;
    for (size_t i = 0; matches && i < count; i++) {
        size_t skipped = theirs > ours ? theirs - ours : 0;
        size_t length = strlen(words[i]);
        if (asprintf(&matches[i + 1], "%.*s%s", (int)(ours > theirs ? ours - theirs : 0),
                     line + theirs, words[i] + (skipped < length ? skipped : length)) < 0)
            matches[i + 1] = NULL;
        if (!matches[i + 1])
            break;
        size_t same = 0;
        while (matches[i + 1][same] && matches[i + 1][same] == matches[1][same])
            same++;
        shared = same < shared ? same : shared;
    }
    if (matches && matches[1])
        matches[0] = strndup(matches[1], shared);
    if (!matches || !matches[0]) {
        for (size_t i = 1; matches && i <= count; i++)
            free(matches[i]);
        free(matches);
        matches = NULL;
    } else if (count == 1) {
        free(matches[1]);
        matches[1] = NULL;
    }
    return matches;
}

static char **on_complete(const char *word, int from, int to)
{
    (void)word;
    size_t start = 0;
    rl_attempted_completion_over = 1;
    rl_completion_append_character = '\0';
    char **words = script_complete(current->session.script, rl_line_buffer, (size_t)to, &start);
    if (!words)
        return NULL;
    char **matches = fit_matches(words, rl_line_buffer, start, (size_t)from);
    for (size_t i = 0; words[i]; i++)
        free(words[i]);
    free(words);
    return matches;
}

/* Where the prompt's history is kept, made when needed; NULL when there is no such place. The
 * caller frees it. */
static char *history_path(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *folder = NULL, *path = NULL;
    int length = -1;
    if (state && state[0] == '/')
        length = asprintf(&folder, "%s/tamis", state);
    else if (home && home[0] == '/')
        length = asprintf(&folder, "%s/.local/state/tamis", home);
    if (length < 0)
        return NULL;
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0755);
        *slash = '/';
    }
    mkdir(folder, 0700);
    if (asprintf(&path, "%s/history", folder) < 0)
        path = NULL;
    free(folder);
    return path;
}

/* Waits at the prompt until a line is there, the input ends, or a signal ends the program. */
static void read_prompt(repl *r)
{
    r->have_line = false;
    rl_callback_handler_install(r->chunk ? "..> " : "tm> ", on_line);
    while (!r->have_line && !r->killed) {
        bool readable;
        int patience = cli_session_patience(&r->session);
        int number = cli_events_wait(&r->session.events, STDIN_FILENO, patience, &readable);
        if (number == SIGWINCH) {
            rl_resize_terminal();
        } else if (number == SIGINT) {
            /* The line is given up, and the chunk it would have continued. */
            rl_callback_handler_remove();
            fputs("^C\n", rl_outstream);
            drop_chunk(r);
            rl_callback_handler_install("tm> ", on_line);
        } else if (number == SIGTSTP) {
            rl_deprep_terminal();
            raise(SIGSTOP);
            rl_prep_terminal(1);
            rl_forced_update_display();
        } else if (number != 0) {
            rl_callback_handler_remove();
            r->killed = number;
        } else if (readable) {
            rl_callback_read_char();
        }
        pthread_mutex_lock(&r->session.lock);
        bool printed = r->session.printed;
        r->session.printed = false;
        pthread_mutex_unlock(&r->session.lock);
        if (printed && !r->have_line && !r->killed)
            rl_forced_update_display();
    }
}

static void repl_terminal(repl *r)
{
    char *path = history_path();
    current = r;
    rl_readline_name = "tamis";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_attempted_completion_function = on_complete;
    using_history();
    stifle_history(HISTORY_LINES);
    if (path)
        read_history(path);
    while (!r->over && !r->killed) {
        r->session.printed = false;
        read_prompt(r);
        if (r->killed)
            break;
        if (!r->line) {
            /* Ctrl-D, or the terminal is gone. */
            putchar('\n');
            r->over = true;
            break;
        }
        if (r->line[0])
            add_history(r->line);
        take_line(r, r->line);
        free(r->line);
        r->line = NULL;
        r->status = CLI_DONE; /* a person has seen the errors */
    }
    if (path && write_history(path) == 0)
        chmod(path, 0600);
    clear_history();
    free(path);
    drop_chunk(r);
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
    tm_error err;
    if (cli_parse(&syntax, context, argc, argv, &arguments, &err) != TM_OK)
        return cli_fail("repl", &err);
    if (arguments.help) {
        cli_print_help(&syntax, context);
        return cli_finish("repl", CLI_DONE);
    }
    if (arguments.count > 0)
        return cli_usage("repl", "takes no arguments, but '%.100s' is one", arguments.words[0]);
    repl r = {.status = CLI_DONE};
    r.terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (cli_session_open(&r.session, context, "repl", r.terminal, &err) != TM_OK) {
        r.status = cli_fail("repl", &err);
    } else if (r.terminal) {
        cli_remark(context, "Lua prompt; help() explains, Ctrl-D ends");
        repl_terminal(&r);
    } else {
        repl_pipe(&r);
    }
    drop_chunk(&r);
    int status = cli_session_close(&r.session, r.killed ? 128 + r.killed : r.status);
    return cli_finish("repl", status);
}
