#include "tui/shell/app.h"

#include "tui/commands.h"
#include "tui/scripted.h"
#include "tui/state.h"
#include "tui/tui.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Width of what scripts print, at most: longer lines are hard to read. */
enum { PRINT_COLUMNS_MAX = 100 };

const view_ops *const app_views[VIEW_COUNT] = {
    [VIEW_EXPLORE] = &explore_view, [VIEW_RUNS] = &runs_view, [VIEW_PATH] = &path_view,
    [VIEW_SCREEN] = &screen_view,   [VIEW_DATA] = &data_view, [VIEW_LUA] = &lua_view,
    [VIEW_PLOTS] = &plots_view,
};

/* ---- what views ask for -------------------------------------------------------------------- */

session *app_session(app *a)
{
    return a->session;
}

void app_asked(app *a)
{
    a->asked = true;
}

explore_runs *app_explorer(app *a)
{
    return &a->explore_runs;
}

screen *app_screen(app *a)
{
    return a->screen;
}

void app_message(app *a, scr_style style, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->message, sizeof a->message, format, arguments);
    va_end(arguments);
    a->message_style = style;
    a->changed = true;
}

void app_error(app *a, const tm_error *err)
{
    if (err->code != TM_OK)
        app_message(a, STYLE_ERROR, "%s", err->message);
}

void app_start_typing(app *a)
{
    a->typing = true;
    a->changed = true;
    scr_prompt_mode(a->screen, true);
}

void app_stop_typing(app *a)
{
    prompt_give_up(a->prompt);
    prompt_close_list(a->prompt);
    a->typing = false;
    a->changed = true;
    scr_prompt_mode(a->screen, false);
}

/* A question is asked from the view, and answered into the view. */
void app_ask(app *a, const char *label, const char *initial,
             void (*done)(const char *text, void *payload), void *payload)
{
    prompt_ask(a->prompt, label, initial, done, payload);
    app_start_typing(a);
}

tm_status app_screen_text(app *a, char **out, tm_error *err)
{
    return frame_text(a, a->view, false, out, err);
}

bool app_user_command(app *a, const char *name, size_t length, const char *argument)
{
    char copy[64];
    size_t index;
    snprintf(copy, sizeof copy, "%.*s", length < 63 ? (int)length : 63, name);
    if (!keymap_find(&a->keymap, copy, &index))
        return false;
    orders_run_command(a, index, argument);
    return true;
}

const char *app_user_command_name(const app *a, size_t i)
{
    if (i >= a->keymap.command_count)
        return NULL;
    const user_command *c = &a->keymap.commands[i];
    return c->help[0] != '\0' ? c->name : "";
}

size_t app_user_command_count(const app *a)
{
    return a->keymap.command_count;
}

void app_changed(app *a)
{
    a->changed = true;
}

void app_wake(app *a, double seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double at = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + seconds;
    a->wake_at = a->wake_at > 0 && a->wake_at < at ? a->wake_at : at;
}

void app_swap(app *a)
{
    view_id before = a->view;
    a->view = a->other;
    a->other = before;
    a->second = !a->second;
    a->changed = true;
}

void app_show(app *a, view_id view)
{
    if (a->split != SPLIT_NONE && view == a->other) {
        app_swap(a);
    } else if (view != a->view) {
        a->other = a->split == SPLIT_NONE ? a->view : a->other;
        a->view = view;
    }
    paging_close(a);
    a->changed = a->news = true; /* a view may have waited until it was looked at */
    if (view == VIEW_LUA)
        a->tail = false;
}

int app_context(const app *a)
{
    const view_ops *ops = app_views[a->view];
    bool plot = ops->in_plot && ops->in_plot(a->states[a->view]);
    return plot ? CONTEXT_PLOT : (int)a->view;
}

bool app_shown(const app *a, view_id view)
{
    return a->view == view || (a->split != SPLIT_NONE && a->other == view);
}

void app_quit(app *a)
{
    a->ending = true;
}

void app_tail(app *a)
{
    if (!a->tail) {
        a->tail_from = scrollback_end(a->session->text);
        a->tail = !app_shown(a, VIEW_LUA);
    }
}

/* ---- the prompt's hooks -------------------------------------------------------------------- */

