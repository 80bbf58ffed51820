/* help(): pages made from the tables. */
#ifndef SCRIPT_API_HELP_H
#define SCRIPT_API_HELP_H

#include "script/common/state.h"

int script_help(lua_State *L);

#endif
