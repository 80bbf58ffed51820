/* The warnings of the data view: what is unusual about the data, broken into rows. */
#ifndef TUI_VIEWS_DATA_WARNINGS_H
#define TUI_VIEWS_DATA_WARNINGS_H

#include "tui/session/profile.h"
#include "tui/terminal/terminal.h"

/* Rows that they take; 0 without a result. */
int datawarn_rows(const screen *s, const profile *result, int cols);
/* Draws them, as far as there are rows; returns the rows used. */
int datawarn_draw(screen *s, rect area, const profile *result);

#endif
