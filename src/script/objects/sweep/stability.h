/* Stability selection: how often features are chosen on samples of the rows. */
#ifndef SCRIPT_OBJECTS_SWEEP_STABILITY_H
#define SCRIPT_OBJECTS_SWEEP_STABILITY_H

#include "script/common/state.h"

int script_tm_stability(lua_State *L);
/* Keys of its table that are not parameters of a method. */
extern const char *const script_stability_extras[];

#endif
