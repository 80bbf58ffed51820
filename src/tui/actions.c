#include "tui/actions.h"
#include "tui/shell/scrub.h"

#include "tui/choices.h"
#include "tui/record/clipboard.h"
#include "tui/record/form_script.h"
#include "tui/shell/paging.h"
#include "tui/user_commands.h"

#include <stdlib.h>
#include <string.h>

enum { SCRIPT_LINES = 200 };

void action_interrupt(app *a)
{
    if (prompt_asking(a->prompt)) {
        app_stop_typing(a);
        return;
    }
    bool searching = prompt_searching(a->prompt);
    bool loading = a->session->data.loader && a->session->data.all;
    bool stopped = !searching && session_interrupt(a->session);
    stopped = (!searching && explore_runs_cancel(&a->explore_runs)) || stopped;
    if (stopped && loading)
        app_message(a, STYLE_WARN, "stopped; %.60s is explored as before",
                    tm_dataset_name(a->session->data.all));
    else if (stopped)
        app_message(a, STYLE_WARN, "stopped");
    else if (a->typing && !prompt_empty(a->prompt))
        prompt_clear(a->prompt);
    else
        app_message(a, STYLE_NORMAL, "nothing is running; q (at the prompt :q) quits");
    a->due.news = true;
}

/* A key pressed by mistake must not end a script that has run all night, so quitting then takes a
 * second key press. */
void action_quit(app *a)
{
    char sweep[96];
    bool working = script_busy(a->session->script) || session_runs_left(a->session) > 0 ||
                   script_sweeps(a->session->script, sweep, sizeof sweep) > 0;
    if (!working || a->end.asked) {
        app_quit(a);
        return;
    }
    a->end.asked = true;
    app_message(a, STYLE_WARN, "the script is still at work: once more quits, Ctrl-C stops it");
}

void action_suspend(app *a)
{
    terminal_leave(a->terminal);
    tty_stop(&a->input.tty);
    terminal_enter(a->terminal);
    a->due.changed = true;
}

/* Cycles through two views side by side, two views one below the other, and one view; the second
 * view is the previous one, or else the next. */
static void turn_split(app *a)
{
    a->layout.split = a->layout.split == SPLIT_NONE     ? SPLIT_BESIDE
                      : a->layout.split == SPLIT_BESIDE ? SPLIT_BELOW
                                                        : SPLIT_NONE;
    if (a->layout.other == a->layout.view)
        a->layout.other = (view_id)((a->layout.view + 1) % VIEW_COUNT);
    if (a->layout.split == SPLIT_BESIDE)
        a->layout.second = false;
    a->due.news = true;
}

/* Shows the form's problem as Lua and as a command line, which can be copied elsewhere. */
static void show_script(app *a)
{
    tm_error err = TM_ERROR_INIT;
    char *lua, *command;
    if (form_script(a->session, &a->explore_runs, &lua, &command, &err) != TM_OK) {
        app_error(a, &err);
        return;
    }
    scrollback *page = scrollback_new(SCRIPT_LINES);
    if (page) {
        scrollback_add(page, LINE_OUTPUT, lua, strlen(lua));
        scrollback_add(page, LINE_OUTPUT, "\n", 1);
        scrollback_add(page, LINE_OUTPUT, command ? command : "", command ? strlen(command) : 0);
        scrollback_add(page, LINE_OUTPUT, "\n", 1);
        paging_script(a, page);
        bool copied = clipboard_copy(a->input.tty.fd, lua);
        app_message(a, STYLE_GOOD,
                    copied ? "the Lua was handed to the terminal's clipboard"
                           : "this terminal takes no clipboard: mark the text");
    }
    free(lua);
    free(command);
}

/* Requests that no view answers. */
static void general_request(app *a, int request)
{
    if (request >= REQ_VIEW && request < REQ_VIEW + VIEW_COUNT) {
        app_show(a, (view_id)(request - REQ_VIEW));
        return;
    }
    switch (request) {
    case REQ_QUIT:
        action_quit(a);
        break;
    case REQ_SCRIPT:
        show_script(a);
        break;
    case REQ_HELP:
        app_help(a);
        break;
    case REQ_PROMPT:
        app_start_typing(a);
        break;
    case REQ_SEARCH:
        app_type_text(a, "\022", 1);
        break;
    case REQ_COMMAND:
        if (prompt_empty(a->prompt))
            app_type_text(a, ":", 1);
        else
            app_start_typing(a);
        break;
    case REQ_INTERRUPT:
        action_interrupt(a);
        break;
    case REQ_SUSPEND:
        action_suspend(a);
        break;
    case REQ_REPAINT:
        terminal_repaint(a->terminal);
        break;
    case REQ_SPLIT:
        turn_split(a);
        break;
    case REQ_PALETTE:
        a->palette = !a->palette ? choices_open(a) : a->palette;
        break;
    case REQ_OTHER:
        if (a->layout.split != SPLIT_NONE)
            app_swap(a);
        break;
    case REQ_VIEW_NEXT:
        app_show(a, (view_id)((a->layout.view + 1) % VIEW_COUNT));
        break;
    case REQ_VIEW_PREVIOUS:
        app_show(a, (view_id)((a->layout.view + VIEW_COUNT - 1) % VIEW_COUNT));
        break;
    default:
        break;
    }
}

/* A wheel event that the view does not handle becomes a step up or down. */
static bool view_request(app *a, int request, const key_event *key)
{
    const view_ops *ops = a->views[a->layout.view];
    bool done = ops->request(a->states[a->layout.view], a, request, key);
    if (!done && (request == REQ_WHEEL_UP || request == REQ_WHEEL_DOWN)) {
        int step = request == REQ_WHEEL_UP ? REQ_UP : REQ_DOWN;
        done = ops->request(a->states[a->layout.view], a, step, key);
    }
    return done;
}

/* Before time is moved the view in front may choose whose it is. */
static bool time_request(app *a, int request, const key_event *key)
{
    if (request >= REQ_TIME_BACK && request <= REQ_TIME_FASTER)
        view_request(a, request, key);
    return scrub_request(a, request, key);
}

void action_key(app *a, int request, const key_event *key)
{
    if (request >= REQ_USER)
        user_command_run(a, (size_t)(request - REQ_USER), "");
    else if (!time_request(a, request, key) && !view_request(a, request, key))
        general_request(a, request);
}

void action_request(app *a, int request)
{
    key_event none = {.code = TK_NONE, .row = -1, .col = -1};
    action_key(a, request, &none);
    a->due.changed = true;
}
