/* The foot of the scrollback, shown over another view. */
#ifndef TUI_LUAVIEW_H
#define TUI_LUAVIEW_H

#include "tui/screen.h"
#include "tui/scrollback.h"

/* Rows that the lines from number `from` on take, at most `most`. */
int lua_tail_rows(const scrollback *text, screen *s, uint64_t from, int most);
/* Draws the last lines from number `from` on into the area. */
void lua_tail_draw(const scrollback *text, screen *s, rect area, uint64_t from);

#endif
