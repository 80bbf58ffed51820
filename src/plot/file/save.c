#include "plot/file/paint.h"
#include "plot/series.h"

#include "base/replace.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A page of 720 x 450 units (PNG: two pixels each), a text plot of 24 x 80 cells. */
enum { PAGE_WIDTH = 720, PAGE_HEIGHT = 450, PNG_ZOOM = 2, TEXT_ROWS = 24, TEXT_COLS = 80 };

static tm_status write_text(tm_status status, char *text, FILE *stream)
{
    if (!status)
        fputs(text, stream); /* the stream records its errors */
    free(text);
    return status;
}

static tm_status write_svg(const plot_figure *figure, FILE *stream, tm_error *err)
{
    char *text;
    tm_status status = plot_svg(figure, PAGE_WIDTH, PAGE_HEIGHT, &text, err);
    return write_text(status, text, stream);
}

static tm_status write_csv(const plot_figure *figure, FILE *stream, tm_error *err)
{
    char *text;
    tm_status status = plot_csv(figure, &text, err);
    return write_text(status, text, stream);
}

static tm_status write_txt(const plot_figure *figure, FILE *stream, tm_error *err)
{
    plot_grid grid = PLOT_GRID_INIT;
    char *text = NULL;
    plot_figure plain = *figure; /* a file has no colours */
    plain.instead.shades = false;
    tm_status status = plot_draw_text(&plain, TEXT_ROWS, TEXT_COLS, true, &grid, err);
    if (!status)
        status = plot_grid_text(&grid, PLOT_MONO, &text, err);
    plot_grid_free(&grid);
    return write_text(status, text, stream);
}

static tm_status write_png(const plot_figure *figure, FILE *stream, tm_error *err)
{
    return plot_paint_png(figure, PAGE_WIDTH, PAGE_HEIGHT, PNG_ZOOM, stream, err);
}

static tm_status write_pdf(const plot_figure *figure, FILE *stream, tm_error *err)
{
    return plot_paint_pdf(figure, PAGE_WIDTH, PAGE_HEIGHT, stream, err);
}

typedef tm_status (*writer)(const plot_figure *figure, FILE *stream, tm_error *err);

static writer writer_for(const char *path)
{
    static const struct {
        const char *extension;
        writer write;
    } formats[] = {{".svg", write_svg},
                   {".png", write_png},
                   {".pdf", write_pdf},
                   {".txt", write_txt},
                   {".csv", write_csv}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof formats[0]; i++)
        if (strcasecmp(dot, formats[i].extension) == 0)
            return formats[i].write;
    return NULL;
}

tm_status plot_save(const plot_figure *figure, const char *path, tm_error *err)
{
    writer write = writer_for(path);
    if (!write)
        return tm_fail(err, TM_EUSAGE,
                       "%s: the file name must end in .svg, .png, .pdf, .txt or .csv", path);
    tm_status status = plot_figure_check(figure, err);
    if (status)
        return status;
    replacement file;
    status = replace_begin(&file, path, err);
    if (status)
        return status;
    status = write(figure, file.stream, err);
    /* A drawing that was cancelled is not a complete figure. */
    if (!status)
        status = plot_figure_check(figure, err);
    return replace_end(&file, status, err);
}
