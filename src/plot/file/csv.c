/* The points of a figure as CSV (RFC 4180): series, x, y; a level has no x. For a picture row,
 * column, value. */
#include "plot/axes.h"
#include "plot/buffer.h"
#include "plot/figure.h"
#include "plot/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_field(plot_buffer *out, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        plot_buffer_text(out, text);
        return;
    }
    plot_buffer_text(out, "\"");
    for (; *text; text++) {
        if (*text == '"')
            plot_buffer_text(out, "\"");
        plot_buffer_bytes(out, text, 1);
    }
    plot_buffer_text(out, "\"");
}

/* Uses 17 digits, so that every double is read back exactly. */
static void put_value(plot_buffer *out, double value)
{
    if (isnan(value) || isinf(value)) {
        plot_buffer_text(out, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    char text[64];
    int length = snprintf(text, sizeof text, "%.17g", value);
    bool pointed = false;
    for (int i = 0; i < length; i++) {
        bool plain = strchr("0123456789+-e", text[i]) != NULL;
        if (plain || !pointed) /* the locale's decimal sign may take several bytes */
            plot_buffer_bytes(out, plain ? &text[i] : ".", 1);
        pointed = pointed || !plain;
    }
}

/* Rows and columns are counted from 1; empty places are left out. */
static void put_picture(plot_buffer *out, const plot_picture *picture)
{
    plot_buffer_text(out, "row,column,value\n");
    for (size_t i = 0; i < picture->rows * picture->cols; i++) {
        if (isnan(picture->values[i]))
            continue;
        plot_buffer_format(out, "%zu,%zu,", i / picture->cols + 1, i % picture->cols + 1);
        put_value(out, picture->values[i]);
        plot_buffer_text(out, "\n");
    }
}

tm_status plot_csv(const plot_figure *figure, char **out, tm_error *err)
{
    *out = NULL;
    tm_status status = plot_figure_check(figure, err);
    if (status)
        return status;
    plot_buffer buffer = PLOT_BUFFER_INIT;
    if (figure->instead.picture) {
        put_picture(&buffer, figure->instead.picture);
        return plot_buffer_take(&buffer, out, err);
    }
    bool spread = false;
    for (size_t s = 0; s < figure->count; s++)
        spread = spread || figure->series[s].spread;
    plot_buffer_text(&buffer, spread ? "series,x,y,spread\n" : "series,x,y\n");
    for (size_t s = 0; s < figure->count; s++) {
        const plot_series *series = &figure->series[s];
        for (size_t i = 0; i < series->count && !plot_stops(figure->cancel, i); i++) {
            put_field(&buffer, series->name);
            plot_buffer_text(&buffer, ",");
            if (series->mark != PLOT_LEVEL)
                put_value(&buffer, series->x[i]);
            plot_buffer_text(&buffer, ",");
            put_value(&buffer, series->y[i]);
            if (spread)
                plot_buffer_text(&buffer, ",");
            if (series->spread)
                put_value(&buffer, series->spread[i]);
            plot_buffer_text(&buffer, "\n");
        }
    }
    return plot_buffer_take(&buffer, out, err);
}
