/* Arguments, checked against the tables that describe them. */
#ifndef SCRIPT_COMMON_ARGS_H
#define SCRIPT_COMMON_ARGS_H

#include "script/common/class.h"
#include "script/common/errors.h"

/* Reads parameters from the table at `index` (none or nil: the defaults) and pushes an object that
 * frees them. Keys in `extras` (ended by NULL, or NULL) are read by the caller. */
tm_params *script_args_params(lua_State *L, int index, const char *owner,
                              const tm_param_info *table, size_t count, const char *const *extras);
/* Raises for a key of the table at `index` that is neither in `table` nor in `extras`. */
void script_args_keys(lua_State *L, int index, const char *owner, const tm_param_info *table,
                      size_t count, const char *const *extras);
/* Field `key` of the table at `index` as text, number or flag; the fallback if it is nil. The text
 * is valid as long as the table holds it. */
const char *script_args_text(lua_State *L, int index, const char *owner, const char *key,
                             const char *fallback);
bool script_args_bool(lua_State *L, int index, const char *owner, const char *key, bool fallback);
/* Replaces the array (or series) on top of the stack by a block with its *count numbers as doubles.
 * `what` names it in messages ("y"). */
double *script_args_numbers(lua_State *L, const char *owner, const char *what, size_t *count);
/* The list `key` of the table at `index`, with a number for each row of the data, in a block that
 * stays on the stack; NULL if there is none. */
double *script_args_rows(lua_State *L, int index, const char *owner, const char *key,
                         const tm_dataset *data);
/* Replaces the table of groups on top of the stack by a string for tm_groups_parse. */
void script_args_groups(lua_State *L, const char *owner);
/* Replaces the table of edges on top of the stack by a string for tm_graph_parse. */
void script_args_edges(lua_State *L, const char *owner);
/* Does so if methods have a parameter of that name which takes groups or edges; false otherwise. */
bool script_args_structure(lua_State *L, const char *owner, const char *name);
/* Whether there is a table of options at `index`; raises an error for any other type. */
bool script_args_options(lua_State *L, int index, const char *owner);
/* Sets `seed` to the host's seed if there is such a parameter and the script did not set it. */
void script_args_seed(lua_State *L, tm_params *params);

#endif
