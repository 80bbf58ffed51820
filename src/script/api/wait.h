/* tm.wait: for runs and sweeps. */
#ifndef SCRIPT_API_WAIT_H
#define SCRIPT_API_WAIT_H

#include "script/common/state.h"

int script_tm_wait(lua_State *L);
/* The program is about to end: says what was started and not waited for, and waits for it. What is
 * paused would never end, and is left alone. */
void script_wait_rest(lua_State *L);

#endif
