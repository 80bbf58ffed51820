/* One run's line in each of the explore view's charts. */
#ifndef TUI_WIDGETS_CHART_SERIES_H
#define TUI_WIDGETS_CHART_SERIES_H

#include "plot/figure.h"
#include "tui/widgets/chart_run.h"

/* Adds the run's series to the chart; adds nothing if the run has no such data. */
tm_status chart_series_add(chart_id id, plot_figure *figure, const chart_run *run, const char *name,
                           tm_error *err);

#endif
