/* The command palette: everything that can be done here, found by a few letters. */
#ifndef TUI_WIDGETS_PALETTE_H
#define TUI_WIDGETS_PALETTE_H

#include "tui/terminal/keyboard.h"
#include "tui/terminal/terminal.h"

typedef struct palette palette;

typedef enum palette_kind {
    PALETTE_NOTHING,
    PALETTE_REQUEST, /* what a key does */
    PALETTE_COMMAND, /* a line with a colon */
    PALETTE_USER,    /* a command in Lua */
} palette_kind;

typedef struct palette_choice {
    palette_kind kind;
    int number;    /* of the request, or of the user's command */
    char line[64]; /* of the command; ends in a blank when the rest is for the user to type */
} palette_choice;

/* Without entries; NULL when memory ran out. */
palette *palette_new(void);
/* Adds what can be chosen, its title, and the key that does it ("": none); false when memory ran
 * out. */
bool palette_add(palette *p, const palette_choice *choice, const char *title, const char *key);
void palette_free(palette *p);
/* Takes a key; bytes[0..length) are what the terminal sent. False: the palette is done with, and
 * `choice` is what was chosen. */
bool palette_key(palette *p, const key_event *key, const char *bytes, size_t length,
                 palette_choice *choice);
/* Takes the first line of pasted text. */
void palette_paste(palette *p, const char *text);
void palette_draw(palette *p, terminal *t, rect area);

#endif
