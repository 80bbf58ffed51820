/* The screen view, between what it does (screen.c) and how it looks (screen_draw.c). */
#ifndef TUI_VIEWS_SCREEN_H
#define TUI_VIEWS_SCREEN_H

#include "tui/session/replay.h"
#include "tui/shell/app.h"
#include "tui/widgets/list.h"
#include "tui/widgets/pane.h"
#include "tui/widgets/polygon.h"

typedef struct screen_view {
    app *app;
    tm_job *source;    /* the run that is shown, a reference */
    tm_job *study;     /* the same with a log, a reference */
    char strategy[32]; /* in place of the source's own; "": its own */
    replay replay;
    polygon polygon;
    pane pane;
    bool in_plot; /* keys belong to it */
    bool zoomed;  /* it has the whole area */
    size_t drawn; /* the step that the plot shows; SIZE_MAX: none */
    list rows;    /* the features of the step */
    bool playing;
    double speed;
} screen_view;

/* Of screen.c. */

const char *screen_view_strategy_of(const screen_view *v);

/* Of screen_draw.c. */

const tm_screen_step *screen_view_step_of(const screen_view *v);
void screen_view_draw(void *state, app *a, terminal *t, rect area);

#endif
