/* The legend of a figure in character cells. */
#include "plot/legend.h"

uint32_t legend_mark(const text_page *s, const plot_series *series)
{
    const plot_colour *colour = plot_palette(series->colour);
    return s->utf8 ? colour->mark : (unsigned char)colour->ascii;
}

static size_t longest_name(const text_page *s)
{
    size_t longest = 0;
    for (size_t i = 0; i < s->figure->count; i++) {
        size_t columns = plot_grid_columns(s->figure->series[i].name, s->utf8);
        longest = columns > longest ? columns : longest;
    }
    return longest;
}

/* The number of columns of a series' entry including the marker, at most `most`. */
static size_t entry_columns(const text_page *s, size_t i, size_t most)
{
    size_t columns = plot_grid_columns(s->figure->series[i].name, s->utf8) + 2;
    return columns < most ? columns : most;
}

/* The number of rows of a legend with entries in sequence, and the columns of its first row. */
static size_t flow_rows(const text_page *s, size_t most, size_t apart, size_t *columns)
{
    size_t rows = 1, used = 0;
    *columns = 0;
    for (size_t i = 0; i < s->figure->count; i++) {
        if (!s->figure->series[i].name[0])
            continue;
        size_t entry = entry_columns(s, i, most);
        if (used > 0 && used + apart + entry > s->grid->cols) {
            rows++;
            used = 0;
        }
        used += (used > 0 ? apart : 0) + entry;
        *columns = rows == 1 ? used : *columns;
    }
    return rows;
}

/* Tries the corners for a block with `across` entries per row; keeps the one that hides the
 * least. */
static void try_corners(const text_page *s, size_t across, legend *best, size_t *covered)
{
    size_t entry = longest_name(s) + 2;
    size_t rows = (plot_figure_named(s->figure) + across - 1) / across;
    size_t cols = across * (entry + 2) - 2;
    if (rows >= s->height || cols + 2 > s->width || (across == 1 && cols * 3 > s->width * 2))
        return;
    size_t row, col;
    size_t hidden = plot_canvas_corner(&s->canvas, rows, cols + 2, &row, &col);
    if (hidden < *covered) {
        *covered = hidden;
        *best = (legend){LEGEND_BLOCK, row, col + 1, rows, cols, entry, 2};
    }
}

/* A legend in rows above the plot, which is reduced down to PLOT_ROWS_MIN; after that, names are
 * cut. */
static legend legend_above(const text_page *s)
{
    enum { PLOT_ROWS_MIN = 4 };
    size_t columns, most = s->height > PLOT_ROWS_MIN ? s->height - PLOT_ROWS_MIN : 0;
    size_t longest = longest_name(s) + 2;
    if (s->grid->rows < 6 || s->grid->cols < 8)
        return (legend){.place = LEGEND_NONE};
    for (size_t entry = longest; entry >= 3; entry--) {
        size_t rows = flow_rows(s, entry, 1, &columns);
        if (rows <= most && entry <= s->grid->cols)
            return (legend){.place = LEGEND_ABOVE, .rows = rows, .entry = entry, .apart = 1};
    }
    return (legend){.place = LEGEND_NONE};
}

legend legend_choose(const text_page *s)
{
    const plot_figure *f = s->figure;
    size_t covered = SIZE_MAX;
    if (!plot_figure_wants_legend(f))
        return (legend){.place = LEGEND_NONE};
    legend best = {.place = LEGEND_NONE};
    for (size_t across = 1; across <= plot_figure_named(f) && covered > 0; across++)
        try_corners(s, across, &best, &covered);
    if (best.place == LEGEND_BLOCK && covered == 0)
        return best;
    size_t title = 0, columns;
    if (f->title || (f->ylabel && s->rows.ylabel == NO_ROW))
        title = plot_grid_columns(f->title ? f->title : f->ylabel, s->utf8) + s->left;
    for (size_t apart = 2; apart > 0 && s->grid->rows >= 6; apart--) {
        size_t rows = flow_rows(s, SIZE_MAX, apart, &columns);
        if (rows == 1 && columns + title + apart - 1 <= s->grid->cols)
            return (legend){.place = LEGEND_TITLE, .cols = columns, .apart = apart};
    }
    return legend_above(s);
}

static void clear_block(text_page *s, const legend *where)
{
    for (size_t r = 0; r < where->rows; r++)
        for (size_t c = 0; c < where->cols; c++)
            plot_grid_put(s->grid, s->top + where->row + r, s->left + where->col + c, ' ',
                          PLOT_ROLE_NONE, false);
}

void legend_draw(text_page *s, const legend *where)
{
    bool block = where->place == LEGEND_BLOCK, above = where->place == LEGEND_ABOVE;
    if (where->place == LEGEND_NONE)
        return;
    if (block)
        clear_block(s, where);
    size_t row = block ? s->top + where->row : above ? s->top - where->rows : (size_t)s->rows.title;
    size_t left = block ? s->left + where->col : above ? 0 : s->grid->cols - where->cols;
    size_t end = block ? left + where->cols : s->grid->cols, col = left;
    for (size_t i = 0; i < s->figure->count; i++) {
        const plot_series *series = &s->figure->series[i];
        if (!series->name[0])
            continue;
        size_t entry = block ? where->entry : entry_columns(s, i, above ? where->entry : SIZE_MAX);
        if (col > left && col + entry > end) {
            row++;
            col = left;
        }
        plot_grid_put(s->grid, row, col, legend_mark(s, series), series->colour, true);
        plot_grid_write(s->grid, row, col + 2, entry - 2, series->name,
                        (plot_look){PLOT_ROLE_TEXT, false, s->utf8});
        col += entry + where->apart;
    }
}
