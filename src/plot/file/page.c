/* The figure on a page: the layout that SVG, PNG and PDF share. */
#include "plot/canvas.h"
#include "plot/file/pen.h"
#include "plot/utf8.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    INK = 0x222222,
    SOFT_INK = 0x555555,
    GRID = 0xe4e4e4,
    FRAME = 0x888888,
    PAPER = 0xffffff,
};

/* A series sorted by x needs a few lines for each column; one that runs to and fro for longer than
 * SEGMENTS_MAX has blackened the page, and goes on as dots. */
enum { MARKS_ALONG = 6, MARK_EVERY_POINT = 20, SEGMENTS_MAX = 100000 };

typedef struct page {
    const plot_figure *figure;
    const plot_pen *pen;
    plot_view view;
    double width, height;
    double font;                  /* size of the letters; all else is in proportion */
    double left, top, wide, high; /* the plot area */
    double title_y, xlabel_y, readout_y;
    plot_tick yticks[PLOT_TICKS_MAX], xticks[PLOT_TICKS_MAX];
    size_t ycount, xcount;
    plot_canvas coarse; /* where data lies, in cells of about a letter */
} page;

tm_status plot_page_check(double width, double height, tm_error *err)
{
    if (width >= 1 && width <= 20000 && height >= 1 && height <= 20000)
        return TM_OK;
    return tm_fail(err, TM_EUSAGE, "a figure's width and height must lie between 1 and 20000");
}

/* Widths of letters as a share of the size: the page knows no font, and SVG must not depend on one,
 * so these are a common sans-serif's. */
static double letter_width(uint32_t code)
{
    if (code >= 0x80)
        return utf8_width(code) == 0 ? 0 : utf8_width(code) == 2 ? 1 : 0.65;
    if (strchr("ijl.,:;|'!I()[] ", (int)code))
        return 0.34;
    if (strchr("mwMW%@", (int)code))
        return 0.92;
    return code >= 'A' && code <= 'Z' ? 0.7 : 0.62;
}

static double text_width(const page *p, const char *text)
{
    double width = 0;
    for (uint32_t code; (code = utf8_next(&text));)
        width += letter_width(code);
    return width * p->font;
}

static void tick_text(const plot_tick *tick, char *text, size_t size)
{
    snprintf(text, size, "%s%s", tick->floor ? "\u2264" : "", tick->label);
}

static double tick_width(const page *p, const plot_tick *tick)
{
    char text[PLOT_LABEL_MAX + 4];
    tick_text(tick, text, sizeof text);
    return text_width(p, text);
}

static double x_of(const page *p, double at)
{
    return p->left + at * p->wide;
}

static double y_of(const page *p, double at)
{
    return p->top + (1 - at) * p->high;
}

/* ---- layout -------------------------------------------------------------------------------- */

static void plan_rows(page *p)
{
    const plot_figure *f = p->figure;
    double bottom = p->height - p->font * 0.8;
    p->top = p->font;
    if (f->title) {
        p->title_y = p->font * 1.8;
        p->top = p->font * 2.8;
    }
    if (!isnan(f->cursor)) {
        p->readout_y = bottom;
        bottom -= p->font * 1.6;
    }
    if (f->xlabel) {
        p->xlabel_y = bottom;
        bottom -= p->font * 1.5;
    }
    bottom -= p->font * 1.7; /* tick labels */
    p->high = fmax(bottom - p->top, 1);
}

static void plan_yticks(page *p)
{
    size_t most = (size_t)(p->high / (p->font * 4)) + 1;
    p->ycount = plot_axis_ticks(&p->view.y, most, p->yticks);
    size_t kept = 0;
    for (size_t i = 0; i < p->ycount; i++) {
        /* A tick too close to the floor's label gives way. */
        double away = fabs(p->yticks[i].at - p->yticks[0].at) * p->high;
        if (i > 0 && p->yticks[0].floor && away < p->font * 1.3)
            continue;
        p->yticks[kept++] = p->yticks[i];
    }
    p->ycount = plot_figure_has_points(p->figure) ? kept : 0;
}

static void plan_xticks(page *p)
{
    size_t most = (size_t)(p->wide / (p->font * 5)) + 1;
    for (; most >= 1; most--) {
        p->xcount = plot_axis_ticks(&p->view.x, most, p->xticks);
        bool apart = true;
        for (size_t i = 1; i < p->xcount; i++) {
            double need = (tick_width(p, &p->xticks[i]) + tick_width(p, &p->xticks[i - 1])) / 2;
            double away = fabs(p->xticks[i].at - p->xticks[i - 1].at) * p->wide;
            apart = apart && away >= need + p->font * 0.8;
        }
        if (apart)
            break;
    }
    if (!plot_figure_has_points(p->figure))
        p->xcount = 0;
}

