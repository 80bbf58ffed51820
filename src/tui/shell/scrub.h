/* One moment for all views: the run whose time is looked at (tui/time), its path, and the steps of
 * the screen view are looked at after the same share of the way. */
#ifndef TUI_SHELL_SCRUB_H
#define TUI_SHELL_SCRUB_H

#include "tui/shell/app.h"

/* True when the request was the scrubber's; also clicks on its line and drags that begin there. */
bool scrub_request(app *a, int request, const key_event *key);
/* Goes to a share of the way (0..1) and stays there. */
void scrub_go(app *a, double share);
/* Goes on while it plays. */
void scrub_tick(app *a);
/* Rows that it wants above the tabs. */
int scrub_rows(const app *a);
void scrub_draw(app *a, rect line);

#endif
