/* The requests of keys. The program translates keys to requests; views and widgets handle them. */
#ifndef TUI_WIDGETS_REQUESTS_H
#define TUI_WIDGETS_REQUESTS_H

/* The requests and their names in init.lua. */
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
    X(PIN, "pin")                                                                                  \
    X(UNPIN, "unpin")                                                                              \
    X(UNDO, "undo")                                                                                \
    X(FIND, "find")                                                                                \
    X(NEXT, "next")                                                                                \
    X(SHOW_PATH, "show-path")                                                                      \
    X(SHOW_SCREEN, "show-screen")                                                                  \
    X(STRATEGY, "strategy")                                                                        \
    X(FASTER, "faster")                                                                            \
    X(SLOWER, "slower")                                                                            \
    X(TIME_BACK, "time-back")                                                                      \
    X(TIME_ON, "time-on")                                                                          \
    X(TIME_PLAY, "time-play")                                                                      \
    X(TIME_SLOWER, "time-slower")                                                                  \
    X(TIME_FASTER, "time-faster")                                                                  \
    X(SCRIPT, "script")                                                                            \
    X(ARRANGE, "arrange")                                                                          \
    X(QUANTITY, "quantity")                                                                        \
    X(PLANE, "dual-picture")                                                                       \
    X(LAMBDA_LESS, "lambda-less")                                                                  \
    X(LAMBDA_MORE, "lambda-more")                                                                  \
    X(EXPLAIN, "explain")                                                                          \
    X(ANSWER, "answer")                                                                            \
    X(TELL, "tell-answer")                                                                         \
    X(AGAIN, "show-again")                                                                         \
    X(LESSONS, "lesson-list")

typedef enum request_id {
    REQ_NONE,
#define REQUEST(id, name) REQ_##id,
    REQUESTS(REQUEST)
#undef REQUEST
        REQ_VIEW,   /* REQ_VIEW + id of the view (shell/view.h) */
    REQ_USER = 512, /* REQ_USER + number of a command of init.lua */
} request_id;

/* The steps of a request: left -1, right 1, less -10, more 10; 0: none of these. */
long requests_steps(int request);

#endif
