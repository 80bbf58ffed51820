/* The picture of a figure, and code that its drawings on a page and in cells share. */
#ifndef PLOT_PICTURE_H
#define PLOT_PICTURE_H

#include "plot/figure.h"

/* The part of the picture that is shown, and its resolution. */
typedef struct picture_part {
    const plot_picture *picture;
    size_t row, col, rows, cols; /* rows and columns of the picture */
    size_t block;                /* size of a block: block x block values are shown as the one with
                                  * the greatest |value| */
    size_t high, wide;           /* size in blocks */
    double range;                /* above 0 */
} picture_part;

/* The part that the figure's zoom shows, in at most most_high x most_wide blocks (each at least
 * 1). */
picture_part picture_part_of(const plot_figure *figure, size_t most_high, size_t most_wide);
/* The value of a block; NaN: empty or outside. */
double picture_block(const picture_part *part, size_t row, size_t col);
/* Whether the marked place is in the part, and in which block. */
bool picture_marked(const picture_part *part, size_t *row, size_t *col);
/* Draws it into a grid that has been cleared. */
void picture_text(const plot_figure *figure, bool utf8, plot_grid *grid);

#endif
