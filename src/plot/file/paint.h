/* PNG and PDF by cairo. */
#ifndef PLOT_FILE_PAINT_H
#define PLOT_FILE_PAINT_H

#include "plot/figure.h"

#include <stdio.h>

/* Writes the figure to an open stream. Page units are points in PDF; in PNG a unit is `zoom`
 * pixels. The caller checks the stream for errors. */
tm_status plot_paint_png(const plot_figure *figure, double width, double height, double zoom,
                         FILE *stream, tm_error *err);
tm_status plot_paint_pdf(const plot_figure *figure, double width, double height, FILE *stream,
                         tm_error *err);

#endif
