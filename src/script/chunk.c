/* Running a chunk: compiles it, calls it, echoes its values, and converts its end to a status. */
#include "script/chunk.h"

#include "script/api/wait.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/objects/plot/plot.h"

#include <stdlib.h>
#include <string.h>

void script_chunk_free(script_chunk *chunk)
{
    if (!chunk)
        return;
    for (size_t i = 0; i < chunk->arg_count; i++)
        free(chunk->args[i]);
    free(chunk->args);
    free(chunk->text);
    free(chunk->name);
    free(chunk);
}

static void set_arguments(lua_State *L, const script_chunk *chunk)
{
    lua_createtable(L, (int)chunk->arg_count, 1);
    lua_pushstring(L, chunk->name);
    lua_rawseti(L, -2, 0);
    for (size_t i = 0; i < chunk->arg_count; i++) {
        lua_pushstring(L, chunk->args[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setglobal(L, "arg");
}

/* Makes require look for modules beside the script first, whatever the working folder. */
static void set_module_path(lua_State *L, const char *file)
{
    const char *slash = strrchr(file, '/');
    lua_getglobal(L, "package");
    if (!slash || !lua_istable(L, -1) || strpbrk(file, ";?")) {
        lua_pop(L, 1); /* ./ is searched anyway; these two characters have a special meaning in
                        * package.path */
        return;
    }
    lua_pushlstring(L, file, (size_t)(slash - file) + 1);
    const char *folder = lua_tostring(L, -1);
    lua_getfield(L, LUA_REGISTRYINDEX, "tamis.module_path");
    const char *standard = luaL_optstring(L, -1, "");
    lua_pushfstring(L, "%s?.lua;%s?/init.lua;%s", folder, folder, standard);
    lua_setfield(L, -4, "path");
    lua_pop(L, 3);
}

/* Pushes the compiled chunk or raises. An echoed chunk is tried as an expression first. Text only:
 * malformed bytecode could crash the interpreter. */
static void load_chunk(lua_State *L, script_chunk *chunk)
{
    int status;
    if (!chunk->text) {
        set_arguments(L, chunk);
        set_module_path(L, chunk->name);
        const char *path = strcmp(chunk->name, "-") == 0 ? NULL : chunk->name;
        status = luaL_loadfilex(L, path, "t");
        chunk->unreadable = status == LUA_ERRFILE;
    } else {
        status = LUA_ERRSYNTAX;
        if (chunk->echo) {
            lua_pushfstring(L, "return %s", chunk->text);
            size_t size;
            const char *text = lua_tolstring(L, -1, &size);
            status = luaL_loadbufferx(L, text, size, chunk->name, "t");
            lua_remove(L, -2);
            if (status == LUA_ERRSYNTAX)
                lua_pop(L, 1);
        }
        if (status == LUA_ERRSYNTAX)
            status = luaL_loadbufferx(L, chunk->text, strlen(chunk->text), chunk->name, "t");
    }
    if (status != LUA_OK)
        lua_error(L);
}

/* Shows a plot if the host can show figures; other values are printed. */
static bool echo_plot(lua_State *L, int index)
{
    if (!script_of(L)->host.show || script_class_of(L, index) != &script_plot_class)
        return false;
    lua_getfield(L, index, "show");
    lua_pushvalue(L, index);
    lua_call(L, 1, 0);
    return true;
}

static void echo_values(lua_State *L, int first)
{
    int last = lua_gettop(L);
    for (int i = first; i <= last; i++) {
        if (echo_plot(L, i))
            continue;
        script_push_shown(L, i);
        lua_pushliteral(L, "\n");
        lua_concat(L, 2);
        size_t size;
        const char *text = lua_tolstring(L, -1, &size);
        script_print(script_of(L), text, size);
        lua_pop(L, 1);
    }
}

/* Argument 1: the chunk as light userdata. */
static int run_protected(lua_State *L)
{
    script_chunk *chunk = lua_touserdata(L, 1);
    if (chunk->call) {
        lua_pushcfunction(L, chunk->call);
        lua_pushlightuserdata(L, chunk->payload);
        lua_call(L, 1, 0);
        return 0;
    }
    load_chunk(L, chunk);
    luaL_checkstack(L, (int)chunk->arg_count + LUA_MINSTACK, "too many arguments");
    for (size_t i = 0; i < chunk->arg_count; i++)
        lua_pushstring(L, chunk->args[i]);
    if (script_call(L, (int)chunk->arg_count, LUA_MULTRET) != LUA_OK)
        lua_error(L);
    if (chunk->echo) {
        luaL_checkstack(L, LUA_MINSTACK, "too many values");
        echo_values(L, 2);
    }
    if (script_of(L)->host.waits)
        script_wait_rest(L);
    return 0;
}

/* Converts the chunk's end to a status; the message is on the stack if status is not LUA_OK. */
static tm_status chunk_end(script *self, const script_chunk *chunk, int status, tm_error *err)
{
    lua_State *L = self->L;
    atomic_store(&self->stop.exited, self->stop.exiting ? self->stop.exit_code : -1);
    int spent = atomic_load(&self->usage->spent);
    if (spent != SPENT_NOTHING)
        return script_limits_fail(self, spent, err);
    if (atomic_load(&self->stop.interrupted))
        return tm_fail(err, TM_ECANCELLED, "interrupted");
    if (self->stop.exiting && self->stop.exit_code == 0)
        return TM_OK;
    if (self->stop.exiting)
        return tm_fail(err, TM_EDATA, "the script called os.exit(%d)", self->stop.exit_code);
    if (status == LUA_OK)
        return TM_OK;
    const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (status == LUA_ERRMEM)
        return tm_fail(err, TM_ENOMEM, "not enough memory: the script may hold %zu MiB",
                       self->heap.limit >> 20);
    return tm_fail(err, chunk->unreadable ? TM_EIO : TM_EDATA, "%s",
                   message ? message : "(error object is not text)");
}

tm_status script_chunk_run(script *self, script_chunk *chunk, tm_error *err)
{
    lua_State *L = self->L;
    script_limits_begin(self);
    lua_pushcfunction(L, run_protected);
    lua_pushlightuserdata(L, chunk);
    int status = lua_pcall(L, 1, 0, 0);
    script_limits_end(self);
    tm_status end = chunk_end(self, chunk, status, err);
    lua_settop(L, 0);
    return end;
}
