/* What a figure holds; shared by the files of src/plot/ alone. */
#ifndef PLOT_SERIES_H
#define PLOT_SERIES_H

#include "plot/mark.h"
#include "tamis/cancel.h"
#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct plot_series {
    char *name; /* never NULL */
    plot_mark mark;
    double *x, *y;  /* count values each; a level keeps y[0] alone and has no x */
    double *spread; /* half the length of each point's vertical stroke; NULL: it has none */
    size_t count;
    int colour;
} plot_series;

/* What is drawn in place of what a figure has by default. */
typedef struct plot_instead {
    struct plot_picture *picture; /* in place of the series; or NULL */
    bool shades;                  /* text has 256 colours */
    char *readout;                /* in place of the series' values; NULL: those */
} plot_instead;
void plot_picture_free(struct plot_picture *picture);

struct plot_figure {
    char *title, *xlabel, *ylabel;  /* NULL for none */
    char *file_title, *file_ylabel; /* of pages, where there is none of the above; NULL for none */
    bool xlog, ylog, whole[2], legend;
    bool equal;   /* a unit is as wide as it is high, on pages */
    bool starved; /* a text could not be copied: the next function that can fail says so */
    double floor;
    double limits[2][2]; /* of x and of y */
    double zoom[2][2];   /* likewise */
    double cursor;
    plot_series *series;
    size_t count, capacity;
    plot_instead instead;
    const tm_cancel *cancel; /* drawing stops when it is set; or NULL */
};

/* TM_ENOMEM when an earlier setter ran out of memory, TM_ECANCELLED when drawing is to stop. */
tm_status plot_figure_check(const plot_figure *figure, tm_error *err);

/* Whether any series has a point at all. */
bool plot_figure_has_points(const plot_figure *figure);

/* Whether the legend is wanted and some series has a name. */
bool plot_figure_wants_legend(const plot_figure *figure);
/* Series with a name: those without one have no entry in the legend. */
size_t plot_figure_named(const plot_figure *figure);

/* Whether markers tell a series from others: steps where no series has a name, and faint levels,
 * have none. */
bool plot_series_marked(const plot_figure *figure, const plot_series *series);

/* The value a series shows at the cursor: a step's value in force, a level's own, otherwise that of
 * the nearest point (never an interpolated one). False when there is none. */
bool plot_series_at(const plot_series *series, double x, bool xlog, double *value);

#endif
