#include "plot/canvas.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tm_status plot_canvas_init(plot_canvas *canvas, size_t rows, size_t cols, bool braille,
                           tm_error *err)
{
    size_t cells = rows * cols;
    *canvas = (plot_canvas){.rows = rows, .cols = cols, .braille = braille};
    canvas->dots = mem_zeros(cells, sizeof *canvas->dots);
    canvas->owner = mem_array(cells, sizeof *canvas->owner);
    canvas->glyph = mem_zeros(cells, sizeof *canvas->glyph);
    canvas->crossing = mem_zeros(cols, sizeof *canvas->crossing);
    if (!canvas->dots || !canvas->owner || !canvas->glyph || !canvas->crossing) {
        plot_canvas_free(canvas);
        return tm_fail_memory(err, "a plot");
    }
    for (size_t i = 0; i < cells; i++)
        canvas->owner[i] = CANVAS_EMPTY;
    return TM_OK;
}

void plot_canvas_free(plot_canvas *canvas)
{
    free(canvas->dots);
    free(canvas->owner);
    free(canvas->glyph);
    free(canvas->crossing);
    *canvas = (plot_canvas){0};
}

static long dot_of(double at, size_t cells, long per_cell)
{
    long dots = (long)cells * per_cell;
    long dot = lround(at * (double)(dots - 1));
    return dot < 0 ? 0 : dot >= dots ? dots - 1 : dot;
}

static long dot_column(const plot_canvas *canvas, double x)
{
    return dot_of(x, canvas->cols, canvas->braille ? 2 : 1);
}

static long dot_row(const plot_canvas *canvas, double y)
{
    return dot_of(1 - y, canvas->rows, canvas->braille ? 4 : 1);
}

size_t plot_canvas_col(const plot_canvas *canvas, double at)
{
    return (size_t)dot_column(canvas, at) / (canvas->braille ? 2 : 1);
}

size_t plot_canvas_row(const plot_canvas *canvas, double at)
{
    return (size_t)dot_row(canvas, at) / (canvas->braille ? 4 : 1);
}

/* One series being drawn. */
typedef struct brush {
    plot_canvas *canvas;
    int series;
    bool dashed; /* levels are dashed, so that they are not mistaken for data */
    size_t phase, period;
    uint32_t mark;
    size_t seen; /* number of points so far */
    long budget; /* number of dots left to draw; when it is used up, the canvas is full and lines
                  * become dots */
    long x, y;   /* the last dot */
} brush;

static void put_dot(const brush *tool, long x, long y)
{
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    plot_canvas *canvas = tool->canvas;
    size_t col = (size_t)x, row = (size_t)y;
    uint8_t bit = 1;
    if (canvas->braille) {
        bit = bits[row % 4][col % 2];
        col /= 2;
        row /= 4;
    }
    canvas->crossing[col] = row + 1;
    if (tool->dashed && (canvas->braille ? x % 4 == 3 : x % 2 == 1))
        return;
    size_t cell = row * canvas->cols + col;
    bool shared = canvas->owner[cell] != CANVAS_EMPTY && canvas->owner[cell] != tool->series;
    canvas->dots[cell] |= bit;
    if (canvas->glyph[cell]) /* a marker keeps its own colour */
        return;
    /* An ASCII cell shows only one series: where lines coincide, they alternate. */
    if (canvas->braille || !shared || col % tool->period == tool->phase)
        canvas->owner[cell] = tool->series;
}

static void brush_move(void *context, double x, double y)
{
    brush *tool = context;
    tool->x = dot_column(tool->canvas, x);
    tool->y = dot_row(tool->canvas, y);
}

/* Bresenham's line over dots. */
static void brush_line(void *context, double to_x, double to_y)
{
    brush *tool = context;
    long x = tool->x, y = tool->y;
    brush_move(tool, to_x, to_y);
    if (tool->budget < 0) {
        put_dot(tool, tool->x, tool->y);
        return;
    }
    long dx = labs(tool->x - x), dy = -labs(tool->y - y);
    long step_x = x < tool->x ? 1 : -1, step_y = y < tool->y ? 1 : -1;
    long error = dx + dy;
    tool->budget -= dx > -dy ? dx : -dy;
    for (;;) {
        put_dot(tool, x, y);
        if (x == tool->x && y == tool->y)
            return;
        long twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            x += step_x;
        }
        if (twice <= dx) {
            error += dx;
            y += step_y;
        }
    }
}

static void brush_dot(void *context, double x, double y)
{
    brush_move(context, x, y);
    const brush *tool = context;
    put_dot(tool, tool->x, tool->y);
}

static void put_mark(const brush *tool, size_t row, size_t col)
{
    size_t cell = row * tool->canvas->cols + col;
    tool->canvas->glyph[cell] = tool->mark;
    tool->canvas->owner[cell] = tool->series;
}

