/* The loop over the terminal, signals and news. */
#ifndef TUI_LOOP_H
#define TUI_LOOP_H

#include "tui/shell/state.h"

/* The width available for what scripts print. */
size_t loop_print_columns(const app *a);
/* Runs until a->end.now. */
void loop_run(app *a);
/* Processes the news once, without a terminal. */
void loop_update(app *a);

#endif
