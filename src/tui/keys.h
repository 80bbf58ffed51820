/* One table turns keys into requests; the help pages are made from the same table. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum view_id {
    VIEW_EXPLORE,
    VIEW_RUNS,
    VIEW_PATH,
    VIEW_SCREEN,
    VIEW_DATA,
    VIEW_LUA,
    VIEW_PLOTS,
    VIEW_COUNT,
} view_id;

/* Where keys have meanings: in a view, or in a plot of one. */
enum { CONTEXT_PLOT = VIEW_COUNT, CONTEXT_COUNT };

typedef enum request_id {
    REQ_NONE,
    /* everywhere */
    REQ_QUIT,
    REQ_HELP,
    REQ_PROMPT,
    REQ_COMMAND,
    REQ_SEARCH,
    REQ_INTERRUPT,
    REQ_SUSPEND,
    REQ_REPAINT,
    REQ_BACK,
    REQ_VIEW, /* REQ_VIEW + id of the view */
    REQ_VIEW_LAST = REQ_VIEW + VIEW_COUNT - 1,
    REQ_VIEW_NEXT,
    REQ_VIEW_PREVIOUS,
    /* moving */
    REQ_UP,
    REQ_DOWN,
    REQ_LEFT,
    REQ_RIGHT,
    REQ_LESS,
    REQ_MORE,
    REQ_PAGE_UP,
    REQ_PAGE_DOWN,
    REQ_FIRST,
    REQ_LAST,
    REQ_CLICK,
    REQ_DRAG,
    REQ_RELEASE,
    REQ_WHEEL_UP,
    REQ_WHEEL_DOWN,
    /* in plots */
    REQ_PLOT,
    REQ_ZOOM_IN,
    REQ_ZOOM_OUT,
    REQ_PAN_LEFT,
    REQ_PAN_RIGHT,
    REQ_PAN_UP,
    REQ_PAN_DOWN,
    REQ_RESET,
    REQ_LOG_X,
    REQ_LOG_Y,
    REQ_PREVIOUS,
    /* acting */
    REQ_EDIT,
    REQ_UNSET,
    REQ_ZOOM,
    REQ_LOG_TIME,
    REQ_COLD,
    REQ_USE,
    REQ_CANCEL,
    REQ_PAUSE,
    REQ_SAVE,
    REQ_DELETE,
    REQ_ALONE,
    REQ_MARK,
    REQ_ORDER,
    REQ_REVERSE,
    REQ_UNDO,
    REQ_FIND,
    REQ_NEXT,
    REQ_SHOW_PATH,
    REQ_SHOW_SCREEN,
    REQ_STRATEGY,
    REQ_FASTER,
    REQ_SLOWER,
} request_id;

enum { KEYS_A_ROW = 3, VIEW_MASK_ALL = (1 << CONTEXT_COUNT) - 1 };

typedef struct key_row {
    unsigned views; /* mask of 1 << context */
    int keys[KEYS_A_ROW];
    int request;
    const char *help; /* NULL: not listed */
} key_row;

/* The row of a key in a context; NULL when it means nothing there. */
const key_row *keys_find(int context, int key);
/* Row i of the whole table; NULL past the end. */
const key_row *keys_at(size_t i);

/* What readline understands at the prompt: a key and what it does; NULL past the end. */
typedef struct prompt_key {
    const char *key, *help;
} prompt_key;
const prompt_key *keys_prompt(size_t i);

#endif
