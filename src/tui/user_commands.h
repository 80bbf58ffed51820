/* The commands that users have written in Lua. */
#ifndef TUI_USER_COMMANDS_H
#define TUI_USER_COMMANDS_H

#include "tui/shell/state.h"

/* Runs command `index` of the keymap on the script's thread. */
void user_command_run(app *a, size_t index, const char *argument);
/* The same for the command named name[0..length); false: there is none. */
bool user_command_named(app *a, const char *name, size_t length, const char *argument);

#endif
