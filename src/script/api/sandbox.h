/* The sandbox: restrictions for untrusted scripts. */
#ifndef SCRIPT_API_SANDBOX_H
#define SCRIPT_API_SANDBOX_H

#include "script/common/state.h"

/* Removes everything that reaches outside the working folder; call it after all libraries are
 * open. */
void script_sandbox_open(lua_State *L);

#endif
