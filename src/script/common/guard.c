#include "script/common/guard.h"

#include "script/common/folder.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

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

/* Counts a file that was written. */
static void count_written(lua_State *L, const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
        script_limits_output(script_of(L), (size_t)about.st_size);
}

/* Upvalues: which argument is the path, the function. An object's method writes, a function of tm
 * reads. */
static int guarded_file(lua_State *L)
{
    int path = (int)lua_tointeger(L, lua_upvalueindex(1));
    char name[PATH_MAX];
    if (!script_of(L)->host.sandbox.on || !lua_isstring(L, path))
        return guarded(L);
    snprintf(name, sizeof name, "%s", lua_tostring(L, path));
    if (path == 1) {
        script_check_readable(L, lua_tostring(L, path));
        return guarded(L);
    }
    script_check_inside(L, lua_tostring(L, path));
    int results = guarded(L);
    count_written(L, name);
    return results;
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
