/* What is on the screen as a script: the form's solve in Lua, as a command line, and a session as
 * Lua that replays it. */
#ifndef TUI_RECORD_FORM_SCRIPT_H
#define TUI_RECORD_FORM_SCRIPT_H

#include "tui/explore/explore_runs.h"
#include "tui/session/session.h"

/* The Lua that loads the data, splits them as the workbench does and solves what the form says;
 * and the command line that does the same, or NULL when the data did not come from a file. Both
 * malloc'ed, the caller's. */
tm_status form_script(const session *s, const explore_runs *e, char **lua, char **command,
                      tm_error *err);
/* Writes a script for `tamis --script`, which brings the form back to where it is now and shows
 * the view of that name. */
tm_status form_script_session(const char *path, const session *s, const explore_runs *e,
                              const char *view, tm_error *err);

#endif
