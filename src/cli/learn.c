/* tamis learn: lessons that are read and run step by step. */
#include "cli/commands.h"
#include "cli/common/confine.h"
#include "cli/common/options.h"
#include "cli/common/prompt.h"
#include "cli/common/settings.h"
#include "cli/print/messages.h"
#include "cli/print/output_kind.h"
#include "cli/print/report.h"

#include "base/text.h"
#include "script/lessons/lesson.h"
#include "script/lessons/rows.h"
#include "tui/tui.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- lessons ------------------------------------------------------------------------------- */

static const char *lesson_name(size_t i, const void *payload)
{
    (void)payload;
    return i < lesson_count ? lesson_rows[i].name : NULL;
}

static void print_list(const cli_terminal *terminal)
{
    char title[160];
    report_heading(terminal, "the lessons");
    for (size_t i = 0; i < lesson_count; i++)
        printf("  %2zu  %-10s  %s\n", i + 1, lesson_rows[i].name,
               lesson_title(lesson_rows[i].text, title, sizeof title));
    puts("\nEach is run step by step, with room to try things: tamis learn 1");
}

/* ---- pages --------------------------------------------------------------------------------- */

static void print_line(const char *line, size_t *choice, const cli_terminal *terminal)
{
    bool colours = terminal->colours != PLOT_MONO;
    switch (line[0]) {
    case 'P':
    case 'Q':
    case 'R':
        report_wrapped(line + 1, 0, 0);
        break;
    case 'C':
        printf("%s    %s%s\n", colours ? "\033[36m" : "", line + 1, colours ? "\033[0m" : "");
        break;
    case 'K':
        printf("  %zu. %s\n", ++*choice, line + 1);
        break;
    case 'F':
    case 'O':
        puts(line + 1);
        break;
    case 'E':
        fflush(stdout);
        fprintf(stderr, "tamis learn: %s\n", line + 1);
        break;
    default:
        break;
    }
}

/* Prints an empty line before a line of another kind than the previous one, and between
 * paragraphs. */
static void print_page(char *page, const cli_terminal *terminal)
{
    char before = '\0';
    size_t choice = 0;
    char *rest = page;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        if (line[0] == '\0' || strchr("TSA", line[0]))
            continue;
        if (line[0] != before || line[0] == 'P')
            putchar('\n');
        before = line[0];
        print_line(line, &choice, terminal);
    }
    fflush(stdout);
}

/* ---- playing one --------------------------------------------------------------------------- */

static bool goes_on(const cli_prompt *r)
{
    return !r->over && !r->killed;
}

/* Runs what the reader types, until an empty line. */
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

/* Calls the runner; false if that failed, which has been reported. */
static bool ask_runner(cli_prompt *r, script_lesson_call *call)
{
    call->answer = NULL;
    uint64_t ticket = script_submit_call(r->session.script, script_lesson_run, call);
    int status = cli_session_wait(&r->session, ticket);
    r->status = status == CLI_DONE ? r->status : status;
    return status == CLI_DONE && call->answer;
}

/* Plays the steps after the title. */
static void play(cli_prompt *r, script_lesson_call *call, size_t steps,
                 const cli_terminal *terminal)
{
    call->verb = "page";
    for (call->step = 1; goes_on(r) && call->step <= steps; call->step++) {
        if (!ask_runner(r, call))
            return;
        bool failed = call->answer[0] == '!';
        print_page(call->answer + (failed ? 1 : 0), terminal);
        free(call->answer);
        r->status = failed ? CLI_FAILED : r->status;
        if (r->terminal)
            let_try(r);
        else if (failed)
            return;
    }
    size_t number = call->text ? lesson_count : lesson_find(call->name);
    if (!goes_on(r) || number >= lesson_count)
        return;
    printf("\nThat was lesson %zu of %zu.", number + 1, lesson_count);
    if (number + 1 < lesson_count)
        printf(" The next one: tamis learn %s", lesson_rows[number + 1].name);
    putchar('\n');
}

static void play_from_title(cli_prompt *r, script_lesson_call *call, const cli_context *context)
{
    cli_terminal terminal = cli_terminal_find(context);
    size_t steps = 0;
    call->verb = "begin";
    if (!ask_runner(r, call))
        return;
    char *count = call->answer + strcspn(call->answer, "\n");
    steps = *count ? strtoul(count + 1, NULL, 10) : 0;
    *count = '\0';
    putchar('\n');
    report_heading(&terminal, call->answer);
    free(call->answer);
    play(r, call, steps, &terminal);
}

