/* The contents of a figure; shared only by the files of src/plot. */
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
    double *x, *y;  /* count values each; a level has only y[0] and no x */
    double *spread; /* half the length of each point's error bar; NULL: none */
    size_t count;
    int colour;
} plot_series;

/* Replacements of what a figure draws by default. */
typedef struct plot_instead {
    struct plot_picture *picture; /* drawn instead of the series; or NULL */
    bool shades;                  /* text has 256 colours */
    char *readout;                /* shown instead of the series' values; NULL: those values */
} plot_instead;
void plot_picture_free(struct plot_picture *picture);

struct plot_figure {
    char *title, *xlabel, *ylabel;  /* NULL for none */
    char *file_title, *file_ylabel; /* used on pages if there are none of the above; NULL for
                                     * none */
    bool xlog, ylog, whole[2], legend;
    bool equal;   /* both axes have the same scale on pages */
    bool starved; /* memory ran out when a text was copied: the next function that can fail reports
                   * it */
    double floor;
    double limits[2][2]; /* of x and of y */
    double zoom[2][2];   /* likewise */
    double cursor;
    plot_series *series;
    size_t count, capacity;
    plot_instead instead;
    const tm_cancel *cancel; /* drawing stops when it is set; or NULL */
};

/* TM_ENOMEM if an earlier setter ran out of memory, TM_ECANCELLED if drawing must stop. */
tm_status plot_figure_check(const plot_figure *figure, tm_error *err);

/* Whether any series has a point. */
bool plot_figure_has_points(const plot_figure *figure);

/* Whether the legend is wanted and some series has a name. */
bool plot_figure_wants_legend(const plot_figure *figure);
/* The number of series with a name: those without one have no entry in the legend. */
size_t plot_figure_named(const plot_figure *figure);

/* Whether a series has markers: steps have none if no series has a name, and neither have faint
 * levels. */
bool plot_series_marked(const plot_figure *figure, const plot_series *series);

/* The value a series shows at the cursor: a step's value in force, a level's own, otherwise that of
 * the nearest point (never an interpolated one). False when there is none. */
bool plot_series_at(const plot_series *series, double x, bool xlog, double *value);

#endif
