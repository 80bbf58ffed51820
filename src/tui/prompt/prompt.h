/* The prompt: readline without its terminal. Bytes go in, finished lines come out, and drawing is
 * ours. readline keeps its state in globals, so there is one prompt in a process. */
#ifndef TUI_PROMPT_PROMPT_H
#define TUI_PROMPT_PROMPT_H

#include "tui/terminal/terminal.h"

typedef struct prompt_hooks {
    /* A finished line (or several: a chunk), never empty. */
    void (*accept)(const char *text, void *payload);
    /* Whether a line of Lua wants another one. */
    bool (*incomplete)(const char *text);
    /* As script_complete. */
    char **(*complete)(const char *text, size_t cursor, size_t *start, void *payload);
    void *payload;
} prompt_hooks;

typedef struct prompt prompt;

/* Call it before curses is started: readline looks at the terminal in its own way. `label` is shown
 * before the line. `history` is the file's path or NULL for none; both are copied. */
tm_status prompt_new(prompt **out, FILE *input, const char *label, const char *history,
                     const prompt_hooks *hooks, tm_error *err);
void prompt_free(prompt *p);

/* Gives bytes of whole keys to readline. */
void prompt_feed(prompt *p, const char *bytes, size_t length);
/* Puts text into the line, where lines of it stay lines; a question takes it as one line. */
void prompt_insert(prompt *p, const char *text);
bool prompt_empty(const prompt *p);
bool prompt_searching(const prompt *p); /* Ctrl-R and its kind */
bool prompt_asking(const prompt *p);
/* In readline's vi mode Esc belongs to the line. */
bool prompt_wants_escape(const prompt *p);
void prompt_clear(prompt *p);
/* Whether a completion list is shown, and whether one of its words was chosen (prompt_walk). */
bool prompt_listing(const prompt *p);
bool prompt_chosen(const prompt *p);
/* Goes through the list shown: by words, or by rows of it; the word is put into the line. */
void prompt_walk(prompt *p, const terminal *t, int words, int rows);
/* Shows a completion list no longer. True when one was shown. */
bool prompt_close_list(prompt *p);

/* Asks for one line of another kind; what was being typed comes back afterwards. What is typed
 * first takes the place of `initial`; a key that moves or deletes edits it. `done` gets the text,
 * or NULL when it was cancelled. */
void prompt_ask(prompt *p, const char *label, const char *initial,
                void (*done)(const char *text, void *payload), void *payload);
void prompt_give_up(prompt *p);

/* Rows that the line and the list above it want on a screen of that width, at most `most`. */
int prompt_rows(const prompt *p, const terminal *t, int most);
/* Draws into the area; with `focus` the cursor is put into it. */
void prompt_draw(const prompt *p, terminal *t, rect area, bool focus);

/* $XDG_STATE_HOME/tamis/NAME, its directory made when needed; false when there is no place. */
bool prompt_state_path(const char *name, char *buffer, size_t size);

#endif
