/* Guards around C functions that scripts call: the interrupt flag is checked before and after the
 * call, so that a loop of long calls stops after the current call. */
#ifndef SCRIPT_COMMON_GUARD_H
#define SCRIPT_COMMON_GUARD_H

#include "script/common/state.h"

/* Pushes the guarded function. If `upvalue` is set, the function's only own upvalue,
 * lua_upvalueindex(1), is popped from the stack. */
void script_push_guarded(lua_State *L, lua_CFunction function, bool upvalue);
/* The same for a function whose argument of this number is the path of a file; the table in the
 * next argument may have the names of further files. The sandbox restricts them to the working
 * folder. */
void script_push_guarded_file(lua_State *L, lua_CFunction function, int path_argument);
/* Replaces the function `name` of the table on top, which must be a C function without upvalues. */
void script_guard_field(lua_State *L, const char *name);

#endif
