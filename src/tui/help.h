/* The help page of a view, made from the table of keys. */
#ifndef TUI_HELP_H
#define TUI_HELP_H

#include "tui/keymap.h"
#include "tui/screen.h"

/* Draws the page of a context (keys.h) from line `top` on; returns the lines of the whole page. */
int help_draw(screen *s, rect area, const keymap *map, int context, const char *name, int top);

#endif
