/* tm.wait: for runs and sweeps. */
#ifndef SCRIPT_API_WAIT_H
#define SCRIPT_API_WAIT_H

#include "script/common/state.h"

int script_tm_wait(lua_State *L);
/* Called when the program is about to end: reports runs and sweeps that were started and not waited
 * for, and waits for them. Paused ones would never end and are left alone. */
void script_wait_rest(lua_State *L);

#endif
