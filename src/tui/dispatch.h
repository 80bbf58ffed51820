/* What keys do. */
#ifndef TUI_DISPATCH_H
#define TUI_DISPATCH_H

#include "tui/shell/state.h"

/* Acts on one key; bytes[0..length) are what the terminal sent for it. */
void dispatch_key(app *a, const key_event *key, const char *bytes, size_t length);

/* Pasted text goes to the palette when it is open, otherwise to the prompt; it is never interpreted
 * as keys. */
void dispatch_paste(app *a, const char *text);

#endif
