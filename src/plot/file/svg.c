/* SVG, written directly so that the same figure gives the same bytes everywhere. */
#include "plot/buffer.h"
#include "plot/file/pen.h"
#include "plot/series.h"
#include "plot/utf8.h"

#include <math.h>
#include <stdlib.h>

/* Writes a number with at most two decimals, independent of the locale: "12", "12.5", "-0.25". */
static void put_length(plot_buffer *out, double value)
{
    long long hundredths = llround(value * 100);
    if (hundredths < 0)
        plot_buffer_text(out, "-");
    unsigned long long size = (unsigned long long)llabs(hundredths);
    unsigned part = (unsigned)(size % 100);
    plot_buffer_format(out, "%llu", size / 100);
    if (part)
        plot_buffer_format(out, part % 10 ? ".%02u" : ".%u", part % 10 ? part : part / 10);
}

static void put_attribute(plot_buffer *out, const char *name, double value)
{
    plot_buffer_format(out, " %s=\"", name);
    put_length(out, value);
    plot_buffer_text(out, "\"");
}

static void put_colour(plot_buffer *out, const char *name, uint32_t colour)
{
    plot_buffer_format(out, " %s=\"#%06x\"", name, colour);
}

static void put_escaped(plot_buffer *out, const char *text)
{
    for (uint32_t code; (code = utf8_next(&text));) {
        char bytes[4];
        code = utf8_printable(code);
        if (code == '&')
            plot_buffer_text(out, "&amp;");
        else if (code == '<')
            plot_buffer_text(out, "&lt;");
        else if (code == '>')
            plot_buffer_text(out, "&gt;");
        else if (code == '"')
            plot_buffer_text(out, "&quot;");
        else
            plot_buffer_bytes(out, bytes, utf8_put(code, bytes));
    }
}

static void svg_box(void *context, double x, double y, double width, double height, uint32_t fill,
                    uint32_t border)
{
    plot_buffer *out = context;
    plot_buffer_text(out, "<rect");
    put_attribute(out, "x", x);
    put_attribute(out, "y", y);
    put_attribute(out, "width", width);
    put_attribute(out, "height", height);
    put_colour(out, "fill", fill);
    if (border != fill)
        put_colour(out, "stroke", border);
    plot_buffer_text(out, "/>\n");
}

static void svg_begin(void *context, const plot_stroke *stroke)
{
    plot_buffer *out = context;
    plot_buffer_text(out, "<path fill=\"none\"");
    put_colour(out, "stroke", stroke->colour);
    put_attribute(out, "stroke-width", stroke->width);
    if (stroke->dashed) {
        plot_buffer_text(out, " stroke-dasharray=\"");
        put_length(out, stroke->width * 4);
        plot_buffer_text(out, " ");
        put_length(out, stroke->width * 3);
        plot_buffer_text(out, "\"");
    }
    plot_buffer_text(out, " d=\"");
}

static void put_vertex(plot_buffer *out, const char *command, double x, double y)
{
    plot_buffer_text(out, command);
    put_length(out, x);
    plot_buffer_text(out, " ");
    put_length(out, y);
}

static void svg_move(void *context, double x, double y)
{
    put_vertex(context, "M", x, y);
}

static void svg_line(void *context, double x, double y)
{
    put_vertex(context, "L", x, y);
}

static void svg_end(void *context)
{
    plot_buffer_text(context, "\"/>\n");
}

static void svg_mark(void *context, const plot_colour *colour, double x, double y, double radius)
{
    plot_buffer *out = context;
    const double *corners;
    bool open;
    size_t count = plot_mark_outline(colour, &corners, &open);
    if (count == 0) {
        plot_buffer_text(out, "<circle");
        put_attribute(out, "cx", x);
        put_attribute(out, "cy", y);
        put_attribute(out, "r", radius);
    } else {
        plot_buffer_text(out, "<path d=\"");
        for (size_t i = 0; i < count; i++)
            put_vertex(out, i ? "L" : "M", x + radius * corners[2 * i],
                       y + radius * corners[2 * i + 1]);
        plot_buffer_text(out, "Z\"");
    }
    put_colour(out, "fill", open ? 0xffffff : plot_rgb(colour));
    if (open) {
        put_colour(out, "stroke", plot_rgb(colour));
        put_attribute(out, "stroke-width", radius * 0.4);
    }
    plot_buffer_text(out, "/>\n");
}

static void svg_text(void *context, const plot_lettering *look, double x, double y,
                     const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    plot_buffer *out = context;
    plot_buffer_text(out, "<text");
    if (look->upwards) {
        plot_buffer_text(out, " transform=\"translate(");
        put_length(out, x);
        plot_buffer_text(out, " ");
        put_length(out, y);
        plot_buffer_text(out, ") rotate(-90)\"");
    } else {
        put_attribute(out, "x", x);
        put_attribute(out, "y", y);
    }
    put_attribute(out, "font-size", look->size);
    if (look->anchor != PLOT_START)
        plot_buffer_format(out, " text-anchor=\"%s\"", anchors[look->anchor]);
    if (look->bold)
        plot_buffer_text(out, " font-weight=\"bold\"");
    put_colour(out, "fill", look->colour);
    plot_buffer_text(out, ">");
    put_escaped(out, text);
    plot_buffer_text(out, "</text>\n");
}

tm_status plot_svg(const plot_figure *figure, double width, double height, char **out,
                   tm_error *err)
{
    *out = NULL;
    tm_status status = plot_figure_check(figure, err);
    if (!status)
        status = plot_page_check(width, height, err);
    if (status)
        return status;
    plot_buffer buffer = PLOT_BUFFER_INIT;
    const plot_pen pen = {&buffer,  svg_box, svg_begin, svg_move,
                          svg_line, svg_end, svg_mark,  svg_text};
    plot_buffer_text(&buffer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                              "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put_attribute(&buffer, "width", width);
    put_attribute(&buffer, "height", height);
    plot_buffer_text(&buffer, " viewBox=\"0 0 ");
    put_length(&buffer, width);
    plot_buffer_text(&buffer, " ");
    put_length(&buffer, height);
    plot_buffer_text(&buffer, "\" font-family=\"DejaVu Sans, Verdana, sans-serif\" "
                              "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n");
    if (figure->title) {
        plot_buffer_text(&buffer, "<title>");
        put_escaped(&buffer, figure->title);
        plot_buffer_text(&buffer, "</title>\n");
    }
    status = plot_page_draw(figure, width, height, &pen, err);
    plot_buffer_text(&buffer, "</svg>\n");
    if (!status)
        return plot_buffer_take(&buffer, out, err);
    plot_buffer_free(&buffer);
    return status;
}
