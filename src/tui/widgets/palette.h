/* The command palette: everything that can be done in the present view, found by a few letters. */
#ifndef TUI_WIDGETS_PALETTE_H
#define TUI_WIDGETS_PALETTE_H

#include "tui/terminal/keyboard.h"
#include "tui/terminal/terminal.h"

typedef struct palette palette;

typedef enum palette_kind {
    PALETTE_NOTHING,
    PALETTE_REQUEST, /* a request of a key */
    PALETTE_COMMAND, /* a command line with a colon */
    PALETTE_USER,    /* a command in Lua */
} palette_kind;

typedef struct palette_choice {
    palette_kind kind;
    int number;    /* number of the request or of the user's command */
    char line[64]; /* text of the command; ends in a blank if the user has to type an argument */
} palette_choice;

/* Without entries; NULL when memory ran out. */
palette *palette_new(void);
/* Adds an entry with its title and the key bound to it ("": none); false when memory ran out. */
bool palette_add(palette *p, const palette_choice *choice, const char *title, const char *key);
void palette_free(palette *p);
/* Takes a key; bytes[0..length) are what the terminal sent. False: the palette has closed, and
 * `choice` is the chosen entry. */
bool palette_key(palette *p, const key_event *key, const char *bytes, size_t length,
                 palette_choice *choice);
/* Takes the first line of pasted text. */
void palette_paste(palette *p, const char *text);
void palette_draw(palette *p, terminal *t, rect area);

#endif
