/* Arguments, checked against the tables that describe them. */
#ifndef SCRIPT_COMMON_ARGS_H
#define SCRIPT_COMMON_ARGS_H

#include "script/common/class.h"
#include "script/common/errors.h"

/* Parameters read from the table at `index` (nothing or nil: the defaults), pushed as an object
 * that frees them. Keys in `extras` (ended by NULL, or NULL) are the caller's to read. */
tm_params *script_args_params(lua_State *L, int index, const char *owner,
                              const tm_param_info *table, size_t count, const char *const *extras);
/* Raises for a key of the table at `index` that is neither in `table` nor in `extras`. */
void script_args_keys(lua_State *L, int index, const char *owner, const tm_param_info *table,
                      size_t count, const char *const *extras);
/* Field `key` of the table at `index` as text, number or flag; the fallback when it is nil. Text
 * lives as long as the table holds it. */
const char *script_args_text(lua_State *L, int index, const char *owner, const char *key,
                             const char *fallback);
bool script_args_bool(lua_State *L, int index, const char *owner, const char *key, bool fallback);
/* Numbers of the array (or series) on top of the stack, which is popped: *count doubles in a
 * block that is pushed instead. `what` names it in messages ("y"). */
double *script_args_numbers(lua_State *L, const char *owner, const char *what, size_t *count);
/* The list `key` of the table at `index`, a number for each row of the data, in memory that stays
 * on the stack; NULL when there is none. */
double *script_args_rows(lua_State *L, int index, const char *owner, const char *key,
                         const tm_dataset *data);
/* The table of groups on top of the stack becomes the text of tm_groups_parse. */
void script_args_groups(lua_State *L, const char *owner);
/* The table of edges on top of the stack becomes the text of tm_graph_parse. */
void script_args_edges(lua_State *L, const char *owner);
/* Optional table of options at `index`; an error for any other type. */
bool script_args_options(lua_State *L, int index, const char *owner);
/* Sets `seed` to the host's when the table has one and the script gave none. */
void script_args_seed(lua_State *L, tm_params *params);

#endif
