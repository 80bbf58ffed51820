/* Saving what is seen: the explore view's plots, the features of the path, the screen, the session.
 */
#ifndef TUI_EXPORT_H
#define TUI_EXPORT_H

#include "tui/shell/state.h"

/* "gap", ...: what can be saved, and what that is; NULL past the end. */
const char *export_name(size_t i);
const char *export_help(size_t i);

/* "NAME FILE"; without a file its name is asked for. */
void export_run(app *a, const char *argument);
/* The same of one of them; `path` NULL: its name is asked for. */
void export_named(app *a, const char *name, const char *path);

#endif
