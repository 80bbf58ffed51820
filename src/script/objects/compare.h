/* tm.compare: paired tests. */
#ifndef SCRIPT_OBJECTS_COMPARE_H
#define SCRIPT_OBJECTS_COMPARE_H

#include "script/common/state.h"

int script_tm_compare(lua_State *L);
int script_tm_holm(lua_State *L);
int script_tm_rank(lua_State *L);

#endif
