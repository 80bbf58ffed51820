/* A plot on the screen that can be looked into: zoom, pan, a cursor, the mouse. The owner fills the
 * figure; the pane shows it. */
#ifndef TUI_WIDGETS_PANE_H
#define TUI_WIDGETS_PANE_H

#include "tui/terminal/keyboard.h"
#include "tui/terminal/terminal.h"
#include "tui/widgets/requests.h"

typedef struct pane {
    plot_figure *figure;
    plot_grid grid;
    rect body;           /* where it was drawn last; no rows: it was not */
    bool stale;          /* the figure has changed */
    bool shades;         /* what it was drawn in */
    double x[2], y[2];   /* what is shown; NaN: all there is */
    bool flip_x, flip_y; /* axes are logarithmic where the figure's are linear, and the reverse */
    double cursor;       /* in values of x; NaN: none */
    int press_row, press_col; /* of the mouse, in the plot area; -1: the button is not down here */
    int drag_row, drag_col;   /* where it is now; -1: it has not moved */
} pane;

tm_status pane_open(pane *p, tm_error *err);
void pane_close(pane *p);

/* Draws the figure into the area, and keeps it until it is stale. */
tm_status pane_draw(pane *p, terminal *t, rect body, tm_error *err);
/* Nothing of it is on the screen. */
void pane_hide(pane *p);

/* Zoom, pan, reset, axes; moving the cursor by columns. True when the request was one of these. */
bool pane_request(pane *p, int request);
/* Clicks put the cursor, drags zoom into a box, the wheel zooms around the pointer. True when the
 * event was in this pane (or began here). */
bool pane_mouse(pane *p, int request, const key_event *key);
bool pane_hit(const pane *p, const key_event *key);
bool pane_zoomed(const pane *p);
/* Writes the figure of a pane as it is shown, in the format of the name (an app_writer). */
tm_status pane_save(const char *path, void *p, tm_error *err);
void pane_set_cursor(pane *p, double x);
/* Shows the same part of x as another. */
void pane_follow_x(pane *p, const pane *other);

#endif
