/* What a view is. Keys become requests (keys.h); the view in front answers those it knows. */
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
    /* Takes in news, a mask of session_news; true when what it draws has changed. */
    bool (*update)(void *state, app *a, unsigned news);
    void (*draw)(void *state, app *a, terminal *t, rect area);
    /* true when the request was the view's. */
    bool (*request)(void *state, app *a, int request, const key_event *key);
    /* Sets one thing by name (tm.show, lessons): "step" to "3"; "reset" puts back
     * what such calls have changed. NULL: there is nothing to set. */
    tm_status (*at)(void *state, app *a, const char *what, const char *value, tm_error *err);
    /* A line about what is chosen, for the foot of the screen; NULL when there is never one. */
    void (*hint)(void *state, app *a, char *buffer, size_t size);
    /* Whether keys belong to a plot of the view (CONTEXT_PLOT); NULL: never. */
    bool (*in_plot)(const void *state);
    /* Whether what it shows is still being worked out, beyond runs and loading; NULL: never. */
    bool (*busy)(const void *state);
} view_ops;

/* What the program says of a view. */
typedef struct view_info {
    const char *name;  /* on its tab, in commands, in scripts */
    int key;           /* shows it */
    const char *title; /* what it shows */
    const char *help;  /* of the command of its name */
} view_info;

/* The rows of the table, by view_id. */
extern const view_info view_infos[VIEW_COUNT];

/* The view of such a name; false: there is none. */
bool view_find(const char *name, view_id *view);

/* "explore, runs, ... and plots". Written to buffer, which is returned; VIEW_NAMES bytes do. */
enum { VIEW_NAMES = 256 };
const char *view_names(char *buffer, size_t size);

#endif
