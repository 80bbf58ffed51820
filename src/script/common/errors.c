/* Errors of the script: raised with their position, and reported with the calls that led there. */
#include "script/common/errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TRACE_LEVELS = 6 }; /* longer tracebacks are omitted */

int script_raise(lua_State *L, const tm_error *err)
{
    script_check(L);
    luaL_where(L, 1);
    lua_pushstring(L, err->message);
    lua_concat(L, 2);
    return lua_error(L);
}

void script_print_unsaved(lua_State *L, int answer)
{
    size_t size;
    script_check(L);
    luaL_tolstring(L, answer, NULL);
    lua_pushliteral(L, "\n");
    lua_concat(L, 2);
    const char *text = lua_tolstring(L, -1, &size);
    script_print(script_of(L), text, size);
    lua_pop(L, 1);
}

int script_raise_unsaved(lua_State *L, int answer, const tm_error *err)
{
    script_print_unsaved(L, answer);
    return script_raise(L, err);
}

int script_error(lua_State *L, const char *format, ...)
{
    tm_error err = TM_ERROR_INIT;
    va_list values;
    va_start(values, format);
    vsnprintf(err.message, sizeof err.message, format, values);
    va_end(values);
    return script_raise(L, &err);
}

/* Adds the calls that led to an error inside functions, if they are few. */
static void add_traceback(lua_State *L, luaL_Buffer *out)
{
    lua_Debug at;
    int lines = 0, level;
    for (level = 1; level < 2 * TRACE_LEVELS && lua_getstack(L, level, &at); level++)
        if (lua_getinfo(L, "S", &at) && strcmp(at.what, "C") != 0)
            lines++;
    if (lines < 2 || lines > TRACE_LEVELS || level == 2 * TRACE_LEVELS)
        return;
    for (level = 1; lua_getstack(L, level, &at); level++) {
        if (!lua_getinfo(L, "nSl", &at) || strcmp(at.what, "C") == 0)
            continue;
        char line[200];
        if (strcmp(at.what, "main") == 0)
            snprintf(line, sizeof line, "\n  called from %s:%d", at.short_src, at.currentline);
        else
            snprintf(line, sizeof line, "\n  in function '%s' (%s:%d)", at.name ? at.name : "?",
                     at.short_src, at.currentline);
        luaL_addstring(out, line);
    }
}

static int on_error(lua_State *L)
{
    if (script_must_stop(script_of(L)))
        return 1; /* the end of the chunk reports what happened */
    if (lua_type(L, 1) != LUA_TSTRING && !luaL_callmeta(L, 1, "__tostring"))
        lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
    if (lua_type(L, -1) != LUA_TSTRING)
        return 1;
    luaL_Buffer out;
    int message = lua_gettop(L);
    luaL_buffinit(L, &out);
    lua_pushvalue(L, message);
    luaL_addvalue(&out);
    add_traceback(L, &out);
    luaL_pushresult(&out);
    return 1;
}

int script_call(lua_State *L, int arguments, int results)
{
    int base = lua_gettop(L) - arguments;
    lua_pushcfunction(L, on_error);
    lua_insert(L, base);
    int status = lua_pcall(L, arguments, results, base);
    lua_remove(L, base);
    return status;
}
