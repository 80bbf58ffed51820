/* Values as text: aligned tables, short lists, and what the prompt prints. */
#ifndef SCRIPT_COMMON_TABLE_H
#define SCRIPT_COMMON_TABLE_H

#include "script/common/state.h"

/* Gives the table on top a metatable that prints it as columns or as a short list. */
void script_as_rows(lua_State *L, const char *const *columns, size_t count);
void script_as_list(lua_State *L);
int script_tm_table(lua_State *L);
/* rows:save(path), as CSV or JSON. */
int script_rows_save(lua_State *L);
/* Pushes the value at `index` as text, as the prompt shows it. */
void script_push_shown(lua_State *L, int index);

#endif
