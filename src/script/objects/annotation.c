/* Tags and notes of runs and sweeps. */
#include "script/objects/run.h"

#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/table.h"

#include <string.h>

/* Adds the tag or the list of tags at `index`. */
static tm_status add_tags(lua_State *L, int index, tm_annotation *out, tm_error *err)
{
    tm_status status = TM_OK;
    if (lua_type(L, index) == LUA_TSTRING)
        return tm_annotation_add(out, lua_tostring(L, index), err);
    if (!lua_istable(L, index))
        return tm_fail(err, TM_EUSAGE, "'tags' is %s; expected a word, or a list of words",
                       script_what_is(L, index));
    lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    for (lua_Integer i = 1; status == TM_OK && i <= count; i++) {
        bool text = lua_rawgeti(L, index, i) == LUA_TSTRING;
        status = text ? tm_annotation_add(out, lua_tostring(L, -1), err)
                      : tm_fail(err, TM_EUSAGE, "tags[%d] is %s; expected a word", (int)i,
                                script_what_is(L, -1));
        lua_pop(L, 1);
    }
    return status;
}

/* Raises no error, so that allocated text is not leaked. */
static tm_status read_into(lua_State *L, int options, tm_annotation *out, bool *given,
                           tm_error *err)
{
    tm_status status = TM_OK;
    lua_pushliteral(L, "tags");
    if (lua_rawget(L, options) != LUA_TNIL) {
        tm_annotation fresh = {NULL, NULL};
        status = add_tags(L, lua_gettop(L), &fresh, err);
        char *before = out->tags;
        out->tags = fresh.tags;
        fresh.tags = before;
        tm_annotation_clear(&fresh);
        *given = true;
    }
    lua_pushliteral(L, "note");
    int type = lua_rawget(L, options);
    if (status == TM_OK && type != LUA_TNIL) {
        status = type == LUA_TSTRING ? tm_annotation_set_note(out, lua_tostring(L, -1), err)
                                     : tm_fail(err, TM_EUSAGE, "'note' is %s; expected text",
                                               script_what_is(L, -1));
        *given = true;
    }
    lua_pop(L, 2);
    return status;
}

bool script_args_annotation(lua_State *L, int options, const char *owner, tm_annotation *out)
{
    tm_error err = TM_ERROR_INIT;
    bool given = false;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (!lua_istable(L, options) || read_into(L, options, out, &given, &err) == TM_OK)
        return given;
    tm_annotation_clear(out);
    script_error(L, "%s: %s", owner, err.message);
    return false;
}

/* Pushes the words of a text (light userdata) as a list; called in protected mode. */
static int push_words(lua_State *L)
{
    const char *at = lua_touserdata(L, 1);
    lua_Integer count = 0;
    lua_newtable(L);
    for (; at && *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        lua_pushlstring(L, at, length);
        lua_rawseti(L, -2, ++count);
        at += length;
    }
    script_as_list(L);
    return 1;
}

static int push_line(lua_State *L)
{
    lua_pushstring(L, lua_touserdata(L, 1)); /* pushes nil for NULL */
    return 1;
}

int script_push_annotation(lua_State *L, const script_labelled *of)
{
    tm_error err = TM_ERROR_INIT;
    tm_annotation label;
    bool tags = strcmp(lua_tostring(L, 2), "tags") == 0;
    tm_status status = of->get(L, &label, &err);
    lua_pushcfunction(L, tags ? push_words : push_line);
    lua_pushlightuserdata(L, tags ? label.tags : label.note);
    int pushed = lua_pcall(L, 1, 1, 0);
    tm_annotation_clear(&label);
    if (status != TM_OK)
        return script_raise(L, &err);
    return pushed == LUA_OK ? 1 : lua_error(L);
}

int script_annotate(lua_State *L, const script_labelled *of)
{
    static const char *const keys[] = {"tags", "note", NULL};
    tm_error err = TM_ERROR_INIT;
    tm_annotation label;
    lua_settop(L, 2);
    if (!script_args_options(L, 2, of->owner))
        script_error(L, "%s: expected {tags={...}, note=text}", of->owner);
    script_args_keys(L, 2, of->owner, NULL, 0, keys);
    tm_status status = of->get(L, &label, &err);
    if (status == TM_OK) {
        script_args_annotation(L, 2, of->owner, &label);
        status = of->set(L, &label, &err);
    }
    tm_annotation_clear(&label);
    if (status != TM_OK)
        return script_raise(L, &err);
    lua_settop(L, 1);
    return 1;
}
