/* One run's line in each of the explore view's charts. */
#ifndef TUI_WIDGETS_CHART_SERIES_H
#define TUI_WIDGETS_CHART_SERIES_H

#include "plot/figure.h"
#include "tui/widgets/chart_run.h"

/* Adds what the chart shows of the run; nothing when it has nothing of that. */
tm_status chart_series_add(chart_id id, plot_figure *figure, const chart_run *run, const char *name,
                           tm_error *err);

#endif
