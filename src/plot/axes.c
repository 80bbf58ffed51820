#include "plot/axes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The range of the data on one axis. */
typedef struct span {
    double low, high; /* finite (and positive on a logarithmic axis) values; low > high: none */
    bool floored;
    bool fraction;    /* some value is not a whole number */
    bool infinite[2]; /* some value is minus infinity; some value is plus infinity */
} span;

static void span_add(span *range, double value, bool logarithmic)
{
    if (logarithmic && !(value > 0)) {
        range->floored = true;
        return;
    }
    if (isinf(value))
        range->infinite[value > 0] = true;
    if (!isfinite(value))
        return;
    range->fraction = range->fraction || value != floor(value);
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static bool inside(double x, const double limits[2])
{
    double low = limits[0], high = limits[1];
    if (low > high) {
        low = limits[1];
        high = limits[0];
    }
    return !(x < low) && !(x > high);
}

static span span_of_x(const plot_figure *figure)
{
    span range = {.low = INFINITY, .high = -INFINITY};
    for (size_t s = 0; s < figure->count; s++) {
        const plot_series *series = &figure->series[s];
        if (series->mark == PLOT_LEVEL)
            continue;
        for (size_t i = 0; i < series->count && !plot_stops(figure->cancel, i); i++)
            span_add(&range, series->x[i], figure->xlog);
    }
    return range;
}

/* Includes a point's value and the ends of its error bar. */
static void span_add_spread(span *range, const plot_series *series, size_t i, bool logarithmic)
{
    span_add(range, series->y[i], logarithmic);
    if (series->mark == PLOT_BARS && !logarithmic)
        span_add(range, 0, false);
    if (series->spread && !isnan(series->spread[i])) {
        span_add(range, series->y[i] - series->spread[i], logarithmic);
        span_add(range, series->y[i] + series->spread[i], logarithmic);
    }
}

/* Uses only points within the limits of x, so that zooming in x fits y to the visible data. */
static span span_of_y(const plot_figure *figure, const double xlim[2])
{
    span range = {.low = INFINITY, .high = -INFINITY};
    for (size_t s = 0; s < figure->count; s++) {
        const plot_series *series = &figure->series[s];
        for (size_t i = 0; i < series->count && !plot_stops(figure->cancel, i); i++)
            if (series->mark == PLOT_LEVEL || inside(series->x[i], xlim))
                span_add_spread(&range, series, i, figure->ylog);
    }
    return range;
}

static double bounded(double value)
{
    return fmin(fmax(value, -DBL_MAX), DBL_MAX);
}

static plot_axis fit_linear(const span *range, double margin, bool from_zero)
{
    plot_axis axis = {.low = 0, .high = 1};
    if (range->low > range->high)
        return axis;
    axis.low = range->low;
    axis.high = range->high;
    if (axis.low == 0 && axis.high == 0) { /* times and sizes begin at zero */
        axis.high = 1;
        return axis;
    }
    if (axis.low == axis.high) {
        double pad = fmax(fabs(axis.low) * 0.1, 1e-300);
        axis.low = bounded(axis.low - pad);
        axis.high = bounded(axis.high + pad);
        return axis;
    }
    double pad = margin * axis.high - margin * axis.low;
    /* Sizes and rates are best shown from zero, unless that would flatten the curve. */
    bool zero = from_zero && axis.low >= 0 && axis.low <= 0.5 * axis.high;
    axis.low = zero ? 0 : bounded(axis.low - pad);
    axis.high = bounded(axis.high + pad);
    return axis;
}

static plot_axis fit_logarithmic(const span *range, double margin, double floor_given)
{
    plot_axis axis = {.logarithmic = true, .floored = range->floored};
    if (range->low > range->high) {
        axis.low = floor_given > 0 ? log10(floor_given) : -1;
        axis.high = axis.low + 1;
        axis.clamps = true;
        return axis;
    }
    axis.low = log10(range->low);
    axis.high = log10(range->high);
    if (floor_given > 0 && range->low < floor_given) {
        axis.low = log10(floor_given);
        axis.clamps = axis.floored = true;
    } else if (range->floored) {
        /* The floor is a decade below the least value, at the nearest power of ten. */
        axis.low = floor_given > 0 ? log10(floor_given) : floor(axis.low - 0.5);
        axis.clamps = true;
    }
    double pad = axis.high > axis.low ? margin * (axis.high - axis.low) : 0.5;
    axis.high = fmax(axis.high, axis.low) + pad;
    if (!axis.clamps)
        axis.low -= pad;
    return axis;
}

/* An end at which infinite values are drawn is placed beyond all finite ones. */
static void take_infinite(plot_axis *axis, const span *range)
{
    double beyond = 0.1 * axis->high - 0.1 * axis->low;
    memcpy(axis->infinite, range->infinite, sizeof axis->infinite);
    if (axis->infinite[0])
        axis->low = bounded(axis->low - beyond);
    if (axis->infinite[1])
        axis->high = bounded(axis->high + beyond);
}

/* Replaces the fitted limits by the requested ones. */
static void limit(plot_axis *axis, const double limits[2])
{
    double asked[2] = {limits[0], limits[1]};
    for (int end = 0; end < 2; end++) {
        if (axis->logarithmic)
            asked[end] = asked[end] > 0 ? log10(asked[end]) : (double)NAN;
        if (!isfinite(asked[end]))
            continue;
        if (end == 0) {
            axis->low = asked[end];
            axis->clamps = false;
        } else {
            axis->high = asked[end];
        }
    }
    bool both = isfinite(asked[0]) && isfinite(asked[1]);
    if (axis->low < axis->high || (both && axis->low > axis->high))
        return;
    double wide = axis->logarithmic ? 1 : fmax(fabs(axis->low) * 0.1, 1e-300);
    if (isfinite(asked[1]))
        axis->low = bounded(axis->high - wide);
    if (isfinite(asked[0]) || axis->low == axis->high)
        axis->high = bounded(axis->low + wide);
}

/* Whether all data are whole numbers; then ticks between them make no sense. */
static bool all_whole(const span *range)
{
    return !range->fraction && range->low <= range->high && fabs(range->high) < 1e15;
}

plot_view plot_view_fit(const plot_figure *figure)
{
    bool lines = false;
    for (size_t s = 0; s < figure->count; s++)
        lines |= figure->series[s].mark == PLOT_LINE || figure->series[s].mark == PLOT_STEP;
    const double everywhere[2] = {NAN, NAN};
    double margin = lines ? 0 : 0.03;
    span x = span_of_x(figure);
    span y = span_of_y(figure, figure->limits[0]);
    if (y.low > y.high && !y.floored)
        y = span_of_y(figure, everywhere);
    plot_view view = {.cancel = figure->cancel};
    view.x = figure->xlog ? fit_logarithmic(&x, margin, 0) : fit_linear(&x, margin, false);
    view.y = figure->ylog ? fit_logarithmic(&y, 0.03, figure->floor) : fit_linear(&y, 0.04, true);
    take_infinite(&view.x, &x);
    take_infinite(&view.y, &y);
    view.x.whole = figure->whole[0] || all_whole(&x);
    view.y.whole = figure->whole[1] || all_whole(&y);
    limit(&view.x, figure->limits[0]);
    limit(&view.y, figure->limits[1]);
    limit(&view.x, figure->zoom[0]);
    limit(&view.y, figure->zoom[1]);
    return view;
}

static void show_length(plot_axis *axis, double length)
{
    double middle = (axis->low + axis->high) / 2;
    double half = axis->low < axis->high ? length / 2 : -length / 2;
    axis->low = middle - half;
    axis->high = middle + half;
}

void plot_view_equal(plot_view *view, double wide, double high)
{
    if (view->x.logarithmic || view->y.logarithmic || !(wide > 0) || !(high > 0))
        return;
    double unit =
        fmax(fabs(view->x.high - view->x.low) / wide, fabs(view->y.high - view->y.low) / high);
    show_length(&view->x, unit * wide);
    show_length(&view->y, unit * high);
}

double plot_frame_value(const double ends[2], bool logarithmic, double share)
{
    if (!logarithmic)
        return ends[0] + share * (ends[1] - ends[0]);
    return pow(10, log10(ends[0]) + share * (log10(ends[1]) - log10(ends[0])));
}

double plot_frame_share(const double ends[2], bool logarithmic, double value)
{
    if (!logarithmic)
        return (value - ends[0]) / (ends[1] - ends[0]);
    return (log10(value) - log10(ends[0])) / (log10(ends[1]) - log10(ends[0]));
}

/* (value - low) / (high - low) without overflow, even for the extreme doubles. */
static double fraction(double value, double low, double high)
{
    double largest = fmax(fabs(value), fmax(fabs(low), fabs(high)));
    double scale = largest > DBL_MAX / 8 ? 0.125 : largest < 1e-300 ? 0x1p60 : 1;
    return (value * scale - low * scale) / (high * scale - low * scale);
}

double plot_axis_place(const plot_axis *axis, double value)
{
    double bottom = axis->low <= axis->high ? 0 : 1;
    if (axis->logarithmic) {
        if (!(value > 0))
            return bottom;
        if (isinf(value))
            return 1 - bottom;
        double place = (log10(value) - axis->low) / (axis->high - axis->low);
        return axis->clamps && place < 0 ? bottom : place;
    }
    if (isnan(value))
        return NAN;
    if (isinf(value))
        return value > 0 ? 1 - bottom : bottom;
    return fraction(value, axis->low, axis->high);
}

/* ---- ticks --------------------------------------------------------------------------------- */

/* 1, 2, 2.5 or 5 times a power of ten, at least `step`; the exponent goes to *power, the factor is
 * returned. */
static double round_step(double step, int *power)
{
    static const double factors[] = {1, 2, 2.5, 5};
    *power = (int)floor(log10(step));
    double leading = step / pow(10, *power);
    for (size_t f = 0; f < sizeof factors / sizeof factors[0]; f++)
        if (leading <= factors[f] * (1 + 1e-9))
            return factors[f];
    ++*power;
    return 1;
}

static double times_power(double value, int power)
{
    /* Dividing by an exact power of ten gives 0.3, where multiplying by 0.1 does not. */
    if (power < -300) /* pow(10, 309) is infinite, though 1e-309 is not zero */
        return value / 1e300 / pow(10, -power - 300);
    return power < 0 ? value / pow(10, -power) : value * pow(10, power);
}

static size_t linear_ticks(double low, double high, size_t most, double *ticks)
{
    double step = high / (double)most - low / (double)most;
    if (!(step >= DBL_MIN * 1e10)) /* too narrow for round values, subnormal */
        return 0;
    for (int tries = 0; tries < 8; tries++) {
        int power;
        double factor = round_step(step, &power);
        double width = times_power(factor, power);
        if (!isfinite(width))
            return 0;
        double first = ceil(low / width - 1e-9), last = floor(high / width + 1e-9);
        if (fabs(first) > 1e15 || fabs(last) > 1e15)
            return 0;
        if (last - first + 1 > (double)most) {
            step = width * 1.1;
            continue;
        }
        size_t count = 0;
        for (double k = first; k <= last; k++) {
            double tick = times_power(k * factor, power);
            if (tick >= low && tick <= high)
                ticks[count++] = tick + 0.0; /* never a negative zero */
        }
        return count;
    }
    return 0;
}

static size_t powers_of_ten(double low, double high, int stride, size_t most, double *ticks)
{
    int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
    size_t count = 0;
    for (int power = first; power <= last; power++) {
        double tick = times_power(1, power);
        if (power % stride != 0 || tick < low || tick > high || tick == 0)
            continue;
        if (count == most)
            return most + 1;
        ticks[count++] = tick;
    }
    return count;
}

/* Powers of ten and their multiples by the other factors, up to `most`; most + 1 for too many. */
static size_t powers_and_multiples(double low, double high, const int *factors, size_t factor_count,
                                   size_t most, double *ticks)
{
    int first = (int)floor(log10(low)), last = (int)ceil(log10(high));
    size_t count = 0;
    for (int power = first; power <= last; power++)
        for (size_t f = 0; f < factor_count; f++) {
            double tick = times_power(factors[f], power);
            if (tick < low || tick > high || tick == 0)
                continue;
            if (count == most)
                return most + 1;
            ticks[count++] = tick;
        }
    return count;
}

static size_t log_ticks(double low, double high, size_t most, double *ticks)
{
    static const int one_two_five[] = {1, 2, 5}, one_five[] = {1, 5};
    static const int strides[] = {1,  2,  3,  4,  5,  6,   8,   10,  15, 20,
                                  25, 30, 40, 50, 75, 100, 150, 200, 300};
    if (log10(high) - log10(low) < 4) {
        size_t count = powers_and_multiples(low, high, one_two_five, 3, most, ticks);
        if (count >= 2 && count <= most)
            return count;
        count = powers_and_multiples(low, high, one_five, 2, most, ticks);
        if (count >= 2 && count <= most)
            return count;
    }
    if (high / low < 10) { /* within one decade, even steps are more useful than a single power of
                            * ten */
        size_t count = linear_ticks(low, high, most, ticks);
        if (count > 0)
            return count;
    }
    for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
        size_t count = powers_of_ten(low, high, strides[s], most, ticks);
        if (count > 0 && count <= most)
            return count;
    }
    return 0;
}

