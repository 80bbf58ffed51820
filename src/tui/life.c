/* The life cycle of the program, from opening the terminal to restoring it. */
#include "tui/life.h"

#include "script/lessons/lesson.h"
#include "tui/commands.h"
#include "tui/loop.h"
#include "tui/tui.h"
#include "tui/views/lessons/progress.h"
#include "tui/views/table.h"
#include "tui/widgets/palette.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the prompt's hooks -------------------------------------------------------------------- */

static void accept_chunk(const char *text, void *payload)
{
    app *a = payload;
    tm_error err = TM_ERROR_INIT;
    bool colon = text[0] == ':' && text[1] != ':';
    a->message.text[0] = '\0';
    if (colon && command_run(a, text))
        return;
    app_tail(a);
    app_asked(a);
    a->reading.page_output = strncmp(text + (colon ? 1 : 0), "help", 4) == 0;
    session_submit(a->session, colon ? text + 1 : text, &err);
    app_error(a, &err);
    a->due.news = true;
}

static char **complete(const char *text, size_t cursor, size_t *start, void *payload)
{
    app *a = payload;
    if (text[0] == ':' && text[1] != ':')
        return command_complete(a, text, cursor, start);
    return script_complete(a->session->script, text, cursor, start);
}

/* Questions for a parameter of the form are "NAME = ". */
static char **answers(const char *label, const char *text, size_t cursor, size_t *start,
                      void *payload)
{
    char name[64];
    size_t length = strcspn(label, " ");
    if (strcmp(label + length, " = ") != 0 || length >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, label);
    *start = 0;
    return command_values(payload, name, text, cursor, start);
}

static bool incomplete(const char *text)
{
    return text[0] != ':' && script_incomplete(text);
}

/* ---- life ---------------------------------------------------------------------------------- */

tm_status life_open_prompt(app *a, FILE *input, tm_error *err)
{
    char history[4096];
    prompt_hooks hooks = {accept_chunk, incomplete, complete, answers, a};
    bool has_history = input && prompt_state_path("history", history, sizeof history);
    return prompt_new(&a->prompt, input, "tm> ", has_history ? history : NULL, &hooks, err);
}

static tm_status open_screen(app *a, const tui_options *options, tm_error *err)
{
    tm_status status = tty_open(&a->input.tty, err);
    if (status == TM_OK)
        status = life_open_prompt(a, a->input.tty.in, err);
    if (status == TM_OK)
        status = terminal_open(&a->terminal, &a->input.tty, options->charset, options->color, err);
    if (status == TM_OK) {
        a->input.keyboard = keyboard_new();
        status = a->input.keyboard ? tty_capture(&a->input.tty, err)
                                   : tm_fail_memory(err, "the keyboard");
    }
    return status == TM_OK ? tty_signals(&a->input.tty, err) : status;
}

static tm_status open_views(app *a, tm_error *err)
{
    a->views = view_table;
    a->keymap.rows[CONTEXT_PLOT] = keys_plot;
    a->keymap.rows[CONTEXT_PAGER] = keys_pager;
    for (int i = 0; i < VIEW_COUNT; i++) {
        a->keymap.rows[i] = view_table[i]->keys;
        tm_status status = a->views[i]->open(&a->states[i], a, err);
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}

static void greet(app *a)
{
    session_note(a->session, LINE_NOTE,
                 "Tamis " TUI_VERSION ". Type >help() for an overview of Lua, ? for the keys of "
                 "a view.");
}

/* Runs tamis/init.lua in the configuration directory, which sets the user's keys, colours and
 * commands. */
static tm_status run_init_file(app *a, tm_error *err)
{
    char path[4096];
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/')
        snprintf(path, sizeof path, "%s/tamis/init.lua", config);
    else if (home && home[0] == '/')
        snprintf(path, sizeof path, "%s/.config/tamis/init.lua", home);
    else
        return TM_OK;
    return access(path, R_OK) == 0
               ? session_run_file(a->session, path, NULL, 0, &a->input.init_ticket, err)
               : TM_OK;
}

/* Opens the lesson where it was left; without a lesson shows the list of lessons. */
static tm_status open_lesson(app *a, script_lesson_call *lesson, tm_error *err)
{
    app_show(a, VIEW_LESSONS);
    if (!lesson)
        return TM_OK;
    lesson->step = progress_step(lesson->name);
    if (script_submit_call(a->session->script, script_lesson_run, lesson) == 0)
        return tm_fail_memory(err, "the lesson");
    return TM_OK;
}

tm_status life_open_work(app *a, const tui_options *options, tm_error *err)
{
    const session_options work = {
        .jobs = options->jobs,
        .seed = options->seed,
        .recorder = options->recorder,
        .store = options->store,
        .sandbox = options->learn,
        .utf8 = terminal_utf8(a->terminal),
        .columns = loop_print_columns(a),
    };
    tm_status status = session_open(&a->session, &work, err);
    if (status == TM_OK)
        status = explore_runs_open(&a->explore_runs, a->session->pools.explore, err);
    if (status == TM_OK)
        a->explore_runs.classes = &a->session->data.classes;
    if (status == TM_OK)
        status = open_views(a, err);
    if (status == TM_OK)
        status = session_load(a->session, options->path, options->reader, options->label, err);
    if (status == TM_OK && !options->quiet)
        greet(a);
    if (status == TM_OK)
        status = run_init_file(a, err);
    if (status == TM_OK && options->learn)
        status = open_lesson(a, options->lesson, err);
    if (status == TM_OK && options->script) {
        status = session_run_file(a->session, options->script, options->script_args,
                                  options->script_arg_count, NULL, err);
    }
    return status;
}

void life_close(app *a)
{
    terminal_close(a->terminal); /* first, so that the terminal is restored while workers finish */
    tty_winding_up();
    for (int i = 0; i < VIEW_COUNT; i++)
        if (a->states[i])
            a->views[i]->close(a->states[i]);
    explore_runs_close(&a->explore_runs);
    session_close(a->session);
    keymap_free(&a->keymap);
    palette_free(a->palette);
    scrollback_free(a->reading.help_text);
    keyboard_free(a->input.keyboard);
    free(a->input.paste.text);
    prompt_free(a->prompt);
    tty_close(&a->input.tty);
}

/* Returns the exit status; an error is printed after the terminal has been restored. */
static int run(app *a, const tui_options *options, tm_error *err)
{
    tm_status status = open_screen(a, options, err);
    if (status == TM_OK)
        status = life_open_work(a, options, err);
    if (status != TM_OK)
        return status == TM_EUSAGE ? 2 : 1;
    if (!options->path && !options->script && !options->learn)
        app_message(a, STYLE_NORMAL, "new here? * has lessons, ? the keys");
    loop_run(a);
    return a->end.status;
}

int tui_main(const tui_options *options)
{
    tm_error err = TM_ERROR_INIT;
    int status = 1;
    setlocale(LC_CTYPE, "");
    app *a = calloc(1, sizeof *a);
    if (!a) {
        tm_fail_memory(&err, "the workbench");
    } else {
        status = run(a, options, &err);
        life_close(a);
        free(a);
    }
    if (err.code != TM_OK)
        fprintf(stderr, "tamis: %s\n", err.message);
    return status;
}
