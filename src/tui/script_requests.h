/* What scripts ask of the workbench. */
#ifndef TUI_SCRIPT_REQUESTS_H
#define TUI_SCRIPT_REQUESTS_H

#include "tui/shell/state.h"

/* Carries out what the script waits for. */
void script_requests_carry_out(app *a);

#endif
