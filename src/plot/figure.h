/* Figures: series over two axes, drawn as text cells, SVG, PNG, PDF, or written as CSV.
 *
 * A figure is plain data used by one thread at a time; drawing never changes it. */
#ifndef PLOT_FIGURE_H
#define PLOT_FIGURE_H

#include "plot/mark.h"
#include "tamis/cancel.h"
#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL when memory ran out. */
plot_figure *plot_figure_new(void);
void plot_figure_free(plot_figure *figure);

/* Sets the titles. All text is copied; NULL or "" for none. */
void plot_figure_title(plot_figure *figure, const char *title);
void plot_figure_labels(plot_figure *figure, const char *x, const char *y);
/* Title and y label for pages (SVG, PNG, PDF) of a figure without its own, because on the screen a
 * frame shows them; such a page also has a legend. */
void plot_figure_caption(plot_figure *figure, const char *title, const char *y);
/* Logarithmic axes: values not above zero (and NaN) are drawn at the floor, never hidden. */
void plot_figure_log(plot_figure *figure, bool x, bool y);
void plot_figure_is_log(const plot_figure *figure, bool *x, bool *y);
/* The floor of a logarithmic axis for values <= 0; 0: a decade below the least positive value. */
void plot_figure_floor(plot_figure *figure, double floor);
/* Gives both axes the same scale on pages, where one of them then shows more than its limits. For
 * linear axes only. */
void plot_figure_equal(plot_figure *figure, bool equal);
/* Axes of counts: ticks only at whole numbers, as if all data were whole numbers. */
void plot_figure_whole(plot_figure *figure, bool x, bool y);
/* Limits; if either is NaN, the data determine that end. */
void plot_figure_xlim(plot_figure *figure, double low, double high);
void plot_figure_ylim(plot_figure *figure, double low, double high);
/* Shows only this part, whatever the limits; NaN leaves that end unchanged. */
void plot_figure_zoom(plot_figure *figure, const double x[2], const double y[2]);
void plot_figure_legend(plot_figure *figure, bool shown);
/* A vertical cursor at x with a read-out of every series; NaN: none. */
void plot_figure_cursor(plot_figure *figure, double x);
/* A text that replaces the read-out; it is the only one a picture can have. NULL: none. */
void plot_figure_readout(plot_figure *figure, const char *text);

/* Drawing stops with TM_ECANCELLED when the token is set. NULL: none. */
void plot_figure_cancel(plot_figure *figure, const tm_cancel *cancel);

typedef struct plot_curve {
    const char *name; /* NULL or "" for none */
    plot_mark mark;
    const double *x, *y; /* count values each; PLOT_LEVEL does not need x */
    size_t count;
    int colour; /* a palette index, -1 for the next free one, or PLOT_FAINT */
} plot_curve;

/* Adds a copy of a series. *index (may be NULL) is its index. A colour that another series already
 * has is replaced by the next free one as long as there is one, so that series can be
 * distinguished. */
tm_status plot_figure_add(plot_figure *figure, const plot_curve *curve, size_t *index,
                          tm_error *err);
/* Gives each point of a series an error bar of this half length; copied. NaN: the point has
 * none. */
tm_status plot_figure_spread(plot_figure *figure, size_t index, const double *spread,
                             tm_error *err);

/* A picture instead of series and axes: values row by row from the top, in shades of one hue above
 * 0 and of another below. */
typedef struct plot_picture {
    size_t rows, cols;
    const double *values; /* rows * cols values; NaN: empty */
    double range;         /* the |value| of the strongest shade; 0: the greatest |value| */
    size_t row, col;      /* the marked place; PLOT_NO_PLACE: none */
} plot_picture;
#define PLOT_NO_PLACE SIZE_MAX
/* Sets a copy of the picture; NULL removes it. */
tm_status plot_figure_picture(plot_figure *figure, const plot_picture *picture, tm_error *err);

/* The layout of a grid of up to three dimensions in a picture: one slice along the first dimension,
 * or all of them side by side with a gap of one between. The last index varies fastest; sizes
 * beyond the rank are 1. Two dimensions are rows and columns. */
typedef struct plot_slices {
    size_t count, high, wide; /* number of slices, and the size of one */
    size_t slice;             /* the slice shown; PLOT_NO_PLACE: all */
    size_t across;            /* slices side by side */
    size_t rows, cols;        /* size of the picture */
} plot_slices;
plot_slices plot_slices_of(const size_t sizes[3], size_t slice);
/* The place on the grid of a place in the picture; PLOT_NO_PLACE in a gap. */
size_t plot_slices_at(const plot_slices *slices, size_t row, size_t col);
/* The position of a grid place in the picture; false: it is in another slice. */
bool plot_slices_find(const plot_slices *slices, size_t place, size_t *row, size_t *col);
/* Sets the picture of values[0 .. count * high * wide); mark is the marked place, or
 * PLOT_NO_PLACE. */
tm_status plot_figure_slices(plot_figure *figure, const plot_slices *slices, const double *values,
                             size_t mark, tm_error *err);

/* Set it if text has 256 colours: pictures are then drawn in shades, otherwise in characters. */
void plot_figure_shades(plot_figure *figure, bool shades);
/* Removes all series and the picture; keeps titles, labels and axes. */
void plot_figure_clear(plot_figure *figure);
size_t plot_figure_series(const plot_figure *figure);