size_t plot_ticks(double low, double high, bool logarithmic, size_t most, double *ticks)
{
    if (low > high) {
        double swap = low;
        low = high;
        high = swap;
    }
    if (most == 0 || !isfinite(low) || !isfinite(high) || !(low < high))
        return 0;
    if (!logarithmic)
        return linear_ticks(low, high, most, ticks);
    return low > 0 ? log_ticks(low, high, most, ticks) : 0;
}

static double axis_value(const plot_axis *axis, double end)
{
    /* Clamped, because the margin may lie beyond the least or the greatest double. */
    return axis->logarithmic ? fmin(fmax(pow(10, end), DBL_TRUE_MIN), DBL_MAX) : end;
}

static bool labels_differ(const double *values, size_t count, int digits)
{
    char before[PLOT_LABEL_MAX] = "", label[PLOT_LABEL_MAX];
    for (size_t i = 0; i < count; i++) {
        plot_number_digits(values[i], digits, label, sizeof label);
        if (strcmp(before, label) == 0)
            return false;
        memcpy(before, label, sizeof before);
    }
    return true;
}

/* Removes ticks near an infinite end, which has a tick of its own. */
static size_t beside_infinity(const plot_axis *axis, double *values, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        double at = plot_axis_place(axis, values[i]);
        bool near = false;
        for (int end = 0; end < 2; end++)
            near = near || (axis->infinite[end] &&
                            fabs(at - plot_axis_place(axis, end ? INFINITY : -INFINITY)) < 0.08);
        if (!near)
            values[kept++] = values[i];
    }
    return kept;
}

