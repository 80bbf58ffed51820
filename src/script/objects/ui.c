/* Requests of scripts to the workbench: its screen as text, keys, commands, colours. Outside the
 * workbench these functions raise an error. */
#include "script/objects/ui.h"

#include "script/common/errors.h"
#include "script/common/folder.h"
#include "script/common/host.h"
#include "script/objects/data/dataset.h"
#include "script/objects/run.h"

#include <stdlib.h>
#include <string.h>

int script_ui_order(lua_State *L, const script_ui *request)
{
    script *self = script_of(L);
    tm_error err = TM_ERROR_INIT;
    char *answer = NULL;
    if (!self->host.ui)
        return luaL_error(L, "tm.%s%s: there is no workbench here",
                          strcmp(request->verb, "screen") == 0 ? "" : "ui.", request->verb);
    luaL_checkstack(L, 4, NULL);
    tm_cancel *token = script_cancel_begin(self);
    tm_status status = self->host.ui(request, token, &answer, self->host.payload, &err);
    script_cancel_end(self, token);
    script_check(L);
    if (status != TM_OK) {
        free(answer);
        return script_raise(L, &err);
    }
    if (!answer)
        return 0;
    lua_pushstring(L, answer);
    free(answer);
    return 1;
}

int script_tm_screen(lua_State *L)
{
    return script_ui_order(L, &(script_ui){.verb = "screen", .words = {luaL_optstring(L, 1, "")}});
}

int script_ui_view(lua_State *L)
{
    return script_ui_order(L, &(script_ui){.verb = "view", .words = {luaL_checkstring(L, 1)}});
}

/* A script in the sandbox cannot have the workbench write or delete, fill the terminal's clipboard,
 * or stop the program. */
static void check_request(lua_State *L, const char *name)
{
    static const char *const refused[] = {"save", "delete", "script", "suspend", "quit", NULL};
    for (size_t i = 0; script_of(L)->host.sandbox.on && refused[i]; i++)
        if (strcmp(name, refused[i]) == 0)
            script_error(L, "the request '%s' is not available in the sandbox", name);
}

int script_ui_request(lua_State *L)
{
    check_request(L, luaL_checkstring(L, 1));
    return script_ui_order(L, &(script_ui){.verb = "request", .words = {luaL_checkstring(L, 1)}});
}

int script_ui_set(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    if (lua_isnoneornil(L, 2))
        return script_ui_order(L, &(script_ui){.verb = "set", .words = {name}});
    const char *value = luaL_tolstring(L, 2, NULL);
    script_check_words(L, value);
    return script_ui_order(L, &(script_ui){.verb = "set", .words = {name, value}});
}

int script_ui_open(lua_State *L)
{
    return script_ui_order(
        L, &(script_ui){.verb = "open", .data = script_check_dataset(L, 1, "tm.ui.open")});
}

/* tm.ui.data, tm.ui.run: the data and the run being explored; nil if there is none. */
int script_ui_index(lua_State *L)
{
    script_ui_answer objects = {NULL, NULL};
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (strcmp(key, "data") != 0 && strcmp(key, "run") != 0)
        return 0;
    script_ui_order(L, &(script_ui){.verb = key, .objects = &objects});
    if (objects.data)
        script_push_dataset(L, objects.data);
    else if (objects.run)
        script_push_run(L, objects.run);
    else
        lua_pushnil(L);
    tm_dataset_unref(objects.data);
    if (objects.run)
        tm_job_unref(objects.run);
    return 1;
}

/* ---- commands ------------------------------------------------------------------------------ */

/* Stores the function at `index` under a name. */
static void keep(lua_State *L, const char *name, int index)
{
    index = lua_absindex(L, index);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "tamis.commands");
    lua_pushvalue(L, index);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

int script_ui_command(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1), *help = luaL_checkstring(L, 2);
    luaL_checktype(L, 3, LUA_TFUNCTION);
    for (const char *c = name; *c || c == name; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-_", *c) || *c == '\0')
            return luaL_error(L, "tm.ui.command: a name is small letters, digits, - and _");
    keep(L, name, 3);
    return script_ui_order(L, &(script_ui){.verb = "command", .words = {name, help}});
}

/* tm.ui.call(name, argument): submitted by the workbench when a command was chosen. */
int script_ui_call(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "tamis.commands");
    if (lua_getfield(L, -1, name) != LUA_TFUNCTION)
        return luaL_error(L, "tm.ui.call: no command '%s'", name);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 0);
    return 0;
}

/* tm.ui.bind(view, key, request or function) */
int script_ui_bind(lua_State *L)
{
    const char *view = luaL_checkstring(L, 1), *key = luaL_checkstring(L, 2);
    if (lua_isfunction(L, 3)) {
        const char *name = lua_pushfstring(L, "key %s %s", view, key);
        keep(L, name, 3);
        return script_ui_order(L, &(script_ui){.verb = "bind", .words = {view, key, "", name}});
    }
    const char *request = luaL_checkstring(L, 3);
    check_request(L, request);
    return script_ui_order(L, &(script_ui){.verb = "bind", .words = {view, key, request, ""}});
}

/* ---- colours ------------------------------------------------------------------------------- */

/* tm.ui.theme("dark"), or {base="dark", error="#ff0000", ...}: roles as "role=colour" lines. */
int script_ui_theme(lua_State *L)
{
    luaL_Buffer roles;
    if (!lua_istable(L, 1))
        return script_ui_order(
            L, &(script_ui){.verb = "theme", .words = {luaL_checkstring(L, 1), ""}});
    lua_getfield(L, 1, "base");
    const char *base = luaL_optstring(L, -1, "auto");
    luaL_buffinit(L, &roles);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || !lua_isstring(L, -1))
            return luaL_error(L, "tm.ui.theme: expected role=colour");
        if (strcmp(lua_tostring(L, -2), "base") == 0)
            continue;
        const char *line = lua_pushfstring(L, "%s=%s\n", lua_tostring(L, -2), lua_tostring(L, -1));
        lua_pop(L, 1);
        luaL_addstring(&roles, line);
    }
    luaL_pushresult(&roles);
    return script_ui_order(L, &(script_ui){.verb = "theme", .words = {base, lua_tostring(L, -1)}});
}
