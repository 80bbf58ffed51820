/* The help page of a view, made from the table of keys. */
#ifndef TUI_SHELL_HELP_H
#define TUI_SHELL_HELP_H

#include "tui/prompt/scrollback.h"
#include "tui/shell/keymap.h"

/* Columns in front that hold the keys. */
enum { HELP_KEY_COLUMN = 22 };

/* The page of a context (keys.h), owned by the caller; NULL when memory ran out. */
scrollback *help_page(const keymap *map, int context, const char *name);

#endif