static void accept_chunk(const char *text, void *payload)
{
    app *a = payload;
    tm_error err = TM_ERROR_INIT;
    bool colon = text[0] == ':' && text[1] != ':';
    a->message[0] = '\0';
    if (colon && command_run(a, text))
        return;
    app_tail(a);
    app_asked(a);
    a->page_output = strncmp(text + (colon ? 1 : 0), "help", 4) == 0;
    session_submit(a->session, colon ? text + 1 : text, &err);
    app_error(a, &err);
    a->news = true;
}

static char **complete(const char *text, size_t cursor, size_t *start, void *payload)
{
    app *a = payload;
    if (text[0] == ':' && text[1] != ':')
        return command_complete(a, text, cursor, start);
    return script_complete(a->session->script, text, cursor, start);
}

static bool incomplete(const char *text)
{
    return text[0] != ':' && script_incomplete(text);
}

/* ---- life ---------------------------------------------------------------------------------- */

tm_status app_open_prompt(app *a, FILE *terminal, tm_error *err)
{
    char history[4096];
    prompt_hooks hooks = {accept_chunk, incomplete, complete, a};
    bool has_history = terminal && prompt_history_path(history, sizeof history);
    return prompt_new(&a->prompt, terminal, "tm> ", has_history ? history : NULL, &hooks, err);
}

static tm_status open_screen(app *a, const tui_options *options, tm_error *err)
{
    tm_status status = term_open(&a->term, err);
    if (status == TM_OK)
        status = app_open_prompt(a, a->term.in, err);
    if (status == TM_OK)
        status = scr_open(&a->screen, &a->term, options->charset, options->color, err);
    if (status == TM_OK) {
        a->keyboard = keyboard_new();
        status = a->keyboard ? term_capture(&a->term, err) : tm_fail_memory(err, "the keyboard");
    }
    return status == TM_OK ? term_signals(&a->term, err) : status;
}

static tm_status open_views(app *a, tm_error *err)
{
    for (int i = 0; i < VIEW_COUNT; i++) {
        tm_status status = app_views[i]->open(&a->states[i], a, err);
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

/* The user's own keys, colours and commands: tamis/init.lua where configuration goes. */
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
               ? session_run_file(a->session, path, NULL, 0, &a->init_ticket, err)
               : TM_OK;
}

size_t app_print_columns(const app *a)
{
    int width = scr_cols(a->screen) - 2; /* a pager has a frame */
    return (size_t)(width > PRINT_COLUMNS_MAX ? PRINT_COLUMNS_MAX : width < 40 ? 40 : width);
}

tm_status app_open_work(app *a, const tui_options *options, tm_error *err)
{
    tm_status status =
        session_open(&a->session, options, scr_utf8(a->screen), app_print_columns(a), err);
    if (status == TM_OK)
        status = explore_runs_open(&a->explore_runs, a->session->bench, err);
    if (status == TM_OK)
        status = open_views(a, err);
    if (status == TM_OK)
        status = session_load(a->session, options->path, options->reader, err);
    if (status == TM_OK && !options->quiet)
        greet(a);
    if (status == TM_OK)
        status = run_init_file(a, err);
    if (status == TM_OK && options->script) {
        status = session_run_file(a->session, options->script, options->script_args,
                                  options->script_arg_count, NULL, err);
    }
    return status;
}

void app_close(app *a)
{
    scr_close(a->screen); /* first: the terminal is free while workers wind up */
    term_winding_up();
    for (int i = 0; i < VIEW_COUNT; i++)
        if (a->states[i])
            app_views[i]->close(a->states[i]);
    explore_runs_close(&a->explore_runs);
    session_close(a->session);
    keymap_free(&a->keymap);
    palette_free(a->palette);
    scrollback_free(a->help_text);
    keyboard_free(a->keyboard);
    prompt_free(a->prompt);
    term_close(&a->term);
}

/* Returns the exit status; the error is told when the screen has been given back. */
static int run(app *a, const tui_options *options, tm_error *err)
{
    tm_status status = open_screen(a, options, err);
    if (status == TM_OK)
        status = app_open_work(a, options, err);
    if (status != TM_OK)
        return status == TM_EUSAGE ? 2 : 1;
    loop_run(a);
    return a->status;
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
        app_close(a);
        free(a);
    }
    if (err.code != TM_OK)
        fprintf(stderr, "tamis: %s\n", err.message);
    return status;
}
