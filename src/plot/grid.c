#include "plot/grid.h"

#include "base/memory.h"
#include "plot/buffer.h"
#include "plot/utf8.h"

#include <stdlib.h>

static const plot_cell blank = {' ', PLOT_ROLE_NONE, false, 0};

tm_status plot_grid_clear(plot_grid *grid, size_t rows, size_t cols, tm_error *err)
{
    size_t cells;
    if (__builtin_mul_overflow(rows, cols, &cells))
        return tm_fail_memory(err, "a plot's cells");
    if (!grid->cells || grid->rows != rows || grid->cols != cols) {
        plot_cell *fresh = mem_array(cells, sizeof *fresh);
        if (!fresh)
            return tm_fail_memory(err, "a plot's cells");
        free(grid->cells);
        *grid = (plot_grid){.rows = rows, .cols = cols, .cells = fresh};
    }
    for (size_t i = 0; i < cells; i++)
        grid->cells[i] = blank;
    return TM_OK;
}

void plot_grid_free(plot_grid *grid)
{
    free(grid->cells);
    *grid = (plot_grid)PLOT_GRID_INIT;
}

void plot_grid_put(plot_grid *grid, size_t row, size_t col, uint32_t ch, int colour, bool bold)
{
    if (row < grid->rows && col < grid->cols)
        grid->cells[row * grid->cols + col] = (plot_cell){ch, (int16_t)colour, bold, 0};
}

static size_t columns_of(uint32_t code, bool utf8)
{
    int width = utf8_width(code);
    return utf8 ? (size_t)width : width > 0;
}

size_t plot_grid_columns(const char *text, bool utf8)
{
    size_t columns = 0;
    for (uint32_t code; (code = utf8_next(&text));)
        columns += columns_of(code, utf8);
    return columns;
}

size_t plot_grid_write(plot_grid *grid, size_t row, size_t col, size_t columns, const char *text,
                       plot_look look)
{
    bool cut = plot_grid_columns(text, look.utf8) > columns;
    size_t used = 0, limit = cut && columns > 0 ? columns - 1 : columns;
    for (uint32_t code; (code = utf8_next(&text));) {
        code = utf8_printable(code);
        size_t width = columns_of(code, look.utf8);
        if (width == 0) /* a cell holds one code point: keep the base character and drop a combining
                         * mark */
            continue;
        if (used + width > limit)
            break;
        uint32_t shown = look.utf8 || code < 0x80 ? code : '?';
        plot_grid_put(grid, row, col + used, shown, look.colour, look.bold);
        if (width == 2)
            plot_grid_put(grid, row, col + used + 1, 0, look.colour, look.bold);
        used += width;
    }
    if (cut && columns > 0)
        plot_grid_put(grid, row, col + used++, look.utf8 ? 0x2026 : '~', look.colour, look.bold);
    return used;
}

/* ---- as text ------------------------------------------------------------------------------- */

static bool same_look(const plot_cell *a, const plot_cell *b)
{
    return a->colour == b->colour && a->bold == b->bold && a->ground == b->ground;
}

/* Writes a shade as foreground (38) or background (48) colour. */
static void write_shade(plot_buffer *out, int what, int shade, plot_colours colours)
{
    double share = (double)(shade - PLOT_SHADE - PLOT_SHADES) / PLOT_SHADES;
    uint32_t rgb = plot_shade(share, true);
    if (colours == PLOT_TRUECOLOUR)
        plot_buffer_format(out, ";%d;2;%d;%d;%d", what, (int)(rgb >> 16), (int)(rgb >> 8 & 255),
                           (int)(rgb & 255));
    else
        plot_buffer_format(out, ";%d;5;%d", what, plot_xterm(rgb));
}

static void write_look(plot_buffer *out, const plot_cell *cell, plot_colours colours)
{
    plot_buffer_text(out, "\033[0");
    if (cell->bold)
        plot_buffer_text(out, ";1");
    if (cell->ground >= PLOT_SHADE)
        write_shade(out, 48, cell->ground, colours);
    if (cell->colour >= PLOT_SHADE) {
        write_shade(out, 38, cell->colour, colours);
    } else if (cell->colour >= 0) {
        const plot_colour *colour = plot_palette(cell->colour);
        if (colours == PLOT_ANSI16)
            plot_buffer_format(out, ";3%d", colour->ansi16);
        else if (colours == PLOT_ANSI256)
            plot_buffer_format(out, ";38;5;%d", colour->xterm256);
        else
            plot_buffer_format(out, ";38;2;%d;%d;%d", colour->red, colour->green, colour->blue);
    } else if (cell->colour == PLOT_ROLE_AXIS && colours == PLOT_ANSI256) {
        plot_buffer_text(out, ";38;5;244");
    } else if (cell->colour == PLOT_ROLE_AXIS && colours == PLOT_TRUECOLOUR) {
        plot_buffer_text(out, ";38;2;128;128;128");
    }
    plot_buffer_text(out, "m");
}

static void write_row(plot_buffer *out, const plot_cell *cells, size_t cols, plot_colours colours)
{
    while (cols > 0 && cells[cols - 1].ch == ' ' && cells[cols - 1].ground == 0)
        cols--;
    const plot_cell *look = &blank;
    for (size_t c = 0; c < cols; c++) {
        if (cells[c].ch == 0)
            continue;
        if (colours != PLOT_MONO && (cells[c].ch != ' ' || cells[c].ground != look->ground) &&
            !same_look(look, &cells[c])) {
            look = &cells[c];
            write_look(out, look, colours);
        }
        char bytes[4];
        plot_buffer_bytes(out, bytes, utf8_put(cells[c].ch, bytes));
    }
    if (!same_look(look, &blank))
        plot_buffer_text(out, "\033[0m");
    plot_buffer_text(out, "\n");
}

tm_status plot_grid_text(const plot_grid *grid, plot_colours colours, char **out, tm_error *err)
{
    plot_buffer buffer = PLOT_BUFFER_INIT;
    for (size_t r = 0; r < grid->rows; r++)
        write_row(&buffer, grid->cells + r * grid->cols, grid->cols, colours);
    return plot_buffer_take(&buffer, out, err);
}
