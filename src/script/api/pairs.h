/* pairs in an order that is the same in every run of a script. */
#ifndef SCRIPT_API_PAIRS_H
#define SCRIPT_API_PAIRS_H

#include "script/common/state.h"

int script_pairs(lua_State *L);

#endif
