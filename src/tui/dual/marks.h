/* The elements of pictures of dual points: columns, windows with equal scales on both axes, discs,
 * lines across the window, and points. */
#ifndef TUI_DUAL_MARKS_H
#define TUI_DUAL_MARKS_H

#include "plot/figure.h"
#include "tamis/job.h"

/* Column j (n values) in the coordinates of the dual points of a screen log: centred if there is an
 * intercept, and multiplied by the square roots of the samples' weights. */
void dual_column(const tm_job *job, size_t j, double *x);

typedef struct dual_window {
    double x[2], y[2];
} dual_window;

/* An empty window. */
#define DUAL_WINDOW_INIT                                                                           \
    {                                                                                              \
        {INFINITY, -INFINITY},                                                                     \
        {                                                                                          \
            INFINITY, -INFINITY                                                                    \
        }                                                                                          \
    }

/* Enlarges the window to contain the point; a point that is not finite is ignored. */
void dual_window_include(dual_window *w, double x, double y);
/* Enlarges the window to the aspect ratio of an area of rows x cols cells, with a margin. */
void dual_window_square(dual_window *w, int rows, int cols);
/* Clears the figure and sets its axes to the window. */
void dual_marks_begin(const dual_window *w, plot_figure *figure);

tm_status dual_marks_disc(const double centre[2], double radius, plot_figure *figure,
                          tm_error *err);
/* Adds the line normal'at = offset; does nothing if the normal is zero. */
tm_status dual_marks_line(const plot_curve *look, const double normal[2], double offset,
                          const dual_window *w, plot_figure *figure, tm_error *err);
tm_status dual_marks_point(const char *name, const double at[2], int colour, plot_figure *figure,
                           tm_error *err);

#endif
