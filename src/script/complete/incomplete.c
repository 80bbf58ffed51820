/* Distinguishes incomplete chunks, which another line may complete, from wrong ones. */
#include "script/script.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

typedef enum verdict { COMPLETE, WRONG, UNFINISHED } verdict;

static verdict compile(lua_State *L, const char *text, size_t size)
{
    int status = luaL_loadbufferx(L, text, size, "=?", "t");
    size_t length;
    const char *message = status == LUA_OK ? NULL : lua_tolstring(L, -1, &length);
    bool at_end = message && length >= 5 && strcmp(message + length - 5, "<eof>") == 0;
    /* A quote left open cannot be closed on the next line. */
    bool quote = message && strstr(message, "unfinished string");
    lua_settop(L, 0);
    return status == LUA_OK ? COMPLETE : at_end && !quote ? UNFINISHED : WRONG;
}

bool script_incomplete(const char *text)
{
    static const char PREFIX[] = "return ";
    size_t size = strlen(text), prefix = sizeof PREFIX - 1;
    char *expression = malloc(prefix + size + 1);
    lua_State *L = luaL_newstate();
    bool unfinished = false;
    if (L && expression) {
        memcpy(expression, PREFIX, prefix);
        memcpy(expression + prefix, text, size + 1);
        verdict as_value = compile(L, expression, prefix + size);
        verdict as_chunk = compile(L, text, size);
        unfinished = as_value != COMPLETE && as_chunk != COMPLETE &&
                     (as_value == UNFINISHED || as_chunk == UNFINISHED);
    }
    if (L)
        lua_close(L);
    free(expression);
    return unfinished;
}
