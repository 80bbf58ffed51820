/* Commands: lines at the prompt that begin with a colon. */
#ifndef TUI_COMMANDS_H
#define TUI_COMMANDS_H

#include "tui/app.h"

/* true when the line was a command (and was carried out). */
bool command_run(app *a, const char *line);
/* As script_complete, for lines that begin with a colon. */
char **command_complete(const char *text, size_t cursor, size_t *start);

#endif
