/* A page with a picture: boxes in shades, a bar with their range, a read-out. */
#include "plot/file/page.h"
#include "plot/picture.h"
#include "plot/series.h"

#include <math.h>
#include <stdio.h>

enum {
    BLOCKS_MAX = 1200,
    BAR_STEPS = 64
}; /* maximum number of blocks per side, more than a page
    * has dots */

/* Boxes overlap later ones by this much, so that no gaps are visible. */
static const double SEAM = 0.4;

typedef struct place {
    double left, top, size; /* position of the picture; `size` is that of a block */
} place;

static uint32_t shade_of(const picture_part *part, double value)
{
    return isnan(value) ? PAPER : plot_shade(value / part->range, false);
}

static void box(const page *p, double x, double y, double wide, double high, uint32_t colour)
{
    p->pen->box(p->pen->context, x, y, wide, high, colour, colour);
}

/* Adjacent blocks of one shade in a row are drawn as one box. */
static void draw_blocks(const page *p, const picture_part *part, const place *at)
{
    for (size_t row = 0; row < part->high; row++) {
        size_t from = 0;
        uint32_t shade = shade_of(part, picture_block(part, row, 0));
        for (size_t col = 1; col <= part->wide; col++) {
            uint32_t next =
                col < part->wide ? shade_of(part, picture_block(part, row, col)) : ~shade;
            if (next == shade)
                continue;
            if (shade != PAPER)
                box(p, at->left + (double)from * at->size, at->top + (double)row * at->size,
                    (double)(col - from) * at->size + SEAM, at->size + SEAM, shade);
            shade = next;
            from = col;
        }
    }
}

static void draw_mark(const page *p, const picture_part *part, const place *at)
{
    size_t row, col;
    if (!picture_marked(part, &row, &col))
        return;
    const plot_stroke stroke = {INK, p->font / 8, false};
    double left = at->left + (double)col * at->size, top = at->top + (double)row * at->size;
    double right = left + at->size, bottom = top + at->size;
    page_line(p, &stroke, left, top, right, top);
    page_line(p, &stroke, right, top, right, bottom);
    page_line(p, &stroke, right, bottom, left, bottom);
    page_line(p, &stroke, left, bottom, left, top);
}

/* Draws a bar of all shades at the right, with the values at its ends and middle. */
static void draw_bar(const page *p, const picture_part *part, double top, double high)
{
    char text[PLOT_LABEL_MAX];
    double left = p->width - p->font * 6, step = high / BAR_STEPS;
    for (int i = 0; i < BAR_STEPS; i++) {
        double share = 1 - 2 * (i + 0.5) / BAR_STEPS;
        box(p, left, top + i * step, p->font, step + SEAM, plot_shade(share, false));
    }
    for (int i = 0; i <= 2; i++) {
        plot_number_digits((1 - i) * part->range, 3, text, sizeof text);
        page_text(p, left + p->font * 1.5, top + i * high / 2 + p->font * 0.35, PLOT_START,
                  SOFT_INK, text);
    }
}

static void draw_frame(const page *p, const picture_part *part, const place *at)
{
    const plot_stroke frame = {FRAME, p->font / 12, false};
    double right = at->left + (double)part->wide * at->size;
    double bottom = at->top + (double)part->high * at->size;
    page_line(p, &frame, at->left, at->top, right, at->top);
    page_line(p, &frame, right, at->top, right, bottom);
    page_line(p, &frame, right, bottom, at->left, bottom);
    page_line(p, &frame, at->left, bottom, at->left, at->top);
    char text[96];
    snprintf(text, sizeof text, "rows %zu to %zu, columns %zu to %zu", part->row + 1,
             part->row + part->rows, part->col + 1, part->col + part->cols);
    page_text(p, (at->left + right) / 2, bottom + p->font * 1.4, PLOT_MIDDLE, SOFT_INK,
              p->figure->xlabel ? p->figure->xlabel : text);
}

void page_picture(const page *p)
{
    const plot_figure *f = p->figure;
    const char *title = f->title ? f->title : f->file_title;
    double top = p->font * (title ? 2.8 : 1), bottom = p->height - p->font * 2.2;
    picture_part part = picture_part_of(f, BLOCKS_MAX, BLOCKS_MAX);
    plot_lettering look = {
        .size = p->font * 1.2, .anchor = PLOT_MIDDLE, .bold = true, .colour = INK};
    box(p, 0, 0, p->width, p->height, PAPER);
    if (title)
        p->pen->text(p->pen->context, &look, p->width / 2, p->font * 1.8, title);
    if (f->instead.readout) {
        page_text(p, p->font, p->height - p->font * 0.8, PLOT_START, INK, f->instead.readout);
        bottom -= p->font * 1.6;
    }
    double wide = fmax(p->width - p->font * 9, 1), high = fmax(bottom - top, 1);
    place at = {.size = fmin(wide / (double)part.wide, high / (double)part.high)};
    at.left = p->font + (wide - at.size * (double)part.wide) / 2;
    at.top = top + (high - at.size * (double)part.high) / 2;
    draw_blocks(p, &part, &at);
    draw_frame(p, &part, &at);
    draw_mark(p, &part, &at);
    draw_bar(p, &part, top, high);
}
