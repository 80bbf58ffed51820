/* Manual pages with the macros of man(7), made from the tables of options and of Lua. */
#ifndef CLI_MANUAL_MAN_H
#define CLI_MANUAL_MAN_H

#include "cli/print/context.h"

/* A subcommand, for lists in other pages. */
typedef struct man_entry {
    const char *name;    /* NULL ends a list */
    const char *summary; /* one line */
} man_entry;

/* The facts of a page that its options do not contain. */
typedef struct man_topic {
    const char *name;         /* name of the subcommand, or NULL: the program itself */
    const char *summary;      /* one line */
    const man_entry *entries; /* the subcommands, for the program's own page and SEE ALSO */
} man_topic;

/* The page of one subcommand in section 1: a cli_page whose payload is a man_topic. */
cli_page man_command_page;
/* tamis-lua(7): the functions, the methods and the kinds of objects. */
void man_lua_page(void);

#endif
