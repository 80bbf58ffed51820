#include "plot/figure.h"

#include "base/memory.h"
#include "base/text.h"
#include "plot/series.h"

#include <math.h>
#include <string.h>

plot_figure *plot_figure_new(void)
{
    plot_figure *figure = mem_zeros(1, sizeof *figure);
    if (!figure)
        return NULL;
    figure->legend = true;
    figure->limits[0][0] = figure->limits[0][1] = NAN;
    figure->limits[1][0] = figure->limits[1][1] = NAN;
    figure->zoom[0][0] = figure->zoom[0][1] = NAN;
    figure->zoom[1][0] = figure->zoom[1][1] = NAN;
    figure->cursor = NAN;
    return figure;
}

void plot_figure_clear(plot_figure *figure)
{
    for (size_t s = 0; s < figure->count; s++) {
        free(figure->series[s].name);
        free(figure->series[s].x);
        free(figure->series[s].y);
        free(figure->series[s].spread);
    }
    figure->count = 0;
    plot_picture_free(figure->instead.picture);
    figure->instead.picture = NULL;
}

void plot_figure_free(plot_figure *figure)
{
    if (!figure)
        return;
    plot_figure_clear(figure);
    free(figure->series);
    free(figure->title);
    free(figure->xlabel);
    free(figure->ylabel);
    free(figure->instead.readout);
    free(figure->file_title);
    free(figure->file_ylabel);
    free(figure);
}

static void set_text(plot_figure *figure, char **slot, const char *text)
{
    char *copy = NULL;
    if (text && *text) {
        copy = text_copy(text);
        if (!copy)
            figure->starved = true;
    }
    free(*slot);
    *slot = copy;
}

void plot_figure_title(plot_figure *figure, const char *title)
{
    set_text(figure, &figure->title, title);
}

void plot_figure_labels(plot_figure *figure, const char *x, const char *y)
{
    set_text(figure, &figure->xlabel, x);
    set_text(figure, &figure->ylabel, y);
}

void plot_figure_caption(plot_figure *figure, const char *title, const char *y)
{
    set_text(figure, &figure->file_title, title);
    set_text(figure, &figure->file_ylabel, y);
}

void plot_figure_readout(plot_figure *figure, const char *text)
{
    set_text(figure, &figure->instead.readout, text);
}

void plot_figure_log(plot_figure *figure, bool x, bool y)
{
    figure->xlog = x;
    figure->ylog = y;
}

void plot_figure_is_log(const plot_figure *figure, bool *x, bool *y)
{
    *x = figure->xlog;
    *y = figure->ylog;
}

void plot_figure_whole(plot_figure *figure, bool x, bool y)
{
    figure->whole[0] = x;
    figure->whole[1] = y;
}

void plot_figure_equal(plot_figure *figure, bool equal)
{
    figure->equal = equal;
}

void plot_figure_floor(plot_figure *figure, double floor)
{
    figure->floor = floor > 0 && isfinite(floor) ? floor : 0;
}

void plot_figure_xlim(plot_figure *figure, double low, double high)
{
    figure->limits[0][0] = low;
    figure->limits[0][1] = high;
}

void plot_figure_ylim(plot_figure *figure, double low, double high)
{
    figure->limits[1][0] = low;
    figure->limits[1][1] = high;
}

void plot_figure_zoom(plot_figure *figure, const double x[2], const double y[2])
{
    memcpy(figure->zoom[0], x, sizeof figure->zoom[0]);
    memcpy(figure->zoom[1], y, sizeof figure->zoom[1]);
}

void plot_figure_legend(plot_figure *figure, bool shown)
{
    figure->legend = shown;
}

void plot_figure_cursor(plot_figure *figure, double x)
{
    figure->cursor = x;
}

size_t plot_figure_series(const plot_figure *figure)
{
    return figure->count;
}

tm_status plot_figure_check(const plot_figure *figure, tm_error *err)
{
    if (figure->cancel && tm_cancel_is_set(figure->cancel))
        return tm_fail(err, TM_ECANCELLED, "cancelled");
    return figure->starved ? tm_fail_memory(err, "a figure's text") : TM_OK;
}

void plot_figure_cancel(plot_figure *figure, const tm_cancel *cancel)
{
    figure->cancel = cancel;
}

bool plot_figure_has_points(const plot_figure *figure)
{
    for (size_t s = 0; s < figure->count; s++)
        if (figure->series[s].count)
            return true;
    return false;
}

