/* Functions of C as the script calls them: the interrupt flag is looked at before and after, so
 * that a loop of long calls stops as soon as the call it is in. */
#ifndef SCRIPT_COMMON_GUARD_H
#define SCRIPT_COMMON_GUARD_H

#include "script/common/state.h"

/* Pushes the guarded function. Its only upvalue of its own, lua_upvalueindex(1), is popped from the
 * stack when `upvalue` says that it is there. */
void script_push_guarded(lua_State *L, lua_CFunction function, bool upvalue);
/* The same for a function whose argument of that number is the path of a file, with the names of
 * further files perhaps in the table behind it: the sandbox keeps them to the working folder. */
void script_push_guarded_file(lua_State *L, lua_CFunction function, int path_argument);
/* Replaces the function `name` of the table on top, which must be one of C without upvalues. */
void script_guard_field(lua_State *L, const char *name);

#endif
