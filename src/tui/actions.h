/* What requests do. The focused view handles a request first, otherwise the program does. */
#ifndef TUI_ACTIONS_H
#define TUI_ACTIONS_H

#include "tui/shell/state.h"

/* Acts on the request of a key. */
void action_key(app *a, int request, const key_event *key);
/* Does what a key bound to this request would do. */
void action_request(app *a, int request);
void action_interrupt(app *a);
void action_suspend(app *a);
/* Quits; while a script is running, only on the second request. */
void action_quit(app *a);

#endif