bool plot_figure_wants_legend(const plot_figure *figure)
{
    return figure->legend && plot_figure_named(figure) > 0;
}

size_t plot_figure_named(const plot_figure *figure)
{
    size_t named = 0;
    for (size_t s = 0; s < figure->count; s++)
        named += figure->series[s].name[0] != '\0';
    return named;
}

bool plot_series_marked(const plot_figure *figure, const plot_series *series)
{
    bool faint = series->mark == PLOT_LEVEL && series->colour == PLOT_FAINT;
    return !faint && (series->mark != PLOT_STEP || plot_figure_named(figure) > 0);
}

/* Whether a series looks like this palette index, which wraps around. */
static bool taken(const plot_figure *figure, int colour)
{
    for (size_t s = 0; s < figure->count; s++)
        if (plot_palette(figure->series[s].colour) == plot_palette(colour))
            return true;
    return false;
}

/* `wanted` if no series has it, else the least unused index; if all are used, `wanted`, or the next
 * one in turn. */
static int free_colour(const plot_figure *figure, int wanted)
{
    if (wanted == PLOT_FAINT || (wanted >= 0 && !taken(figure, wanted)))
        return wanted;
    for (int colour = 0; colour < plot_palette_size(); colour++)
        if (!taken(figure, colour))
            return colour;
    return wanted >= 0 ? wanted : (int)figure->count;
}

static bool reserve(plot_figure *figure)
{
    if (figure->count < figure->capacity)
        return true;
    size_t capacity = figure->capacity ? 2 * figure->capacity : 4;
    plot_series *grown = mem_array(capacity, sizeof *grown);
    if (!grown)
        return false;
    if (figure->count)
        memcpy(grown, figure->series, figure->count * sizeof *grown);
    free(figure->series);
    figure->series = grown;
    figure->capacity = capacity;
    return true;
}

static double *copy_values(const double *values, size_t count)
{
    double *copy = mem_array(count, sizeof *copy);
    if (copy && count)
        memcpy(copy, values, count * sizeof *copy);
    return copy;
}

tm_status plot_figure_add(plot_figure *figure, const plot_curve *curve, size_t *index,
                          tm_error *err)
{
    tm_status status = plot_figure_check(figure, err);
    if (status)
        return status;
    bool level = curve->mark == PLOT_LEVEL;
    size_t count = level && curve->count > 1 ? 1 : curve->count;
    if (count && (!curve->y || (!curve->x && !level)))
        return tm_fail(err, TM_EUSAGE, "a plotted series needs both x and y values");
    if (!reserve(figure))
        return tm_fail_memory(err, "a plotted series");
    plot_series added = {.mark = curve->mark, .count = count};
    added.colour = free_colour(figure, curve->colour);
    added.name = text_copy(curve->name ? curve->name : "");
    added.x = copy_values(curve->x, level ? 0 : count);
    added.y = copy_values(curve->y, count);
    if (!added.name || !added.x || !added.y) {
        free(added.name);
        free(added.x);
        free(added.y);
        return tm_fail_memory(err, "a plotted series");
    }
    figure->series[figure->count] = added;
    if (index)
        *index = figure->count;
    figure->count++;
    return TM_OK;
}

tm_status plot_figure_spread(plot_figure *figure, size_t index, const double *spread, tm_error *err)
{
    plot_series *series = &figure->series[index];
    double *copy = copy_values(spread, series->count);
    if (!copy)
        return tm_fail_memory(err, "a plotted series");
    free(series->spread);
    series->spread = copy;
    return TM_OK;
}

static double distance(double a, double b, bool logarithmic)
{
    if (!logarithmic)
        return fabs(a - b);
    bool above_a = a > 0, above_b = b > 0;
    if (!above_a || !above_b)
        return above_a == above_b ? 0 : INFINITY;
    return fabs(log10(a) - log10(b));
}

bool plot_series_at(const plot_series *series, double x, bool xlog, double *value)
{
    if (!series->count)
        return false;
    if (series->mark == PLOT_LEVEL) {
        *value = series->y[0];
        return true;
    }
    bool found = false;
    double best = INFINITY;
    for (size_t i = 0; i < series->count; i++) {
        double at = series->x[i];
        if (series->mark == PLOT_STEP && !(at <= x))
            continue;
        double away = distance(at, x, xlog && series->mark != PLOT_STEP);
        if (away <= best) {
            best = away;
            *value = series->y[i];
            found = true;
        }
    }
    return found;
}
