/* Requests of scripts to the workbench. */
#ifndef TUI_SCRIPT_REQUESTS_H
#define TUI_SCRIPT_REQUESTS_H

#include "tui/shell/state.h"

/* Carries out the requests that the script is waiting for. */
void script_requests_carry_out(app *a);

#endif
