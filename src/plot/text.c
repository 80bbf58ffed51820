/* The figure in character cells. */
#include "plot/legend.h"
#include "plot/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t tick_columns(const text_page *s, const plot_tick *tick)
{
    return strlen(tick->label) + (tick->floor ? (s->utf8 ? 1 : 2) : 0);
}

static void write_tick(text_page *s, size_t row, size_t col, const plot_tick *tick)
{
    char text[PLOT_LABEL_MAX + 4];
    snprintf(text, sizeof text, "%s%s", tick->floor ? (s->utf8 ? "\u2264" : "<=") : "",
             tick->label);
    plot_grid_write(s->grid, row, col, s->grid->cols - col, text,
                    (plot_look){PLOT_ROLE_AXIS, false, s->utf8});
}

/* Assigns the rows: the smaller the grid, the more is left out. */
static void plan_rows(text_page *s, bool title_legend, size_t above)
{
    const plot_figure *f = s->figure;
    size_t rows = s->grid->rows, cols = s->grid->cols;
    bool tall = rows >= 14;
    s->rows.title = s->rows.ylabel = s->rows.axis = s->rows.tick = NO_ROW;
    s->rows.xlabel = s->rows.readout = NO_ROW;
    bool top_text = f->title || (f->ylabel && !tall) || title_legend;
    size_t top = 0, bottom = rows;
    if (top_text && rows >= 6)
        s->rows.title = (long)top++;
    if (f->ylabel && tall)
        s->rows.ylabel = (long)top++;
    top += above;
    if (!isnan(f->cursor) && rows >= 5)
        s->rows.readout = (long)(bottom -= s->readout.rows);
    if (f->xlabel && tall)
        s->rows.xlabel = (long)--bottom;
    if (rows >= 4 && cols >= 16)
        s->rows.tick = (long)--bottom;
    if (rows >= 3 && cols >= 6)
        s->rows.axis = (long)--bottom;
    s->top = top;
    s->height = bottom - top;
}

static void plan_columns(text_page *s)
{
    size_t cols = s->grid->cols, labels = 0;
    s->y_axis = cols >= 6 && s->rows.axis != NO_ROW;
    s->ycount = plot_axis_ticks(&s->view.y, s->height / 2 + 1, s->yticks);
    if (!plot_figure_has_points(s->figure))
        s->ycount = 0;
    for (size_t i = 0; i < s->ycount; i++) {
        size_t width = tick_columns(s, &s->yticks[i]);
        labels = width > labels ? width : labels;
    }
    s->y_ticks = s->rows.tick != NO_ROW && labels * 2 < cols;
    s->left = (s->y_axis ? 1 : 0) + (s->y_ticks ? labels : 0);
    s->width = cols - s->left;
}

static int by_place(const void *a, const void *b)
{
    double x = ((const plot_tick *)a)->at, y = ((const plot_tick *)b)->at;
    return (x > y) - (x < y);
}

static size_t xtick_start(const text_page *s, const plot_tick *tick)
{
    size_t width = tick_columns(s, tick), centre = s->left + plot_canvas_col(&s->canvas, tick->at);
    size_t start = centre > width / 2 ? centre - width / 2 : 0;
    return start + width > s->grid->cols ? s->grid->cols - width : start;
}

/* Keeps the ticks whose labels have a blank between them; true if all do. */
static bool keep_apart(text_page *s)
{
    size_t kept = 0, end = 0;
    for (size_t i = 0; i < s->xcount; i++) {
        size_t start = xtick_start(s, &s->xticks[i]);
        if (kept > 0 && start < end + 2)
            continue;
        end = start + tick_columns(s, &s->xticks[i]);
        s->xticks[kept++] = s->xticks[i];
    }
    bool all = kept == s->xcount;
    s->xcount = kept;
    return all;
}

