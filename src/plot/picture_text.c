/* A picture in character cells: half blocks in shades, characters by strength, or Braille dots
 * where there is no room for more. */
#include "plot/picture.h"

#include "plot/axes.h"
#include "plot/grid.h"
#include "plot/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum picture_style {
    STYLE_HALVES, /* a block is a cell wide and half a cell high, which is about square */
    STYLE_GROUND, /* shades without UTF-8: two cells with a background colour */
    STYLE_LETTERS,
    STYLE_DOTS, /* Braille dots for nonzero values */
} picture_style;

/* The number of blocks in a cell, horizontally and vertically; STYLE_GROUND and STYLE_LETTERS use
 * two cells for one block. */
static const struct {
    size_t across, down, cells;
} sizes[] = {[STYLE_HALVES] = {1, 2, 1},
             [STYLE_GROUND] = {1, 1, 2},
             [STYLE_LETTERS] = {1, 1, 2},
             [STYLE_DOTS] = {2, 4, 1}};

enum { STRENGTHS = 4 };

typedef struct canvas {
    picture_part part;
    picture_style style;
    bool utf8;
    long title, legend, readout;  /* rows; -1: none */
    size_t top, left, rows, cols; /* the cells that the picture takes */
    size_t zoom;                  /* magnification of blocks */
    const plot_figure *figure;
    plot_grid *grid;
} canvas;

/* ---- layout -------------------------------------------------------------------------------- */

static void plan_style(canvas *c, picture_style style, size_t rows, size_t cols)
{
    size_t wide = cols * sizes[style].across / sizes[style].cells;
    size_t high = rows * sizes[style].down;
    c->style = style;
    c->part = picture_part_of(c->figure, high > 0 ? high : 1, wide > 0 ? wide : 1);
    size_t across = wide / c->part.wide, down = high / c->part.high;
    c->zoom = across < down ? across : down;
    c->zoom = c->zoom > 0 ? c->zoom : 1;
    c->cols = (c->part.wide * c->zoom * sizes[style].cells + sizes[style].across - 1) /
              sizes[style].across;
    c->rows = (c->part.high * c->zoom + sizes[style].down - 1) / sizes[style].down;
    c->rows = c->rows < rows ? c->rows : rows;
    c->cols = c->cols < cols ? c->cols : cols;
}

static void plan(canvas *c)
{
    size_t bottom = c->grid->rows, top = 0;
    const plot_picture *p = c->figure->instead.picture;
    bool margin = p->row != PLOT_NO_PLACE && bottom >= 6 && c->grid->cols >= 8;
    c->title = c->figure->title && bottom >= 6 ? (long)top++ : -1;
    c->readout = c->figure->instead.readout && bottom >= 3 ? (long)--bottom : -1;
    c->legend = c->figure->legend && bottom >= 4 ? (long)--bottom : -1;
    top += margin ? 1 : 0;
    c->top = top;
    c->left = margin ? 1 : 0;
    size_t rows = bottom > top ? bottom - top : 1, cols = c->grid->cols - c->left;
    picture_style first = !c->figure->instead.shades ? STYLE_LETTERS
                          : c->utf8                  ? STYLE_HALVES
                                                     : STYLE_GROUND;
    plan_style(c, first, rows, cols);
    if (first == STYLE_LETTERS && c->part.block > 1 && c->utf8)
        plan_style(c, STYLE_DOTS, rows, cols);
}

/* ---- cells --------------------------------------------------------------------------------- */

static double value_at(const canvas *c, size_t dot_row, size_t dot_col)
{
    size_t row = dot_row / c->zoom, col = dot_col / c->zoom;
    return row < c->part.high && col < c->part.wide ? picture_block(&c->part, row, col)
                                                    : (double)NAN;
}

/* The level of a value, from -count to count; nonzero values get a nonzero level. */
static int level(const canvas *c, double value, int count)
{
    double share = fmin(fabs(value) / c->part.range, 1);
    int steps = (int)ceil(share * count - 1e-9);
    steps = value != 0 && steps == 0 ? 1 : steps;
    return value < 0 ? -steps : steps;
}

