/* The terminal's clipboard. */
#ifndef TUI_RECORD_CLIPBOARD_H
#define TUI_RECORD_CLIPBOARD_H

#include <stdbool.h>

/* Hands a text to the terminal's clipboard (OSC 52) over the descriptor it is written to; false
 * when this kind of terminal would not understand that. */
bool clipboard_copy(int fd, const char *text);

#endif
