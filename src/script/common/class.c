/* Objects of the script, each described by a table of its fields and methods: reading a field,
 * help and completion are all derived from the table. */
#include "script/common/class.h"

#include "base/text.h"
#include "script/common/errors.h"
#include "script/common/guard.h"

#include <stdio.h>
#include <string.h>

/* The key of the class in a metatable is this address. */
static const char CLASS_KEY;

const script_member *script_member_find(const script_class *class, const char *name)
{
    for (const script_member *m = class->members; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

static const char *member_name(size_t i, const void *payload)
{
    const script_class *class = payload;
    return class->members[i].name;
}

static int unknown_member(lua_State *L, const script_class *class)
{
    if (lua_type(L, 2) != LUA_TSTRING)
        return luaL_error(L, "%s has no field [%s]", class->title, luaL_tolstring(L, 2, NULL));
    const char *name = lua_tostring(L, 2);
    const char *close = text_closest(name, member_name, class);
    if (close)
        return luaL_error(L, "%s has no field '%s'; did you mean '%s'?", class->title, name, close);
    return luaL_error(L, "%s has no field '%s'; help(\"%s\") lists them", class->title, name,
                      class->id);
}

/* Upvalues: the class as light userdata, its methods by name. */
static int class_index(lua_State *L)
{
    const script_class *class = lua_touserdata(L, lua_upvalueindex(1));
    script_object(L, 1, class, class->id);
    if (class->item && lua_type(L, 2) == LUA_TNUMBER)
        return class->item(L);
    if (lua_type(L, 2) != LUA_TSTRING)
        return unknown_member(L, class);
    const script_member *member = script_member_find(class, lua_tostring(L, 2));
    if (!member)
        return unknown_member(L, class);
    if (!member->args) {
        script_check(L);
        return member->call(L);
    }
    lua_getfield(L, lua_upvalueindex(2), member->name);
    return 1;
}

static int class_newindex(lua_State *L)
{
    const script_class *class = lua_touserdata(L, lua_upvalueindex(1));
    return luaL_error(L, "the fields of %s cannot be set", class->title);
}

/* Objects that hold the same library object are equal; objects with a length are snapshots, which
 * are equal only to themselves. */
static int class_equal(lua_State *L)
{
    void *const *a = lua_touserdata(L, 1), *const *b = lua_touserdata(L, 2);
    bool same = script_class_of(L, 1) && script_class_of(L, 1) == script_class_of(L, 2);
    lua_pushboolean(L, same && *a == *b);
    return 1;
}

/* Upvalue: the class as light userdata. The objects of an abandoned script are not released: the
 * workers and the store that it used may be gone. */
static int class_gc(lua_State *L)
{
    const script_class *class = lua_touserdata(L, lua_upvalueindex(1));
    if (atomic_load(&script_of(L)->stop.abandoned))
        return 0;
    if (class->gc)
        return class->gc(L);
    void **object = script_object_test(L, 1, class);
    void *held = object ? *object : NULL;
    if (held) {
        *object = NULL;
        class->release(L, held);
    }
    return 0;
}

static void metatable_name(const script_class *class, char *buffer, size_t size)
{
    snprintf(buffer, size, "tamis.%s", class->id);
}

void script_class_open(lua_State *L, const script_class *class)
{
    char name[40];
    metatable_name(class, name, sizeof name);
    luaL_newmetatable(L, name);
    lua_pushstring(L, class->id);
    lua_setfield(L, -2, "__name");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    script_push_guarded(L, class->tostring, false);
    lua_setfield(L, -2, "__tostring");
    lua_pushlightuserdata(L, (void *)class);
    lua_pushcclosure(L, class_gc, 1);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, class->length ? class->length : class_equal);
    lua_setfield(L, -2, class->length ? "__len" : "__eq");
    lua_pushlightuserdata(L, (void *)class);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, class_newindex, 1);
    lua_setfield(L, -3, "__newindex");
    lua_newtable(L);
    for (const script_member *m = class->members; m->name; m++)
        if (m->args) {
            if (strcmp(m->name, "save") == 0)
                script_push_guarded_file(L, m->call, 2);
            else
                script_push_guarded(L, m->call, false);
            lua_setfield(L, -2, m->name);
        }
    lua_pushcclosure(L, class_index, 2);
    lua_setfield(L, -2, "__index");
    lua_pushlightuserdata(L, (void *)class);
    lua_rawsetp(L, -2, &CLASS_KEY);
    lua_pop(L, 1);
}

const script_class *script_class_of(lua_State *L, int index)
{
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index))
        return NULL;
    lua_rawgetp(L, -1, &CLASS_KEY);
    const script_class *class = lua_touserdata(L, -1);
    lua_pop(L, 2);
    return class;
}

const char *script_what_is(lua_State *L, int index)
{
    static const char *const titles[LUA_NUMTYPES] = {
        [LUA_TNIL] = "nil",
        [LUA_TBOOLEAN] = "true or false",
        [LUA_TNUMBER] = "a number",
        [LUA_TSTRING] = "text",
        [LUA_TTABLE] = "a table",
        [LUA_TTHREAD] = "a coroutine",
        [LUA_TFUNCTION] = "a function",
        [LUA_TUSERDATA] = "an object",
        [LUA_TLIGHTUSERDATA] = "a pointer",
    };
    const script_class *class = script_class_of(L, index);
    int type = lua_type(L, index);
    return class ? class->title : type == LUA_TNONE ? "nothing" : titles[type];
}

void *script_object_new(lua_State *L, const script_class *class, size_t size)
{
    char name[40];
    metatable_name(class, name, sizeof name);
    void *object = lua_newuserdatauv(L, size, 1);
    memset(object, 0, size);
    luaL_setmetatable(L, name);
    return object;
}

void *script_object_test(lua_State *L, int index, const script_class *class)
{
    return script_class_of(L, index) == class ? lua_touserdata(L, index) : NULL;
}

void *script_object(lua_State *L, int index, const script_class *class, const char *who)
{
    void *object = script_object_test(L, index, class);
    if (!object)
        script_error(L, "%s: expected %s, not %s%s", who, class->title, script_what_is(L, index),
                     index == 1 ? " (methods are called with ':')" : "");
    return object;
}
