/* The internals of a page: its measures and drawing (page.c), and its legend (page_legend.c). */
#ifndef PLOT_FILE_PAGE_H
#define PLOT_FILE_PAGE_H

#include "plot/canvas.h"
#include "plot/file/pen.h"

enum {
    INK = 0x222222,
    SOFT_INK = 0x555555,
    GRID = 0xe4e4e4,
    FRAME = 0x888888,
    PAPER = 0xffffff,
};

typedef struct page {
    const plot_figure *figure;
    const plot_pen *pen;
    plot_view view;
    double width, height;
    double font;                  /* font size; everything else is in proportion */
    double left, top, wide, high; /* the plot area */
    double title_y, xlabel_y, readout_y;
    plot_tick yticks[PLOT_TICKS_MAX], xticks[PLOT_TICKS_MAX];
    size_t ycount, xcount;
    plot_canvas coarse; /* the occupied area, in cells of about a letter */
} page;

/* Defined in page.c. */

double page_text_width(const page *p, const char *text);
void page_text(const page *p, double x, double y, plot_anchor anchor, uint32_t colour,
               const char *text);
void page_line(const page *p, const plot_stroke *stroke, double x, double y, double to_x,
               double to_y);
/* A series' marker: an outline of the pen, or a letter. */
void page_mark(const page *p, const plot_colour *colour, double x, double y, double radius);
/* The text, or as much of it as fits into `room` with an ellipsis. */
void page_fit(const page *p, const char *text, double room, char *out, size_t size);

/* Defined in page_picture.c: the whole page of a figure that is a picture. */
void page_picture(const page *p);

/* Defined in page_legend.c. */

/* The place of the legend: a corner free of data, else beside the plot, else above it in rows. It
 * is left out on a page without room for letters. */
typedef struct page_legend {
    enum { PAGE_LEGEND_NONE, PAGE_LEGEND_CORNER, PAGE_LEGEND_BESIDE, PAGE_LEGEND_ABOVE } place;
    double x, y;          /* PAGE_LEGEND_CORNER: the block's upper left */
    double aside, above;  /* space that the plot must leave, at the right and at the top */
    double entry;         /* PAGE_LEGEND_ABOVE: width of a column */
    size_t across, shown; /* PAGE_LEGEND_ABOVE: number of columns, and of entries that fit */
} page_legend;

/* Chooses the place on a page whose plot area has been planned without a legend. */
page_legend page_legend_choose(const page *p);
/* Draws the legend, after the plot area has been reduced. */
void page_legend_draw(const page *p, const page_legend *legend);

#endif
