/* The prompt: readline without a terminal. It is fed bytes and returns finished lines; drawing is
 * done here. readline keeps its state in globals, so there is one prompt per process. */
#ifndef TUI_PROMPT_PROMPT_H
#define TUI_PROMPT_PROMPT_H

#include "tui/terminal/terminal.h"

typedef struct prompt_hooks {
    /* Called with a finished line (or several lines: a chunk), never empty. */
    void (*accept)(const char *text, void *payload);
    /* Whether the text is an incomplete chunk of Lua. */
    bool (*incomplete)(const char *text);
    /* As script_complete. */
    char **(*complete)(const char *text, size_t cursor, size_t *start, void *payload);
    /* The same for the answer to the question with this label; NULL: there is none. */
    char **(*answers)(const char *label, const char *text, size_t cursor, size_t *start,
                      void *payload);
    void *payload;
} prompt_hooks;

typedef struct prompt prompt;

/* Call it before curses is started, because readline queries the terminal itself. `label` is shown
 * before the line. `history` is the file's path or NULL for none; both are copied. */
tm_status prompt_new(prompt **out, FILE *input, const char *label, const char *history,
                     const prompt_hooks *hooks, tm_error *err);
void prompt_free(prompt *p);

/* Feeds bytes to readline; they must be whole keys. */
void prompt_feed(prompt *p, const char *bytes, size_t length);
/* Inserts text into the line, keeping its line breaks; a question takes it as one line. */
void prompt_insert(prompt *p, const char *text);
bool prompt_empty(const prompt *p);
bool prompt_searching(const prompt *p); /* whether Ctrl-R or a similar search is active */
bool prompt_asking(const prompt *p);
/* Whether Esc belongs to readline, as in its vi mode. */
bool prompt_wants_escape(const prompt *p);
void prompt_clear(prompt *p);
/* Whether a completion list is shown, and whether one of its words was chosen (prompt_walk). */
bool prompt_listing(const prompt *p);
bool prompt_chosen(const prompt *p);
/* Moves through the completion list by words or rows, and puts the chosen word into the line. */
void prompt_walk(prompt *p, const terminal *t, int words, int rows);
/* Closes the completion list. True when one was shown. */
bool prompt_close_list(prompt *p);

/* Asks a question that is answered by one line; the line being typed is restored afterwards. Typing
 * replaces `initial`, unless the first key moves the cursor or deletes. `done` gets the text, or
 * NULL when the question was cancelled. */
void prompt_ask(prompt *p, const char *label, const char *initial,
                void (*done)(const char *text, void *payload), void *payload);
void prompt_give_up(prompt *p);

/* The number of rows that the line and the list above it need at this width, at most `most`. */
int prompt_rows(const prompt *p, const terminal *t, int most);
/* Draws into the area; with `focus` the cursor is put into it. */
void prompt_draw(const prompt *p, terminal *t, rect area, bool focus);

/* Writes $XDG_STATE_HOME/tamis/NAME and creates its directory if needed; false when that fails. */
bool prompt_state_path(const char *name, char *buffer, size_t size);

#endif
