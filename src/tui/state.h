/* The program's state, shared by the files that make up its loop: app.c (life), loop.c (events),
 * dispatch.c (keys and requests), frame.c (drawing). Views see app.h only. */
#ifndef TUI_STATE_H
#define TUI_STATE_H

#include "tui/palette.h"
#include "tui/shell/app.h"
#include "tui/shell/keymap.h"
#include "tui/terminal/tty.h"
#include "tui/tui.h"
#include "tui/widgets/pager.h"

enum { QUEUE_SIZE = 8192 };
enum { PAGED_NOTHING, PAGED_HELP, PAGED_OUTPUT };
enum { SPLIT_NONE, SPLIT_BESIDE, SPLIT_BELOW };

struct app {
    term_device term;
    screen *screen;
    keyboard *keyboard;
    keymap keymap;    /* what the user has added to the keys */
    palette *palette; /* NULL: it is not open */
    prompt *prompt;
    session *session;
    explore_runs explore_runs;
    void *states[VIEW_COUNT];
    view_id view;          /* the one that has the keys */
    int split;             /* SPLIT_NONE, ... */
    view_id other;         /* shown too, when the screen is split and large enough */
    bool second;           /* `view` is to the right or below */
    rect area, other_area; /* where they were drawn; no rows: not at all */
    bool typing;           /* keys go to the prompt */
    int paged;             /* PAGED_NOTHING, ...: read over the view */
    pager pager;
    scrollback *help_text; /* the page of help, while it is read */
    bool paged_typing;     /* the prompt had the keys before */
    bool page_output;      /* what runs now is to be read from its beginning when it is long */
    struct {
        void (*act)(void *payload);
        void *payload;
    } confirm; /* the question that is being asked */
    struct {
        app_writer *write;
        void *payload;
        char path[4096];
    } save; /* the file that is being named */
    char message[TM_ERROR_MAX];
    scr_style message_style;
    bool tail; /* output shown over another view, from line tail_from on */
    uint64_t tail_from;
    bool asked;          /* the user has typed something to run: its plots come to the front */
    unsigned generation; /* of the data that the explore_runs has */

    char queue[QUEUE_SIZE]; /* bytes typed, not yet decoded */
    size_t queued;
    double queued_at;
    bool changed;   /* something is to be drawn for the user's own doing */
    bool news;      /* other threads have news */
    bool woken;     /* that time has come */
    double wake_at; /* clock at which views want to be updated; 0: never */
    double last_frame, frame_cost;
    uint64_t init_ticket; /* of init.lua, which may give keys their meaning; 0: it is over */
    double init_deadline; /* keys wait for it until then */
    bool quit_asked;      /* the last key was one that quits */
    bool ending;
    int status;
};

/* The views in the order of their tabs. */
extern const view_ops *const app_views[VIEW_COUNT];

/* The keys go to the other of two views. */
void app_swap(app *a);
/* What keys mean now: a view, or CONTEXT_PLOT. */
int app_context(const app *a);

/* How wide what scripts print may be. */
size_t app_print_columns(const app *a);

/* Output from now on is shown over the view. */
void app_tail(app *a);

/* The parts of the program's life; `terminal` NULL: none, and no history. */
tm_status app_open_prompt(app *a, FILE *terminal, tm_error *err);
tm_status app_open_work(app *a, const tui_options *options, tm_error *err);
void app_close(app *a);

/* Keys go to the prompt from now on, or back to the view. */
void app_start_typing(app *a);
void app_stop_typing(app *a);

/* Reading over the view (paging.c): the output since the prompt was used, from its beginning or its
 * last page, when that is longer than what is shown of it; whether a key was the pager's; the end.
 */
bool paging_output(app *a, bool at_end);
bool paging_key(app *a, const key_event *key);
void paging_close(app *a);
void paging_draw(app *a, rect area);
/* Rows of output that are shown over a view of so many. */
int paging_tail_rows(const app *a, int rows);

/* Draws the whole screen. */
void frame_draw(app *a);
/* The screen as text, malloc'ed: as it is, or (`alone`) with this view alone in it. */
tm_status frame_text(app *a, view_id view, bool alone, char **out, tm_error *err);
/* What the tab of a view says; returns its columns. */
int frame_tab_text(const app *a, int view, char *buffer, size_t size);

/* Acts on one key; bytes[0..length) are what the terminal sent for it. */
void dispatch_key(app *a, const key_event *key, const char *bytes, size_t length);
/* What a key that asks for this would do. */
void dispatch_request(app *a, int request);
void dispatch_interrupt(app *a);
void dispatch_suspend(app *a);

/* Runs until a->ending. */
void loop_run(app *a);
/* Takes in the news once, without a terminal. */
void loop_update(app *a);

#endif
