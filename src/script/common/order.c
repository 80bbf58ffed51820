#include "script/common/order.h"

#include <stdlib.h>
#include <string.h>

typedef struct key {
    int type;
    double number;
    const char *text; /* alive while the list of keys holds it */
    size_t length;
    lua_Integer place; /* index in the order of Lua's next */
} key;

/* Numbers ascending, then strings by their bytes, then the rest in Lua's order. */
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

bool script_keys_ordered(lua_State *L, int table)
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

/* Pushes the keys of the table at `table` in Lua's order; returns how many there are. */
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

size_t script_push_keys(lua_State *L, int table)
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
    lua_replace(L, list);
    lua_settop(L, list);
    return count;
}
