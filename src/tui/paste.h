/* Pasted text, which the terminal sends between two marks (bracketed paste). */
#ifndef TUI_PASTE_H
#define TUI_PASTE_H

#include "tui/shell/state.h"

/* Called after the start mark has been read. */
void paste_begin(app_paste *paste);
/* Takes bytes of the text up to the end mark. Returns how many were taken; bytes after the mark,
 * and a final part that may be the beginning of the mark, are left. *ended says whether the mark
 * was found. */
size_t paste_take(app_paste *paste, const char *bytes, size_t length, bool *ended);
/* The text with line ends as \n and other control characters removed, so that it can be edited.
 * malloc'ed; the caller frees it; NULL when there is none. */
char *paste_end(app_paste *paste);

#endif
