/* A text page as it is being drawn, and its legend; shared by text.c and legend.c. */
#ifndef PLOT_LEGEND_H
#define PLOT_LEGEND_H

#include "plot/canvas.h"
#include "plot/grid.h"

enum { NO_ROW = -1 };

/* How much the read-out says. */
typedef struct readout_style {
    bool names;
    int digits;
    size_t apart;
    size_t rows; /* that it takes */
} readout_style;

/* Rows of what stands above and below the plot area; NO_ROW for what is left out. */
typedef struct text_rows {
    long title, ylabel, axis, tick, xlabel, readout; /* the first of the read-out's */
} text_rows;

/* Where things go. */
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
    size_t row, col;   /* of a block, in the plot area */
    size_t rows, cols; /* a block's size; cols of a line behind the title; rows above the plot */
    size_t entry;      /* columns of one entry in a block; the most that one has above the plot */
    size_t apart;      /* blanks between two entries */
} legend;

/* A corner free of data, else the end of the title's row, else rows of its own above the plot, for
 * which the page is to be planned again. Data are never hidden. */
legend legend_choose(const text_page *s);
void legend_draw(text_page *s, const legend *where);
/* The marker of a series on this page. */
uint32_t legend_mark(const text_page *s, const plot_series *series);

#endif
