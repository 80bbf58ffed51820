/* The figure on a page: the layout that SVG, PNG and PDF share. */
#include "plot/file/page.h"
#include "plot/utf8.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A series sorted by x needs a few lines for each column; one that doubles back and has more than
 * SEGMENTS_MAX segments has filled the page and continues as dots. */
enum { MARKS_ALONG = 6, MARK_EVERY_POINT = 20, SEGMENTS_MAX = 100000 };

/* Markers of faint series, as a share of the others' size: their shape is a dot. */
static const double FAINT_SIZE = 0.55;

tm_status plot_page_check(double width, double height, tm_error *err)
{
    if (width >= 1 && width <= 20000 && height >= 1 && height <= 20000)
        return TM_OK;
    return tm_fail(err, TM_EUSAGE, "a figure's width and height must lie between 1 and 20000");
}

/* Widths of letters relative to the font size. The page has no font metrics, and SVG must not
 * depend on a font, so these are those of a common sans-serif font. */
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

double page_text_width(const page *p, const char *text)
{
    double width = 0;
    for (uint32_t code; (code = utf8_next(&text));)
        width += letter_width(code);
    return width * p->font;
}

void page_fit(const page *p, const char *text, double room, char *out, size_t size)
{
    double width = 0, ellipsis = letter_width(0x2026) * p->font;
    const char *at = text, *kept = text;
    bool whole = page_text_width(p, text) <= room && strlen(text) < size;
    for (uint32_t code; !whole && (code = utf8_next(&at));) {
        width += letter_width(code) * p->font;
        if (width + ellipsis > room || (size_t)(at - text) + 4 > size)
            break;
        kept = at;
    }
    snprintf(out, size, "%.*s%s", whole ? (int)strlen(text) : (int)(kept - text), text,
             whole ? "" : "\u2026");
}

static void tick_text(const plot_tick *tick, char *text, size_t size)
{
    snprintf(text, size, "%s%s", tick->floor ? "\u2264" : "", tick->label);
}

