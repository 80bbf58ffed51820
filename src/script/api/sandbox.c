/* The sandbox, for untrusted scripts: no programs can be started, only files of the working folder
 * can be used, and no C libraries or bytecode can be loaded. */
#include "script/api/sandbox.h"

#include "script/common/errors.h"
#include "script/common/folder.h"

/* Raises an error for a function that is not available. Upvalues: its name. */
static int not_here(lua_State *L)
{
    return script_error(L, "%s is not available in the sandbox",
                        lua_tostring(L, lua_upvalueindex(1)));
}

/* Upvalue 1: the function, whose string arguments are file names. */
static int with_files(lua_State *L)
{
    int count = lua_toboolean(L, lua_upvalueindex(2)) ? lua_gettop(L) : 1;
    for (int i = 1; i <= count; i++)
        if (lua_isstring(L, i))
            script_check_inside(L, lua_tostring(L, i));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* loadfile and dofile, which may not read standard input, as that belongs to the user. Text
 * only. */
static int load_text_file(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    script_check_inside(L, path);
    if (luaL_loadfilex(L, path, "t") != LUA_OK) {
        luaL_pushfail(L);
        lua_insert(L, -2);
        return 2;
    }
    if (!lua_isnone(L, 3) && lua_type(L, 3) == LUA_TTABLE) {
        lua_pushvalue(L, 3);
        lua_setupvalue(L, -2, 1);
    }
    return 1;
}

static int do_text_file(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    lua_settop(L, 1);
    script_check_inside(L, path);
    if (luaL_loadfilex(L, path, "t") != LUA_OK)
        return lua_error(L);
    lua_call(L, 0, LUA_MULTRET);
    return lua_gettop(L) - 1;
}

/* load(chunk, name, mode, env) with mode "t" always; upvalue 1 is Lua's load. */
static int load_text(lua_State *L)
{
    int count = lua_gettop(L);
    if (count < 3)
        lua_settop(L, count = 3);
    lua_pushliteral(L, "t");
    lua_replace(L, 3);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, LUA_MULTRET);
    return lua_gettop(L);
}

/* A module is Lua text inside the working folder, found by package.path. */
static int search_text(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "searchpath");
    lua_pushvalue(L, 1);
    lua_getfield(L, -3, "path");
    lua_call(L, 2, 2);
    if (lua_isnil(L, -2))
        return 1; /* the message with the paths that were tried */
    lua_pop(L, 1);
    const char *path = lua_tostring(L, -1);
    if (!path) /* package.searchpath may be the script's own */
        return luaL_error(L, "module '%s': package.searchpath has returned no path", name);
    script_check_inside(L, path);
    if (luaL_loadfilex(L, path, "t") != LUA_OK)
        return luaL_error(L, "module '%s': %s", name, lua_tostring(L, -1));
    lua_pushstring(L, path);
    return 2;
}

/* package.searchpath(name, path, separator, replacement) where every file is inside; upvalue 1 is
 * Lua's, which tells which files can be read. */
static int search_path(lua_State *L)
{
    lua_settop(L, 4);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 4, 2);
    if (lua_isstring(L, -2))
        script_check_inside(L, lua_tostring(L, -2));
    return 2;
}

static void close_off(lua_State *L, const char *table, const char *const *names)
{
    lua_getglobal(L, table);
    for (; *names; names++) {
        lua_pushfstring(L, "%s.%s", table, *names);
        lua_pushcclosure(L, not_here, 1);
        lua_setfield(L, -2, *names);
    }
    lua_pop(L, 1);
}

static void keep_inside(lua_State *L, const char *table, const char *const *names, bool all)
{
    lua_getglobal(L, table);
    for (; *names; names++) {
        lua_getfield(L, -1, *names);
        lua_pushboolean(L, all);
        lua_pushcclosure(L, with_files, 2);
        lua_setfield(L, -2, *names);
    }
    lua_pop(L, 1);
}

static void open_modules(lua_State *L)
{
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "searchpath");
    lua_pushcclosure(L, search_path, 1);
    lua_setfield(L, -2, "searchpath");
    lua_getfield(L, -1, "searchers");
    lua_pushcfunction(L, search_text);
    lua_rawseti(L, -2, 2);
    for (lua_Integer i = (lua_Integer)lua_rawlen(L, -1); i > 2; i--) {
        lua_pushnil(L);
        lua_rawseti(L, -2, i);
    }
    lua_pop(L, 1);
    lua_pushliteral(L, "./?.lua;./?/init.lua");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.module_path");
    lua_setfield(L, -2, "path");
    lua_pushliteral(L, "");
    lua_setfield(L, -2, "cpath");
    lua_pop(L, 1);
}

void script_sandbox_open(lua_State *L)
{
    static const char *const programs[] = {"execute", "getenv", "setlocale", "tmpname", NULL},
                             *const pipes[] = {"popen", "tmpfile", NULL},
                             *const files[] = {"input", "lines", "open", "output", NULL},
                             *const moved[] = {"remove", "rename", NULL},
                             *const libraries[] = {"loadlib", NULL},
                             *const inner[] = {"debug",          "getlocal",
                                               "getmetatable",   "getregistry",
                                               "getupvalue",     "getuservalue",
                                               "setcstacklimit", "setlocal",
                                               "setmetatable",   "setupvalue",
                                               "setuservalue",   "upvalueid",
                                               "upvaluejoin",    NULL};
    close_off(L, "os", programs);
    close_off(L, "io", pipes);
    close_off(L, "package", libraries);
    close_off(L, "debug", inner);
    keep_inside(L, "io", files, false);
    keep_inside(L, "os", moved, true);
    lua_pushcfunction(L, load_text_file);
    lua_setglobal(L, "loadfile");
    lua_pushcfunction(L, do_text_file);
    lua_setglobal(L, "dofile");
    lua_getglobal(L, "load");
    lua_pushcclosure(L, load_text, 1);
    lua_setglobal(L, "load");
    open_modules(L);
}
