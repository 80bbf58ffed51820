/* What requests do: first the view in front is asked, then the program. */
#ifndef TUI_ACTIONS_H
#define TUI_ACTIONS_H

#include "tui/shell/state.h"

/* Acts on a request that a key asked for. */
void action_key(app *a, int request, const key_event *key);
/* What a key that asks for this would do. */
void action_request(app *a, int request);
void action_interrupt(app *a);
void action_suspend(app *a);
/* Quits; while a script is at work only when asked twice. */
void action_quit(app *a);

#endif
