#include "cli/common/prompt.h"

#include "cli/common/options.h"
#include "cli/print/messages.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <readline/history.h>
#include <readline/readline.h>

enum { HISTORY_LINES = 2000 };

/* Readline's callbacks have no user data argument. */
static cli_prompt *current;

/* ---- chunks -------------------------------------------------------------------------------- */

void cli_prompt_drop(cli_prompt *r)
{
    free(r->chunk);
    r->chunk = NULL;
}

void cli_prompt_run(cli_prompt *r)
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
    cli_prompt_drop(r);
}

/* Adds a line to the chunk; runs the chunk when it is complete. */
void cli_prompt_take(cli_prompt *r, const char *line)
{
    char *chunk = NULL;
    int length = asprintf(&chunk, "%s%s%s", r->chunk ? r->chunk : "", r->chunk ? "\n" : "", line);
    cli_prompt_drop(r);
    if (length < 0) {
        tm_error err;
        tm_fail_memory(&err, "the line");
        r->status = cli_fail(r->command, &err);
        return;
    }
    r->chunk = chunk;
    if (!script_incomplete(chunk))
        cli_prompt_run(r);
}

/* ---- a terminal ---------------------------------------------------------------------------- */

static void on_line(char *line)
{
    rl_callback_handler_remove();
    current->line = line;
    current->have_line = true;
}

/* script_complete's words replace the line from `ours` on, readline's matches from `theirs` on: the
 * difference is cut from, or prepended to, every word. */
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

/* The path of the prompt's history, whose folder is created if needed; NULL if that fails. The
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

/* Waits for a line, the end of the input, or a signal that ends the program or discards the
 * line. */
static void wait_for_line(cli_prompt *r)
{
    while (!r->have_line && !r->killed) {
        bool readable;
        int cancel_grace = cli_session_patience(&r->session);
        int number = cli_events_wait(&r->session.events, STDIN_FILENO, cancel_grace, &readable);
        if (number == SIGWINCH) {
            rl_resize_terminal();
        } else if (number == SIGINT) {
            /* Discards the line and the chunk that it would have continued. */
            rl_callback_handler_remove();
            fputs("^C\n", rl_outstream);
            cli_prompt_drop(r);
            return;
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

tm_status cli_prompt_open(cli_prompt *prompt, const cli_context *context, tm_error *err)
{
    return cli_session_open(&prompt->session, context, prompt->command,
                            prompt->terminal ? CLI_SESSION_TERMINAL : CLI_SESSION_LINES, err);
}

void cli_prompt_begin(cli_prompt *r)
{
    r->history = history_path();
    current = r;
    rl_readline_name = "tamis";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_attempted_completion_function = on_complete;
    using_history();
    stifle_history(HISTORY_LINES);
    if (r->history)
        read_history(r->history);
}

char *cli_prompt_line(cli_prompt *r, const char *text)
{
    r->have_line = false;
    r->line = NULL;
    r->session.printed = false;
    rl_callback_handler_install(text, on_line);
    wait_for_line(r);
    if (r->have_line && !r->line) {
        /* Ctrl-D was typed, or the terminal was closed. */
        putchar('\n');
        r->over = true;
    }
    if (r->line && r->line[0])
        add_history(r->line);
    return r->line;
}

void cli_prompt_end(cli_prompt *r)
{
    if (r->history && write_history(r->history) == 0)
        chmod(r->history, 0600);
    clear_history();
    free(r->history);
    r->history = NULL;
    cli_prompt_drop(r);
}
