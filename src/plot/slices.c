#include "plot/figure.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

plot_slices plot_slices_of(const size_t sizes[3], size_t slice)
{
    bool flat = sizes[2] <= 1;
    plot_slices s = {.count = flat ? 1 : sizes[0],
                     .high = flat ? sizes[0] : sizes[1],
                     .wide = flat ? sizes[1] : sizes[2],
                     .slice = flat ? 0 : slice,
                     .across = 1};
    bool all = s.slice == PLOT_NO_PLACE;
    /* About twice as wide as high, like pages and terminals. */
    while (all && s.across < s.count &&
           s.across * s.wide < 2 * ((s.count + s.across - 1) / s.across) * s.high)
        s.across++;
    size_t down = all ? (s.count + s.across - 1) / s.across : 1;
    s.rows = down * (s.high + 1) - 1;
    s.cols = s.across * (s.wide + 1) - 1;
    return s;
}

size_t plot_slices_at(const plot_slices *s, size_t row, size_t col)
{
    size_t slice = row / (s->high + 1) * s->across + col / (s->wide + 1);
    row %= s->high + 1;
    col %= s->wide + 1;
    slice = s->slice == PLOT_NO_PLACE ? slice : s->slice;
    if (row == s->high || col == s->wide || slice >= s->count)
        return PLOT_NO_PLACE;
    return (slice * s->high + row) * s->wide + col;
}

bool plot_slices_find(const plot_slices *s, size_t place, size_t *row, size_t *col)
{
    size_t slice = place / (s->high * s->wide), within = place % (s->high * s->wide);
    if (place == PLOT_NO_PLACE || (s->slice != PLOT_NO_PLACE && slice != s->slice))
        return false;
    size_t at = s->slice == PLOT_NO_PLACE ? slice : 0;
    *row = at / s->across * (s->high + 1) + within / s->wide;
    *col = at % s->across * (s->wide + 1) + within % s->wide;
    return true;
}

tm_status plot_figure_slices(plot_figure *figure, const plot_slices *slices, const double *values,
                             size_t mark, tm_error *err)
{
    plot_picture picture = {
        .rows = slices->rows, .cols = slices->cols, .row = PLOT_NO_PLACE, .col = PLOT_NO_PLACE};
    double *cells = mem_array(picture.rows * picture.cols, sizeof *cells);
    if (!cells)
        return tm_fail_memory(err, "a picture");
    /* The range over all slices, so that they are drawn in the same shades. */
    for (size_t i = 0; i < slices->count * slices->high * slices->wide; i++)
        if (isfinite(values[i]))
            picture.range = fmax(picture.range, fabs(values[i]));
    for (size_t i = 0; i < picture.rows * picture.cols; i++) {
        size_t place = plot_slices_at(slices, i / picture.cols, i % picture.cols);
        cells[i] = place == PLOT_NO_PLACE ? NAN : values[place];
    }
    plot_slices_find(slices, mark, &picture.row, &picture.col);
    picture.values = cells;
    tm_status status = plot_figure_picture(figure, &picture, err);
    free(cells);
    return status;
}
