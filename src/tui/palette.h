/* The command palette: everything that can be done here, found by a few letters. */
#ifndef TUI_PALETTE_H
#define TUI_PALETTE_H

#include "tui/terminal/keyboard.h"
#include "tui/terminal/terminal.h"

typedef struct app app;
typedef struct palette palette;

/* NULL when memory ran out. */
palette *palette_open(app *a);
void palette_free(palette *p);
/* Takes a key; bytes[0..length) are what the terminal sent. False: the palette is done with; what
 * was chosen has been carried out. */
bool palette_key(palette *p, app *a, const key_event *key, const char *bytes, size_t length);
void palette_draw(palette *p, screen *s, rect area);

#endif
