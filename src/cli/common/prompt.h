/* Lua typed line by line: chunks of several lines, and a terminal's prompt with history and
 * completion. */
#ifndef CLI_COMMON_PROMPT_H
#define CLI_COMMON_PROMPT_H

#include "cli/common/session.h"

typedef struct cli_prompt {
    cli_session session;
    const char *command; /* for messages */
    bool terminal;
    char *chunk; /* the lines of an unfinished chunk, or NULL */
    int status;  /* of the chunks so far: CLI_FAILED after one that failed */
    int killed;  /* a signal that ends the program, or 0 */
    bool over;   /* end of input, or the reader of the output has gone */
    char *line;  /* what readline has read, when `have_line` */
    bool have_line;
    char *history; /* where it is kept, or NULL */
} cli_prompt;

/* Adds a line to the chunk; runs the chunk when it is whole. */
void cli_prompt_take(cli_prompt *prompt, const char *line);
/* Runs the chunk as it is, and waits for its end. */
void cli_prompt_run(cli_prompt *prompt);
/* Forgets an unfinished chunk. */
void cli_prompt_drop(cli_prompt *prompt);

/* Opens its session, by `command` and `terminal`. */
tm_status cli_prompt_open(cli_prompt *prompt, const cli_context *context, tm_error *err);
/* On a terminal, one prompt at a time: begin, lines, end. The session is open. */
void cli_prompt_begin(cli_prompt *prompt);
void cli_prompt_end(cli_prompt *prompt);
/* The next line, which the caller frees; NULL when Ctrl-C has given it up, at the end of the input
 * (`over`) and when a signal ends the program (`killed`). */
char *cli_prompt_line(cli_prompt *prompt, const char *text);

#endif
