/* The explore view's four plots, made from traces and points. */
#ifndef TUI_WIDGETS_CHARTS_H
#define TUI_WIDGETS_CHARTS_H

#include "tui/explore/explore_runs.h"
#include "tui/session/session.h"
#include "tui/widgets/chart_run.h"

/* Refills the figure with the explore view's runs and the script's laid over them. */
tm_status chart_fill(chart_id id, plot_figure *figure, const explore_runs *e, const session *s,
                     bool log_time, tm_error *err);
/* Whether a chart can show this run of the store, which is loaded, and whether it may be drawn
 * beside the explore view's own. */
bool chart_fits_stored(chart_id id, const stored_run *run);
bool chart_stored_comparable(const explore_runs *e, const stored_run *run);
/* A figure of this run alone, the caller's. */
tm_status chart_stored_figure(chart_id id, const stored_run *run, plot_figure **out, tm_error *err);
/* "duality gap", ...: what the chart shows of these data. Written to buffer. */
void chart_title(chart_id id, const explore_runs *e, const session *s, char *buffer, size_t size);

#endif
