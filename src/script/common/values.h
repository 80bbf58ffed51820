/* Numbers of the library as values of the script. */
#ifndef SCRIPT_COMMON_VALUES_H
#define SCRIPT_COMMON_VALUES_H

#include "script/common/state.h"

/* Pushes a number that may be undefined: NaN becomes nil. */
void script_push_real(lua_State *L, double value);
/* Sets field `key` of the table on top, unless the value is NaN. */
void script_set_real(lua_State *L, const char *key, double value);
void script_set_count(lua_State *L, const char *key, uint64_t value);

#endif
