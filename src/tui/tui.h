/* The workbench: the program's full-screen interface. */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "tui/session/options.h"

typedef session_recorder tui_recorder;

typedef struct tui_options {
    const char *path;        /* data file, or NULL: the built-in example */
    const tm_params *reader; /* how that file is read, or NULL: the defaults */
    const char *label;       /* with several classes, the one against the rest; or NULL */
    const char *script;      /* a Lua file to start, or NULL */
    char *const *script_args;
    size_t script_arg_count;
    int jobs;                     /* worker threads; 0: one for each core */
    uint64_t seed;                /* seed of splits and generators */
    const char *charset;          /* "auto", "utf8", "ascii"; NULL: auto */
    const char *color;            /* "auto", "never", "16", "256", "true"; NULL: auto */
    const tui_recorder *recorder; /* or NULL; must outlive the workbench */
    tm_store *store;              /* whose runs are shown, or NULL; must outlive the workbench */
    bool quiet;                   /* no greeting in the Lua view */
    const char *dump;             /* tui_dump: the view */
    int rows, cols;               /* tui_dump: size of the terminal */
    bool learn;                   /* start with the lessons view; scripts run in the sandbox */
    struct script_lesson_call
        *lesson; /* call of the lessons view, or NULL; must outlive the workbench */
} tui_options;

/* Runs until the user quits or the terminal is lost. Returns the exit status: 0 after quitting, 1
 * when there is no usable terminal (a message went to stderr), 128 + n after signal n. The terminal
 * is left as it was found. */
int tui_main(const tui_options *options);
/* The same without a terminal: when all work is done (the data are loaded, the form is solved,
 * the script has ended), prints what the view shows on a screen of this size. Returns the exit
 * status. */
int tui_dump(const tui_options *options);
/* Also without a terminal: runs the lesson's call to its end and prints nothing. */
int tui_check(const tui_options *options);

#endif