/* Everything but the legend; `aside` is kept free at the right. */
static void plan(page *p, double aside)
{
    plan_rows(p);
    plan_yticks(p);
    double labels = 0;
    for (size_t i = 0; i < p->ycount; i++)
        labels = fmax(labels, tick_width(p, &p->yticks[i]));
    p->left = p->font * 1.3 + labels + (p->figure->ylabel ? p->font * 1.6 : 0);
    p->wide = fmax(p->width - p->left - p->font * 1.4 - aside, 1);
    plan_xticks(p);
}

static tm_status rasterise(page *p, tm_error *err)
{
    size_t rows = (size_t)(p->high / p->font) + 1, cols = (size_t)(p->wide / p->font * 2) + 1;
    plot_canvas_free(&p->coarse);
    tm_status status = plot_canvas_init(&p->coarse, rows, cols, true, err);
    for (size_t s = 0; !status && s < p->figure->count; s++)
        plot_canvas_series(&p->coarse, p->figure, s, &p->view);
    return status;
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void put_text(const page *p, double x, double y, plot_anchor anchor, uint32_t colour,
                     const char *text)
{
    plot_lettering look = {.size = p->font, .anchor = anchor, .colour = colour};
    p->pen->text(p->pen->context, &look, x, y, text);
}

static void put_line(const page *p, const plot_stroke *stroke, double x, double y, double to_x,
                     double to_y)
{
    p->pen->begin(p->pen->context, stroke);
    p->pen->move(p->pen->context, x, y);
    p->pen->line(p->pen->context, to_x, to_y);
    p->pen->end(p->pen->context);
}

static void draw_axes(const page *p)
{
    const plot_stroke grid = {GRID, p->font / 12, false}, frame = {FRAME, p->font / 12, false};
    char text[PLOT_LABEL_MAX + 4];
    for (size_t i = 0; i < p->ycount; i++) {
        double y = y_of(p, p->yticks[i].at);
        put_line(p, &grid, p->left, y, p->left + p->wide, y);
        tick_text(&p->yticks[i], text, sizeof text);
        put_text(p, p->left - p->font * 0.5, y + p->font * 0.35, PLOT_END, SOFT_INK, text);
    }
    for (size_t i = 0; i < p->xcount; i++) {
        double x = x_of(p, p->xticks[i].at), bottom = p->top + p->high;
        put_line(p, &grid, x, p->top, x, bottom);
        put_line(p, &frame, x, bottom, x, bottom + p->font * 0.35);
        tick_text(&p->xticks[i], text, sizeof text);
        put_text(p, x, bottom + p->font * 1.4, PLOT_MIDDLE, SOFT_INK, text);
    }
    put_line(p, &frame, p->left, p->top, p->left, p->top + p->high);
    put_line(p, &frame, p->left, p->top + p->high, p->left + p->wide, p->top + p->high);
}

static void draw_labels(const page *p)
{
    const plot_figure *f = p->figure;
    double middle = p->left + p->wide / 2;
    plot_lettering look = {
        .size = p->font * 1.2, .anchor = PLOT_MIDDLE, .bold = true, .colour = INK};
    if (f->title)
        p->pen->text(p->pen->context, &look, middle, p->title_y, f->title);
    if (f->xlabel)
        put_text(p, middle, p->xlabel_y, PLOT_MIDDLE, INK, f->xlabel);
    look = (plot_lettering){.size = p->font, .anchor = PLOT_MIDDLE, .upwards = true, .colour = INK};
    if (f->ylabel)
        p->pen->text(p->pen->context, &look, p->font * 1.4, p->top + p->high / 2, f->ylabel);
}

/* One series on its way to the pen. */
typedef struct tracer {
    const page *page;
    const plot_colour *colour;
    double radius;
    uint8_t *taken; /* a bit map of the page units that hold a marker or dot already */
    size_t across;
    size_t segments;
    unsigned marked;    /* a bit for each marker along the line that is set */
    double first, step; /* where markers along the line go: first + k * step */
    double x, y;
} tracer;

static void trace_move(void *context, double x, double y)
{
    const tracer *t = context;
    const page *p = t->page;
    if (t->segments <= SEGMENTS_MAX)
        p->pen->move(p->pen->context, x_of(p, x), y_of(p, y));
}

/* Whether nothing was put on this unit of the page before; from now on something is. */
static bool take(tracer *t, double x, double y)
{
    size_t square = (size_t)(y * t->page->high) * t->across + (size_t)(x * t->page->wide);
    uint8_t bit = (uint8_t)(1u << square % 8);
    bool fresh = !(t->taken[square / 8] & bit);
    t->taken[square / 8] |= bit;
    return fresh;
}

static void trace_line(void *context, double x, double y)
{
    tracer *t = context;
    const page *p = t->page;
    if (++t->segments > SEGMENTS_MAX) {
        if (!take(t, x, y))
            return;
        p->pen->move(p->pen->context, x_of(p, x), y_of(p, y));
    }
    p->pen->line(p->pen->context, x_of(p, x), y_of(p, y));
}

static void put_mark(const tracer *t, double x, double y)
{
    const page *p = t->page;
    p->pen->mark(p->pen->context, t->colour, x_of(p, x), y_of(p, y), t->radius);
}

/* A marker on a point, one at most in each square of the page: millions of points stay a file of
 * bounded size that looks the same. */
static void mark_point(void *context, double x, double y)
{
    tracer *t = context;
    if (take(t, x, y))
        put_mark(t, x, y);
}

static void follow_move(void *context, double x, double y)
{
    tracer *t = context;
    t->x = x;
    t->y = y;
}

static void follow_line(void *context, double x, double y)
{
    tracer *t = context;
    for (unsigned k = 0; k < MARKS_ALONG; k++) {
        double at = t->first + k * t->step;
        bool crossed = (t->x <= at && at < x) || (x <= at && at < t->x);
        if (!crossed || (t->marked & 1u << k))
            continue;
        t->marked |= 1u << k;
        put_mark(t, at, t->y + (at - t->x) / (x - t->x) * (y - t->y));
    }
    follow_move(t, x, y);
}

static void mark_along(tracer *t, const plot_series *series, size_t columns)
{
    plot_sink follow = {t, follow_move, follow_line};
    plot_path_lines(series, &t->page->view, columns, &follow);
    if (t->marked)
        return;
    /* Too short to cross a place of its own, or upright: the last point. */
    t->x = NAN;
    plot_path_lines(series, &t->page->view, columns, &follow);
    if (!isnan(t->x))
        put_mark(t, t->x, t->y);
}

static void draw_marks(tracer *t, const plot_series *series, size_t columns)
{
    const plot_view *view = &t->page->view;
    size_t points = plot_path_count(series, view, MARK_EVERY_POINT + 1);
    bool many = points > MARK_EVERY_POINT;
    if (series->mark != PLOT_POINTS && (points == 0 || many)) {
        mark_along(t, series, columns);
        return;
    }
    if (many)
        t->radius = t->page->font * 0.2;
    plot_sink sink = {t, mark_point, NULL};
    plot_path_points(series, view, &sink);
}

static tm_status draw_series(const page *p, size_t s, tm_error *err)
{
    const plot_series *series = &p->figure->series[s];
    size_t columns = (size_t)p->wide * 2 + 1;
    tracer t = {.page = p,
                .colour = plot_palette(series->colour),
                .radius = p->font * 0.3,
                .across = (size_t)p->wide + 1,
                .step = 1.0 / MARKS_ALONG};
    t.first = t.step * ((double)s + 0.5) / (double)p->figure->count;
    t.taken = mem_zeros(t.across * ((size_t)p->high + 1) / 8 + 1, 1);
    if (!t.taken)
        return tm_fail_memory(err, "a figure's markers");
    if (series->mark != PLOT_POINTS) {
        plot_sink sink = {&t, trace_move, trace_line};
        plot_stroke stroke = {plot_rgb(t.colour), p->font * 0.14, series->mark == PLOT_LEVEL};
        p->pen->begin(p->pen->context, &stroke);
        plot_path_lines(series, &p->view, columns, &sink);
        p->pen->end(p->pen->context);
    }
    if (series->spread) {
        plot_sink sink = {&t, trace_move, trace_line};
        plot_stroke stroke = {plot_rgb(t.colour), p->font * 0.07, false};
        p->pen->begin(p->pen->context, &stroke);
        plot_path_spread(series, &p->view, &sink);
        p->pen->end(p->pen->context);
    }
    draw_marks(&t, series, columns);
    free(t.taken);
    return TM_OK;
}

static void draw_cursor(const page *p)
{
    const plot_figure *f = p->figure;
    if (isnan(f->cursor))
        return;
    double at = plot_axis_place(&p->view.x, f->cursor), x = p->font;
    const plot_stroke stroke = {SOFT_INK, p->font / 12, true};
    if (at >= 0 && at <= 1)
        put_line(p, &stroke, x_of(p, at), p->top, x_of(p, at), p->top + p->high);
    char number[PLOT_LABEL_MAX], text[PLOT_LABEL_MAX + 4];
    plot_number_digits(f->cursor, 4, number, sizeof number);
    snprintf(text, sizeof text, "x=%s", number);
    put_text(p, x, p->readout_y, PLOT_START, INK, text);
    x += text_width(p, text) + p->font;
    for (size_t s = 0; s < f->count; s++) {
        double value;
        if (f->series[s].colour == PLOT_FAINT ||
            !plot_series_at(&f->series[s], f->cursor, f->xlog, &value))
            continue;
        plot_number_digits(value, 4, number, sizeof number);
        double name = text_width(p, f->series[s].name) + (f->series[s].name[0] ? p->font * 0.5 : 0);
        if (x + p->font * 2 + name + text_width(p, number) > p->width) {
            put_text(p, x, p->readout_y, PLOT_START, INK, "\u2026");
            return;
        }
        p->pen->mark(p->pen->context, plot_palette(f->series[s].colour), x + p->font * 0.4,
                     p->readout_y - p->font * 0.35, p->font * 0.35);
        x += p->font * 1.1;
        put_text(p, x, p->readout_y, PLOT_START, INK, f->series[s].name);
        x += name;
        put_text(p, x, p->readout_y, PLOT_START, INK, number);
        x += text_width(p, number) + p->font;
    }
}

static void draw_empty_note(const page *p)
{
    const char *note = "no data yet";
    if (plot_figure_has_points(p->figure)) {
        if (plot_canvas_occupied(&p->coarse, 0, 0, p->coarse.rows, p->coarse.cols))
            return;
        note = "nothing in this range";
    }
    put_text(p, p->left + p->wide / 2, p->top + p->high / 2, PLOT_MIDDLE, SOFT_INK, note);
}

/* ---- legend -------------------------------------------------------------------------------- */

static double legend_width(const page *p)
{
    double longest = 0;
    for (size_t s = 0; s < p->figure->count; s++)
        longest = fmax(longest, text_width(p, p->figure->series[s].name));
    return longest + p->font * 3.6;
}

static double legend_height(const page *p)
{
    return p->font * (1.5 * (double)plot_figure_named(p->figure) + 0.6);
}

static void draw_legend(const page *p, double x, double y)
{
    const plot_pen *pen = p->pen;
    double middle = y - p->font * 0.45;
    pen->box(pen->context, x, y, legend_width(p), legend_height(p), PAPER, GRID);
    for (size_t s = 0; s < p->figure->count; s++) {
        const plot_series *series = &p->figure->series[s];
        const plot_colour *colour = plot_palette(series->colour);
        if (!series->name[0])
            continue;
        middle += p->font * 1.5;
        plot_stroke stroke = {plot_rgb(colour), p->font * 0.14, series->mark == PLOT_LEVEL};
        if (series->mark != PLOT_POINTS)
            put_line(p, &stroke, x + p->font * 0.5, middle, x + p->font * 2.5, middle);
        pen->mark(pen->context, colour, x + p->font * 1.5, middle, p->font * 0.32);
        put_text(p, x + p->font * 3, middle + p->font * 0.35, PLOT_START, INK, series->name);
    }
}

/* Where the legend goes: the corner free of data, else beside the plot, else nowhere. */
static tm_status place_legend(page *p, bool *shown, double *x, double *y, tm_error *err)
{
    double width = legend_width(p), height = legend_height(p), gap = p->font * 0.5;
    *shown = plot_figure_wants_legend(p->figure) && height + 2 * gap < p->high;
    if (!*shown)
        return TM_OK;
    size_t rows = (size_t)ceil((height + gap) / p->high * (double)p->coarse.rows);
    size_t cols = (size_t)ceil((width + gap) / p->wide * (double)p->coarse.cols);
    size_t row = 0, col = 0;
    if (rows < p->coarse.rows && cols < p->coarse.cols &&
        plot_canvas_corner(&p->coarse, rows, cols, &row, &col) == 0) {
        *x = col ? p->left + p->wide - width - gap : p->left + gap;
        *y = row ? p->top + p->high - height - gap : p->top + gap;
        return TM_OK;
    }
    *shown = width * 2.5 < p->wide;
    if (!*shown)
        return TM_OK;
    plan(p, width);
    *x = p->left + p->wide + p->font * 0.8;
    *y = p->top;
    return rasterise(p, err);
}

tm_status plot_page_draw(const plot_figure *figure, double width, double height,
                         const plot_pen *pen, tm_error *err)
{
    page p = {.figure = figure, .pen = pen, .width = width, .height = height};
    p.view = plot_view_fit(figure);
    p.font = 12 * fmin(1, fmin(width / 320, height / 200));
    plan(&p, 0);
    bool legend = false;
    double x = 0, y = 0;
    tm_status status = rasterise(&p, err);
    if (!status)
        status = place_legend(&p, &legend, &x, &y, err);
    if (!status) {
        pen->box(pen->context, 0, 0, width, height, PAPER, PAPER);
        draw_axes(&p);
        draw_labels(&p);
    }
    for (size_t s = 0; !status && s < figure->count; s++)
        status = draw_series(&p, s, err);
    if (!status) {
        draw_cursor(&p);
        draw_empty_note(&p);
        if (legend)
            draw_legend(&p, x, y);
    }
    plot_canvas_free(&p.coarse);
    return status;
}
