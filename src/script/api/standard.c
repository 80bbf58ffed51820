/* The standard functions that the host replaces: print, pairs, io.write, os.exit, xpcall, warn,
 * table.sort; and those that may take long, which are guarded. */
#include "script/api/standard.h"

#include "script/api/execute.h"
#include "script/api/pairs.h"
#include "script/api/sandbox.h"
#include "script/common/guard.h"
#include "script/objects/pack.h"

#include <limits.h>
#include <string.h>

static int base_print(lua_State *L)
{
    int count = lua_gettop(L);
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&out, '\t');
        luaL_tolstring(L, i, NULL);
        luaL_addvalue(&out);
    }
    luaL_addchar(&out, '\n');
    luaL_pushresult(&out);
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    script_print(script_of(L), text, size);
    return 0;
}

/* Writes arguments from `first` on to the host. */
static void write_arguments(lua_State *L, int first)
{
    int last = lua_gettop(L);
    for (int i = first; i <= last; i++) {
        size_t size;
        const char *text = luaL_checklstring(L, i, &size);
        script_print(script_of(L), text, size);
    }
}

/* Standard output belongs to the host; in the workbench, standard error would garble the screen. */
static bool is_host_stream(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_getfield(L, LUA_REGISTRYINDEX, "tamis.stdout");
    lua_getfield(L, LUA_REGISTRYINDEX, "tamis.stderr");
    bool host =
        lua_rawequal(L, index, -2) || (lua_rawequal(L, index, -1) && script_of(L)->host.show);
    lua_pop(L, 2);
    return host;
}

