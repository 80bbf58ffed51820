/* What scripts ask of the workbench, and the commands that users wrote in Lua. */
#ifndef TUI_SCRIPTED_H
#define TUI_SCRIPTED_H

#include "tui/state.h"

/* Carries out what the script waits for. */
void orders_carry_out(app *a);
/* Runs command `index` of the keymap on the script's thread. */
void orders_run_command(app *a, size_t index, const char *argument);

#endif
