/* The explore view's four plots side by side: their layout, which one has the focus, and one cursor
 * for the plots that share an axis (the seconds of the solve, the place along the path). */
#ifndef TUI_VIEWS_CHART_GRID_H
#define TUI_VIEWS_CHART_GRID_H

#include "tui/shell/app.h"
#include "tui/widgets/charts.h"
#include "tui/widgets/pane.h"

typedef struct chart_grid {
    pane panes[CHART_COUNT];
    rect areas[CHART_COUNT]; /* with their frames */
    bool stale[CHART_COUNT]; /* the figure must be filled again */
    int large;               /* the chart that fills the whole area, or -1 */
    int focus;               /* the chart with the focus, or -1 */
    bool log_time;
    double seconds; /* the cursor in the plots against time; NaN: none */
    bool scrubbing; /* `seconds` is the moment of all views */
    size_t point;   /* the point of the path that was drawn */
    tm_scorer by;   /* the metric that was drawn */
    app *app;
} chart_grid;

tm_status chart_grid_open(chart_grid *g, app *a, tm_error *err);
void chart_grid_close(chart_grid *g);
/* Call it when the data of the charts have changed. */
void chart_grid_stale(chart_grid *g);
void chart_grid_draw(chart_grid *g, terminal *t, rect area);
/* Marks all charts as not on the screen. */
void chart_grid_hide(chart_grid *g);
bool chart_grid_request(chart_grid *g, int request, const key_event *key);

#endif