static double tick_width(const page *p, const plot_tick *tick)
{
    char text[PLOT_LABEL_MAX + 4];
    tick_text(tick, text, sizeof text);
    return page_text_width(p, text);
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

static const char *title_of(const plot_figure *f)
{
    return f->title ? f->title : f->file_title;
}

static const char *ylabel_of(const plot_figure *f)
{
    return f->ylabel ? f->ylabel : f->file_ylabel;
}

static void plan_rows(page *p, double above)
{
    const plot_figure *f = p->figure;
    double bottom = p->height - p->font * 0.8;
    p->top = p->font;
    if (title_of(f)) {
        p->title_y = p->font * 1.8;
        p->top = p->font * 2.8;
    }
    p->top += above;
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
        /* Removes a tick too close to the floor's label. */
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

/* Plans everything except the legend, for which room is kept at the right or above. */
static void plan(page *p, double aside, double above)
{
    plan_rows(p, above);
    plan_yticks(p);
    double labels = 0;
    for (size_t i = 0; i < p->ycount; i++)
        labels = fmax(labels, tick_width(p, &p->yticks[i]));
    p->left = p->font * 1.3 + labels + (ylabel_of(p->figure) ? p->font * 1.6 : 0);
    p->wide = fmax(p->width - p->left - p->font * 1.4 - aside, 1);
    if (p->figure->equal) { /* the room for labels stays the same */
        p->view = plot_view_fit(p->figure);
        plot_view_equal(&p->view, p->wide, p->high);
        plan_yticks(p);
    }
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

void page_text(const page *p, double x, double y, plot_anchor anchor, uint32_t colour,
               const char *text)
{
    plot_lettering look = {.size = p->font, .anchor = anchor, .colour = colour};
    p->pen->text(p->pen->context, &look, x, y, text);
}

void page_line(const page *p, const plot_stroke *stroke, double x, double y, double to_x,
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
        page_line(p, &grid, p->left, y, p->left + p->wide, y);
        tick_text(&p->yticks[i], text, sizeof text);
        page_text(p, p->left - p->font * 0.5, y + p->font * 0.35, PLOT_END, SOFT_INK, text);
    }
    for (size_t i = 0; i < p->xcount; i++) {
        double x = x_of(p, p->xticks[i].at), bottom = p->top + p->high;
        page_line(p, &grid, x, p->top, x, bottom);
        page_line(p, &frame, x, bottom, x, bottom + p->font * 0.35);
        tick_text(&p->xticks[i], text, sizeof text);
        page_text(p, x, bottom + p->font * 1.4, PLOT_MIDDLE, SOFT_INK, text);
    }
    page_line(p, &frame, p->left, p->top, p->left, p->top + p->high);
    page_line(p, &frame, p->left, p->top + p->high, p->left + p->wide, p->top + p->high);
}

static void draw_labels(const page *p)
{
    const plot_figure *f = p->figure;
    double middle = p->left + p->wide / 2;
    plot_lettering look = {
        .size = p->font * 1.2, .anchor = PLOT_MIDDLE, .bold = true, .colour = INK};
    if (title_of(f))
        p->pen->text(p->pen->context, &look, middle, p->title_y, title_of(f));
    if (f->xlabel)
        page_text(p, middle, p->xlabel_y, PLOT_MIDDLE, INK, f->xlabel);
    look = (plot_lettering){.size = p->font, .anchor = PLOT_MIDDLE, .upwards = true, .colour = INK};
    if (ylabel_of(f))
        p->pen->text(p->pen->context, &look, p->font * 1.4, p->top + p->high / 2, ylabel_of(f));
}

void page_mark(const page *p, const plot_colour *colour, double x, double y, double radius)
{
    radius *= colour == plot_palette(PLOT_FAINT) ? FAINT_SIZE : 1;
    if (colour->mark >= 0x80) {
        p->pen->mark(p->pen->context, colour, x, y, radius);
        return;
    }
    char letter[2] = {(char)colour->mark, '\0'};
    plot_lettering look = {
        .size = radius * 3, .anchor = PLOT_MIDDLE, .bold = true, .colour = plot_rgb(colour)};
    p->pen->text(p->pen->context, &look, x, y + radius, letter);
}

/* The state of drawing one series with the pen. */
typedef struct tracer {
    const page *page;
    const plot_colour *colour;
    double radius;
    uint8_t *taken; /* a bit map of the page units that already have a marker or dot */
    size_t across;
    size_t segments;
    unsigned marked;    /* a bit for each marker along the line that has been drawn */
    double first, step; /* positions of markers along the line: first + k * step */
    double x, y;
} tracer;

static void trace_move(void *context, double x, double y)
{
    const tracer *t = context;
    const page *p = t->page;
    if (t->segments <= SEGMENTS_MAX)
        p->pen->move(p->pen->context, x_of(p, x), y_of(p, y));
}

/* Marks a unit of the page as used; true if it was free. */
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
    page_mark(t->page, t->colour, x_of(t->page, x), y_of(t->page, y), t->radius);
}

/* A marker on a point, at most one in each unit square of the page: millions of points give a file
 * of bounded size that looks the same. */
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
    /* A line that is vertical, or too short to reach a marker position, gets a marker at its last
     * point. */
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

/* A box around the line to (x, y). */
static void bar_line(void *context, double x, double y)
{
    const tracer *t = context;
    const page *p = t->page;
    double low = y_of(p, fmin(t->y, y)), high = y_of(p, fmax(t->y, y));
    p->pen->box(p->pen->context, x_of(p, x) - t->radius, high, 2 * t->radius, low - high,
                plot_rgb(t->colour), plot_rgb(t->colour));
}

/* Bars have a minimum width even if there are many. */
static void draw_bars(tracer *t, const plot_series *series)
{
    static const double width = 0.8;
    const page *p = t->page;
    const plot_axis *x = &p->view.x;
    double unit = x->logarithmic ? 0 : p->wide / fabs(x->high - x->low);
    t->radius = fmin(fmax(width * unit, p->font * 0.06), p->font * 3) / 2;
    plot_sink sink = {t, follow_move, bar_line};
    plot_path_bars(series, &p->view, &sink);
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
    if (series->mark == PLOT_BARS) {
        draw_bars(&t, series);
        free(t.taken);
        return TM_OK;
    }
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
    if (plot_series_marked(p->figure, series))
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
        page_line(p, &stroke, x_of(p, at), p->top, x_of(p, at), p->top + p->high);
    if (f->instead.readout) {
        page_text(p, x, p->readout_y, PLOT_START, INK, f->instead.readout);
        return;
    }
    char number[PLOT_LABEL_MAX], text[PLOT_LABEL_MAX + 4];
    plot_number_digits(f->cursor, 4, number, sizeof number);
    snprintf(text, sizeof text, "x=%s", number);
    page_text(p, x, p->readout_y, PLOT_START, INK, text);
    x += page_text_width(p, text) + p->font;
    for (size_t s = 0; s < f->count; s++) {
        double value;
        if (f->series[s].colour == PLOT_FAINT ||
            !plot_series_at(&f->series[s], f->cursor, f->xlog, &value))
            continue;
        plot_number_digits(value, 4, number, sizeof number);
        double name =
            page_text_width(p, f->series[s].name) + (f->series[s].name[0] ? p->font * 0.5 : 0);
        if (x + p->font * 2 + name + page_text_width(p, number) > p->width) {
            page_text(p, x, p->readout_y, PLOT_START, INK, "\u2026");
            return;
        }
        page_mark(p, plot_palette(f->series[s].colour), x + p->font * 0.4,
                  p->readout_y - p->font * 0.35, p->font * 0.35);
        x += p->font * 1.1;
        page_text(p, x, p->readout_y, PLOT_START, INK, f->series[s].name);
        x += name;
        page_text(p, x, p->readout_y, PLOT_START, INK, number);
        x += page_text_width(p, number) + p->font;
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
    page_text(p, p->left + p->wide / 2, p->top + p->high / 2, PLOT_MIDDLE, SOFT_INK, note);
}

tm_status plot_page_draw(const plot_figure *figure, double width, double height,
                         const plot_pen *pen, tm_error *err)
{
    page p = {.figure = figure, .pen = pen, .width = width, .height = height};
    p.view = plot_view_fit(figure);
    p.font = 12 * fmin(1, fmin(width / 320, height / 200));
    if (figure->instead.picture) {
        page_picture(&p);
        return plot_figure_check(figure, err);
    }
    plan(&p, 0, 0);
    tm_status status = rasterise(&p, err);
    page_legend legend = {.place = PAGE_LEGEND_NONE};
    if (!status)
        legend = page_legend_choose(&p);
    if (!status && (legend.aside > 0 || legend.above > 0)) {
        plan(&p, legend.aside, legend.above);
        status = rasterise(&p, err);
    }
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
        page_legend_draw(&p, &legend);
    }
    plot_canvas_free(&p.coarse);
    return status;
}
