#include "plot/path.h"

#include <math.h>

typedef struct place {
    double x, y;
} place;

/* A clipping pen: the last vertex, and its state in the sink. */
typedef struct clipper {
    const plot_sink *sink;
    bool down;     /* `at` is a vertex of the current line */
    bool extended; /* a line has been drawn to or from `at` */
    bool joined;   /* the sink's own position is `at` */
    place at;
} clipper;

/* The points of one column that have not been drawn yet. */
typedef struct reducer {
    clipper pen;
    double columns;
    bool held;
    double column;
    place first, least, greatest, last;
    bool least_first;
} reducer;

static bool inside(place p)
{
    return p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1;
}

/* Narrows [*from, *to] to the t with start + t * delta in [0, 1] (Liang and Barsky). */
static bool narrow(double start, double delta, double *from, double *to)
{
    if (delta == 0)
        return start >= 0 && start <= 1;
    double enter = -start / delta, leave = (1 - start) / delta;
    if (enter > leave) {
        double swap = enter;
        enter = leave;
        leave = swap;
    }
    *from = fmax(*from, enter);
    *to = fmin(*to, leave);
    return *from <= *to;
}

static double unit(double value)
{
    return fmin(fmax(value, 0), 1);
}

static void segment(clipper *pen, place a, place b)
{
    double from = 0, to = 1;
    if (!narrow(a.x, b.x - a.x, &from, &to) || !narrow(a.y, b.y - a.y, &from, &to)) {
        pen->joined = false;
        return;
    }
    if (!pen->joined || from > 0)
        pen->sink->move(pen->sink->context, unit(a.x + from * (b.x - a.x)),
                        unit(a.y + from * (b.y - a.y)));
    double x = to < 1 ? a.x + to * (b.x - a.x) : b.x;
    double y = to < 1 ? a.y + to * (b.y - a.y) : b.y;
    pen->sink->line(pen->sink->context, unit(x), unit(y));
    pen->joined = to >= 1;
}

static void pen_vertex(clipper *pen, place p)
{
    if (pen->down && (p.x != pen->at.x || p.y != pen->at.y)) {
        segment(pen, pen->at, p);
        pen->extended = true;
    }
    pen->down = true;
    pen->at = p;
}

static void pen_up(clipper *pen)
{
    if (pen->down && !pen->extended && inside(pen->at)) {
        pen->sink->move(pen->sink->context, pen->at.x, pen->at.y);
        pen->sink->line(pen->sink->context, pen->at.x, pen->at.y);
    }
    pen->down = pen->extended = pen->joined = false;
}

static void flush(reducer *run)
{
    if (!run->held)
        return;
    pen_vertex(&run->pen, run->first);
    pen_vertex(&run->pen, run->least_first ? run->least : run->greatest);
    pen_vertex(&run->pen, run->least_first ? run->greatest : run->least);
    pen_vertex(&run->pen, run->last);
    run->held = false;
}

/* Clamps a coordinate far outside, of which only the side matters, so that differences stay
 * finite. */
static double near(double value)
{
    return fmin(fmax(value, -1e12), 1e12);
}

static void feed(reducer *run, double x, double y)
{
    place p = {near(x), near(y)};
    double column = floor(unit(p.x) * run->columns);
    if (p.x < 0)
        column = -1;
    else if (p.x > 1)
        column = run->columns + 1;
    if (run->held && column == run->column) {
        if (p.y < run->least.y) {
            run->least = p;
            run->least_first = false;
        }
        if (p.y > run->greatest.y) {
            run->greatest = p;
            run->least_first = true;
        }
        run->last = p;
        return;
    }
    flush(run);
    run->held = true;
    run->column = column;
    run->first = run->least = run->greatest = run->last = p;
    run->least_first = true;
}

void plot_path_lines(const plot_series *series, const plot_view *view, size_t columns,
                     const plot_sink *sink)
{
    reducer run = {.pen.sink = sink, .columns = (double)columns};
    if (series->mark == PLOT_LEVEL && series->count) {
        double y = plot_axis_place(&view->y, series->y[0]);
        if (!isnan(y)) {
            feed(&run, 0, y);
            feed(&run, 1, y);
        }
    }
    size_t count = series->mark == PLOT_LEVEL ? 0 : series->count;
    double held = NAN;
    for (size_t i = 0; i < count && !plot_stops(view->cancel, i); i++) {
        double x = plot_axis_place(&view->x, series->x[i]);
        double y = plot_axis_place(&view->y, series->y[i]);
        if (isnan(x) || isnan(y)) {
            flush(&run);
            pen_up(&run.pen);
            held = NAN;
            continue;
        }
        if (series->mark == PLOT_STEP && !isnan(held))
            feed(&run, x, held);
        feed(&run, x, y);
        held = y;
    }
    flush(&run);
    pen_up(&run.pen);
}

static bool point_place(const plot_series *series, const plot_view *view, size_t i, place *at)
{
    at->x = plot_axis_place(&view->x, series->x[i]);
    at->y = plot_axis_place(&view->y, series->y[i]);
    return inside(*at);
}

void plot_path_points(const plot_series *series, const plot_view *view, const plot_sink *sink)
{
    place at;
    for (size_t i = 0;
         series->mark != PLOT_LEVEL && i < series->count && !plot_stops(view->cancel, i); i++)
        if (point_place(series, view, i, &at))
            sink->move(sink->context, at.x, at.y);
}

void plot_path_spread(const plot_series *series, const plot_view *view, const plot_sink *sink)
{
    for (size_t i = 0; series->spread && i < series->count && !plot_stops(view->cancel, i); i++) {
        double x = plot_axis_place(&view->x, series->x[i]);
        double low = plot_axis_place(&view->y, series->y[i] - series->spread[i]);
        double high = plot_axis_place(&view->y, series->y[i] + series->spread[i]);
        if (!(x >= 0 && x <= 1) || !(low <= 1) || !(high >= 0))
            continue;
        sink->move(sink->context, x, unit(low));
        sink->line(sink->context, x, unit(high));
    }
}

void plot_path_bars(const plot_series *series, const plot_view *view, const plot_sink *sink)
{
    double zero = plot_axis_place(&view->y, 0);
    for (size_t i = 0; i < series->count && !plot_stops(view->cancel, i); i++) {
        double x = plot_axis_place(&view->x, series->x[i]);
        double y = plot_axis_place(&view->y, series->y[i]);
        bool outside = fmin(zero, y) > 1 || fmax(zero, y) < 0;
        if (series->y[i] == 0 || isnan(y) || !(x >= 0 && x <= 1) || outside)
            continue;
        sink->move(sink->context, x, unit(zero));
        sink->line(sink->context, x, unit(y));
    }
}

size_t plot_path_count(const plot_series *series, const plot_view *view, size_t enough)
{
    size_t count = 0;
    place at;
    for (size_t i = 0; series->mark != PLOT_LEVEL && i < series->count && count < enough &&
                       !plot_stops(view->cancel, i);
         i++)
        count += point_place(series, view, i, &at);
    return count;
}
