/* The keys of every context, and what users have added to them: bindings, and commands in Lua. */
#ifndef TUI_SHELL_KEYMAP_H
#define TUI_SHELL_KEYMAP_H

#include "tui/shell/keys.h"

#include "tamis/error.h"

typedef struct user_command {
    char *name, *help; /* help "": of a key alone, in no list */
} user_command;

typedef struct user_binding {
    int context; /* or -1: all of them */
    int key, request;
} user_binding;

typedef struct keymap {
    const key_row *rows[CONTEXT_COUNT]; /* of each context, borrowed */
    user_binding *bindings;             /* the last one of a key counts */
    size_t binding_count;
    user_command *commands;
    size_t command_count;
} keymap;

void keymap_free(keymap *map);
/* Adds a command, or gives the one of that name another help; *index is its number. */
tm_status keymap_command(keymap *map, const char *name, const char *help, size_t *index,
                         tm_error *err);
/* The command of that name (those of keys alone are none), or NULL. */
const user_command *keymap_find(const keymap *map, const char *name, size_t *index);
tm_status keymap_bind(keymap *map, int context, int key, int request, tm_error *err);
/* What a key asks for in a context: the user's binding, else the table's; REQ_NONE: nothing. */
int keymap_request(const keymap *map, int context, int key);

/* A context by its name: a view's, "in-plot", "all" (-1); false: there is none of that name. */
bool keymap_context(const char *name, int *context);
/* A request by its name ("zoom-in", "view-path", "none"); -1: there is none. */
int keymap_request_find(const char *name);
/* The other way round. */
const char *keymap_request_text(int request);
const char *keymap_request_name(size_t i); /* all of them; NULL past the end */

#endif