/* Draws a marker on each point. Where series share a cell they alternate, so that both are
 * visible. */
static void brush_mark(void *context, double x, double y)
{
    brush *tool = context;
    size_t row = plot_canvas_row(tool->canvas, y), col = plot_canvas_col(tool->canvas, x);
    bool taken = tool->canvas->glyph[row * tool->canvas->cols + col] != 0;
    if (!taken || tool->seen % tool->period == tool->phase)
        put_mark(tool, row, col);
    tool->seen++;
}

/* Draws markers along a line, at columns that differ between series. */
static void mark_along(const brush *tool)
{
    const plot_canvas *canvas = tool->canvas;
    size_t spacing = canvas->cols / 3 < 30 ? canvas->cols / 3 : 30;
    if (spacing < 2 * tool->period)
        spacing = 2 * tool->period;
    size_t placed = 0, crossed = 0;
    for (size_t col = 0; col < canvas->cols; col++) {
        crossed += canvas->crossing[col] != 0;
        size_t offset = (2 * tool->phase + 1) * spacing / (2 * tool->period);
        if (col % spacing != offset || !canvas->crossing[col])
            continue;
        put_mark(tool, canvas->crossing[col] - 1, col);
        placed++;
    }
    if (placed || !crossed)
        return;
    /* A short line gets one marker, at a position that differs between series. */
    size_t want = crossed * (tool->phase + 1) / (tool->period + 1);
    for (size_t col = 0; col < canvas->cols; col++)
        if (canvas->crossing[col] && want-- == 0) {
            put_mark(tool, canvas->crossing[col] - 1, col);
            return;
        }
}

void plot_canvas_series(plot_canvas *canvas, const plot_figure *figure, size_t s,
                        const plot_view *view)
{
    const plot_series *series = &figure->series[s];
    const plot_colour *colour = plot_palette(series->colour);
    brush tool = {.canvas = canvas,
                  .series = (int)s,
                  .dashed = series->mark == PLOT_LEVEL,
                  .phase = s,
                  .period = figure->count,
                  .budget = (long)(canvas->rows * canvas->cols) * (canvas->braille ? 8 : 1) * 50,
                  .mark = canvas->braille ? colour->mark : (unsigned char)colour->ascii};
    plot_sink sink = {&tool, brush_move, brush_line};
    memset(canvas->crossing, 0, canvas->cols * sizeof *canvas->crossing);
    if (series->mark == PLOT_BARS) {
        plot_path_bars(series, view, &sink);
        return;
    }
    if (series->mark == PLOT_POINTS) {
        sink.move = brush_dot;
        plot_path_points(series, view, &sink);
    } else {
        plot_path_lines(series, view, canvas->cols * (canvas->braille ? 2 : 1), &sink);
    }
    sink.move = brush_move;
    plot_path_spread(series, view, &sink);
    if (!canvas->braille && series->mark != PLOT_LEVEL)
        return; /* every cell shows the marker already */
    if (!plot_series_marked(figure, series))
        return;
    size_t few = series->mark == PLOT_POINTS ? canvas->rows * canvas->cols / 8 : canvas->cols / 5;
    size_t points = plot_path_count(series, view, few + 1);
    if (points > 0 && points <= few) {
        sink.move = brush_mark;
        plot_path_points(series, view, &sink);
    } else {
        mark_along(&tool);
    }
}

uint32_t plot_canvas_char(const plot_canvas *canvas, const plot_figure *figure, size_t cell)
{
    if (canvas->glyph[cell])
        return canvas->glyph[cell];
    if (!canvas->dots[cell])
        return ' ';
    if (canvas->braille)
        return 0x2800u + canvas->dots[cell];
    const plot_series *series = &figure->series[canvas->owner[cell]];
    if (series->mark == PLOT_LEVEL)
        return '-';
    return (unsigned char)plot_palette(series->colour)->ascii;
}

size_t plot_canvas_corner(const plot_canvas *canvas, size_t rows, size_t cols, size_t *row,
                          size_t *col)
{
    size_t least = SIZE_MAX;
    for (int corner = 0; corner < 4; corner++) {
        size_t r = corner < 2 ? 0 : canvas->rows - rows;
        size_t c = corner % 2 ? 0 : canvas->cols - cols;
        size_t hidden = plot_canvas_occupied(canvas, r, c, rows, cols);
        if (hidden >= least)
            continue;
        least = hidden;
        *row = r;
        *col = c;
    }
    return least;
}

size_t plot_canvas_occupied(const plot_canvas *canvas, size_t row, size_t col, size_t rows,
                            size_t cols)
{
    size_t occupied = 0;
    for (size_t r = row; r < row + rows && r < canvas->rows; r++)
        for (size_t c = col; c < col + cols && c < canvas->cols; c++)
            occupied += canvas->owner[r * canvas->cols + c] != CANVAS_EMPTY;
    return occupied;
}