size_t plot_axis_ticks(const plot_axis *axis, size_t most, plot_tick ticks[PLOT_TICKS_MAX])
{
    double values[PLOT_TICKS_MAX];
    if (most > PLOT_TICKS_MAX - 1)
        most = PLOT_TICKS_MAX - 1;
    double low = axis_value(axis, axis->low), high = axis_value(axis, axis->high);
    size_t count = plot_ticks(low, high, axis->logarithmic, most, values);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!axis->whole || values[i] == floor(values[i]))
            values[kept++] = values[i];
    count = kept;
    int digits = 6;
    while (digits < 17 && !labels_differ(values, count, digits))
        digits++;
    count = beside_infinity(axis, values, count);
    size_t used = 0;
    if (axis->floored && most > 0) {
        ticks[0].at = axis->low <= axis->high ? 0 : 1;
        ticks[0].floor = true;
        plot_number_digits(fmin(low, high), 2, ticks[0].label, sizeof ticks[0].label);
        used = 1;
    }
    for (size_t i = 0; i < count; i++) {
        ticks[used].at = plot_axis_place(axis, values[i]);
        ticks[used].floor = false;
        plot_number_digits(values[i], digits, ticks[used].label, sizeof ticks[used].label);
        used++;
    }
    for (int end = 0; end < 2; end++)
        if (axis->infinite[end] && most > 0 && used < PLOT_TICKS_MAX) {
            double value = end ? INFINITY : -INFINITY;
            ticks[used] = (plot_tick){.at = plot_axis_place(axis, value)};
            plot_number_digits(value, 2, ticks[used].label, sizeof ticks[used].label);
            used++;
        }
    return used;
}
