/* Pasted text, which the terminal sends between two marks. */
#ifndef TUI_PASTE_H
#define TUI_PASTE_H

#include "tui/shell/state.h"

/* The mark of the beginning has come. */
void paste_begin(app_paste *paste);
/* Takes bytes of the text and looks for the mark of its end. Returns how many were taken: those
 * behind it are left, and those that may become it. *ended tells whether it was there. */
size_t paste_take(app_paste *paste, const char *bytes, size_t length, bool *ended);
/* The text as one that may be edited: line ends are \n, other control characters are gone. The
 * caller's, malloc'ed; NULL when there is none. */
char *paste_end(app_paste *paste);

#endif
