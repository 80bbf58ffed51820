/* The terminal's clipboard. */
#ifndef TUI_RECORD_CLIPBOARD_H
#define TUI_RECORD_CLIPBOARD_H

#include <stdbool.h>

/* Copies a text to the terminal's clipboard by writing OSC 52 to the descriptor; false when this
 * kind of terminal does not support it. */
bool clipboard_copy(int fd, const char *text);

#endif