static int play_printed(const cli_context *context, script_lesson_call *call)
{
    cli_prompt r = {.command = "learn", .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
    tm_error err;
    if (cli_prompt_open(&r, context, &err) != TM_OK) {
        r.status = cli_fail("learn", &err);
    } else if (r.terminal) {
        cli_remark(context, "Enter goes on; Lua can be tried at every step; q or Ctrl-D leaves");
        cli_prompt_begin(&r);
        play_from_title(&r, call, context);
        cli_prompt_end(&r);
        r.status = CLI_DONE; /* the user has seen the errors */
    } else {
        play_from_title(&r, call, context);
    }
    cli_prompt_drop(&r);
    int status = cli_session_close(&r.session, r.killed ? 128 + r.killed : r.status);
    return cli_session_finish(&r.session, status);
}

/* ---- in the workbench ---------------------------------------------------------------------- */

static tui_options options_of(const cli_context *context, script_lesson_call *call)
{
    bool jobs = tm_params_has(context->common, "jobs");
    return (tui_options){
        .jobs = jobs ? (int)tm_params_int(context->common, "jobs") : 0,
        .seed = cli_seed(context),
        .charset = tm_params_text(context->common, "charset"),
        .color = tm_params_text(context->common, "color"),
        .quiet = true,
        .rows = 40,
        .cols = 120,
        .learn = true,
        .lesson = call,
    };
}

/* Runs all steps as the workbench does, without a screen, and prints the result of the check. */
static int check(const cli_context *context, script_lesson_call *call)
{
    tui_options options = options_of(context, call);
    call->verb = "check";
    int status = tui_check(&options);
    if (call->answer) {
        puts(call->answer + 1);
        status = status == CLI_DONE && call->answer[0] != '+' ? CLI_FAILED : status;
    }
    free(call->answer);
    call->answer = NULL;
    return status;
}

static int check_all(const cli_context *context)
{
    int status = CLI_DONE;
    for (size_t i = 0; i < lesson_count && status <= CLI_FAILED; i++) {
        int one = check(context, &(script_lesson_call){.name = lesson_rows[i].name});
        status = one != CLI_DONE ? one : status;
    }
    return cli_finish("learn", status);
}

typedef enum form { FORM_WORKBENCH, FORM_PRINTED, FORM_CHECK } form;

static int learn(const cli_context *context, script_lesson_call *call, form how)
{
    if (how == FORM_CHECK)
        return cli_finish("learn", check(context, call));
    if (how == FORM_PRINTED)
        return play_printed(context, call);
    call->verb = "open";
    tui_options options = options_of(context, call);
    int status = tui_main(&options);
    free(call->answer);
    return status;
}

static int learn_file(const cli_context *context, const char *path, form how)
{
    tm_error err;
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    /* A text file has no byte 0, so this reads to its end. */
    bool read = file && getdelim(&text, &capacity, '\0', file) >= 0;
    if (file)
        fclose(file);
    if (!read) {
        free(text);
        tm_fail(&err, TM_EIO, "cannot read the lesson '%.300s': %s", path,
                errno ? strerror(errno) : "it is empty");
        return cli_fail("learn", &err);
    }
    int status = learn(context, &(script_lesson_call){.name = path, .text = text}, how);
    free(text);
    return status;
}

int cli_learn(cli_context *context, int argc, char **argv)
{
    bool print = false, checked = false;
    const cli_option options[] = {
        {"print", NULL, "print the lesson, as is done where there is no terminal", &print, NULL},
        {"check", NULL,
         "run all steps without a screen and say what is wrong; without a lesson: all of the "
         "program's own",
         &checked, NULL},
    };
    const cli_syntax syntax = {
        .command = "learn",
        .usage = "learn [LESSON | FILE.lua] [OPTION...]",
        .summary =
            "Opens a lesson, by name or number, or the list of them, in the workbench: a text in "
            "steps beside a view, with Lua that is run and questions whose answers are checked. "
            "Where there is no terminal the lesson is printed to its end. A FILE of someone else's "
            "may be a lesson, too (docs/lessons.md): lessons run in the sandbox (see 'tamis run "
            "--help').",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    cli_arguments arguments;
    int done;
    context->sandbox = true;
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &done))
        return done;
    if (arguments.count > 1)
        return cli_usage("learn", "one lesson at a time, not '%.100s' too", arguments.words[1]);
    cli_confine(context);
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    form how = checked ? FORM_CHECK : print || !terminal ? FORM_PRINTED : FORM_WORKBENCH;
    if (arguments.count == 0 && how == FORM_CHECK)
        return check_all(context);
    if (arguments.count == 0 && how == FORM_PRINTED) {
        cli_terminal where = cli_terminal_find(context);
        print_list(&where);
        return cli_finish("learn", CLI_DONE);
    }
    if (arguments.count == 0) {
        tui_options list = options_of(context, NULL);
        return tui_main(&list);
    }
    size_t number = lesson_find(arguments.words[0]);
    if (number < lesson_count)
        return learn(context, &(script_lesson_call){.name = lesson_rows[number].name}, how);
    if (strpbrk(arguments.words[0], "./"))
        return learn_file(context, arguments.words[0], how);
    const char *close = text_closest(arguments.words[0], lesson_name, NULL);
    if (close)
        return cli_usage("learn", "there is no lesson '%.100s'; did you mean '%s'?",
                         arguments.words[0], close);
    return cli_usage("learn", "there is no lesson '%.100s'; 'tamis learn --print' lists them",
                     arguments.words[0]);
}
