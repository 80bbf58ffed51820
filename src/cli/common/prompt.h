/* Lua typed line by line: chunks of several lines, and a terminal's prompt with history and
 * completion. */
#ifndef CLI_COMMON_PROMPT_H
#define CLI_COMMON_PROMPT_H

#include "cli/common/session.h"

typedef struct cli_prompt {
    cli_session session;
    const char *command; /* for messages */
    bool terminal;
    char *chunk; /* the lines of an incomplete chunk, or NULL */
    int status;  /* status of the chunks so far: CLI_FAILED after one that failed */
    int killed;  /* a signal that ends the program, or 0 */
    bool over;   /* the input has ended, or the reader of the output has closed it */
    char *line;  /* the line that readline has read, if `have_line` */
    bool have_line;
    char *history; /* path of the history file, or NULL */
} cli_prompt;

/* Adds a line to the chunk; runs the chunk when it is complete. */
void cli_prompt_take(cli_prompt *prompt, const char *line);
/* Runs the chunk even if it is incomplete, and waits for its end. */
void cli_prompt_run(cli_prompt *prompt);
/* Discards an incomplete chunk. */
void cli_prompt_drop(cli_prompt *prompt);

/* Opens its session, as set by `command` and `terminal`. */
tm_status cli_prompt_open(cli_prompt *prompt, const cli_context *context, tm_error *err);
/* On a terminal, one prompt at a time: begin, lines, end. The session must be open. */
void cli_prompt_begin(cli_prompt *prompt);
void cli_prompt_end(cli_prompt *prompt);
/* The next line, which the caller frees; NULL if Ctrl-C has discarded it, at the end of the input
 * (`over`), or if a signal ends the program (`killed`). */
char *cli_prompt_line(cli_prompt *prompt, const char *text);

#endif
