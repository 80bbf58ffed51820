/* Axes: limits from the data, the position of a value, labelled ticks. */
#ifndef PLOT_AXES_H
#define PLOT_AXES_H

#include "plot/series.h"

/* One axis. Limits are in axis units: the value itself, or its log10. If low > high, the axis is
 * reversed. */
typedef struct plot_axis {
    bool logarithmic;
    double low, high;
    bool clamps;      /* positive values below the floor are drawn at the floor */
    bool whole;       /* ticks only at whole numbers */
    bool floored;     /* some value is at or below the floor, or is NaN */
    bool infinite[2]; /* some value is minus infinity, or plus infinity: that end has it as its
                       * tick */
} plot_axis;

typedef struct plot_view {
    plot_axis x, y;
    const tm_cancel *cancel; /* cancel token of the figure */
} plot_view;

/* Whether a loop over points must stop; the token (or NULL) is checked only at some points. */
static inline bool plot_stops(const tm_cancel *cancel, size_t point)
{
    enum { EVERY = 4096 };
    return point % EVERY == EVERY - 1 && cancel && tm_cancel_is_set(cancel);
}

enum { PLOT_TICKS_MAX = 64, PLOT_LABEL_MAX = 32 };

/* A tick at `at` (0 the low end, 1 the high end of the axis) and its text. */
typedef struct plot_tick {
    double at;
    bool floor; /* the label is that of the floor and must be prefixed by "<=" */
    char label[PLOT_LABEL_MAX];
} plot_tick;

/* Limits that show all the figure's data, or the requested limits. */
plot_view plot_view_fit(const plot_figure *figure);

/* Enlarges the range of x or y so that both axes have the same scale in an area of this shape. */
void plot_view_equal(plot_view *view, double wide, double high);

/* The position of a value: 0 at the low end, 1 at the high end, beyond these for values outside;
 * infinite values are at the ends; NaN if it has no position (NaN on a linear axis). */
double plot_axis_place(const plot_axis *axis, double value);

/* At most `most` ticks with distinct labels, in ascending order, preceded by the floor's if it is
 * in use, and followed by those of infinite values. */
size_t plot_axis_ticks(const plot_axis *axis, size_t most, plot_tick ticks[PLOT_TICKS_MAX]);

/* plot_number with this many significant digits (1..17). */
void plot_number_digits(double value, int digits, char *buffer, size_t size);

#endif
