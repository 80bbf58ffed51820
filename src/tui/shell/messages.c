/* What views ask of the program: access to its parts, messages to the user, and questions. */
#include "tui/shell/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

bool app_is_seen(const app *a)
{
    return a->input.keyboard != NULL;
}

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

terminal *app_terminal(app *a)
{
    return a->terminal;
}

void app_message(app *a, terminal_style style, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->message.text, sizeof a->message.text, format, arguments);
    va_end(arguments);
    a->message.style = style;
    a->due.changed = true;
}

void app_error(app *a, const tm_error *err)
{
    if (err->code != TM_OK)
        app_message(a, STYLE_ERROR, "%s", err->message);
}

void app_choose_class(app *a, const char *label)
{
    bool all;
    tm_error err = TM_ERROR_INIT;
    if (session_choose_class(a->session, &a->explore_runs, label, &all, &err) == TM_OK && all)
        app_message(a, STYLE_NORMAL,
                    "%zu classes are fitted: 2 lists the runs, 6 their scores in the end",
                    a->session->data.classes.all.count);
    app_error(a, &err);
    a->due.news = a->due.changed = true;
}

void app_start_typing(app *a)
{
    a->typing = true;
    a->due.changed = true;
    terminal_prompt_mode(a->terminal, true);
}

void app_type_text(app *a, const char *text, size_t length)
{
    app_start_typing(a);
    prompt_feed(a->prompt, text, length);
}

void app_stop_typing(app *a)
{
    prompt_give_up(a->prompt);
    prompt_close_list(a->prompt);
    a->typing = false;
    a->due.changed = true;
    terminal_prompt_mode(a->terminal, false);
}

/* A view asks the question, and the view gets the answer. */
void app_ask(app *a, const char *label, const char *initial,
             void (*done)(const char *text, void *payload), void *payload)
{
    prompt_ask(a->prompt, label, initial, done, payload);
    app_start_typing(a);
}

void app_changed(app *a)
{
    a->due.changed = true;
}

void app_wake(app *a, double seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double at = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + seconds;
    a->due.wake_at = a->due.wake_at > 0 && a->due.wake_at < at ? a->due.wake_at : at;
}
