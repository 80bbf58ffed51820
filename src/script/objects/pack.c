/* Lua values as bytes. */
#include "script/objects/pack.h"

#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/common/order.h"
#include "script/objects/data/dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 100 };

/* The comments say what follows the tag. */
typedef enum tag {
    TAG_NIL = 'N',
    TAG_FALSE = 'F',
    TAG_TRUE = 'T',
    TAG_INTEGER = 'I',  /* 8 bytes */
    TAG_NUMBER = 'D',   /* 8 bytes */
    TAG_TEXT = 'S',     /* size, bytes */
    TAG_TABLE = 't',    /* count, then keys and values */
    TAG_FUNCTION = 'L', /* size, bytecode, count, then the captured values */
    TAG_AGAIN = 'B',    /* index of a function that occurred before */
    TAG_GLOBAL = 'G',   /* size, name such as "string.format": a function or table of Lua or of
                         * tm */
    TAG_GLOBALS = 'E',  /* the table of globals */
    TAG_DATA = 'X',     /* 64 digits: the next shared data set */
} tag;

/* ---- writing ------------------------------------------------------------------------------- */

typedef struct packer {
    lua_State *L;
    script_packed *out;
    const char *what;
    int memo; /* stack index: table with the functions packed so far as keys */
    lua_Integer functions;
} packer;

static void put(packer *p, const void *bytes, size_t size)
{
    script_packed *out = p->out;
    if (size > out->capacity - out->size) {
        size_t capacity = 2 * (out->size + size) + 64;
        uint8_t *moved = realloc(out->bytes, capacity);
        if (!moved)
            luaL_error(p->L, "not enough memory to pass %s", p->what);
        out->bytes = moved;
        out->capacity = capacity;
    }
    if (size > 0)
        memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static void put_tag(packer *p, tag t)
{
    uint8_t byte = (uint8_t)t;
    put(p, &byte, 1);
}

static void put_count(packer *p, uint64_t count)
{
    put(p, &count, sizeof count);
}

static void put_text(packer *p, tag t, const char *text, size_t size)
{
    put_tag(p, t);
    put_count(p, size);
    put(p, text, size);
}

static void pack_value(packer *p, int index, int depth);

static void refuse(packer *p, int index)
{
    script_error(p->L,
                 "%s is or contains %s; expected numbers, text, true, false, nil and tables of "
                 "them%s",
                 p->what, script_what_is(p->L, index),
                 p->out->plain ? "" : ", functions, data sets");
}

static void pack_table(packer *p, int index, int depth)
{
    size_t count = script_push_keys(p->L, index);
    int keys = lua_gettop(p->L);
    put_tag(p, TAG_TABLE);
    put_count(p, count);
    for (size_t i = 1; i <= count; i++, lua_settop(p->L, keys)) {
        lua_rawgeti(p->L, keys, (lua_Integer)i);
        pack_value(p, keys + 1, depth + 1);
        lua_rawget(p->L, index);
        pack_value(p, keys + 1, depth + 1);
    }
    lua_settop(p->L, keys - 1);
}

/* Packs an object that can be used as a list of numbers. */
static void pack_numbers(packer *p, int index)
{
    lua_Integer count = luaL_len(p->L, index);
    put_tag(p, TAG_TABLE);
    put_count(p, (uint64_t)count);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_Number value;
        put_tag(p, TAG_INTEGER);
        put(p, &i, sizeof i);
        lua_geti(p->L, index, i);
        value = lua_tonumber(p->L, -1);
        put_tag(p, TAG_NUMBER);
        put(p, &value, sizeof value);
        lua_pop(p->L, 1);
    }
}

static void pack_captured(packer *p, int index, int count, int depth)
{
    lua_State *L = p->L;
    for (int i = 1; i <= count; i++) {
        lua_getupvalue(L, index, i);
        lua_pushglobaltable(L);
        bool globals = lua_rawequal(L, -1, -2);
        lua_pop(L, 1);
        if (globals)
            put_tag(p, TAG_GLOBALS);
        else
            pack_value(p, lua_gettop(L), depth + 1);
        lua_pop(L, 1);
    }
}

static void pack_function(packer *p, int index, int depth)
{
    lua_State *L = p->L;
    lua_pushvalue(L, index);
    if (lua_rawget(L, p->memo) != LUA_TNIL) {
        put_tag(p, TAG_AGAIN);
        put_count(p, (uint64_t)lua_tointeger(L, -1));
        lua_pop(L, 1);
        return;
    }
    lua_pop(L, 1);
    lua_pushvalue(L, index);
    lua_pushinteger(L, ++p->functions);
    lua_rawset(L, p->memo);
    lua_getfield(L, LUA_REGISTRYINDEX, "tamis.dump");
    lua_pushvalue(L, index);
    lua_pushboolean(L, p->out->plain_code);
    lua_call(L, 2, 1);
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    put_text(p, TAG_FUNCTION, text, size);
    lua_pop(L, 1);
    int count = 0;
    while (lua_getupvalue(L, index, count + 1)) {
        lua_pop(L, 1);
        count++;
    }
    put_count(p, (uint64_t)count);
    pack_captured(p, index, count, depth);
}