static void plan_xticks(text_page *s)
{
    s->xcount = 0;
    if (s->rows.tick == NO_ROW || !plot_figure_has_points(s->figure))
        return;
    for (size_t most = s->width / 6 + 1; most >= 1; most--) {
        s->xcount = plot_axis_ticks(&s->view.x, most, s->xticks);
        qsort(s->xticks, s->xcount, sizeof s->xticks[0], by_place);
        if (keep_apart(s) || most <= 2)
            return;
    }
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void draw_y_axis(text_page *s)
{
    if (!s->y_axis)
        return;
    for (size_t r = 0; r < s->height; r++)
        plot_grid_put(s->grid, s->top + r, s->left - 1, s->utf8 ? 0x2502 : '|', PLOT_ROLE_AXIS,
                      false);
    for (size_t i = s->ycount; s->y_ticks && i-- > 0;) {
        const plot_tick *tick = &s->yticks[i];
        size_t row = s->top + plot_canvas_row(&s->canvas, tick->at);
        size_t start = s->left - 1 - tick_columns(s, tick);
        if (tick->floor) /* replaces a rounder label in this row */
            for (size_t c = 0; c + 1 < s->left; c++)
                plot_grid_put(s->grid, row, c, ' ', PLOT_ROLE_NONE, false);
        else if (s->left >= 2 && s->grid->cells[row * s->grid->cols + s->left - 2].ch != ' ')
            continue;
        write_tick(s, row, start, tick);
        plot_grid_put(s->grid, row, s->left - 1, s->utf8 ? 0x2524 : '+', PLOT_ROLE_AXIS, false);
    }
}

static void draw_x_axis(text_page *s)
{
    if (s->rows.axis == NO_ROW)
        return;
    size_t row = (size_t)s->rows.axis;
    if (s->y_axis)
        plot_grid_put(s->grid, row, s->left - 1, s->utf8 ? 0x2514 : '+', PLOT_ROLE_AXIS, false);
    for (size_t c = 0; c < s->width; c++)
        plot_grid_put(s->grid, row, s->left + c, s->utf8 ? 0x2500 : '-', PLOT_ROLE_AXIS, false);
    for (size_t i = 0; i < s->xcount; i++) {
        size_t col = s->left + plot_canvas_col(&s->canvas, s->xticks[i].at);
        plot_grid_put(s->grid, row, col, s->utf8 ? 0x252c : '+', PLOT_ROLE_AXIS, false);
        write_tick(s, (size_t)s->rows.tick, xtick_start(s, &s->xticks[i]), &s->xticks[i]);
    }
}

static void draw_labels(text_page *s)
{
    const plot_figure *f = s->figure;
    size_t cols = s->grid->cols;
    if (s->rows.title != NO_ROW) {
        const char *text = f->title ? f->title : s->rows.ylabel == NO_ROW ? f->ylabel : NULL;
        size_t indent = s->y_axis && text ? s->left - 1 : 0;
        if (text && plot_grid_columns(text, s->utf8) + indent > cols)
            indent = 0;
        if (text)
            plot_grid_write(s->grid, (size_t)s->rows.title, indent, cols - indent, text,
                            (plot_look){PLOT_ROLE_TEXT, f->title != NULL, s->utf8});
    }
    if (s->rows.ylabel != NO_ROW)
        plot_grid_write(s->grid, (size_t)s->rows.ylabel, 0, cols, f->ylabel,
                        (plot_look){PLOT_ROLE_TEXT, false, s->utf8});
    if (!f->xlabel)
        return;
    size_t width = plot_grid_columns(f->xlabel, s->utf8);
    if (s->rows.xlabel != NO_ROW) {
        size_t start = width < s->width ? s->left + (s->width - width) / 2 : 0;
        plot_grid_write(s->grid, (size_t)s->rows.xlabel, start, cols - start, f->xlabel,
                        (plot_look){PLOT_ROLE_TEXT, false, s->utf8});
    } else if (s->rows.tick != NO_ROW && width * 2 < s->width) {
        /* If there is no row of its own, the label is at the end of the axis. */
        size_t start = cols - width;
        plot_grid_put(s->grid, (size_t)s->rows.axis, start - 1, ' ', PLOT_ROLE_NONE, false);
        plot_grid_write(s->grid, (size_t)s->rows.axis, start, width, f->xlabel,
                        (plot_look){PLOT_ROLE_TEXT, false, s->utf8});
    }
}

static void draw_canvas(text_page *s)
{
    for (size_t r = 0; r < s->height; r++)
        for (size_t c = 0; c < s->width; c++) {
            size_t cell = r * s->width + c;
            if (s->canvas.owner[cell] == CANVAS_EMPTY)
                continue;
            plot_grid_put(
                s->grid, s->top + r, s->left + c, plot_canvas_char(&s->canvas, s->figure, cell),
                s->figure->series[s->canvas.owner[cell]].colour, s->canvas.glyph[cell] != 0);
        }
}

static void draw_cursor(text_page *s)
{
    double at = plot_axis_place(&s->view.x, s->figure->cursor);
    if (isnan(s->figure->cursor) || !(at >= 0 && at <= 1))
        return;
    size_t col = plot_canvas_col(&s->canvas, at);
    for (size_t r = 0; r < s->height; r++)
        if (s->canvas.owner[r * s->width + col] == CANVAS_EMPTY)
            plot_grid_put(s->grid, s->top + r, s->left + col, s->utf8 ? 0x2502 : '|',
                          PLOT_ROLE_CURSOR, false);
}

/* The name and value of a series at the cursor; false if it has none there. */
static bool readout_entry(const text_page *s, size_t i, const readout_style *style,
                          const char **name, char value[PLOT_LABEL_MAX])
{
    const plot_series *series = &s->figure->series[i];
    double at;
    if (series->colour == PLOT_FAINT ||
        !plot_series_at(series, s->figure->cursor, s->figure->xlog, &at))
        return false;
    plot_number_digits(at, style->digits, value, PLOT_LABEL_MAX);
    *name = style->names ? series->name : "";
    return true;
}

/* "x=..." */
static void readout_place(const text_page *s, char text[PLOT_LABEL_MAX + 4])
{
    char value[PLOT_LABEL_MAX];
    plot_number_digits(s->figure->cursor, 4, value, sizeof value);
    snprintf(text, PLOT_LABEL_MAX + 4, "x=%s", value);
}

/* Moves to the place of a series' entry: after the previous one, or below if the row is full. */
static void readout_step(const text_page *s, const readout_style *style, size_t width, size_t *row,
                         size_t *col)
{
    *col += *col > 0 ? style->apart : 0;
    if (*col > 0 && *col + width > s->grid->cols) {
        ++*row;
        *col = 0;
    }
}

static size_t readout_width(const text_page *s, const char *name, const char *value)
{
    size_t columns = plot_grid_columns(name, s->utf8);
    return 2 + (columns ? columns + 1 : 0) + strlen(value);
}

static size_t readout_rows(const text_page *s, const readout_style *style)
{
    const char *name;
    char value[PLOT_LABEL_MAX], text[PLOT_LABEL_MAX + 4];
    readout_place(s, text);
    size_t row = 0, col = strlen(text);
    for (size_t i = 0; i < s->figure->count; i++) {
        if (!readout_entry(s, i, style, &name, value))
            continue;
        size_t width = readout_width(s, name, value);
        readout_step(s, style, width, &row, &col);
        col += width;
    }
    return row + 1;
}

/* The most detailed style that needs the fewest rows, at most a third of all. */
static void plan_readout(text_page *s)
{
    static const readout_style styles[] = {
        {true, 4, 2, 1}, {true, 3, 1, 1}, {false, 4, 2, 1}, {false, 3, 1, 1}, {false, 2, 1, 1}};
    size_t count = sizeof styles / sizeof styles[0];
    size_t most = s->grid->rows >= 6 ? s->grid->rows / 3 : 1;
    s->readout = styles[count - 1];
    if (isnan(s->figure->cursor) || s->figure->instead.readout)
        return;
    for (size_t rows = 1; rows <= most; rows++)
        for (size_t i = 0; i < count; i++) {
            s->readout = styles[i];
            s->readout.rows = rows;
            if (readout_rows(s, &styles[i]) <= rows)
                return;
        }
}

static void draw_readout(text_page *s)
{
    if (s->rows.readout == NO_ROW)
        return;
    size_t first = (size_t)s->rows.readout, row = 0, cols = s->grid->cols;
    plot_look plain = {PLOT_ROLE_TEXT, false, s->utf8}, bold = {PLOT_ROLE_TEXT, true, s->utf8};
    if (s->figure->instead.readout) {
        plot_grid_write(s->grid, first, 0, cols, s->figure->instead.readout, plain);
        return;
    }
    char value[PLOT_LABEL_MAX], text[PLOT_LABEL_MAX + 4];
    readout_place(s, text);
    size_t col = plot_grid_write(s->grid, first, 0, cols, text,
                                 (plot_look){PLOT_ROLE_CURSOR, true, s->utf8});
    for (size_t i = 0; i < s->figure->count; i++) {
        const char *name;
        const plot_series *series = &s->figure->series[i];
        if (!readout_entry(s, i, &s->readout, &name, value))
            continue;
        size_t before = col;
        readout_step(s, &s->readout, readout_width(s, name, value), &row, &col);
        if (row >= s->readout.rows) { /* too small for all of them */
            plot_grid_write(s->grid, first + row - 1, before < cols ? before : cols - 1, 1,
                            s->utf8 ? "\u2026" : "~", plain);
            return;
        }
        plot_grid_put(s->grid, first + row, col, legend_mark(s, series), series->colour, true);
        col += 2;
        if (*name)
            col += 1 + plot_grid_write(s->grid, first + row, col, cols - col, name, plain);
        col += plot_grid_write(s->grid, first + row, col, cols - col, value, bold);
    }
}

static void draw_empty_note(text_page *s)
{
    const char *note = "no data yet";
    if (plot_figure_has_points(s->figure)) {
        if (plot_canvas_occupied(&s->canvas, 0, 0, s->height, s->width))
            return;
        note = "nothing in this range";
    }
    size_t width = strlen(note);
    if (width > s->width)
        return;
    plot_grid_write(s->grid, s->top + (s->height - 1) / 2, s->left + (s->width - width) / 2, width,
                    note, (plot_look){PLOT_ROLE_TEXT, false, s->utf8});
}

/* ---- the whole ----------------------------------------------------------------------------- */

static tm_status plan(text_page *s, bool title_legend, size_t above, tm_error *err)
{
    plan_rows(s, title_legend, above);
    plan_columns(s);
    plot_canvas_free(&s->canvas);
    tm_status status = plot_canvas_init(&s->canvas, s->height, s->width, s->utf8, err);
    if (status)
        return status;
    plan_xticks(s);
    for (size_t i = 0; i < s->figure->count; i++)
        plot_canvas_series(&s->canvas, s->figure, i, &s->view);
    return TM_OK;
}

static double end_value(const plot_axis *axis, double end)
{
    return axis->logarithmic ? pow(10, end) : end;
}

static plot_frame frame_of(const text_page *s)
{
    const plot_axis *x = &s->view.x, *y = &s->view.y;
    return (plot_frame){.row = s->top,
                        .col = s->left,
                        .rows = s->height,
                        .cols = s->width,
                        .xlog = x->logarithmic,
                        .ylog = y->logarithmic,
                        .x = {end_value(x, x->low), end_value(x, x->high)},
                        .y = {end_value(y, y->low), end_value(y, y->high)}};
}

tm_status plot_draw_text(const plot_figure *figure, size_t rows, size_t cols, bool utf8,
                         plot_grid *grid, tm_error *err)
{
    tm_status status = plot_figure_check(figure, err);
    if (!status)
        status = plot_grid_clear(grid, rows, cols, err);
    if (status || rows == 0 || cols == 0)
        return status;
    if (figure->instead.picture) {
        picture_text(figure, utf8, grid);
        return plot_figure_check(figure, err);
    }
    text_page s = {.figure = figure, .grid = grid, .utf8 = utf8, .view = plot_view_fit(figure)};
    plan_readout(&s);
    status = plan(&s, false, 0, err);
    legend where = {.place = LEGEND_NONE};
    if (!status)
        where = legend_choose(&s);
    if (!status && where.place == LEGEND_TITLE && s.rows.title == NO_ROW)
        status = plan(&s, true, 0, err);
    if (!status && where.place == LEGEND_ABOVE)
        status = plan(&s, false, where.rows, err);
    if (!status) {
        draw_y_axis(&s);
        draw_x_axis(&s);
        draw_labels(&s);
        draw_canvas(&s);
        draw_cursor(&s);
        legend_draw(&s, &where);
        draw_empty_note(&s);
        draw_readout(&s);
        grid->frame = frame_of(&s);
        status = plot_figure_check(figure, err); /* checked again, as it may have been cancelled */
    }
    plot_canvas_free(&s.canvas);
    return status;
}
