/* tm.wait: for runs and sweeps. */
#ifndef SCRIPT_API_WAIT_H
#define SCRIPT_API_WAIT_H

#include "script/common/state.h"

int script_tm_wait(lua_State *L);

#endif
