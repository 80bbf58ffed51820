/* pairs in an order that is the same in every run of a script: Lua orders string keys by a hash
 * that is seeded with the time and with addresses, so a loop over them that draws random numbers,
 * or adds floating point numbers, would give a different result each time. */
#include "script/api/pairs.h"

#include "script/common/order.h"

/* Upvalues: the list of keys, and the number visited. Keys that were removed meanwhile are
 * skipped. */
static int next_pair(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));
    lua_settop(L, 1);
    for (;;) {
        if (lua_rawgeti(L, lua_upvalueindex(1), ++i) == LUA_TNIL)
            break;
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL)
            break;
        lua_settop(L, 1);
    }
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(2));
    return lua_isnil(L, -1) ? 1 : 2;
}

int script_pairs(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    if (script_keys_ordered(L, 1)) {
        lua_getfield(L, LUA_REGISTRYINDEX, "tamis.next");
    } else {
        script_push_keys(L, 1);
        lua_pushinteger(L, 0);
        lua_pushcclosure(L, next_pair, 2);
    }
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}
