/* The screen view, between what it does (screenview.c) and how it looks (stepdraw.c). */
#ifndef TUI_VIEWS_SCREEN_H
#define TUI_VIEWS_SCREEN_H

#include "tui/session/replay.h"
#include "tui/shell/app.h"
#include "tui/widgets/pane.h"
#include "tui/widgets/polygon.h"

typedef struct screenview {
    app *app;
    tm_job *source;    /* the run that is shown, a reference */
    tm_job *study;     /* the same with a log, a reference */
    char strategy[32]; /* in place of the source's own; "": its own */
    replay replay;
    polygon polygon;
    pane pane;
    bool in_plot;       /* keys belong to it */
    size_t drawn;       /* the step that the plot shows; SIZE_MAX: none */
    size_t chosen, top; /* rows of the list */
    rect list_area;
    bool playing;
    double speed;
} screenview;

/* Of screenview.c. */

const char *screenview_strategy_of(const screenview *v);

/* Of stepdraw.c. */

const tm_screen_step *screenview_step_of(const screenview *v);
void screenview_draw(void *state, app *a, screen *s, rect area);

#endif
