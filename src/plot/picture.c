#include "plot/picture.h"

#include "base/memory.h"
#include "plot/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void plot_picture_free(plot_picture *picture)
{
    if (!picture)
        return;
    free((void *)picture->values);
    free(picture);
}

tm_status plot_figure_picture(plot_figure *figure, const plot_picture *picture, tm_error *err)
{
    plot_picture_free(figure->instead.picture);
    figure->instead.picture = NULL;
    if (!picture)
        return TM_OK;
    size_t count;
    if (__builtin_mul_overflow(picture->rows, picture->cols, &count) || count == 0)
        return tm_fail(err, TM_EUSAGE, "a picture of %zu rows and %zu columns", picture->rows,
                       picture->cols);
    plot_picture *copy = mem_zeros(1, sizeof *copy);
    double *values = mem_array(count, sizeof *values);
    if (!copy || !values) {
        free(copy);
        free(values);
        return tm_fail_memory(err, "a picture");
    }
    memcpy(values, picture->values, count * sizeof *values);
    *copy = *picture;
    copy->values = values;
    figure->instead.picture = copy;
    return TM_OK;
}

void plot_figure_shades(plot_figure *figure, bool shades)
{
    figure->instead.shades = shades;
}

/* The indices between two values of an axis from 0 to count; NaN: that end. */
static void shown(const double zoom[2], size_t count, size_t *from, size_t *length)
{
    double low = fmin(zoom[0], zoom[1]), high = fmax(zoom[0], zoom[1]);
    double first = isnan(low) ? 0 : fmax(floor(low), 0);
    double end = isnan(high) ? (double)count : fmin(ceil(high), (double)count);
    first = fmin(first, (double)count - 1);
    end = fmax(end, first + 1);
    *from = (size_t)first;
    *length = (size_t)(end - first);
}

static double greatest(const plot_picture *picture)
{
    double range = picture->range;
    for (size_t i = 0; picture->range == 0 && i < picture->rows * picture->cols; i++)
        if (isfinite(picture->values[i]))
            range = fmax(range, fabs(picture->values[i]));
    return range > 0 ? range : 1;
}

static size_t parts(size_t count, size_t size)
{
    return (count + size - 1) / size;
}

picture_part picture_part_of(const plot_figure *figure, size_t most_high, size_t most_wide)
{
    picture_part part = {.picture = figure->instead.picture,
                         .range = greatest(figure->instead.picture)};
    shown(figure->zoom[0], figure->instead.picture->cols, &part.col, &part.cols);
    shown(figure->zoom[1], figure->instead.picture->rows, &part.row, &part.rows);
    size_t across = parts(part.cols, most_wide), down = parts(part.rows, most_high);
    part.block = across > down ? across : down;
    part.wide = parts(part.cols, part.block);
    part.high = parts(part.rows, part.block);
    return part;
}

double picture_block(const picture_part *part, size_t row, size_t col)
{
    double strongest = NAN;
    size_t from_row = part->row + row * part->block, from_col = part->col + col * part->block;
    for (size_t r = from_row; r < from_row + part->block && r < part->row + part->rows; r++) {
        for (size_t c = from_col; c < from_col + part->block && c < part->col + part->cols; c++) {
            double value = part->picture->values[r * part->picture->cols + c];
            if (!isnan(value) && !(fabs(value) <= fabs(strongest)))
                strongest = value;
        }
    }
    return strongest;
}

bool picture_marked(const picture_part *part, size_t *row, size_t *col)
{
    const plot_picture *p = part->picture;
    if (p->row < part->row || p->row - part->row >= part->rows || p->col < part->col ||
        p->col - part->col >= part->cols)
        return false;
    *row = (p->row - part->row) / part->block;
    *col = (p->col - part->col) / part->block;
    return true;
}

bool plot_picture_at(const plot_frame *frame, size_t row, size_t col, size_t *at_row,
                     size_t *at_col)
{
    if (row < frame->row || row - frame->row >= frame->rows || col < frame->col ||
        col - frame->col >= frame->cols)
        return false;
    double x = ((double)(col - frame->col) + 0.5) / (double)frame->cols;
    double y = ((double)(row - frame->row) + 0.5) / (double)frame->rows;
    *at_col = (size_t)(frame->x[0] + x * (frame->x[1] - frame->x[0]));
    *at_row = (size_t)(frame->y[1] + y * (frame->y[0] - frame->y[1]));
    return true;
}
