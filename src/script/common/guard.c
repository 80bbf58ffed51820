#include "script/common/guard.h"

#include "script/common/folder.h"

#include <string.h>

/* Upvalues: the function's own upvalue, then the function. */
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

/* Upvalues: which argument is the path, the function. */
static int guarded_file(lua_State *L)
{
    int path = (int)lua_tointeger(L, lua_upvalueindex(1));
    if (script_of(L)->host.sandbox && lua_type(L, path) == LUA_TSTRING)
        script_check_inside(L, lua_tostring(L, path));
    if (script_of(L)->host.sandbox && lua_istable(L, path + 1)) {
        int top = lua_gettop(L);
        for (lua_pushnil(L); lua_next(L, path + 1); lua_pop(L, 1))
            if (lua_type(L, -1) == LUA_TSTRING && strchr(lua_tostring(L, -1), '/'))
                script_check_inside(L, lua_tostring(L, -1));
        lua_settop(L, top);
    }
    return guarded(L);
}

void script_push_guarded_file(lua_State *L, lua_CFunction function, int path_argument)
{
    lua_pushinteger(L, path_argument);
    lua_pushcfunction(L, function);
    lua_pushcclosure(L, guarded_file, 2);
}

void script_guard_field(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    lua_CFunction function = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    script_push_guarded(L, function, false);
    lua_setfield(L, -2, name);
}
