/* Commands: lines at the prompt that begin with a colon. */
#ifndef TUI_COMMANDS_H
#define TUI_COMMANDS_H

#include "tui/shell/app.h"

/* Executes the line if it is a command; returns whether it was. */
bool command_run(app *a, const char *line);
/* As script_complete, for lines that begin with a colon. */
char **command_complete(const app *a, const char *text, size_t cursor, size_t *start);
/* The same for the value of a parameter of the form, which begins at *start. */
char **command_values(const app *a, const char *name, const char *text, size_t cursor,
                      size_t *start);

/* The built-in commands: name, what it does, whether it needs an argument; NULL past the end. */
const char *command_name(size_t i);
const char *command_help(size_t i);
bool command_has_argument(size_t i);

#endif
