/* Text over the view: the end of what was printed, and a pager for all of it or for help. */
#ifndef TUI_SHELL_PAGING_H
#define TUI_SHELL_PAGING_H

#include "tui/shell/app.h"

/* Opens the output since the prompt was last used, at its beginning or its last page, if it is
 * longer than the part shown; false if it is not. */
bool paging_output(app *a, bool at_end);
/* Handles a key if it belongs to the pager; returns whether it did. */
bool paging_key(app *a, const key_event *key);
/* Opens the form as a script in the pager, which takes the text over. */
void paging_script(app *a, scrollback *text);
void paging_close(app *a);
void paging_draw(app *a, rect area);

#endif
