/* One table turns keys into requests; the help pages are made from the same table. */
#ifndef TUI_SHELL_KEYS_H
#define TUI_SHELL_KEYS_H

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

/* Where keys have meanings: in a view, in a plot of one, or in text that is read over a view. */
enum { CONTEXT_PLOT = VIEW_COUNT, CONTEXT_PAGER, CONTEXT_COUNT };

/* What keys can ask for, and what it is called in init.lua. */
#define REQUESTS(X)                                                                                \
    X(NOTHING, "none")                                                                             \
    X(QUIT, "quit")                                                                                \
    X(HELP, "help")                                                                                \
    X(PROMPT, "prompt")                                                                            \
    X(COMMAND, "command")                                                                          \
    X(SEARCH, "search")                                                                            \
    X(INTERRUPT, "interrupt")                                                                      \
    X(SUSPEND, "suspend")                                                                          \
    X(SPLIT, "split")                                                                              \
    X(OTHER, "other-view")                                                                         \
    X(PALETTE, "palette")                                                                          \
    X(REPAINT, "repaint")                                                                          \
    X(BACK, "back")                                                                                \
    X(VIEW_NEXT, "view-next")                                                                      \
    X(VIEW_PREVIOUS, "view-previous")                                                              \
    X(UP, "up")                                                                                    \
    X(DOWN, "down")                                                                                \
    X(LEFT, "left")                                                                                \
    X(RIGHT, "right")                                                                              \
    X(LESS, "less")                                                                                \
    X(MORE, "more")                                                                                \
    X(PAGE_UP, "page-up")                                                                          \
    X(PAGE_DOWN, "page-down")                                                                      \
    X(FIRST, "first")                                                                              \
    X(LAST, "last")                                                                                \
    X(CLICK, "click")                                                                              \
    X(DRAG, "drag")                                                                                \
    X(RELEASE, "release")                                                                          \
    X(WHEEL_UP, "wheel-up")                                                                        \
    X(WHEEL_DOWN, "wheel-down")                                                                    \
    X(PLOT, "plot")                                                                                \
    X(ZOOM_IN, "zoom-in")                                                                          \
    X(ZOOM_OUT, "zoom-out")                                                                        \
    X(PAN_LEFT, "pan-left")                                                                        \
    X(PAN_RIGHT, "pan-right")                                                                      \
    X(PAN_UP, "pan-up")                                                                            \
    X(PAN_DOWN, "pan-down")                                                                        \
    X(RESET, "reset")                                                                              \
    X(LOG_X, "log-x")                                                                              \
    X(LOG_Y, "log-y")                                                                              \
    X(PREVIOUS, "previous")                                                                        \
    X(EDIT, "edit")                                                                                \
    X(UNSET, "unset")                                                                              \
    X(ZOOM, "zoom")                                                                                \
    X(LOG_TIME, "log-time")                                                                        \
    X(COLD, "cold")                                                                                \
    X(USE, "use")                                                                                  \
    X(CANCEL, "cancel")                                                                            \
    X(PAUSE, "pause")                                                                              \
    X(SAVE, "save")                                                                                \
    X(DELETE, "delete")                                                                            \
    X(ALONE, "alone")                                                                              \
    X(MARK, "mark")                                                                                \
    X(ORDER, "order")                                                                              \
    X(REVERSE, "reverse")                                                                          \
    X(UNDO, "undo")                                                                                \
    X(FIND, "find")                                                                                \
    X(NEXT, "next")                                                                                \
    X(SHOW_PATH, "show-path")                                                                      \
    X(SHOW_SCREEN, "show-screen")                                                                  \
    X(STRATEGY, "strategy")                                                                        \
    X(FASTER, "faster")                                                                            \
    X(SLOWER, "slower")

typedef enum request_id {
    REQ_NONE,
#define REQUEST(id, name) REQ_##id,
    REQUESTS(REQUEST)
#undef REQUEST
        REQ_VIEW, /* REQ_VIEW + id of the view */
    REQ_VIEW_LAST = REQ_VIEW + VIEW_COUNT - 1,
    REQ_USER, /* REQ_USER + number of a command of init.lua */
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
