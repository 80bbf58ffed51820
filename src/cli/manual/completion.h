/* Completion of the command line in bash, zsh and fish, made from the tables of options. */
#ifndef CLI_MANUAL_COMPLETION_H
#define CLI_MANUAL_COMPLETION_H

#include "cli/print/context.h"

typedef struct completion_shell completion_shell;

/* The words for which a placeholder of the usage ("M", "LESSON") or of an option stands. */
typedef struct completion_words {
    const char *placeholder; /* NULL ends a list */
    const char *words;       /* separated by spaces */
} completion_words;

/* The scope of the rows, the payload of completion_page. */
typedef struct completion_scope {
    const completion_shell *shell;
    const char *command;           /* NULL: the program itself */
    const char *method;            /* NULL: the options of every method */
    const completion_words *words; /* words of placeholders */
} completion_scope;

const completion_shell *completion_find(const char *name); /* NULL: there is none */
/* `commands` has the names of the subcommands, separated by spaces. */
void completion_begin(const completion_shell *shell, const char *commands);
/* A cli_page that prints the rows of one subcommand, or of one with a method. */
cli_page completion_page;
void completion_end(const completion_shell *shell);

#endif