/* Pushes the name of a function or table of Lua or of tm; otherwise returns false and pushes
 * nothing. */
static bool push_global_name(lua_State *L, int index)
{
    int top = lua_gettop(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "tamis.names");
    lua_pushvalue(L, index);
    if (lua_rawget(L, -2) == LUA_TSTRING) {
        lua_replace(L, top + 1);
        lua_settop(L, top + 1);
        return true;
    }
    lua_settop(L, top);
    return false;
}

static void pack_data(packer *p, int index)
{
    tm_dataset *const *object = script_object_test(p->L, index, &script_dataset_class);
    const tm_dataset *data = object ? *object : NULL;
    if (!data || p->out->plain) {
        refuse(p, index);
        return;
    }
    tm_dataset **moved = realloc(p->out->shared, (p->out->shared_count + 1) * sizeof(tm_dataset *));
    if (!moved)
        luaL_error(p->L, "not enough memory to pass %s", p->what);
    p->out->shared = moved;
    put_tag(p, TAG_DATA);
    put(p, tm_dataset_sha256(data), 64);
    moved[p->out->shared_count++] = tm_dataset_ref(data);
}

static void pack_number(packer *p, int index)
{
    if (lua_isinteger(p->L, index)) {
        lua_Integer whole = lua_tointeger(p->L, index);
        put_tag(p, TAG_INTEGER);
        put(p, &whole, sizeof whole);
    } else {
        lua_Number real = lua_tonumber(p->L, index);
        put_tag(p, TAG_NUMBER);
        put(p, &real, sizeof real);
    }
}

static void pack_object(packer *p, int index, int depth)
{
    lua_State *L = p->L;
    const script_class *class = script_class_of(L, index);
    size_t size;
    if (!p->out->plain && lua_type(L, index) != LUA_TUSERDATA && push_global_name(L, index)) {
        const char *name = lua_tolstring(L, -1, &size);
        put_text(p, TAG_GLOBAL, name, size);
        lua_pop(L, 1);
    } else if (lua_istable(L, index)) {
        pack_table(p, index, depth);
    } else if (class && class->numbers) {
        pack_numbers(p, index);
    } else if (lua_isfunction(L, index) && !lua_iscfunction(L, index) && !p->out->plain) {
        pack_function(p, index, depth);
    } else {
        pack_data(p, index);
    }
}

static void pack_value(packer *p, int index, int depth)
{
    lua_State *L = p->L;
    size_t size;
    const char *text;
    if (depth > MAX_DEPTH)
        script_error(L, "%s has tables within tables, more than %d deep, or one within itself",
                     p->what, MAX_DEPTH);
    luaL_checkstack(L, LUA_MINSTACK, "values within values");
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        put_tag(p, TAG_NIL);
        break;
    case LUA_TBOOLEAN:
        put_tag(p, lua_toboolean(L, index) ? TAG_TRUE : TAG_FALSE);
        break;
    case LUA_TNUMBER:
        pack_number(p, index);
        break;
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &size);
        put_text(p, TAG_TEXT, text, size);
        break;
    default:
        pack_object(p, index, depth);
    }
}

void script_pack(lua_State *L, int index, script_packed *out, const char *what)
{
    int top = lua_gettop(L);
    index = lua_absindex(L, index);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_newtable(L);
    packer p = {.L = L, .out = out, .what = what, .memo = top + 1};
    pack_value(&p, index, 0);
    lua_settop(L, top);
}

void script_packed_free(script_packed *packed)
{
    free(packed->bytes);
    for (size_t i = 0; i < packed->shared_count; i++)
        tm_dataset_unref(packed->shared[i]);
    free(packed->shared);
    *packed = (script_packed){0};
}

/* ---- reading ------------------------------------------------------------------------------- */

typedef struct unpacker {
    lua_State *L;
    const script_packed *from;
    size_t at, shared;
    int memo; /* stack index: functions by number */
    lua_Integer functions;
} unpacker;

static const void *take(unpacker *u, size_t size)
{
    if (size > u->from->size - u->at)
        luaL_error(u->L, "a recorded value is damaged");
    const void *bytes = u->from->bytes + u->at;
    u->at += size;
    return bytes;
}

static uint64_t take_count(unpacker *u)
{
    uint64_t count;
    memcpy(&count, take(u, sizeof count), sizeof count);
    return count;
}

static const char *take_text(unpacker *u, size_t *size)
{
    *size = (size_t)take_count(u);
    return take(u, *size);
}

static void unpack_value(unpacker *u, int depth);

static void unpack_table(unpacker *u, int depth)
{
    uint64_t count = take_count(u);
    lua_newtable(u->L);
    for (uint64_t i = 0; i < count; i++) {
        unpack_value(u, depth + 1);
        unpack_value(u, depth + 1);
        lua_rawset(u->L, -3);
    }
}

