/* Everything that can be done where the user is, for the palette. */
#ifndef TUI_CHOICES_H
#define TUI_CHOICES_H

#include "tui/shell/state.h"
#include "tui/widgets/palette.h"

/* NULL when memory ran out. */
palette *choices_open(const app *a);

#endif
