/* Writing on a grid of cells. */
#ifndef PLOT_GRID_H
#define PLOT_GRID_H

#include "plot/figure.h"

/* A grid of blanks of this size, whatever it was before. */
tm_status plot_grid_clear(plot_grid *grid, size_t rows, size_t cols, tm_error *err);

/* One character of width 1; outside of the grid nothing happens. */
void plot_grid_put(plot_grid *grid, size_t row, size_t col, uint32_t ch, int colour, bool bold);

/* Columns that plot_grid_write takes for a text when there is room. */
size_t plot_grid_columns(const char *text, bool utf8);

typedef struct plot_look {
    int colour; /* of a plot_cell */
    bool bold;
    bool utf8; /* without it each character beyond ASCII becomes '?' */
} plot_look;

/* Writes a text into at most `columns` columns; one that does not fit ends in an ellipsis. Returns
 * the columns used. */
size_t plot_grid_write(plot_grid *grid, size_t row, size_t col, size_t columns, const char *text,
                       plot_look look);

#endif
