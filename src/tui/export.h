/* Saving what is shown: the explore view's plots, the features of the path, the screen, the
 * session. */
#ifndef TUI_EXPORT_H
#define TUI_EXPORT_H

#include "tui/shell/state.h"

/* The names of what can be saved ("gap", ...), and their descriptions; NULL past the end. */
const char *export_name(size_t i);
const char *export_help(size_t i);

/* Saves "NAME FILE"; without a file, asks for its name. */
void export_run(app *a, const char *argument);
/* The same for a given name; if `path` is NULL, asks for the file's name. */
void export_named(app *a, const char *name, const char *path);

#endif
