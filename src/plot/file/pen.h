/* The operations that drawing a figure on a page needs from a file format. Lengths are in page
 * units (pixels of an SVG, points of a PDF), y grows downwards, colours are 0xRRGGBB. */
#ifndef PLOT_FILE_PEN_H
#define PLOT_FILE_PEN_H

#include "plot/figure.h"

typedef enum plot_anchor { PLOT_START, PLOT_MIDDLE, PLOT_END } plot_anchor;

typedef struct plot_stroke {
    uint32_t colour;
    double width;
    bool dashed;
} plot_stroke;

typedef struct plot_lettering {
    double size;
    plot_anchor anchor;
    bool bold;
    bool upwards; /* rotated to read from bottom to top */
    uint32_t colour;
} plot_lettering;

typedef struct plot_pen {
    void *context;
    /* A filled rectangle; `border` is drawn if it differs from `fill`. */
    void (*box)(void *context, double x, double y, double width, double height, uint32_t fill,
                uint32_t border);
    /* A path: begin, then moves and lines, then end, which strokes it. */
    void (*begin)(void *context, const plot_stroke *stroke);
    void (*move)(void *context, double x, double y);
    void (*line)(void *context, double x, double y);
    void (*end)(void *context);
    /* The marker of a palette entry, `radius` from centre to edge. */
    void (*mark)(void *context, const plot_colour *colour, double x, double y, double radius);
    /* y is the base line. */
    void (*text)(void *context, const plot_lettering *look, double x, double y, const char *text);
} plot_pen;

/* The outline of a marker: corners around (0,0) with radius 1, alternating x and y. Returns the
 * number of corners, 0 for a circle; sets *open if it is drawn hollow. */
size_t plot_mark_outline(const plot_colour *colour, const double **corners, bool *open);

static inline uint32_t plot_rgb(const plot_colour *colour)
{
    return (uint32_t)colour->red << 16 | (uint32_t)colour->green << 8 | colour->blue;
}

/* Draws the figure on a page of this size; all file formats share this layout. */
tm_status plot_page_draw(const plot_figure *figure, double width, double height,
                         const plot_pen *pen, tm_error *err);

/* TM_EUSAGE unless both are between 1 and 20000. */
tm_status plot_page_check(double width, double height, tm_error *err);

#endif
