/* tm.explain and tm.steps: what a run's screening did, step by step. */
#ifndef SCRIPT_OBJECTS_EXPLAIN_H
#define SCRIPT_OBJECTS_EXPLAIN_H

#include "script/common/state.h"

int script_tm_explain(lua_State *L);
int script_tm_steps(lua_State *L);

#endif
