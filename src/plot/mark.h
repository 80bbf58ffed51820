/* How a series is drawn. */
#ifndef PLOT_MARK_H
#define PLOT_MARK_H

typedef enum plot_mark {
    PLOT_LINE,   /* straight lines between points */
    PLOT_STEP,   /* the value holds until the next point */
    PLOT_POINTS, /* only points */
    PLOT_LEVEL,  /* a horizontal line at y[0] (thresholds) */
    PLOT_BARS,   /* a vertical bar from 0 to each nonzero point, 0.8 wide in x */
} plot_mark;

typedef struct plot_figure plot_figure;

#endif
