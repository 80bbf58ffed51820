/* tm.map: a Lua function for each item of a list, on several workers. */
#ifndef SCRIPT_OBJECTS_MAP_H
#define SCRIPT_OBJECTS_MAP_H

#include "script/common/class.h"

int script_tm_map(lua_State *L);
const tm_param_info *script_map_params(size_t *count);
extern const char *const script_map_extras[];

#endif
