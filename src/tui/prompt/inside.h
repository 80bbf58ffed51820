/* The internals of the prompt: its use of readline (readline.c) and its drawing (draw.c). */
#ifndef TUI_PROMPT_INSIDE_H
#define TUI_PROMPT_INSIDE_H

#include "tui/prompt/prompt.h"

enum { LABEL_MAX = 80 };

struct prompt {
    prompt_hooks hooks;
    FILE *nowhere; /* readline's output */
    char *label;
    char *history;
    const char *bytes; /* what readline may read now */
    size_t length;
    char **list; /* completions shown above the line */
    size_t list_count;
    size_t list_start; /* start in the line of the word that they replace */
    size_t list_at;    /* index of the chosen completion; SIZE_MAX: none yet */
    char *finished;    /* a line that readline has handed over */
    /* the question being asked */
    void (*done)(const char *text, void *payload);
    void *done_payload;
    char question[LABEL_MAX];
    bool fresh; /* the suggested line is unedited: typing replaces it */
    char *kept; /* the line typed before the question */
    int kept_point;
};

/* Defined in readline.c. */

void prompt_replace_word(size_t start, const char *word, size_t length);

#endif
