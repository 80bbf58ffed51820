/* The interface of views. Keys are translated to requests (keys.h); the focused view handles those
 * that it knows. */
#ifndef TUI_SHELL_VIEW_H
#define TUI_SHELL_VIEW_H

#include "tui/shell/keys.h"
#include "tui/terminal/keyboard.h"
#include "tui/terminal/terminal.h"

typedef struct app app;

/* What a view does. */
typedef struct view_ops {
    const key_row *keys; /* its own, in the order of its help page; the last one is all zero */
    /* Makes the view's state; *state is passed to all others and released by close. */
    tm_status (*open)(void **state, app *a, tm_error *err);
    void (*close)(void *state);
    /* Processes news, a mask of session_news; true when what it draws has changed. */
    bool (*update)(void *state, app *a, unsigned news);
    void (*draw)(void *state, app *a, terminal *t, rect area);
    /* Handles a request; true when it was one of the view's. */
    bool (*request)(void *state, app *a, int request, const key_event *key);
    /* Takes a character that answers what the view asks, before its key's request; false: it is
     * none. NULL: the view asks nothing. */
    bool (*typed)(void *state, app *a, const key_event *key, const char *bytes, size_t length);
    /* Sets a property by name (tm.show, lessons), such as "step" to "3"; "reset" undoes what such
     * calls have changed. NULL: the view has no properties. */
    tm_status (*at)(void *state, app *a, const char *what, const char *value, tm_error *err);
    /* Writes a line about the chosen item for the foot of the screen; NULL: the view has none. */
    void (*hint)(void *state, app *a, char *buffer, size_t size);
    /* Whether a plot of the view has the focus (CONTEXT_PLOT); NULL: never. */
    bool (*in_plot)(const void *state);
    /* Whether the view is still computing what it shows, apart from runs and loading; NULL:
     * never. */
    bool (*busy)(const void *state);
} view_ops;

/* The description of a view. */
typedef struct view_info {
    const char *name;  /* on its tab, in commands, in scripts */
    int key;           /* the key that shows it */
    const char *title; /* what it shows */
    const char *help;  /* help of the command of its name */
} view_info;

/* The rows of the table, by view_id. */
extern const view_info view_infos[VIEW_COUNT];

/* Finds the view of this name; false: there is none. */
bool view_find(const char *name, view_id *view);

/* Writes "explore, runs, ... and plots" to buffer and returns it; VIEW_NAMES bytes suffice. */
enum { VIEW_NAMES = 256 };
const char *view_names(char *buffer, size_t size);

#endif