/* ---- text ---------------------------------------------------------------------------------- */

/* The colour of a series behind the others, which has no entry in the legend unless it has a name,
 * and none in the read-out. */
enum { PLOT_FAINT = -2 };

/* What a cell shows: a palette colour for series (PLOT_FAINT is drawn like the axes), or one of
 * these roles. */
enum { PLOT_ROLE_NONE = -1, PLOT_ROLE_AXIS = -2, PLOT_ROLE_TEXT = -3, PLOT_ROLE_CURSOR = -4 };

/* Colours and background colours from here on are shades: PLOT_SHADE + PLOT_SHADES (1 + t) for a
 * share t in [-1, 1] of a picture's range. */
enum { PLOT_SHADE = 1000, PLOT_SHADES = 6 };

typedef struct plot_cell {
    uint32_t ch;    /* one code point of width 1; 0 after a wide one */
    int16_t colour; /* palette index >= 0, a shade, or a PLOT_ROLE */
    bool bold;
    int16_t ground; /* background: a shade, or 0: none */
} plot_cell;

/* The plot area of plot_draw_text in a grid: its cells, and the values at its left and right, lower
 * and upper edges. If cols is 0, nothing was drawn. */
typedef struct plot_frame {
    size_t row, col, rows, cols;
    bool xlog, ylog;
    double x[2], y[2];
} plot_frame;

/* The value at a share (0..1) of an axis from ends[0] to ends[1], and the inverse. */
double plot_frame_value(const double ends[2], bool logarithmic, double share);
double plot_frame_share(const double ends[2], bool logarithmic, double value);

/* The value of a drawn picture that a cell of the grid shows; false: it shows none. */
bool plot_picture_at(const plot_frame *frame, size_t row, size_t col, size_t *at_row,
                     size_t *at_col);

/* A rectangle of cells, row by row: cells[row*cols + col]. */
typedef struct plot_grid {
    size_t rows, cols;
    plot_cell *cells;
    plot_frame frame;
} plot_grid;

#define PLOT_GRID_INIT                                                                             \
    {                                                                                              \
        .rows = 0, .cols = 0, .cells = NULL                                                        \
    }

/* Draws the figure into a grid of the given size (resized as needed, freed by plot_grid_free).
 * `utf8`: Braille and box drawing; otherwise ASCII alone. Any size down to 1x1 works: what does not
 * fit is left out (legend, labels, ticks, axes, in this order). Series are distinguished by marker
 * characters, not only by colour. */
tm_status plot_draw_text(const plot_figure *figure, size_t rows, size_t cols, bool utf8,
                         plot_grid *grid, tm_error *err);
void plot_grid_free(plot_grid *grid);

typedef enum plot_colours {
    PLOT_MONO,
    PLOT_ANSI16,
    PLOT_ANSI256,
    PLOT_TRUECOLOUR,
} plot_colours;

/* The grid as text lines with or without colour escapes, without trailing blanks. *out is
 * malloc'ed, NUL-terminated, and owned by the caller. */
tm_status plot_grid_text(const plot_grid *grid, plot_colours colours, char **out, tm_error *err);

/* The palette, safe for colour-blind readers and readable on light and dark backgrounds: nearest
 * xterm-256 and basic-16 colours, and RGB. Indices beyond the end wrap around. */
typedef struct plot_colour {
    uint8_t red, green, blue;
    uint8_t xterm256;
    uint8_t ansi16; /* 0..7 */
    uint32_t mark;  /* marker of the series: Unicode */
    char ascii;     /* marker of the series: ASCII */
} plot_colour;
const plot_colour *plot_palette(int index);
int plot_palette_size(void); /* number of entries, each with another marker */
/* The colour of a share t in [-1, 1] of a picture's range, 0xRRGGBB, around a light or a dark
 * neutral colour. */
uint32_t plot_shade(double t, bool dark);
/* The nearest of the 256 colours above 15, and the RGB value of such a colour. */
int plot_xterm(uint32_t rgb);
uint32_t plot_xterm_rgb(int index);

/* Ticks for one axis: at most `most` round values inside [low, high] (logarithmic: powers of ten
 * and their 2 and 5 multiples). Returns how many were written to `ticks`. */
size_t plot_ticks(double low, double high, bool logarithmic, size_t most, double *ticks);
/* The shortest clear text of a tick or value, such as "1e-3" or "0.25"; without thousands
 * separators. */
void plot_number(double value, char *buffer, size_t size);

/* ---- files --------------------------------------------------------------------------------- */

/* Saves the figure in the format of the path's extension: .svg .png .pdf .txt .csv; others are
 * TM_EUSAGE. A temporary file is written and renamed, so that a failure leaves the old file. SVG
 * bytes are the same for the same figure. */
tm_status plot_save(const plot_figure *figure, const char *path, tm_error *err);
/* The figure as SVG text, malloc'ed and owned by the caller. */
tm_status plot_svg(const plot_figure *figure, double width, double height, char **out,
                   tm_error *err);
tm_status plot_csv(const plot_figure *figure, char **out, tm_error *err);

#endif
