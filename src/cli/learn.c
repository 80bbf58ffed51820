/* tamis learn: lessons that are read and run step by step. */
#include "cli/commands.h"
#include "cli/common/options.h"
#include "cli/common/prompt.h"
#include "cli/lessons.h"
#include "cli/print/messages.h"
#include "cli/print/output_kind.h"
#include "cli/print/report.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- lessons ------------------------------------------------------------------------------- */

/* A lesson's text from `at` to before `end`. */
typedef struct passage {
    const char *at, *end;
} passage;

/* What is read, and the Lua that follows. */
typedef struct step {
    passage prose, code;
} step;

static bool is_prose(const char *line)
{
    return line[0] == '-' && line[1] == '-';
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Takes one step off the text. False at its end. */
static bool next_step(const char **text, step *out)
{
    const char *at = *text;
    while (*at == '\n')
        at++;
    if (*at == '\0')
        return false;
    out->prose.at = at;
    while (is_prose(at))
        at = next_line(at);
    out->prose.end = at;
    while (*at == '\n')
        at++;
    out->code.at = out->code.end = at;
    for (; *at != '\0' && !is_prose(at); at = next_line(at))
        if (*at != '\n')
            out->code.end = next_line(at);
    *text = at;
    return true;
}

/* The line without its two dashes. */
static passage words_of(const char *line)
{
    const char *at = line + 2, *end = next_line(line);
    at += *at == ' ';
    end -= end > at && end[-1] == '\n';
    return (passage){at, end};
}

static const char *lesson_name(size_t i, const void *payload)
{
    (void)payload;
    return i < cli_lesson_count ? cli_lessons[i].name : NULL;
}

/* By name or number; cli_lesson_count when there is none. */
static size_t find_lesson(const char *word)
{
    long number;
    if (text_to_long(word, &number) && number >= 1 && (size_t)number <= cli_lesson_count)
        return (size_t)number - 1;
    size_t i = 0;
    while (i < cli_lesson_count && strcmp(cli_lessons[i].name, word) != 0)
        i++;
    return i;
}

static void print_list(const cli_terminal *terminal)
{
    report_heading(terminal, "lessons");
    for (size_t i = 0; i < cli_lesson_count; i++) {
        passage title = words_of(cli_lessons[i].text);
        printf("  %zu  %-10s  %.*s\n", i + 1, cli_lessons[i].name, (int)(title.end - title.at),
               title.at);
    }
    puts("\nEach is run step by step, with room to try things: tamis learn 1");
}

/* ---- playing one --------------------------------------------------------------------------- */

/* The first line, which is taken off. */
static void print_title(passage *prose, const cli_terminal *terminal)
{
    passage words = words_of(prose->at);
    char *title = strndup(words.at, (size_t)(words.end - words.at));
    putchar('\n');
    report_heading(terminal, title ? title : "");
    free(title);
    prose->at = next_line(prose->at);
    if (prose->at < prose->end && words_of(prose->at).at == words_of(prose->at).end)
        prose->at = next_line(prose->at);
}

/* Lines without an empty one between them are a paragraph, which is wrapped again. */
static void print_paragraph(const char *at, const char *end)
{
    char *text = strndup(at, (size_t)(end - at)), *into = text;
    for (const char *line = text; text && *line; line = next_line(line)) {
        passage words = words_of(line);
        size_t length = (size_t)(words.end - words.at);
        if (into > text)
            *into++ = ' ';
        memmove(into, words.at, length);
        into += length;
    }
    if (text)
        *into = '\0';
    report_wrapped(text ? text : "", 0, 0);
    free(text);
}

static void print_prose(const passage *prose)
{
    putchar('\n');
    for (const char *line = prose->at; line < prose->end;) {
        passage words = words_of(line);
        const char *end = line;
        while (end < prose->end && words.at < words.end) {
            end = next_line(end);
            if (end < prose->end)
                words = words_of(end);
        }
        if (end > line)
            print_paragraph(line, end);
        else
            putchar('\n');
        line = end > line ? end : next_line(line);
    }
}

static void print_code(const passage *code, const cli_terminal *terminal)
{
    bool colours = terminal->colours != PLOT_MONO;
    putchar('\n');
    for (const char *line = code->at; line < code->end; line = next_line(line)) {
        int length = (int)(next_line(line) - line);
        length -= length > 0 && line[length - 1] == '\n';
        printf("%s    %.*s%s\n", colours ? "\033[36m" : "", length, line, colours ? "\033[0m" : "");
    }
    putchar('\n');
    fflush(stdout);
}

static bool goes_on(const cli_prompt *r)
{
    return !r->over && !r->killed;
}

/* What the reader tries, until an empty line. */
static void let_try(cli_prompt *r)
{
    while (goes_on(r)) {
        char *line = cli_prompt_line(r, r->chunk ? "..> " : "Enter, or Lua> ");
        bool next = line && line[0] == '\0' && !r->chunk;
        bool leaves = line && !r->chunk && (strcmp(line, "q") == 0 || strcmp(line, "quit") == 0);
        r->over = r->over || leaves;
        if (line && !next && !leaves)
            cli_prompt_take(r, line);
        free(line);
        if (next)
            return;
    }
}

static void run_code(cli_prompt *r, const passage *code)
{
    tm_error err;
    r->chunk = strndup(code->at, (size_t)(code->end - code->at));
    if (r->chunk) {
        cli_prompt_run(r);
        return;
    }
    tm_fail_memory(&err, "the lesson");
    r->status = cli_fail(r->command, &err);
}

/* `number` is that of a lesson of the program's own, or cli_lesson_count. */
static void play(cli_prompt *r, const char *text, size_t number, const cli_terminal *terminal)
{
    step s;
    for (bool first = true; goes_on(r) && next_step(&text, &s); first = false) {
        if (first)
            print_title(&s.prose, terminal);
        print_prose(&s.prose);
        if (s.code.at < s.code.end) {
            print_code(&s.code, terminal);
            run_code(r, &s.code);
        }
        if (r->terminal)
            let_try(r);
        else if (r->status != CLI_DONE)
            return;
    }
    if (!goes_on(r) || number >= cli_lesson_count)
        return;
    printf("\nThat was lesson %zu of %zu.", number + 1, cli_lesson_count);
    if (number + 1 < cli_lesson_count)
        printf(" The next one: tamis learn %s", cli_lessons[number + 1].name);
    putchar('\n');
}

static int play_lesson(const cli_context *context, const char *text, size_t number)
{
    cli_prompt r = {.command = "learn", .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
    cli_terminal terminal = cli_terminal_find(context);
    tm_error err;
    if (cli_prompt_open(&r, context, &err) != TM_OK) {
        r.status = cli_fail("learn", &err);
    } else if (r.terminal) {
        cli_remark(context, "Enter goes on; Lua can be tried at every step; q or Ctrl-D leaves");
        cli_prompt_begin(&r);
        play(&r, text, number, &terminal);
        cli_prompt_end(&r);
        r.status = CLI_DONE; /* a person has seen the errors */
    } else {
        play(&r, text, number, &terminal);
    }
    cli_prompt_drop(&r);
    int status = cli_session_close(&r.session, r.killed ? 128 + r.killed : r.status);
    return cli_finish("learn", status);
}

static int play_file(const cli_context *context, const char *path)
{
    tm_error err;
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    /* A file has no byte 0: this reads to its end. */
    bool read = file && getdelim(&text, &capacity, '\0', file) >= 0;
    if (file)
        fclose(file);
    if (!read) {
        free(text);
        tm_fail(&err, TM_EIO, "cannot read the lesson '%.300s': %s", path,
                errno ? strerror(errno) : "it is empty");
        return cli_fail("learn", &err);
    }
    int status = play_lesson(context, text, cli_lesson_count);
    free(text);
    return status;
}

int cli_learn(cli_context *context, int argc, char **argv)
{
    const cli_syntax syntax = {
        .command = "learn",
        .usage = "learn [LESSON | FILE.lua] [OPTION...]",
        .summary =
            "Lists the lessons, or goes through one, by name or number: a text in steps, each "
            "with Lua that is run. On a terminal Enter goes on, and Lua can be typed between "
            "the steps; elsewhere the lesson is printed to its end. A FILE of someone else's may "
            "be a lesson, too: lessons run in the sandbox (see 'tamis run --help').",
    };
    cli_arguments arguments;
    int done;
    context->sandbox = true;
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &done))
        return done;
    if (arguments.count > 1)
        return cli_usage("learn", "one lesson at a time, not '%.100s' too", arguments.words[1]);
    if (arguments.count == 0) {
        cli_terminal terminal = cli_terminal_find(context);
        print_list(&terminal);
        return cli_finish("learn", CLI_DONE);
    }
    size_t number = find_lesson(arguments.words[0]);
    if (number < cli_lesson_count)
        return play_lesson(context, cli_lessons[number].text, number);
    if (strpbrk(arguments.words[0], "./"))
        return play_file(context, arguments.words[0]);
    const char *close = text_closest(arguments.words[0], lesson_name, NULL);
    if (close)
        return cli_usage("learn", "there is no lesson '%.100s'; did you mean '%s'?",
                         arguments.words[0], close);
    return cli_usage("learn", "there is no lesson '%.100s'; 'tamis learn' lists them",
                     arguments.words[0]);
}
