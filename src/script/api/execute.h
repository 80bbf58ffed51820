/* An interruptible os.execute. */
#ifndef SCRIPT_API_EXECUTE_H
#define SCRIPT_API_EXECUTE_H

#include "script/common/state.h"

int script_os_execute(lua_State *L);

#endif