/* The bytecode comes from this process; values in a store contain none. */
static void unpack_function(unpacker *u, int depth)
{
    lua_State *L = u->L;
    size_t size;
    const char *code = take_text(u, &size);
    if (luaL_loadbufferx(L, code, size, "=task", "b") != LUA_OK)
        lua_error(L);
    int function = lua_gettop(L);
    lua_pushvalue(L, function);
    lua_rawseti(L, u->memo, ++u->functions);
    uint64_t count = take_count(u);
    for (uint64_t i = 1; i <= count; i++) {
        unpack_value(u, depth + 1);
        lua_setupvalue(L, function, (int)i);
    }
}

static void unpack_global(unpacker *u)
{
    lua_State *L = u->L;
    size_t size;
    const char *name = take_text(u, &size);
    lua_pushlstring(L, name, size);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "tamis.named");
    lua_insert(L, -2);
    if (lua_rawget(L, -2) == LUA_TNIL)
        luaL_error(L, "a recorded value is damaged");
    lua_remove(L, -2);
}

static void unpack_data(unpacker *u)
{
    take(u, 64);
    if (u->shared >= u->from->shared_count)
        luaL_error(u->L, "a recorded value is damaged");
    tm_dataset **object = script_new_dataset(u->L);
    *object = tm_dataset_ref(u->from->shared[u->shared++]);
}

static void unpack_value(unpacker *u, int depth)
{
    lua_State *L = u->L;
    lua_Integer whole;
    lua_Number real;
    size_t size;
    const char *text;
    luaL_checkstack(L, LUA_MINSTACK, "values within values");
    uint8_t t = *(const uint8_t *)take(u, 1);
    if (u->from->plain && strchr("LBGEX", t))
        luaL_error(L, "a recorded value is damaged");
    switch (depth > 2 * MAX_DEPTH ? 0 : t) {
    case TAG_NIL:
        lua_pushnil(L);
        break;
    case TAG_FALSE:
    case TAG_TRUE:
        lua_pushboolean(L, t == TAG_TRUE);
        break;
    case TAG_INTEGER:
        memcpy(&whole, take(u, sizeof whole), sizeof whole);
        lua_pushinteger(L, whole);
        break;
    case TAG_NUMBER:
        memcpy(&real, take(u, sizeof real), sizeof real);
        lua_pushnumber(L, real);
        break;
    case TAG_TEXT:
        text = take_text(u, &size);
        lua_pushlstring(L, text, size);
        break;
    case TAG_TABLE:
        unpack_table(u, depth);
        break;
    case TAG_FUNCTION:
        unpack_function(u, depth);
        break;
    case TAG_AGAIN:
        lua_rawgeti(L, u->memo, (lua_Integer)take_count(u));
        break;
    case TAG_GLOBAL:
        unpack_global(u);
        break;
    case TAG_GLOBALS:
        lua_pushglobaltable(L);
        break;
    case TAG_DATA:
        unpack_data(u);
        break;
    default:
        luaL_error(L, "a recorded value is damaged");
    }
}

void script_unpack(lua_State *L, const script_packed *packed)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_newtable(L);
    unpacker u = {.L = L, .from = packed, .memo = lua_gettop(L)};
    unpack_value(&u, 0);
    lua_remove(L, u.memo);
}

/* ---- names --------------------------------------------------------------------------------- */

/* Adds the functions of the table on top, each as "prefix.name", and the table itself. */
static void name_members(lua_State *L, int names, int named, const char *prefix)
{
    int table = lua_gettop(L);
    lua_pushvalue(L, table);
    lua_pushstring(L, prefix);
    lua_rawset(L, names);
    lua_pushvalue(L, table);
    lua_setfield(L, named, prefix);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        if (!lua_iscfunction(L, -1) || lua_type(L, -2) != LUA_TSTRING)
            continue;
        lua_pushfstring(L, "%s.%s", prefix, lua_tostring(L, -2));
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, names);
        lua_pushvalue(L, -2);
        lua_rawset(L, named);
    }
}

void script_pack_open(lua_State *L)
{
    static const char *const tables[] = {"_G",     "coroutine", "io", "math", "os",
                                         "string", "table",     "tm", "utf8"};
    int top = lua_gettop(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "tamis.names");
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "tamis.named");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++, lua_settop(L, top + 2))
        if (lua_getglobal(L, tables[i]) == LUA_TTABLE)
            name_members(L, top + 1, top + 2, tables[i]);
    lua_getglobal(L, "string");
    lua_getfield(L, -1, "dump");
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.dump");
    lua_settop(L, top);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* FNV-1a with another offset basis and a final mixing of all bits. */
static uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

void script_packed_key(const script_packed *packed, uint64_t seed, char key[33])
{
    uint64_t low = hash_bytes(0xcbf29ce484222325u ^ seed, packed->bytes, packed->size);
    uint64_t high = hash_bytes(0x9ae16a3b2f90404fu + seed, packed->bytes, packed->size);
    snprintf(key, 33, "%016llx%016llx", (unsigned long long)high, (unsigned long long)low);
}
