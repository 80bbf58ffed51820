/* The keys of a table in an order that is the same in every run of a script. */
#ifndef SCRIPT_COMMON_ORDER_H
#define SCRIPT_COMMON_ORDER_H

#include "script/common/state.h"

/* Whether Lua's own order is already this order, as it is for lists. */
bool script_keys_ordered(lua_State *L, int table);
/* Pushes the list of the keys: numbers ascending, then strings by their bytes, then the rest in
 * Lua's order. Returns how many there are. */
size_t script_push_keys(lua_State *L, int table);

#endif
