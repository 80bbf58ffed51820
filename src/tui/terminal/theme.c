#include "tui/terminal/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const roles[ROLE_COUNT] = {
    "error",   "good",    "warn",    "value",   "border",  "title",   "bar",     "selected",
    "series1", "series2", "series3", "series4", "series5", "series6", "series7", "series8"};

/* The definition of a built-in theme: colours as 0xRRGGBB, -1: the terminal's own. */
typedef struct source {
    const char *name;
    bool mono, plain;
    int rgb[ROLE_COUNT];
} source;

/* `auto` is readable on dark and light backgrounds alike; its series are the palette's own. */
static const source themes[] = {
    {"auto",
     false,
     false,
     {0xd02020, 0x208040, 0xa07000, 0x0080b0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    {"dark",
     false,
     false,
     {0xff6b6b, 0x7ee787, 0xe3b341, 0x79c0ff, 0x6e7681, -1, 0x1f3a5f, 0x264f78, 0x56b4e9, 0xe69f00,
      0x2ecc9a, 0xe58fc0, 0xf0e442, 0xff7f50, 0x8f9bff, 0xbbbbbb}},
    {"light",
     false,
     false,
     {0xb00020, 0x1a7f37, 0x9a6700, 0x0550ae, 0x8c959f, -1, 0xd0e3ff, 0xb6d4fe, 0x0072b2, 0xb34700,
      0x00755a, 0xa03c78, 0x7a6000, 0x2a7ab0, 0x5b2a86, 0x444444}},
    {"contrast",
     false,
     true,
     {0xff5555, 0x55ff55, 0xffff55, 0x55ffff, -1, -1, -1, -1, 0xffffff, 0xffff00, 0x00ffff,
      0xff80ff, 0x80ff80, 0xff8000, 0x80a0ff, 0xc0c0c0}},
    {"mono", true, false, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
};

enum { THEMES = sizeof themes / sizeof themes[0] };

/* ---- what limited terminals have ----------------------------------------------------------- */

static int square(int value)
{
    return value * value;
}

static int distance(int a, int b)
{
    return square((a >> 16 & 255) - (b >> 16 & 255)) + square((a >> 8 & 255) - (b >> 8 & 255)) +
           square((a & 255) - (b & 255));
}

/* The nearest of the eight colours that every colour terminal has, compared as saturated hues. */
static int nearest_basic(int rgb)
{
    static const int basic[] = {0x000000, 0xc00000, 0x00a000, 0xa08000,
                                0x2040d0, 0xb000b0, 0x00a0a0, 0xd0d0d0};
    int best = 0;
    for (int i = 1; i < 8; i++)
        best = distance(rgb, basic[i]) < distance(rgb, basic[best]) ? i : best;
    return best;
}

static theme_colour from_rgb(int rgb)
{
    if (rgb < 0)
        return (theme_colour){-1, -1, -1};
    return (theme_colour){rgb, plot_xterm((uint32_t)rgb), nearest_basic(rgb)};
}

theme_colour theme_text_on(theme_colour background)
{
    int red = background.rgb >> 16 & 255, green = background.rgb >> 8 & 255;
    int blue = background.rgb & 255;
    bool dark = 299 * red + 587 * green + 114 * blue < 140000;
    return dark ? (theme_colour){0xffffff, 231, 7} : (theme_colour){0x000000, 16, 0};
}

/* ---- themes -------------------------------------------------------------------------------- */

tm_status theme_find(theme *out, const char *name, tm_error *err)
{
    const source *found = NULL;
    for (size_t i = 0; i < THEMES; i++)
        found = strcmp(themes[i].name, name) == 0 ? &themes[i] : found;
    if (!found) {
        return tm_fail(err, TM_EUSAGE,
                       "there is no theme '%.40s'; there are auto, dark, light, contrast and mono",
                       name);
    }
    *out = (theme){.name = found->name, .mono = found->mono, .plain = found->plain};
    bool own_series = found->rgb[ROLE_SERIES] < 0;
    for (int i = 0; i < ROLE_COUNT; i++) {
        out->colours[i] = from_rgb(found->rgb[i]);
        if (i >= ROLE_SERIES && own_series) {
            const plot_colour *c = plot_palette(i - ROLE_SERIES);
            out->colours[i] =
                (theme_colour){c->red << 16 | c->green << 8 | c->blue, c->xterm256, c->ansi16};
        }
    }
    return TM_OK;
}

static bool parse_colour(const char *text, theme_colour *out)
{
    char *end;
    if (strcmp(text, "none") == 0) {
        *out = (theme_colour){-1, -1, -1};
        return true;
    }
    if (text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
        *out = from_rgb((int)strtol(text + 1, &end, 16));
        return true;
    }
    long index = strtol(text, &end, 10);
    if (end == text || *end != '\0' || index < 16 || index > 255)
        return false;
    *out = from_rgb((int)plot_xterm_rgb((int)index));
    out->xterm256 = (int)index;
    return true;
}

static tm_status set_role(theme *t, const char *role, const char *colour, tm_error *err)
{
    for (int i = 0; i < ROLE_COUNT; i++) {
        if (strcmp(roles[i], role) != 0)
            continue;
        if (!parse_colour(colour, &t->colours[i])) {
            return tm_fail(err, TM_EUSAGE,
                           "%s: a colour is \"#rrggbb\", 16 to 255, or \"none\", not '%.40s'", role,
                           colour);
        }
        return TM_OK;
    }
    return tm_fail(err, TM_EUSAGE,
                   "a theme has no role '%.40s'; the roles are error, good, warn, value, border, "
                   "title, bar, selected, series1 ... series8",
                   role);
}

tm_status theme_set(theme *t, const char *lines, tm_error *err)
{
    while (*lines != '\0') {
        char line[128];
        size_t length = strcspn(lines, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < 127 ? length : 127), lines);
        lines += length + (lines[length] == '\n' ? 1 : 0);
        char *colour = strchr(line, '=');
        if (!colour)
            return tm_fail(err, TM_EUSAGE, "expected role=colour, not '%.60s'", line);
        *colour++ = '\0';
        tm_status status = set_role(t, line, colour, err);
        if (status != TM_OK)
            return status;
    }
    return TM_OK;
}
