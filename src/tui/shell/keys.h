/* Keys are translated to requests. Each view lists its own keys (view_ops); this file has those of
 * plots, of the pager, and those with the same meaning everywhere. The help pages are made from the
 * same rows. */
#ifndef TUI_SHELL_KEYS_H
#define TUI_SHELL_KEYS_H

#include "tui/shell/view_rows.h"
#include "tui/terminal/keyboard.h"
#include "tui/widgets/requests.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum view_id {
#define VIEW_ID(id, name, key, title, help) VIEW_##id,
    VIEWS(VIEW_ID)
#undef VIEW_ID
        VIEW_COUNT,
} view_id;

_Static_assert(REQ_VIEW + VIEW_COUNT <= REQ_USER, "requests of views and of commands overlap");

/* The contexts of keys: a view, a plot of a view, or the pager. */
enum { CONTEXT_PLOT = VIEW_COUNT, CONTEXT_PAGER, CONTEXT_COUNT };

enum { KEYS_A_ROW = 3 };

typedef struct key_row {
    int keys[KEYS_A_ROW];
    int request;      /* REQ_NONE: the end of the rows */
    const char *help; /* NULL: not listed */
} key_row;

/* Rows that several views have. Letters with which Lua lines often begin (a, b, d, f, h, i, l, m,
 * p, r, s, t, w) are not bound, so that typing them starts the prompt. */
#define KEY_ROW(request, help, ...)                                                                \
    {                                                                                              \
        {__VA_ARGS__}, request, help                                                               \
    }
#define KEYS_CHOOSE_ROW                                                                            \
    KEY_ROW(REQ_UP, "choose the row above", TK_UP, 'k'),                                           \
        KEY_ROW(REQ_DOWN, "choose the row below", TK_DOWN, 'j')
#define KEYS_PAGE_ROWS                                                                             \
    KEY_ROW(REQ_PAGE_UP, "several rows up", TK_PAGE_UP, KEY_CTRL('B')),                            \
        KEY_ROW(REQ_PAGE_DOWN, "several rows down", TK_PAGE_DOWN, KEY_CTRL('F'))
#define KEYS_SCROLL                                                                                \
    KEY_ROW(REQ_UP, "scroll up", TK_UP, 'k'), KEY_ROW(REQ_DOWN, "scroll down", TK_DOWN, 'j'),      \
        KEY_ROW(REQ_PAGE_UP, "a page up", TK_PAGE_UP, KEY_CTRL('B')),                              \
        KEY_ROW(REQ_PAGE_DOWN, "a page down", TK_PAGE_DOWN, KEY_CTRL('F'), ' '),                   \
        KEY_ROW(REQ_FIND, "search", '/'), KEY_ROW(REQ_NEXT, "the next match", 'n'),                \
        KEY_ROW(REQ_PREVIOUS, "the previous match", 'N')
#define KEYS_TO_PLOT KEY_ROW(REQ_PLOT, "focus a plot: cursor, zoom, pan, save; Esc leaves it", 'c')

/* The rows of plots, of the pager, and of all contexts; a context's own binding of a key takes
 * precedence over the general one. */
extern const key_row keys_plot[], keys_pager[], keys_general[];

/* The row of a key; NULL when it is in none of them. */
const key_row *keys_find(const key_row *rows, int key);

/* What readline understands at the prompt: a key and what it does; NULL past the end. */
typedef struct prompt_key {
    const char *key, *help;
} prompt_key;
const prompt_key *keys_prompt(size_t i);

#endif
