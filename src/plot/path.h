/* The path of a series over the unit square: (0,0) is the low corner of both axes. */
#ifndef PLOT_PATH_H
#define PLOT_PATH_H

#include "plot/axes.h"

/* Receives what is to be drawn; every coordinate lies in [0, 1]. */
typedef struct plot_sink {
    void *context;
    void (*move)(void *context, double x, double y);
    void (*line)(void *context, double x, double y); /* from the end of the last call */
} plot_sink;

/* Sends the lines of a line, step or level series, clipped. Runs of points in the same one of
 * `columns` columns are reduced to their first, least, greatest and last, which looks the same; the
 * work is O(count). A single point is sent as a line of zero length. */
void plot_path_lines(const plot_series *series, const plot_view *view, size_t columns,
                     const plot_sink *sink);

/* Sends every point inside the view as a move; a level has none. */
void plot_path_points(const plot_series *series, const plot_view *view, const plot_sink *sink);

/* Sends the error bars of the series, clipped at the view's edges. */
void plot_path_spread(const plot_series *series, const plot_view *view, const plot_sink *sink);

/* Sends the bars of a PLOT_BARS series, from 0 to each nonzero point. */
void plot_path_bars(const plot_series *series, const plot_view *view, const plot_sink *sink);

/* The number of points inside the view, counted up to `enough`. */
size_t plot_path_count(const plot_series *series, const plot_view *view, size_t enough);

#endif
