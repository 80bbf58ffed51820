/* A text page as it is being drawn, and its legend; shared by text.c and legend.c. */
#ifndef PLOT_LEGEND_H
#define PLOT_LEGEND_H

#include "plot/canvas.h"
#include "plot/grid.h"

enum { NO_ROW = -1 };

/* The level of detail of the read-out. */
typedef struct readout_style {
    bool names;
    int digits;
    size_t apart;
    size_t rows; /* rows that it takes */
} readout_style;

/* The rows of the parts above and below the plot area; NO_ROW for parts left out. */
typedef struct text_rows {
    long title, ylabel, axis, tick, xlabel, readout; /* readout: its first row */
} text_rows;

/* The layout. */
typedef struct text_page {
    const plot_figure *figure;
    plot_grid *grid;
    bool utf8;
    plot_view view;
    plot_canvas canvas;
    size_t left, top, width, height; /* the plot area */
    text_rows rows;
    readout_style readout;
    bool y_axis, y_ticks;
    plot_tick yticks[PLOT_TICKS_MAX], xticks[PLOT_TICKS_MAX];
    size_t ycount, xcount;
} text_page;

typedef enum legend_place { LEGEND_NONE, LEGEND_BLOCK, LEGEND_TITLE, LEGEND_ABOVE } legend_place;

typedef struct legend {
    legend_place place;
    size_t row, col;   /* position of a block in the plot area */
    size_t rows, cols; /* size of a block; for a legend after the title, its cols; for one above the
                        * plot, its rows */
    size_t entry;      /* columns of one entry in a block; above the plot, the maximum of an
                        * entry */
    size_t apart;      /* blanks between two entries */
} legend;

/* Chooses a corner free of data, else the end of the title's row, else rows of its own above the
 * plot, for which the page must be planned again. Data are never hidden. */
legend legend_choose(const text_page *s);
void legend_draw(text_page *s, const legend *where);
/* The marker of a series on this page. */
uint32_t legend_mark(const text_page *s, const plot_series *series);

#endif
