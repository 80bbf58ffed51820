/* tm.curve: scores against the number of features. */
#ifndef SCRIPT_OBJECTS_SWEEP_CURVE_H
#define SCRIPT_OBJECTS_SWEEP_CURVE_H

#include "script/common/state.h"

int script_tm_curve(lua_State *L);
extern const char *const script_curve_extras[];

#endif
