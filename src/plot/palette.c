#include "plot/figure.h"

#include <math.h>

/* After Okabe and Ito, with the light hues darkened until each has a contrast of at least 3:1 on
 * white and on black. Only six of the basic eight colours are visible on both, so the last two
 * repeat and are distinguished by their markers. */
#define LETTERS(a, b, c, d, e, f, g, h)                                                            \
    {0x00, 0x72, 0xb2, 32, 4, a, a}, {0xd5, 0x5e, 0x00, 166, 1, b, b},                             \
        {0x00, 0x9e, 0x73, 35, 2, c, c}, {0xcc, 0x79, 0xa7, 175, 5, d, d},                         \
        {0xc2, 0x88, 0x00, 136, 3, e, e}, {0x2d, 0x99, 0xd0, 38, 6, f, f},                         \
        {0x7f, 0x7f, 0x7f, 244, 4, g, g},                                                          \
    {                                                                                              \
        0x8c, 0x62, 0x39, 95, 1, h, h                                                              \
    }
static const plot_colour palette[] = {
    {0x00, 0x72, 0xb2, 32, 4, 0x25cf, 'o'},  /* blue, black circle */
    {0xd5, 0x5e, 0x00, 166, 1, 0x25b2, '^'}, /* vermilion, triangle */
    {0x00, 0x9e, 0x73, 35, 2, 0x25a0, '#'},  /* green, square */
    {0xcc, 0x79, 0xa7, 175, 5, 0x25c6, '*'}, /* purple, diamond */
    {0xc2, 0x88, 0x00, 136, 3, 0x25cb, '+'}, /* amber, open circle */
    {0x2d, 0x99, 0xd0, 38, 6, 0x25b3, 'x'},  /* sky blue, open triangle */
    {0x7f, 0x7f, 0x7f, 244, 4, 0x25a1, '%'}, /* grey, open square */
    {0x8c, 0x62, 0x39, 95, 1, 0x25c7, '@'},  /* brown, open diamond */
    /* The same hues again with other markers, as themes have eight. */
    {0x00, 0x72, 0xb2, 32, 4, 0x25bc, 'v'},  /* triangle that points down */
    {0xd5, 0x5e, 0x00, 166, 1, 0x25bd, 'y'}, /* the same, open */
    {0x00, 0x9e, 0x73, 35, 2, 0x2605, '&'},  /* star */
    {0xcc, 0x79, 0xa7, 175, 5, 0x2606, 's'}, /* open star */
    {0xc2, 0x88, 0x00, 136, 3, 0x25b6, '>'}, /* triangle that points right */
    {0x2d, 0x99, 0xd0, 38, 6, 0x25b7, 'p'},  /* the same, open */
    {0x7f, 0x7f, 0x7f, 244, 4, 0x25c0, '<'}, /* triangle that points left */
    {0x8c, 0x62, 0x39, 95, 1, 0x25c1, 'd'},  /* the same, open */
    /* The same hues with letters as markers. */
    LETTERS('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'),
    LETTERS('I', 'J', 'K', 'L', 'M', 'N', 'P', 'Q'),
    LETTERS('R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y'),
    LETTERS('Z', 'a', 'b', 'c', 'e', 'f', 'g', 'h'),
    LETTERS('i', 'j', 'k', 'm', 'n', 'q', 'r', 't'),
    LETTERS('u', 'w', 'z', '2', '3', '4', '5', '6'),
};

/* The colour of series behind the others: light, with an inconspicuous marker. */
static const plot_colour faint = {0xb4, 0xb4, 0xb4, 245, 7, 0xb7, '.'};

enum { COLOURS = sizeof palette / sizeof palette[0] };

int plot_palette_size(void)
{
    return COLOURS;
}

const plot_colour *plot_palette(int index)
{
    if (index == PLOT_FAINT)
        return &faint;
    int wrapped = index % COLOURS;
    return &palette[wrapped < 0 ? wrapped + COLOURS : wrapped];
}

/* Vermilion above 0 and blue below, as in the palette: dark on light, or light on dark. */
uint32_t plot_shade(double t, bool dark)
{
    static const double ends[2][3][3] = {
        {{0, 84, 166}, {238, 238, 238}, {188, 62, 0}},
        {{110, 196, 255}, {38, 38, 38}, {255, 170, 60}},
    };
    static const double least = 0.08; /* least share, so that small nonzero values are visible */
    const double(*end)[3] = ends[dark ? 1 : 0];
    double share = fmin(fabs(t), 1);
    uint32_t rgb = 0;
    share = share > 0 ? least + (1 - least) * share : 0;
    for (int c = 0; c < 3; c++) {
        double value = end[1][c] + share * (end[t < 0 ? 0 : 2][c] - end[1][c]);
        rgb = rgb << 8 | (uint32_t)lround(value);
    }
    return rgb;
}

/* ---- the 256 colours ----------------------------------------------------------------------- */

uint32_t plot_xterm_rgb(int index)
{
    static const uint32_t levels[] = {0, 95, 135, 175, 215, 255};
    if (index >= 232) {
        uint32_t grey = 8 + 10 * (uint32_t)(index - 232);
        return grey << 16 | grey << 8 | grey;
    }
    int cube = index - 16;
    return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6];
}

static int distance(uint32_t a, uint32_t b)
{
    int sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        int off = (int)(a >> shift & 255) - (int)(b >> shift & 255);
        sum += off * off;
    }
    return sum;
}

int plot_xterm(uint32_t rgb)
{
    int best = 16;
    for (int i = 17; i < 256; i++)
        best = distance(rgb, plot_xterm_rgb(i)) < distance(rgb, plot_xterm_rgb(best)) ? i : best;
    return best;
}
