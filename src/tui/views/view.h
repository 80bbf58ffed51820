/* What a view is. Keys become requests (keys.c); the view in front answers those it knows. */
#ifndef TUI_VIEWS_VIEW_H
#define TUI_VIEWS_VIEW_H

#include "tui/shell/keys.h"
#include "tui/terminal/keyboard.h"
#include "tui/terminal/terminal.h"

typedef struct app app;

typedef struct view_ops {
    const char *name; /* on its tab */
    /* Makes the view's state; *state is passed to all others and released by close. */
    tm_status (*open)(void **state, app *a, tm_error *err);
    void (*close)(void *state);
    /* Takes in news, a mask of session_news; true when what it draws has changed. */
    bool (*update)(void *state, app *a, unsigned news);
    void (*draw)(void *state, app *a, screen *s, rect area);
    /* true when the request was the view's. */
    bool (*request)(void *state, app *a, int request, const key_event *key);
    /* A line about what is chosen, for the foot of the screen; NULL when there is never one. */
    void (*hint)(void *state, app *a, char *buffer, size_t size);
    /* Whether keys belong to a plot of the view (CONTEXT_PLOT); NULL: never. */
    bool (*in_plot)(const void *state);
    /* Whether what it shows is still being worked out, beyond runs and loading; NULL: never. */
    bool (*busy)(const void *state);
} view_ops;

extern const view_ops explore_view;
extern const view_ops runs_view;
extern const view_ops plots_view;
extern const view_ops lua_view;
extern const view_ops path_view;
extern const view_ops data_view;
extern const view_ops screen_view;

#endif
