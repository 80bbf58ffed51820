/* tm.search: configurations chosen by the results so far. */
#ifndef SCRIPT_OBJECTS_SWEEP_SEARCH_H
#define SCRIPT_OBJECTS_SWEEP_SEARCH_H

#include "script/common/state.h"

int script_tm_search(lua_State *L);
extern const char *const script_search_extras[];

#endif
