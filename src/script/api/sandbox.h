/* The sandbox: what a script that is not the user's own may not do. */
#ifndef SCRIPT_API_SANDBOX_H
#define SCRIPT_API_SANDBOX_H

#include "script/common/state.h"

/* Takes away what reaches out of the working folder; call it when all else is open. */
void script_sandbox_open(lua_State *L);

#endif
