#include "script/common/guard.h"

/* Upvalues: the function's own, then the function. */
static int guarded(lua_State *L)
{
    script_check(L);
    int results = lua_tocfunction(L, lua_upvalueindex(2))(L);
    script_check(L);
    return results;
}

void script_push_guarded(lua_State *L, lua_CFunction function, bool upvalue)
{
    if (!upvalue)
        lua_pushnil(L);
    lua_pushcfunction(L, function);
    lua_pushcclosure(L, guarded, 2);
}

void script_guard_field(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    lua_CFunction function = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    script_push_guarded(L, function, false);
    lua_setfield(L, -2, name);
}
