/* Long options: a few of each subcommand, and all those of parameter tables. */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include "cli/print/context.h"

#include <stddef.h>

/* An option of a subcommand: a flag, or an option that takes a text. */
typedef struct cli_option {
    const char *name;  /* without the dashes */
    const char *value; /* placeholder in the help; NULL for a flag */
    const char *help;
    bool *flag;        /* set by a flag */
    const char **text; /* set by an option with a value: points into argv */
} cli_option;

enum { CLI_PARAM_SETS = 2 };

/* The syntax of a subcommand. Options are written --name value or --name=value, '-' and '_' are the
 * same in names, and "--" ends the options. */
typedef struct cli_syntax {
    const char *command; /* NULL: the program itself */
    const char *usage;   /* "fit FILE --method M [OPTION...]" */
    const char *summary; /* sentences for the help */
    const cli_option *options;
    size_t option_count;
    tm_params *params[CLI_PARAM_SETS]; /* parameter tables, in the order of the help; or NULL */
    const char *params_title[CLI_PARAM_SETS];
    bool stop;     /* the first word that is not an option ends the options */
    bool script;   /* after the first word, only options known here are parsed: others are words */
    bool no_store; /* does not record or read runs: --store is refused */
} cli_syntax;

/* The description of an option. */
typedef struct cli_option_row {
    const char *section;      /* "common options", "how FILE is read", ... */
    char name[64];            /* the option as typed, without the dashes */
    char value[128];          /* placeholder of its value; "" for a flag */
    const tm_choice *choices; /* all its values, ended by a NULL name; or NULL */
    bool open;                /* other values are possible too; see base/params/words.h */
    const char *help;
    char limits[256]; /* " (> 0, default 1)" or "" */
} cli_option_row;

typedef struct cli_arguments {
    char **words; /* the words that are not options, in order: argv itself, rearranged */
    size_t count;
    bool help; /* --help or -h was given: nothing after it was parsed */
} cli_arguments;

/* Parses argv[1..argc-1] into the targets. On TM_EUSAGE the error names what is wrong, and for an
 * unknown option the closest known one. */
tm_status cli_parse(const cli_syntax *syntax, cli_context *context, int argc, char **argv,
                    cli_arguments *out, tm_error *err);
/* Parses, reports errors, and prints the page of --help. False if the subcommand ends with that;
 * *done is then its exit status. */
bool cli_begin(const cli_syntax *syntax, cli_context *context, int argc, char **argv,
               cli_arguments *out, int *done);
/* Refuses a command line without the option `name`, on which the others depend: a misspelling of it
 * is named, otherwise `otherwise` is said. */
int cli_missing(const cli_syntax *syntax, int argc, char **argv, const char *name,
                const char *otherwise);
/* The value that the option `name` will get, looked up before the syntax is complete (which
 * parameters exist may depend on it); NULL if it is not given. */
const char *cli_peek(const cli_syntax *syntax, int argc, char **argv, const char *name);
/* Prints the page for --help, or that of context->page, on standard output. */
void cli_print_help(const cli_syntax *syntax, const cli_context *context);
/* Calls `use` with every option in the order of the help, the common ones last. */
void cli_each_option(const cli_syntax *syntax, const cli_context *context,
                     void (*use)(const cli_option_row *row, void *payload), void *payload);

/* Makes the parameters of the common options with their defaults. */
tm_status cli_common_new(tm_params **out, tm_error *err);

#endif
