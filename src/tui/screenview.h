/* The screen view, between what it does (screenview.c) and how it looks (stepdraw.c). */
#ifndef TUI_SCREENVIEW_H
#define TUI_SCREENVIEW_H

#include "tui/app.h"
#include "tui/pane.h"
#include "tui/polygon.h"
#include "tui/replay.h"

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
