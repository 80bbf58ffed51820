/* The stages of the program's life cycle, for the workbench with and without a terminal. */
#ifndef TUI_LIFE_H
#define TUI_LIFE_H

#include "tui/shell/state.h"
#include "tui/tui.h"

/* If `input` is NULL, there is no terminal and no history. */
tm_status life_open_prompt(app *a, FILE *input, tm_error *err);
tm_status life_open_work(app *a, const tui_options *options, tm_error *err);
void life_close(app *a);

#endif
