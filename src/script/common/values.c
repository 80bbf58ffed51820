#include "script/common/values.h"

#include <math.h>

void script_push_real(lua_State *L, double value)
{
    if (isnan(value))
        lua_pushnil(L);
    else
        lua_pushnumber(L, value);
}

void script_set_real(lua_State *L, const char *key, double value)
{
    script_push_real(L, value);
    lua_setfield(L, -2, key);
}

void script_set_count(lua_State *L, const char *key, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, key);
}
