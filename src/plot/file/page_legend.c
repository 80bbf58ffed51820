/* The legend of a figure on a page. */
#include "plot/file/page.h"

#include <math.h>
#include <stdio.h>

/* In font sizes: width of a key, height of a row, distance of columns; and the smallest page that
 * has a legend. */
static const double key_width = 2.5, row_height = 1.5, apart = 1.5, least_font = 3;
/* The share of the plot area that rows above it may take. */
static const double above_share = 0.6;

static double longest_name(const page *p)
{
    double longest = 0;
    for (size_t s = 0; s < p->figure->count; s++)
        longest = fmax(longest, page_text_width(p, p->figure->series[s].name));
    return longest;
}

static double block_width(const page *p)
{
    return longest_name(p) + p->font * (key_width + 1.1);
}

static double block_height(const page *p)
{
    return p->font * (row_height * (double)plot_figure_named(p->figure) + 0.6);
}

/* A legend above, with as many columns as fit and as many rows as needed. */
static page_legend legend_above(const page *p)
{
    double room = p->width - 2 * p->font;
    double entry = fmin(longest_name(p) + p->font * (key_width + apart), room);
    size_t named = plot_figure_named(p->figure);
    size_t across = (size_t)((room + p->font * apart) / entry);
    across = across < 1 ? 1 : across > named ? named : across;
    size_t rows = (named + across - 1) / across;
    size_t most = (size_t)(p->high * above_share / (p->font * row_height));
    if (most < 1)
        return (page_legend){.place = PAGE_LEGEND_NONE};
    rows = rows < most ? rows : most;
    return (page_legend){.place = PAGE_LEGEND_ABOVE,
                         .above = (double)rows * p->font * row_height + p->font * 0.5,
                         .entry = entry,
                         .across = across,
                         .shown = rows * across < named ? rows * across : named};
}

page_legend page_legend_choose(const page *p)
{
    bool wanted = plot_figure_wants_legend(p->figure) ||
                  (p->figure->file_title && plot_figure_named(p->figure) > 0);
    if (!wanted || p->font < least_font)
        return (page_legend){.place = PAGE_LEGEND_NONE};
    double width = block_width(p), height = block_height(p), gap = p->font * 0.5;
    bool fits = height + 2 * gap < p->high;
    size_t rows = (size_t)ceil((height + gap) / p->high * (double)p->coarse.rows);
    size_t cols = (size_t)ceil((width + gap) / p->wide * (double)p->coarse.cols);
    size_t row = 0, col = 0;
    if (fits && rows < p->coarse.rows && cols < p->coarse.cols &&
        plot_canvas_corner(&p->coarse, rows, cols, &row, &col) == 0)
        return (page_legend){.place = PAGE_LEGEND_CORNER,
                             .x = col ? p->left + p->wide - width - gap : p->left + gap,
                             .y = row ? p->top + p->high - height - gap : p->top + gap};
    if (fits && width * 2.5 < p->wide)
        return (page_legend){.place = PAGE_LEGEND_BESIDE, .aside = width};
    return legend_above(p);
}

/* A series' key and its name, at the middle of a row. */
static void put_entry(const page *p, size_t s, double x, double middle, double room)
{
    char text[256];
    const plot_series *series = &p->figure->series[s];
    const plot_colour *colour = plot_palette(series->colour);
    plot_stroke stroke = {plot_rgb(colour), p->font * 0.14, series->mark == PLOT_LEVEL};
    if (series->mark != PLOT_POINTS)
        page_line(p, &stroke, x, middle, x + p->font * 2, middle);
    page_mark(p, colour, x + p->font, middle, p->font * 0.32);
    page_fit(p, series->name, room, text, sizeof text);
    page_text(p, x + p->font * key_width, middle + p->font * 0.35, PLOT_START, INK, text);
}

static void draw_block(const page *p, double x, double y)
{
    double middle = y - p->font * 0.45;
    p->pen->box(p->pen->context, x, y, block_width(p), block_height(p), PAPER, GRID);
    for (size_t s = 0; s < p->figure->count; s++) {
        if (!p->figure->series[s].name[0])
            continue;
        middle += p->font * row_height;
        put_entry(p, s, x + p->font * 0.5, middle, INFINITY);
    }
}

/* Draws row by row; if there is no room for all entries, the last place says how many are
 * missing. */
static void draw_above(const page *p, const page_legend *legend)
{
    size_t named = plot_figure_named(p->figure), place = 0;
    double room = legend->entry - p->font * (key_width + apart);
    for (size_t s = 0; s < p->figure->count && place < legend->shown; s++) {
        if (!p->figure->series[s].name[0])
            continue;
        double x = p->font + (double)(place % legend->across) * legend->entry;
        double y = p->top - legend->above +
                   ((double)(place / legend->across) + 0.5) * p->font * row_height;
        if (++place == legend->shown && legend->shown < named) {
            char text[64];
            snprintf(text, sizeof text, "and %zu more", named - place + 1);
            page_text(p, x, y + p->font * 0.35, PLOT_START, SOFT_INK, text);
        } else {
            put_entry(p, s, x, y, room);
        }
    }
}

void page_legend_draw(const page *p, const page_legend *legend)
{
    if (legend->place == PAGE_LEGEND_CORNER)
        draw_block(p, legend->x, legend->y);
    else if (legend->place == PAGE_LEGEND_BESIDE)
        draw_block(p, p->left + p->wide + p->font * 0.8, p->top);
    else if (legend->place == PAGE_LEGEND_ABOVE)
        draw_above(p, legend);
}
