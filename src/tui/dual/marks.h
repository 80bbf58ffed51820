/* What pictures of dual points are made of: columns, windows in which a unit is as wide as it is
 * high, discs, lines across the window, points. */
#ifndef TUI_DUAL_MARKS_H
#define TUI_DUAL_MARKS_H

#include "plot/figure.h"
#include "tamis/job.h"

/* Column j (n values) as the dual points of a screen log are meant: centred with an intercept,
 * times the roots of the samples' weights. */
void dual_column(const tm_job *job, size_t j, double *x);

typedef struct dual_window {
    double x[2], y[2];
} dual_window;

/* One that holds nothing. */
#define DUAL_WINDOW_INIT                                                                           \
    {                                                                                              \
        {INFINITY, -INFINITY},                                                                     \
        {                                                                                          \
            INFINITY, -INFINITY                                                                    \
        }                                                                                          \
    }

/* Grows it so that the point is in it; a point that is not finite is ignored. */
void dual_window_include(dual_window *w, double x, double y);
/* Grows it to the shape of an area of so many cells, with a margin. */
void dual_window_square(dual_window *w, int rows, int cols);
/* Clears the figure and makes it show the window. */
void dual_marks_begin(const dual_window *w, plot_figure *figure);

tm_status dual_marks_disc(const double centre[2], double radius, plot_figure *figure,
                          tm_error *err);
/* The line normal'at = offset; nothing for a normal of zeros. */
tm_status dual_marks_line(const plot_curve *look, const double normal[2], double offset,
                          const dual_window *w, plot_figure *figure, tm_error *err);
tm_status dual_marks_point(const char *name, const double at[2], int colour, plot_figure *figure,
                           tm_error *err);

#endif
