/* The standard functions that the host replaces. */
#ifndef SCRIPT_API_STANDARD_H
#define SCRIPT_API_STANDARD_H

#include "script/common/state.h"

/* Replaces them in the global tables. */
void script_standard_open(lua_State *L);

#endif
