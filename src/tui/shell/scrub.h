/* One moment for all views: the run whose time is looked at (tui/time), its path, and the steps of
 * the screen view are shown at the same share of their duration. */
#ifndef TUI_SHELL_SCRUB_H
#define TUI_SHELL_SCRUB_H

#include "tui/shell/app.h"

/* True when the scrubber handled the request; it also handles clicks on its line and drags that
 * begin there. */
bool scrub_request(app *a, int request, const key_event *key);
/* Goes to a share (0..1) of the run's duration and stays there. */
void scrub_go(app *a, double share);
/* Advances the moment while it plays. */
void scrub_tick(app *a);
/* The number of rows that it needs above the tabs. */
int scrub_rows(const app *a);
void scrub_draw(app *a, rect line);

#endif
