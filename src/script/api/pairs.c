/* pairs in an order that is the same in every run of a script: Lua places text keys by a hash that
 * is seeded with the time and with addresses, so that a loop over them that draws random numbers,
 * or adds floating point numbers, would end differently each time. */
#include "script/api/pairs.h"

#include <stdlib.h>
#include <string.h>

typedef struct key {
    int type;
    double number;
    const char *text; /* alive while the list of keys holds it */
    size_t length;
    lua_Integer place; /* in the list as Lua's next has it */
} key;

/* Numbers ascending, then text by its bytes, then the rest as it comes. */
static int compare_keys(const void *a, const void *b)
{
    const key *x = a, *y = b;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    if (x->type == LUA_TNUMBER && x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->type == LUA_TSTRING) {
        int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
        if (order != 0 || x->length != y->length)
            return order != 0 ? order : x->length < y->length ? -1 : 1;
    }
    return (x->place > y->place) - (x->place < y->place);
}

static key read_key(lua_State *L, int index, lua_Integer place)
{
    key k = {.type = lua_type(L, index), .place = place};
    if (k.type == LUA_TNUMBER)
        k.number = lua_tonumber(L, index);
    else if (k.type == LUA_TSTRING)
        k.text = lua_tolstring(L, index, &k.length);
    else
        k.type = LUA_NUMTYPES;
    return k;
}

/* Whether Lua's own order is the one wanted, as it is for lists. */
static bool in_order(lua_State *L, int table)
{
    bool ordered = true;
    key last = {0};
    lua_Integer count = 0;
    lua_pushnil(L);
    while (ordered && lua_next(L, table)) {
        lua_pop(L, 1);
        key k = read_key(L, -1, ++count);
        ordered = count == 1 || compare_keys(&last, &k) < 0;
        last = k;
    }
    lua_settop(L, table);
    return ordered;
}

/* Pushes the keys of the table at `table` as Lua has them; returns how many there are. */
static size_t list_keys(lua_State *L, int table)
{
    lua_Integer count = 0;
    lua_newtable(L);
    int list = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table);) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, list, ++count);
    }
    return (size_t)count;
}

/* Pushes the list of the keys in order. */
static void sort_keys(lua_State *L, int table)
{
    size_t count = list_keys(L, table);
    int list = lua_gettop(L);
    key *keys = lua_newuserdatauv(L, count * sizeof *keys, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        keys[i] = read_key(L, -1, (lua_Integer)i + 1);
        lua_pop(L, 1);
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    lua_createtable(L, (int)(count < 1 << 30 ? count : 0), 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, keys[i].place);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Upvalues: the list of keys, how many were visited. A key that was taken out meanwhile is left
 * out. */
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
    if (in_order(L, 1)) {
        lua_getfield(L, LUA_REGISTRYINDEX, "tamis.next");
    } else {
        sort_keys(L, 1);
        lua_pushinteger(L, 0);
        lua_pushcclosure(L, next_pair, 2);
    }
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}
