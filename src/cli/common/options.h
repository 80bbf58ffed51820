/* Long options: a few of the subcommand's own, and all those of parameter tables. */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include "cli/print/context.h"

#include <stddef.h>

/* One option of a subcommand's own: a flag, or one that takes a text. */
typedef struct cli_option {
    const char *name;  /* without the dashes */
    const char *value; /* placeholder in the help; NULL for a flag */
    const char *help;
    bool *flag;        /* set by a flag */
    const char **text; /* set by an option with a value: points into argv */
} cli_option;

enum { CLI_PARAM_SETS = 2 };

/* What a subcommand understands. Options may be written --name value or --name=value, '-' and '_'
 * are the same in names, and "--" ends the options. */
typedef struct cli_syntax {
    const char *command; /* NULL: the program itself */
    const char *usage;   /* "fit FILE --method M [OPTION...]" */
    const char *summary; /* sentences for the help */
    const cli_option *options;
    size_t option_count;
    tm_params *params[CLI_PARAM_SETS]; /* parameter tables, in the order of the help; or NULL */
    const char *params_title[CLI_PARAM_SETS];
    bool stop;     /* the first word that is no option ends the options */
    bool script;   /* after the first word only options known here are taken: others are words */
    bool no_store; /* records and reads no runs: --store is refused */
} cli_syntax;

/* One option in words. */
typedef struct cli_option_row {
    const char *section;      /* "common options", "how FILE is read", ... */
    char name[64];            /* as it is written, without the dashes */
    char value[128];          /* placeholder of its value; "" for a flag */
    const tm_choice *choices; /* all its values, ended by a NULL name; or NULL */
    const char *help;
    char limits[256]; /* " (> 0, default 1)" or "" */
} cli_option_row;

typedef struct cli_arguments {
    char **words; /* those that are no options, in order: argv itself, rearranged */
    size_t count;
    bool help; /* --help or -h was there: nothing after it was looked at */
} cli_arguments;

/* Reads argv[1..argc-1] into the targets. TM_EUSAGE names what is wrong, and for an unknown option
 * the closest known one. */
tm_status cli_parse(const cli_syntax *syntax, cli_context *context, int argc, char **argv,
                    cli_arguments *out, tm_error *err);
/* Parses, tells what is wrong, prints the page that --help asks for. False when the subcommand is
 * done with that: *done is its exit status. */
bool cli_begin(const cli_syntax *syntax, cli_context *context, int argc, char **argv,
               cli_arguments *out, int *done);
/* The value the option `name` will get, looked up before the syntax is complete (which parameters
 * exist may depend on it); NULL when it is not there. */
const char *cli_peek(const cli_syntax *syntax, int argc, char **argv, const char *name);
/* The page for --help, or context->page's, on standard output. */
void cli_print_help(const cli_syntax *syntax, const cli_context *context);
/* Calls `use` with every option in the order of the help, the common ones last. */
void cli_each_option(const cli_syntax *syntax, const cli_context *context,
                     void (*use)(const cli_option_row *row, void *payload), void *payload);

/* The common options' parameters at their defaults. */
tm_status cli_common_new(tm_params **out, tm_error *err);

#endif
