#include "plot/file/paint.h"

#include "plot/buffer.h"
#include "plot/file/pen.h"
#include "plot/series.h"
#include "plot/utf8.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>

typedef struct brush {
    cairo_t *cairo;
    bool starved;
} brush;

static void set_colour(cairo_t *cairo, uint32_t colour)
{
    cairo_set_source_rgb(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                         (colour & 255) / 255.0);
}

static void paint_box(void *context, double x, double y, double width, double height, uint32_t fill,
                      uint32_t border)
{
    cairo_t *cairo = ((brush *)context)->cairo;
    cairo_rectangle(cairo, x, y, width, height);
    set_colour(cairo, fill);
    cairo_fill_preserve(cairo);
    if (border != fill) {
        set_colour(cairo, border);
        cairo_set_dash(cairo, NULL, 0, 0);
        cairo_set_line_width(cairo, 1);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static void paint_begin(void *context, const plot_stroke *stroke)
{
    cairo_t *cairo = ((brush *)context)->cairo;
    const double dashes[] = {stroke->width * 4, stroke->width * 3};
    set_colour(cairo, stroke->colour);
    cairo_set_line_width(cairo, stroke->width);
    cairo_set_dash(cairo, dashes, stroke->dashed ? 2 : 0, 0);
    cairo_new_path(cairo);
}

static void paint_move(void *context, double x, double y)
{
    cairo_move_to(((brush *)context)->cairo, x, y);
}

static void paint_line(void *context, double x, double y)
{
    cairo_line_to(((brush *)context)->cairo, x, y);
}

static void paint_end(void *context)
{
    cairo_stroke(((brush *)context)->cairo);
}

static void paint_mark(void *context, const plot_colour *colour, double x, double y, double radius)
{
    cairo_t *cairo = ((brush *)context)->cairo;
    const double *corners;
    bool open;
    size_t count = plot_mark_outline(colour, &corners, &open);
    cairo_new_path(cairo);
    if (count == 0)
        cairo_arc(cairo, x, y, radius, 0, 2 * M_PI);
    for (size_t i = 0; i < count; i++)
        cairo_line_to(cairo, x + radius * corners[2 * i], y + radius * corners[2 * i + 1]);
    cairo_close_path(cairo);
    set_colour(cairo, open ? 0xffffff : plot_rgb(colour));
    cairo_fill_preserve(cairo);
    if (open) {
        set_colour(cairo, plot_rgb(colour));
        cairo_set_dash(cairo, NULL, 0, 0);
        cairo_set_line_width(cairo, radius * 0.4);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

/* cairo refuses text that is not well-formed UTF-8. */
static char *well_formed(const char *text)
{
    plot_buffer buffer = PLOT_BUFFER_INIT;
    for (uint32_t code; (code = utf8_next(&text));) {
        char bytes[4];
        plot_buffer_bytes(&buffer, bytes, utf8_put(utf8_printable(code), bytes));
    }
    char *out;
    plot_buffer_take(&buffer, &out, NULL);
    return out;
}

static void paint_text(void *context, const plot_lettering *look, double x, double y,
                       const char *text)
{
    brush *tool = context;
    cairo_t *cairo = tool->cairo;
    char *clean = well_formed(text);
    if (!clean) {
        tool->starved = true;
        return;
    }
    cairo_save(cairo);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           look->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, look->size);
    set_colour(cairo, look->colour);
    cairo_translate(cairo, x, y);
    if (look->upwards)
        cairo_rotate(cairo, -M_PI / 2);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, clean, &extents);
    cairo_move_to(cairo, -extents.x_advance * 0.5 * (double)look->anchor, 0);
    cairo_show_text(cairo, clean);
    cairo_restore(cairo);
    cairo_new_path(cairo);
    free(clean);
}

static tm_status cairo_failure(cairo_status_t status, tm_error *err)
{
    if (status == CAIRO_STATUS_NO_MEMORY)
        return tm_fail_memory(err, "a picture");
    return tm_fail(err, TM_EIO, "the picture could not be drawn: %s",
                   cairo_status_to_string(status));
}

static tm_status paint(const plot_figure *figure, double width, double height, double zoom,
                       cairo_surface_t *surface, tm_error *err)
{
    brush tool = {cairo_create(surface), false};
    cairo_scale(tool.cairo, zoom, zoom);
    cairo_set_line_cap(tool.cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(tool.cairo, CAIRO_LINE_JOIN_ROUND);
    const plot_pen pen = {&tool,      paint_box, paint_begin, paint_move,
                          paint_line, paint_end, paint_mark,  paint_text};
    tm_status status = plot_page_draw(figure, width, height, &pen, err);
    if (!status && tool.starved)
        status = tm_fail_memory(err, "a picture's text");
    if (!status && cairo_status(tool.cairo))
        status = cairo_failure(cairo_status(tool.cairo), err);
    cairo_destroy(tool.cairo);
    return status;
}

static cairo_status_t write_stream(void *stream, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

tm_status plot_paint_png(const plot_figure *figure, double width, double height, double zoom,
                         FILE *stream, tm_error *err)
{
    tm_status status = plot_page_check(width * zoom, height * zoom, err);
    if (status)
        return status;
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)lround(width * zoom), (int)lround(height * zoom));
    status = paint(figure, width, height, zoom, surface, err);
    cairo_status_t written = CAIRO_STATUS_SUCCESS;
    if (!status)
        written = cairo_surface_write_to_png_stream(surface, write_stream, stream);
    cairo_surface_destroy(surface);
    return written ? cairo_failure(written, err) : status;
}

tm_status plot_paint_pdf(const plot_figure *figure, double width, double height, FILE *stream,
                         tm_error *err)
{
    tm_status status = plot_page_check(width, height, err);
    if (status)
        return status;
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(write_stream, stream, width, height);
    status = paint(figure, width, height, 1, surface, err);
    cairo_surface_finish(surface);
    cairo_status_t written = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return !status && written ? cairo_failure(written, err) : status;
}
