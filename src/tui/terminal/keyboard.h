/* Decodes keys from the terminal's bytes. */
#ifndef TUI_TERMINAL_KEYBOARD_H
#define TUI_TERMINAL_KEYBOARD_H

#include <stdbool.h>
#include <stddef.h>

/* Keys are code points; keys that are not characters lie above Unicode. */
enum {
    KEYS_BASE = 0x110000,
    TK_NONE = KEYS_BASE, /* an unknown sequence */
    TK_UP,
    TK_DOWN,
    TK_LEFT,
    TK_RIGHT,
    TK_HOME,
    TK_END,
    TK_PAGE_UP,
    TK_PAGE_DOWN,
    TK_INSERT,
    TK_DELETE,
    TK_BACKTAB,
    TK_SHIFT_LEFT,
    TK_SHIFT_RIGHT,
    TK_CLICK,
    TK_DRAG,    /* moved with the button down */
    TK_RELEASE, /* the button was released */
    TK_WHEEL_UP,
    TK_WHEEL_DOWN,
    TK_F1, /* TK_F1 + 1 is F2, ... */
    TK_F12 = TK_F1 + 11,
    TK_PASTE,         /* what follows is pasted text, up to KEYBOARD_PASTE_END */
    TK_ALT = 1 << 24, /* added to the key that followed Esc */
    TK_TAB = 9,
    TK_ENTER = 13,
    TK_ESC = 27,
    TK_BACKSPACE = 127,
};

/* Takes a capital letter. */
#define KEY_CTRL(letter) ((letter)-64)

typedef struct key_event {
    int code;
    int row, col; /* of the mouse, from 0 */
} key_event;

/* What a terminal sends after pasted text in bracketed paste mode. */
#define KEYBOARD_PASTE_END "\033[201~"

typedef struct keyboard keyboard;

/* Reads the key sequences of the terminal that curses is set up for; NULL when memory ran out. */
keyboard *keyboard_new(void);
void keyboard_free(keyboard *in);

/* Decodes the first key of bytes[0..length). Returns the number of bytes used, or 0 when more are
 * needed; with `final`, no more will come, and Esc alone is a key. */
size_t keyboard_decode(const keyboard *in, const char *bytes, size_t length, bool final,
                       key_event *key);

/* The key of this name; names longer than a letter are case-insensitive; TK_NONE: unknown. */
int keyboard_key_code(const char *name);
/* Writes the name of a key ("up", "Ctrl-C", "F1", "x") for help pages to buffer. */
void keyboard_key_name(int code, char *buffer, size_t size);

#endif
