/* A canvas of cells that hold dots: 2 x 4 (Braille) or one (ASCII). */
#ifndef PLOT_CANVAS_H
#define PLOT_CANVAS_H

#include "plot/figure.h"
#include "plot/path.h"

#include <stdint.h>

enum { CANVAS_EMPTY = -1 };

typedef struct plot_canvas {
    size_t rows, cols;
    bool braille;
    uint8_t *dots;    /* per cell: Braille dot bits, or 1 */
    int *owner;       /* per cell: the series drawn last, CANVAS_EMPTY where none */
    uint32_t *glyph;  /* per cell: a marker drawn instead of the dots, 0 for none */
    size_t *crossing; /* per column: 1 + the row in which the current series passed last; 0: none */
} plot_canvas;

tm_status plot_canvas_init(plot_canvas *canvas, size_t rows, size_t cols, bool braille,
                           tm_error *err);
void plot_canvas_free(plot_canvas *canvas);

/* Draws series `s` of the figure: lines, points and markers. */
void plot_canvas_series(plot_canvas *canvas, const plot_figure *figure, size_t s,
                        const plot_view *view);

/* The character of a cell, ' ' if it is empty. */
uint32_t plot_canvas_char(const plot_canvas *canvas, const plot_figure *figure, size_t cell);

/* The cell column or row of a position on the axis (rows count from the top). */
size_t plot_canvas_col(const plot_canvas *canvas, double at);
size_t plot_canvas_row(const plot_canvas *canvas, double at);

/* The number of cells of a block in which something was drawn. */
size_t plot_canvas_occupied(const plot_canvas *canvas, size_t row, size_t col, size_t rows,
                            size_t cols);

/* The corner where a block of this size, no larger than the canvas, hides the least: its row and
 * column; returns how many drawn cells it covers. */
size_t plot_canvas_corner(const plot_canvas *canvas, size_t rows, size_t cols, size_t *row,
                          size_t *col);

#endif
