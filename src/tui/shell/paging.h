/* Reading over the view: the end of what was printed, and a pager for all of it or for help. */
#ifndef TUI_SHELL_PAGING_H
#define TUI_SHELL_PAGING_H

#include "tui/shell/app.h"

/* The output since the prompt was used, from its beginning or its last page, when that is longer
 * than what is shown of it; false when it is not. */
bool paging_output(app *a, bool at_end);
/* Whether a key was the pager's. */
bool paging_key(app *a, const key_event *key);
/* Reads a text over the view, which is taken over. */
void paging_text(app *a, scrollback *text);
void paging_close(app *a);
void paging_draw(app *a, rect area);

#endif
