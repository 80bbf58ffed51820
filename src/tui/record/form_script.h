/* What is on the screen as a script: the form's problem in Lua and as a command line, and the
 * session as Lua that replays it. */
#ifndef TUI_RECORD_FORM_SCRIPT_H
#define TUI_RECORD_FORM_SCRIPT_H

#include "tui/explore/explore_runs.h"
#include "tui/session/session.h"

/* The Lua that loads the data, splits them as the workbench does and solves the form's problem; and
 * the command line that does the same, or NULL when the data did not come from a file. Both are
 * malloc'ed and freed by the caller. */
tm_status form_script(const session *s, const explore_runs *e, char **lua, char **command,
                      tm_error *err);
/* Writes a script for `tamis --script` that restores the form and shows the view of that name. */
tm_status form_script_session(const char *path, const session *s, const explore_runs *e,
                              const char *view, tm_error *err);

#endif
