/* How the explore view's answer differs from the run that was pinned last. */
#ifndef TUI_VIEWS_ANSWER_DIFFERENCE_H
#define TUI_VIEWS_ANSWER_DIFFERENCE_H

#include "tui/explore/explore_runs.h"
#include "tui/terminal/terminal.h"

/* Draws into the last rows of the area; returns how many it used, never all. 0: nothing is
 * pinned. */
int difference_draw(terminal *t, rect area, const explore_runs *e);

#endif
