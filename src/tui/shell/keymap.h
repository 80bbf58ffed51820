/* The keys of every context, and the bindings and Lua commands that users have added. */
#ifndef TUI_SHELL_KEYMAP_H
#define TUI_SHELL_KEYMAP_H

#include "tui/shell/keys.h"

#include "tamis/error.h"

typedef struct user_command {
    char *name, *help; /* help "": belongs to a key binding and is not listed */
} user_command;

typedef struct user_binding {
    int context; /* or -1: all of them */
    int key, request;
} user_binding;

typedef struct keymap {
    const key_row *rows[CONTEXT_COUNT]; /* the rows of each context, borrowed */
    user_binding *bindings;             /* a later binding of the same key wins */
    size_t binding_count;
    user_command *commands;
    size_t command_count;
} keymap;

void keymap_free(keymap *map);
/* Adds a command, or changes the help of the existing one; *index is its number. */
tm_status keymap_command(keymap *map, const char *name, const char *help, size_t *index,
                         tm_error *err);
/* The command of that name (not counting those that belong to key bindings), or NULL. */
const user_command *keymap_find(const keymap *map, const char *name, size_t *index);
tm_status keymap_bind(keymap *map, int context, int key, int request, tm_error *err);
/* The request of a key in a context: the user's binding, else the table's; REQ_NONE: none. */
int keymap_request(const keymap *map, int context, int key);

/* A context by its name: a view's, "in-plot", "all" (-1); false: there is none of that name. */
bool keymap_context(const char *name, int *context);
/* A request by its name ("zoom-in", "view-path", "none"); -1: there is none. */
int keymap_request_find(const char *name);
/* The inverse of keymap_request_find. */
const char *keymap_request_text(int request);
const char *keymap_request_name(size_t i); /* all of them; NULL past the end */

#endif
