/* What views may ask of the program. */
#ifndef TUI_SHELL_APP_H
#define TUI_SHELL_APP_H

#include "tui/explore/explore_runs.h"
#include "tui/prompt/prompt.h"
#include "tui/session/session.h"
#include "tui/shell/view.h"
#include "tui/terminal/terminal.h"

typedef struct app app;

session *app_session(app *a);
explore_runs *app_explorer(app *a);
/* The user has started something: the plots that it shows come to the front. */
void app_asked(app *a);
terminal *app_terminal(app *a);
/* Whether the workbench is interactive, unlike in checks and dumps. */
bool app_is_seen(const app *a);

/* One line for the user, shown until the next key. */
void app_message(app *a, terminal_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for an error; nothing when err->code is TM_OK. */
void app_error(app *a, const tm_error *err);
/* Asks for a line of text; `done` gets NULL when it was cancelled. */
void app_ask(app *a, const char *label, const char *initial,
             void (*done)(const char *text, void *payload), void *payload);
/* Types the text into the question, or into the prompt, which gets the keys. */
void app_type_text(app *a, const char *text, size_t length);
/* Asks for confirmation and calls `act` when the answer is y. */
void app_confirm(app *a, const char *question, void (*act)(void *payload), void *payload);
/* Asks for a file's name, and whether to replace an existing file; writes it and reports that. */
typedef tm_status app_writer(const char *path, void *payload, tm_error *err);
void app_save(app *a, const char *label, const char *suggestion, app_writer *write, void *payload);
/* The same where the name is known. */
void app_save_as(app *a, const char *path, app_writer *write, void *payload);
/* Requests that views are updated again after this many seconds, even without any other event. */
void app_wake(app *a, double seconds);
/* With several classes, explores this one against the rest, or fits all (session_choose_class). */
void app_choose_class(app *a, const char *label);
bool app_shown(const app *a, view_id view);
/* The moment that all views show, as a share (0..1) of the run's duration; NaN: the end, or now. */
double app_moment(const app *a);
/* Moves all views to the end of the run on the timeline, which has just been chosen. */
void app_begin_time(app *a);
/* Requests that everything is drawn again soon. */
void app_changed(app *a);
void app_show(app *a, view_id view);
void app_help(app *a);
void app_quit(app *a);

#endif