/* The shade of a value; 0: empty. */
static int shade(const canvas *c, double value)
{
    return isnan(value) ? 0 : PLOT_SHADE + PLOT_SHADES + level(c, value, PLOT_SHADES);
}

static plot_cell half_cell(const canvas *c, size_t row, size_t col)
{
    int upper = shade(c, value_at(c, 2 * row, col));
    int lower = shade(c, value_at(c, 2 * row + 1, col));
    plot_cell cell = {' ', PLOT_ROLE_NONE, false, 0};
    if (upper == lower) {
        cell.ground = (int16_t)upper;
    } else if (upper == 0) {
        cell.ch = 0x2584;
        cell.colour = (int16_t)lower;
    } else {
        cell.ch = 0x2580;
        cell.colour = (int16_t)upper;
        cell.ground = (int16_t)lower;
    }
    return cell;
}

/* Positive strengths fill a cell, negative ones are rings. */
static uint32_t letter(const canvas *c, int strength)
{
    static const uint32_t blocks[] = {0x2591, 0x2592, 0x2593, 0x2588};
    static const uint32_t rings[] = {0x00b7, 0x2218, 0x25cb, 0x25cf};
    static const char above[] = ".:*#", below[] = "-=oO";
    if (strength == 0)
        return ' ';
    int size = abs(strength) - 1;
    if (c->utf8)
        return strength > 0 ? blocks[size] : rings[size];
    return (unsigned char)(strength > 0 ? above : below)[size];
}

static plot_cell letter_cell(const canvas *c, size_t row, size_t col)
{
    double value = value_at(c, row, col / 2);
    if (isnan(value))
        return (plot_cell){' ', PLOT_ROLE_NONE, false, 0};
    int strength = level(c, value, STRENGTHS);
    if (strength == 0) /* zeros of the picture differ from the space beside it */
        return (plot_cell){col % 2 || !c->utf8 ? ' ' : 0x2024, PLOT_ROLE_AXIS, false, 0};
    return (plot_cell){letter(c, strength), strength < 0 ? 0 : 1, false, 0};
}

static plot_cell ground_cell(const canvas *c, size_t row, size_t col)
{
    double value = value_at(c, row, col / 2);
    return (plot_cell){' ', PLOT_ROLE_NONE, false, (int16_t)shade(c, value)};
}

static plot_cell dots_cell(const canvas *c, size_t row, size_t col)
{
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    uint32_t dots = 0;
    double strongest = 0;
    for (size_t r = 0; r < 4; r++)
        for (size_t d = 0; d < 2; d++) {
            double value = value_at(c, 4 * row + r, 2 * col + d);
            if (!isnan(value) && value != 0)
                dots |= bits[r][d];
            if (fabs(value) > fabs(strongest))
                strongest = value;
        }
    return (plot_cell){dots ? 0x2800 + dots : ' ', strongest < 0 ? 0 : 1, false, 0};
}

static void draw_cells(const canvas *c)
{
    plot_cell (*const cell[])(const canvas *, size_t, size_t) = {[STYLE_HALVES] = half_cell,
                                                                 [STYLE_GROUND] = ground_cell,
                                                                 [STYLE_LETTERS] = letter_cell,
                                                                 [STYLE_DOTS] = dots_cell};
    for (size_t r = 0; r < c->rows; r++)
        for (size_t col = 0; col < c->cols; col++)
            c->grid->cells[(c->top + r) * c->grid->cols + c->left + col] =
                cell[c->style](c, r, col);
}

/* ---- what stands around it ----------------------------------------------------------------- */

