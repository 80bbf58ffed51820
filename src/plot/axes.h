/* Axes: limits from the data, the place of a value, labelled ticks. */
#ifndef PLOT_AXES_H
#define PLOT_AXES_H

#include "plot/series.h"

/* One axis. Limits are in axis units: the value itself, or its log10. low > high runs backwards. */
typedef struct plot_axis {
    bool logarithmic;
    double low, high;
    bool clamps;      /* positive values below the floor are drawn at the floor */
    bool whole;       /* ticks at whole numbers alone */
    bool floored;     /* some value lies at or below the floor, or is not a number */
    bool infinite[2]; /* some value is minus infinity, and infinity: the end has that as its tick */
} plot_axis;

typedef struct plot_view {
    plot_axis x, y;
    const tm_cancel *cancel; /* the figure's */
} plot_view;

/* Whether a loop over points is to stop at this one: some of them ask the token (or NULL). */
static inline bool plot_stops(const tm_cancel *cancel, size_t point)
{
    enum { EVERY = 4096 };
    return point % EVERY == EVERY - 1 && cancel && tm_cancel_is_set(cancel);
}

enum { PLOT_TICKS_MAX = 64, PLOT_LABEL_MAX = 32 };

/* A tick at `at` (0 the low end, 1 the high end of the axis) and its text. */
typedef struct plot_tick {
    double at;
    bool floor; /* the label of the floor: "<=" has to be put before it */
    char label[PLOT_LABEL_MAX];
} plot_tick;

/* Limits that show all the figure's data, or those asked for. */
plot_view plot_view_fit(const plot_figure *figure);

/* Shows more of x or of y, so that a unit is as wide as it is high in an area of this shape. */
void plot_view_equal(plot_view *view, double wide, double high);

/* Where a value lies: 0 at the low end, 1 at the high end, beyond for values outside; infinite
 * values at the ends; NaN when it has no place (NaN on a linear axis). */
double plot_axis_place(const plot_axis *axis, double value);

/* At most `most` ticks with distinct labels, by growing value, before them the floor's when it is
 * in use, and after them those of infinite values. */
size_t plot_axis_ticks(const plot_axis *axis, size_t most, plot_tick ticks[PLOT_TICKS_MAX]);

/* plot_number with so many significant digits (1..17). */
void plot_number_digits(double value, int digits, char *buffer, size_t size);

#endif
