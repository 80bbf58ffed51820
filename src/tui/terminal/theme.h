/* Colours by role. A theme is plain data; the terminal maps it to the colours that it has. */
#ifndef TUI_TERMINAL_THEME_H
#define TUI_TERMINAL_THEME_H

#include "plot/figure.h"

typedef enum theme_role {
    ROLE_ERROR,
    ROLE_GOOD,
    ROLE_WARN,
    ROLE_VALUE, /* what can be changed */
    ROLE_BORDER,
    ROLE_TITLE,
    ROLE_BAR,      /* the background of the header */
    ROLE_SELECTED, /* the background of the chosen row and tab */
    ROLE_SERIES,   /* the first of THEME_SERIES in plots */
    THEME_SERIES = 8,
    ROLE_COUNT = ROLE_SERIES + THEME_SERIES,
} theme_role;

/* One colour in each of the three encodings that terminals use; rgb < 0: the terminal's own. */
typedef struct theme_colour {
    int rgb, xterm256, ansi16;
} theme_colour;

typedef struct theme {
    const char *name;
    bool mono;  /* no colours at all */
    bool plain; /* nothing is dimmed */
    theme_colour colours[ROLE_COUNT];
} theme;

/* TM_EUSAGE: no such theme; the error lists the themes. */
tm_status theme_find(theme *out, const char *name, tm_error *err);
/* Sets roles from lines "role=colour", a colour being "#rrggbb", 0..255 or "none". */
tm_status theme_set(theme *t, const char *roles, tm_error *err);
/* Black or white, whichever is readable on the colour. */
theme_colour theme_text_on(theme_colour background);

#endif