/* file:write(...); upvalue 1 is the method it replaces. */
static int stream_write(lua_State *L)
{
    if (is_host_stream(L, 1)) {
        write_arguments(L, 2);
        lua_settop(L, 1);
        return 1;
    }
    size_t bytes = 0, size;
    for (int i = 2; i <= lua_gettop(L); i++)
        bytes += lua_tolstring(L, i, &size) ? size : 0;
    script_limits_output(script_of(L), bytes);
    script_check(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* io.write(...): the current output's write; upvalue 1 is io.output. */
static int io_write(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_call(L, 0, 1);
    lua_getfield(L, -1, "write");
    lua_insert(L, 1);
    lua_insert(L, 2);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* os.exit(code) ends the script, not the program that runs it. */
static int os_exit_script(lua_State *L)
{
    script *self = script_of(L);
    lua_Integer code = 0;
    if (lua_isboolean(L, 1))
        code = lua_toboolean(L, 1) ? 0 : 1;
    else
        code = luaL_optinteger(L, 1, 0);
    if (code < 0 || code > INT_MAX)
        code = 1;
    self->stop.exiting = true;
    self->stop.exit_code = (int)code;
    script_check(L);
    return 0;
}

/* The message handler of xpcall; upvalue 1 is the script's. An interrupt raised by the hook would
 * run the handler with hooks disabled, where nothing could stop it. */
static int guarded_handler(lua_State *L)
{
    if (script_must_stop(script_of(L)))
        return 1;
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

/* Stack: function, handler, true, results; or an error value on top. */
static int end_xpcall(lua_State *L, int status, lua_KContext context)
{
    (void)context;
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(L) - 2;
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

static int base_xpcall(lua_State *L)
{
    int arguments = lua_gettop(L) - 2;
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, guarded_handler, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    return end_xpcall(L, lua_pcallk(L, arguments, LUA_MULTRET, 2, 0, end_xpcall), 0);
}

static int no_hooks(lua_State *L)
{
    return luaL_error(L, "debug.sethook is not available: the hook serves to interrupt scripts");
}

static void warn(void *payload, const char *message, int more)
{
    script *self = payload;
    script_warning *w = &self->warning;
    size_t room = sizeof w->text - 1 - w->used, length = strlen(message);
    memcpy(w->text + w->used, message, length < room ? length : room);
    w->used += length < room ? length : room;
    if (more)
        return;
    w->text[w->used] = '\0';
    w->used = 0;
    script_remark(self, false, "%s", w->text);
}

static void replace(lua_State *L, const char *table, const char *name, lua_CFunction function)
{
    lua_getglobal(L, table);
    lua_pushcfunction(L, function);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

static void open_streams(lua_State *L)
{
    lua_getglobal(L, "io");
    lua_getfield(L, -1, "stdout");
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.stdout");
    lua_getfield(L, -1, "stderr");
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.stderr");
    lua_getfield(L, -1, "output");
    lua_pushcclosure(L, io_write, 1);
    lua_setfield(L, -2, "write");
    luaL_getmetatable(L, LUA_FILEHANDLE);
    lua_getfield(L, -1, "__index");
    lua_getfield(L, -1, "write");
    lua_pushcclosure(L, stream_write, 1);
    lua_setfield(L, -2, "write");
    lua_pop(L, 3);
    /* The workbench's keyboard cannot be read as a file. */
    if (script_of(L)->host.show &&
        luaL_dostring(L, "io.input('/dev/null') io.stdin = io.input()") != LUA_OK)
        lua_error(L);
}

/* ---- what may take long ------------------------------------------------------------------ */

/* Sorting more values than this takes longer than the maximum delay of an interrupt. */
enum { LONG_SORT = 200000 };

static int less(lua_State *L)
{
    script_check(L);
    lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
    return 1;
}

/* table.sort; upvalue 1 is Lua's, called in the same frame. If the script gives no comparison, the
 * one supplied here checks the interrupt flag. */
static int table_sort(lua_State *L)
{
    lua_settop(L, 2);
    if (lua_isnil(L, 2) && lua_istable(L, 1) && lua_rawlen(L, 1) > LONG_SORT) {
        lua_pushcfunction(L, less);
        lua_replace(L, 2);
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* Guards the functions whose time grows with the size of their arguments. */
static void guard_long_ones(lua_State *L)
{
    static const char *const strings[] = {"byte",  "char",    "find", "format", "gsub", "lower",
                                          "match", "reverse", "rep",  "upper",  NULL},
                             *const tables[] = {"concat", "insert", "move",
                                                "remove", "unpack", NULL},
                             *const globals[] = {"collectgarbage", "load", NULL};
    const struct {
        const char *table;
        const char *const *names;
    } guarded[] = {{"string", strings}, {"table", tables}, {"_G", globals}};
    for (size_t i = 0; i < sizeof guarded / sizeof *guarded; i++) {
        lua_getglobal(L, guarded[i].table);
        for (const char *const *name = guarded[i].names; *name; name++)
            script_guard_field(L, *name);
        lua_pop(L, 1);
    }
    lua_getglobal(L, "table");
    lua_getfield(L, -1, "sort");
    script_push_guarded(L, table_sort, true);
    lua_setfield(L, -2, "sort");
    lua_pop(L, 1);
}

/* Makes math.random depend on the seed only, and the order of pairs on the keys only. */
static void open_repeatable(lua_State *L)
{
    lua_getglobal(L, "math");
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, (lua_Integer)script_of(L)->host.seed);
    lua_call(L, 1, 0);
    lua_pop(L, 1);
    lua_getglobal(L, "next");
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.next");
    lua_pushcfunction(L, script_pairs);
    lua_setglobal(L, "pairs");
}

void script_standard_open(lua_State *L)
{
    open_repeatable(L);
    guard_long_ones(L);
    lua_pushcfunction(L, base_print);
    lua_setglobal(L, "print");
    lua_pushcfunction(L, base_xpcall);
    lua_setglobal(L, "xpcall");
    lua_newtable(L);
    lua_setglobal(L, "arg");
    lua_pushliteral(L, "interrupted"); /* kept, so that raising it needs no memory */
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.interrupted");
    replace(L, "os", "exit", os_exit_script);
    replace(L, "os", "execute", script_os_execute);
    replace(L, "debug", "sethook", no_hooks);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "path");
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.module_path");
    lua_pop(L, 1);
    open_streams(L);
    if (script_of(L)->host.sandbox.on)
        script_sandbox_open(L);
    script_pack_open(L);
    lua_setwarnf(L, warn, script_of(L));
}
