/* The program's state, for the files that run the program: this room implements the interface for
 * views (app.h), and the loop in tui/ delivers events. Views include app.h only. */
#ifndef TUI_SHELL_STATE_H
#define TUI_SHELL_STATE_H

#include "tui/shell/app.h"
#include "tui/shell/keymap.h"
#include "tui/terminal/tty.h"
#include "tui/widgets/pager.h"
#include "tui/widgets/palette.h"

enum { QUEUE_SIZE = 8192 };
enum { PAGED_NOTHING, PAGED_HELP, PAGED_SCRIPT, PAGED_OUTPUT };
enum { SPLIT_NONE, SPLIT_BESIDE, SPLIT_BELOW };

/* Text that is being pasted. */
typedef struct app_paste {
    bool open;
    char *text; /* malloc'ed, the part received so far */
    size_t length, capacity;
    bool cut; /* memory ran out, or it is longer than MAX_PASTE: the rest is left out */
} app_paste;

/* Where keys come from. */
typedef struct app_input {
    tty tty;
    keyboard *keyboard;
    char bytes[QUEUE_SIZE]; /* bytes typed but not yet decoded */
    size_t count;
    app_paste paste;
    double at;            /* clock of the last of them */
    uint64_t init_ticket; /* ticket of init.lua, which may bind keys; 0: it has ended */
    double init_deadline; /* clock until which keys wait for it */
} app_input;

/* Which views are shown. */
typedef struct app_layout {
    view_id view;          /* the one with the focus */
    int split;             /* SPLIT_NONE, ... */
    view_id other;         /* shown too, when the screen is split and large enough */
    bool second;           /* `view` is to the right or below */
    rect area, other_area; /* where they were drawn; no rows: not drawn */
} app_layout;

/* Text over the view. */
typedef struct app_reading {
    int paged; /* the pager's content: PAGED_NOTHING, ... */
    pager pager;
    scrollback *help_text; /* the page of help, while it is read */
    bool typing;           /* the prompt had the focus before */
    bool page_output;      /* the output of the running chunk opens at its beginning if it is
                            * long */
    bool tail;             /* output shown over another view, from line tail_from on */
    uint64_t tail_from;
} app_reading;

/* The question being asked. */
typedef struct app_question {
    struct {
        void (*act)(void *payload);
        void *payload;
        bool open; /* one key answers it */
    } confirm;
    struct {
        app_writer *write;
        void *payload;
        char path[4096];
    } save; /* the file that is being named */
} app_question;

/* The line of app_message. */
typedef struct app_line {
    char text[TM_ERROR_MAX];
    terminal_style style;
} app_line;

/* What the next frame is for. */
typedef struct app_due {
    bool changed;   /* something changed through an action of the user */
    bool news;      /* other threads have news */
    bool woken;     /* wake_at has passed */
    double wake_at; /* clock at which views want to be updated; 0: never */
    double last_frame, frame_cost;
} app_due;

/* The moment that all views show (scrub.h). */
typedef struct app_scrub {
    bool on;
    double at; /* 0..1 */
    bool playing;
    double speed;  /* 1: the whole way takes whole_seconds */
    double ticked; /* clock of the last step while playing */
    rect line;     /* where it was drawn; no rows: not drawn */
} app_scrub;

typedef struct app_end {
    bool asked; /* the last key was a request to quit */
    bool now;
    int status; /* exit status of the process */
} app_end;

struct app {
    app_input input;
    terminal *terminal;
    prompt *prompt;
    palette *palette; /* NULL: it is not open */
    keymap keymap;
    session *session;
    explore_runs explore_runs;
    unsigned generation;          /* generation of the data in explore_runs */
    const view_ops *const *views; /* by view_id */
    void *states[VIEW_COUNT];
    app_layout layout;
    app_reading reading;
    app_question question;
    app_line message;
    app_due due;
    app_scrub scrub;
    bool typing; /* the prompt has the focus */
    bool asked;  /* the user has started something: its plots come to the front */
    app_end end;
};

/* Handles a key while a yes-or-no question is open: y, or n and the keys that cancel a question;
 * others do nothing. False if no question is open. */
bool questions_key(app *a, int key);
/* Moves the focus to the other of two views. */
void app_swap(app *a);
/* The present context of keys: a view, or CONTEXT_PLOT. */
int app_context(const app *a);
/* Output from now on is shown over the view. */
void app_tail(app *a);
/* Moves the focus to the prompt, or back to the view. */
void app_start_typing(app *a);
void app_stop_typing(app *a);

#endif
