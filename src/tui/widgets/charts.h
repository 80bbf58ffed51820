/* The explore view's four plots, made from traces and points. */
#ifndef TUI_WIDGETS_CHARTS_H
#define TUI_WIDGETS_CHARTS_H

#include "tui/explore/explore_runs.h"
#include "tui/session/session.h"
#include "tui/widgets/chart_run.h"

/* Refills the figure with the explore view's runs, overlaid with the script's. */
tm_status chart_fill(chart_id id, plot_figure *figure, const explore_runs *e, const session *s,
                     bool log_time, tm_error *err);
/* Whether a chart can show this run of the store, which must be loaded, and whether it can be drawn
 * with the explore view's own. */
bool chart_fits_stored(chart_id id, const stored_run *run);
bool chart_stored_comparable(const explore_runs *e, const stored_run *run);
/* A figure of this run alone, owned by the caller. */
tm_status chart_stored_figure(chart_id id, const stored_run *run, plot_figure **out, tm_error *err);
/* Writes the title of the chart for these data ("duality gap", ...) to buffer. */
void chart_title(chart_id id, const explore_runs *e, const session *s, char *buffer, size_t size);

#endif
