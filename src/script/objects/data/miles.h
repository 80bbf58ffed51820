/* d:miles: the embedding of bags. */
#ifndef SCRIPT_OBJECTS_DATA_MILES_H
#define SCRIPT_OBJECTS_DATA_MILES_H

#include "script/common/state.h"

int script_data_miles(lua_State *L);

#endif
