/* tm.methods and similar functions: tables of what is available. */
#ifndef SCRIPT_API_LISTS_H
#define SCRIPT_API_LISTS_H

#include "script/common/state.h"

int script_tm_methods(lua_State *L);
int script_tm_screens(lua_State *L);
int script_tm_metrics(lua_State *L);
int script_tm_synths(lua_State *L);

#endif
