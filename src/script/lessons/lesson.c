#include "script/lessons/lesson.h"

#include "script/common/errors.h"
#include "script/lessons/rows.h"
#include "script/objects/run.h"
#include "script/objects/ui.h"
#include "tamis/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the runner may use ----------------------------------------------------------------- */

/* capture(function) returns what it printed, whether it succeeded, and the error. */
static int capture(lua_State *L)
{
    script *self = script_of(L);
    script_capture own = {0}, *outer = self->capture;
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    self->capture = &own;
    int status = script_call(L, 0, 0);
    self->capture = outer;
    int message = lua_gettop(L);
    lua_pushlstring(L, own.text ? own.text : "", own.length);
    free(own.text);
    lua_pushboolean(L, status == LUA_OK);
    if (status == LUA_OK)
        return 2;
    lua_pushvalue(L, message);
    return 3;
}

static int order(lua_State *L)
{
    return script_ui_order(
        L, &(script_ui){.verb = luaL_checkstring(L, 1),
                        .words = {luaL_optstring(L, 2, NULL), luaL_optstring(L, 3, NULL),
                                  luaL_optstring(L, 4, NULL), NULL}});
}

static int workbench(lua_State *L)
{
    lua_pushboolean(L, script_of(L)->host.ui != NULL);
    return 1;
}

static int run_id(lua_State *L)
{
    const tm_job *job = script_test_run(L, 1);
    char text[32];
    if (!job)
        return 0;
    snprintf(text, sizeof text, "%llu", (unsigned long long)tm_job_id(job));
    lua_pushstring(L, text);
    return 1;
}

static int rule(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    const char *name = luaL_checkstring(L, 1);
    lua_pushboolean(L, strcmp(name, "none") == 0 || tm_screen_find(name, &err) != NULL);
    return 1;
}

static void push_host(lua_State *L)
{
    static const luaL_Reg functions[] = {{"capture", capture},     {"order", order},
                                         {"workbench", workbench}, {"run_id", run_id},
                                         {"rule", rule},           {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_createtable(L, (int)lesson_count, 0);
    for (size_t i = 0; i < lesson_count; i++) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, lesson_rows[i].name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, lesson_rows[i].text);
        lua_setfield(L, -2, "text");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "own");
}

/* Pushes a function of the runner, which is loaded when it is first asked for. */
static void push_runner(lua_State *L, const char *name)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, "tamis.lessons") == LUA_TNIL) {
        lua_pop(L, 1);
        if (luaL_loadbufferx(L, lesson_runner, strlen(lesson_runner), "=lessons", "t") != LUA_OK)
            lua_error(L);
        push_host(L);
        lua_call(L, 1, 1);
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, "tamis.lessons");
    }
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

/* ---- what scripts call ----------------------------------------------------------------------- */

/* Calls the runner with the arguments on the stack; its own errors get the caller's line. */
static int call_runner(lua_State *L, const char *name)
{
    int count = lua_gettop(L);
    push_runner(L, name);
    lua_insert(L, 1);
    if (lua_pcall(L, count, 0, 0) == LUA_OK)
        return 0;
    script_check(L);
    return script_error(L, "%s", luaL_tolstring(L, -1, NULL));
}

int script_tm_show(lua_State *L)
{
    return call_runner(L, "show");
}

int script_tm_ask(lua_State *L)
{
    return call_runner(L, "ask");
}

int script_lesson_open(lua_State *L)
{
    lua_settop(L, 2);
    lua_pushnil(L);
    lua_insert(L, 2); /* no text: a built-in lesson */
    return call_runner(L, "open");
}

int script_lesson_go(lua_State *L)
{
    return call_runner(L, "go");
}

int script_lesson_answer(lua_State *L)
{
    return call_runner(L, "answer");
}

int script_lesson_run(lua_State *L)
{
    script_lesson_call *call = lua_touserdata(L, 1);
    lua_settop(L, 0);
    push_runner(L, call->verb);
    lua_pushstring(L, call->name);
    lua_pushstring(L, call->text);
    lua_pushinteger(L, (lua_Integer)call->step);
    lua_call(L, 3, 1);
    if (lua_isstring(L, -1))
        call->answer = strdup(lua_tostring(L, -1));
    return 0;
}
