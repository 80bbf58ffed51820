/* Writing on a grid of cells. */
#ifndef PLOT_GRID_H
#define PLOT_GRID_H

#include "plot/figure.h"

/* Makes the grid this size and fills it with blanks. */
tm_status plot_grid_clear(plot_grid *grid, size_t rows, size_t cols, tm_error *err);

/* Writes one character of width 1; does nothing outside the grid. */
void plot_grid_put(plot_grid *grid, size_t row, size_t col, uint32_t ch, int colour, bool bold);

/* The number of columns that plot_grid_write takes for a text if there is room. */
size_t plot_grid_columns(const char *text, bool utf8);

typedef struct plot_look {
    int colour; /* colour as in plot_cell */
    bool bold;
    bool utf8; /* if false, each non-ASCII character becomes '?' */
} plot_look;

/* Writes a text into at most `columns` columns; one that does not fit ends in an ellipsis. Returns
 * the columns used. */
size_t plot_grid_write(plot_grid *grid, size_t row, size_t col, size_t columns, const char *text,
                       plot_look look);

#endif
