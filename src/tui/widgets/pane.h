/* An interactive plot: zoom, pan, a cursor, the mouse. The owner fills the figure; the pane shows
 * it. */
#ifndef TUI_WIDGETS_PANE_H
#define TUI_WIDGETS_PANE_H

#include "tui/terminal/keyboard.h"
#include "tui/terminal/terminal.h"
#include "tui/widgets/requests.h"

typedef struct pane {
    plot_figure *figure;
    plot_grid grid;
    rect body;                /* where it was drawn last; no rows: not drawn */
    bool stale;               /* the figure has changed */
    bool shades;              /* whether it was drawn in shades */
    double x[2], y[2];        /* the range shown; NaN: everything */
    bool flip_x, flip_y;      /* switches between linear and logarithmic axes */
    double cursor;            /* cursor as a value of x; NaN: none */
    int press_row, press_col; /* where the mouse button was pressed in the plot area; -1: it is not
                               * down here */
    int drag_row, drag_col;   /* where the mouse is now; -1: it has not moved */
} pane;

tm_status pane_open(pane *p, tm_error *err);
void pane_close(pane *p);

/* Draws the figure into the area; the drawing is cached until it is stale. */
tm_status pane_draw(pane *p, terminal *t, rect body, tm_error *err);
/* Marks the pane as not on the screen. */
void pane_hide(pane *p);

/* Zoom, pan, reset, axes; moving the cursor by columns. True when the request was one of these. */
bool pane_request(pane *p, int request);
/* Clicks set the cursor, drags zoom into a box, the wheel zooms around the pointer. True if the
 * event was in this pane or the drag began here. */
bool pane_mouse(pane *p, int request, const key_event *key);
bool pane_hit(const pane *p, const key_event *key);
bool pane_zoomed(const pane *p);
/* Writes the figure of a pane as shown, in the format given by the file name (an app_writer). */
tm_status pane_save(const char *path, void *p, tm_error *err);
void pane_set_cursor(pane *p, double x);
/* Shows the same range of x as another pane. */
void pane_follow_x(pane *p, const pane *other);

#endif
