/* The contents of the palette: everything that can be done in the present view. */
#ifndef TUI_CHOICES_H
#define TUI_CHOICES_H

#include "tui/shell/state.h"
#include "tui/widgets/palette.h"

/* NULL when memory ran out. */
palette *choices_open(const app *a);

#endif
