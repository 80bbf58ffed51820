/* The frame around the views, and the whole screen with it. */
#ifndef TUI_FRAME_H
#define TUI_FRAME_H

#include "tui/shell/state.h"

/* Draws the whole screen. */
void frame_draw(app *a);
/* The screen as text, malloc'ed: as it is, or if `alone` is set, with only this view. */
tm_status frame_text(app *a, view_id view, bool alone, char **out, tm_error *err);
/* Writes the text of a view's tab; returns its width in columns. */
int frame_tab_text(const app *a, int view, char *buffer, size_t size);

#endif