/* Draws arrows in the margins, so that the picture itself is not covered. */
static void draw_mark(const canvas *c)
{
    size_t row, col;
    if (c->left == 0 || !picture_marked(&c->part, &row, &col))
        return;
    size_t down = (row * c->zoom + c->zoom / 2) / sizes[c->style].down;
    size_t across = (col * c->zoom + c->zoom / 2) * sizes[c->style].cells / sizes[c->style].across;
    plot_grid_put(c->grid, c->top + down, c->left - 1, c->utf8 ? 0x25b8 : '>', PLOT_ROLE_CURSOR,
                  true);
    plot_grid_put(c->grid, c->top - 1, c->left + across, c->utf8 ? 0x25be : 'v', PLOT_ROLE_CURSOR,
                  true);
}

static size_t write_text(const canvas *c, size_t row, size_t col, const char *text)
{
    return col < c->grid->cols ? plot_grid_write(c->grid, row, col, c->grid->cols - col, text,
                                                 (plot_look){PLOT_ROLE_TEXT, false, c->utf8})
                               : 0;
}

static size_t legend_shades(const canvas *c, size_t row, size_t col)
{
    for (int s = -PLOT_SHADES; s <= PLOT_SHADES && col < c->grid->cols; s++)
        c->grid->cells[row * c->grid->cols + col++] =
            (plot_cell){' ', PLOT_ROLE_NONE, false, (int16_t)(PLOT_SHADE + PLOT_SHADES + s)};
    return col;
}

static size_t legend_letters(const canvas *c, size_t row, size_t col)
{
    for (int s = -STRENGTHS; s <= STRENGTHS; s++) {
        if (s == 0) {
            col += write_text(c, row, col, " 0 ");
            continue;
        }
        plot_grid_put(c->grid, row, col++, letter(c, s), s < 0 ? 0 : 1, false);
    }
    return col;
}

/* Draws the legend: -1.2 [shades] 1.2, and the size of a block. */
static void draw_legend(const canvas *c)
{
    char number[PLOT_LABEL_MAX], text[PLOT_LABEL_MAX + 64];
    if (c->legend < 0)
        return;
    size_t row = (size_t)c->legend, col = c->left;
    plot_number_digits(c->part.range, 3, number, sizeof number);
    snprintf(text, sizeof text, "-%s ", number);
    col += write_text(c, row, col, text);
    if (c->style == STYLE_DOTS)
        col += write_text(c, row, col, "...");
    else if (c->style == STYLE_LETTERS)
        col = legend_letters(c, row, col);
    else
        col = legend_shades(c, row, col);
    snprintf(text, sizeof text, " %s", number);
    col += write_text(c, row, col, text);
    if (c->style == STYLE_DOTS)
        col += write_text(c, row, col, ", dots: not 0");
    snprintf(text, sizeof text, ", max of %zux%zu", c->part.block, c->part.block);
    if (c->part.block > 1 && col + strlen(text) <= c->grid->cols) /* a text is never cut */
        write_text(c, row, col, text);
}

static plot_frame frame_of(const canvas *c)
{
    const picture_part *p = &c->part;
    double across = (double)c->cols * (double)sizes[c->style].across /
                    (double)(sizes[c->style].cells * c->zoom);
    double down = (double)(c->rows * sizes[c->style].down) / (double)c->zoom;
    double block = (double)p->block;
    return (plot_frame){
        .row = c->top,
        .col = c->left,
        .rows = c->rows,
        .cols = c->cols,
        .x = {(double)p->col, (double)p->col + fmin(across * block, (double)p->cols)},
        .y = {(double)p->row + fmin(down * block, (double)p->rows), (double)p->row}};
}

void picture_text(const plot_figure *figure, bool utf8, plot_grid *grid)
{
    canvas c = {.figure = figure, .grid = grid, .utf8 = utf8};
    plan(&c);
    draw_cells(&c);
    draw_mark(&c);
    draw_legend(&c);
    if (c.title >= 0)
        plot_grid_write(grid, (size_t)c.title, 0, grid->cols, figure->title,
                        (plot_look){PLOT_ROLE_TEXT, true, utf8});
    if (c.readout >= 0)
        write_text(&c, (size_t)c.readout, c.left, figure->instead.readout);
    grid->frame = frame_of(&c);
}
