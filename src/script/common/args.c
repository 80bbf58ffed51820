/* Arguments, checked against the tables that describe them. */
#include "script/common/args.h"

#include "base/text.h"
#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/common/folder.h"

#include <limits.h>
#include <string.h>

static const char PARAMS[] = "tamis.params";

/* Whether the object at `index` may stand for a list of numbers. */
static bool is_numbers(lua_State *L, int index)
{
    const script_class *class = script_class_of(L, index);
    return class && class->numbers;
}

/* ---- keys ---------------------------------------------------------------------------------- */

typedef struct keys {
    const tm_param_info *table;
    size_t count;
    const char *const *extras;
} keys;

static const char *key_at(size_t i, const void *payload)
{
    const keys *known = payload;
    if (i < known->count)
        return known->table[i].name;
    return known->extras ? known->extras[i - known->count] : NULL;
}

/* The key at `index` of the stack: true when it is one of the table's parameters, false when the
 * caller reads it itself. */
static bool check_key(lua_State *L, int index, const char *owner, const keys *known)
{
    if (lua_type(L, index) != LUA_TSTRING)
        script_error(L, "%s: arguments are given as name=value; [%s] has no name", owner,
                     luaL_tolstring(L, index, NULL));
    const char *name = lua_tostring(L, index), *other;
    for (size_t i = 0; (other = key_at(i, known)); i++)
        if (strcmp(other, name) == 0)
            return i < known->count;
    const char *close = text_closest(name, key_at, known);
    if (close)
        script_error(L, "%s has no parameter '%.100s'; did you mean '%s'?", owner, name, close);
    script_error(L, "%s has no parameter '%.100s'; help() lists what there is", owner, name);
    return false;
}

bool script_args_options(lua_State *L, int index, const char *owner)
{
    if (lua_isnoneornil(L, index))
        return false;
    if (!lua_istable(L, index))
        script_error(L, "%s: expected a table of arguments {name=value, ...}, not %s", owner,
                     script_what_is(L, index));
    return true;
}

void script_args_keys(lua_State *L, int index, const char *owner, const tm_param_info *table,
                      size_t count, const char *const *extras)
{
    if (!script_args_options(L, index, owner))
        return;
    keys known = {table, count, extras};
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        check_key(L, lua_absindex(L, -2), owner, &known);
}

/* ---- values -------------------------------------------------------------------------------- */

static int bad_type(lua_State *L, const char *owner, const tm_param_info *info, int index)
{
    static const char *const expected[] = {
        [TM_PARAM_REAL] = "a number",
        [TM_PARAM_INT] = "a whole number",
        [TM_PARAM_BOOL] = "true or false",
        [TM_PARAM_CHOICE] = "one of its choices as text",
        [TM_PARAM_TEXT] = "text",
        [TM_PARAM_REALS] = "a number or a list of numbers",
        [TM_PARAM_VECTOR] = "a number, a list, a table by name, or the name of a file",
    };
    return script_error(L, "%s: parameter '%s' is %s; expected %s", owner, info->name,
                        script_what_is(L, index), expected[info->type]);
}

double *script_args_numbers(lua_State *L, const char *owner, const char *what, size_t *count)
{
    int list = lua_gettop(L);
    if (!lua_istable(L, list) && !is_numbers(L, list))
        script_error(L, "%s: '%s' is %s; expected a list of numbers", owner, what,
                     script_what_is(L, list));
    lua_Integer length = luaL_len(L, list);
    *count = length > 0 ? (size_t)length : 0;
    double *values = lua_newuserdatauv(L, (*count ? *count : 1) * sizeof *values, 0);
    for (size_t i = 0; i < *count; i++) {
        int number;
        lua_geti(L, list, (lua_Integer)i + 1);
        values[i] = lua_tonumberx(L, -1, &number);
        if (!number || lua_type(L, -1) != LUA_TNUMBER)
            script_error(L, "%s: '%s' has %s at place %zu; expected a number", owner, what,
                         script_what_is(L, -1), i + 1);
        lua_pop(L, 1);
    }
    lua_remove(L, list);
    return values;
}

static tm_status set_list(lua_State *L, tm_params *params, const char *owner,
                          const tm_param_info *info, tm_error *err)
{
    size_t count;
    lua_pushvalue(L, -1);
    const double *values = script_args_numbers(L, owner, info->name, &count);
    tm_status status = TM_OK;
    if (info->type == TM_PARAM_VECTOR) {
        tm_vector vector = {count, lua_touserdata(L, -1), NULL};
        status = tm_params_set_vector(params, info->name, &vector, err);
    } else {
        status = tm_params_set_reals(params, info->name, values, count, err);
    }
    lua_pop(L, 1);
    return status;
}

/* Whether the table on top of the stack has a string key. */
static bool is_by_name(lua_State *L)
{
    lua_pushnil(L);
    if (lua_next(L, -2) == 0)
        return false;
    bool named = lua_type(L, -2) == LUA_TSTRING;
    lua_pop(L, 2);
    return named;
}

/* Sets {gene7 = 0, gene9 = 2} in the order of the names, so that runs do not depend on Lua's order
 * of the table. */
static tm_status set_by_name(lua_State *L, tm_params *params, const char *owner,
                             const tm_param_info *info, tm_error *err)
{
    size_t count = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1), count++)
        if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TNUMBER)
            script_error(L,
                         "%s: parameter '%s' is a table with %s for %s; expected numbers "
                         "by name",
                         owner, info->name, script_what_is(L, -1), script_what_is(L, -2));
    char **names = lua_newuserdatauv(L, (count ? count : 1) * sizeof *names, 0);
    double *values = lua_newuserdatauv(L, (count ? count : 1) * sizeof *values, 0);
    size_t at = 0;
    for (lua_pushnil(L); lua_next(L, -4); lua_pop(L, 1), at++) {
        size_t k = at;
        /* The table keeps the names alive, and the vector is copied; the names are not written
         * to. */
        char *name = (char *)(uintptr_t)lua_tostring(L, -2);
        for (; k > 0 && strcmp(names[k - 1], name) > 0; k--) {
            names[k] = names[k - 1];
            values[k] = values[k - 1];
        }
        names[k] = name;
        values[k] = lua_tonumber(L, -1);
    }
    tm_status status =
        tm_params_set_vector(params, info->name, &(tm_vector){count, values, names}, err);
    lua_pop(L, 2);
    return status;
}

/* Sets the parameter to the value on top of the stack. A value of another type is converted to text
 * first, so that messages are the same as on the command line. */
static tm_status set_value(lua_State *L, tm_params *params, const char *owner,
                           const tm_param_info *info, tm_error *err)
{
    int type = lua_type(L, -1);
    if (type == LUA_TNUMBER && info->type == TM_PARAM_REAL)
        return tm_params_set_real(params, info->name, lua_tonumber(L, -1), err);
    if (type == LUA_TNUMBER && info->type == TM_PARAM_REALS) {
        double value = lua_tonumber(L, -1);
        return tm_params_set_reals(params, info->name, &value, 1, err);
    }
    int whole;
    lua_Integer integer = lua_tointegerx(L, -1, &whole);
    if (type == LUA_TNUMBER && whole && info->type == TM_PARAM_INT)
        return tm_params_set_int(params, info->name, (long)integer, err);
    if (type == LUA_TBOOLEAN && info->type == TM_PARAM_BOOL)
        return tm_params_set_bool(params, info->name, lua_toboolean(L, -1), err);
    if (type == LUA_TNUMBER && info->type == TM_PARAM_VECTOR)
        return tm_params_set_real(params, info->name, lua_tonumber(L, -1), err);
    if (info->type == TM_PARAM_VECTOR && type == LUA_TTABLE && is_by_name(L))
        return set_by_name(L, params, owner, info, err);
    if ((info->type == TM_PARAM_REALS || info->type == TM_PARAM_VECTOR) &&
        (type == LUA_TTABLE || is_numbers(L, -1)))
        return set_list(L, params, owner, info, err);
    if ((info->flags & TM_PARAM_GROUPS) && type == LUA_TTABLE) {
        script_args_groups(L, owner);
        type = LUA_TSTRING;
    }
    if ((info->flags & TM_PARAM_GRAPH) && type == LUA_TTABLE) {
        script_args_edges(L, owner);
        type = LUA_TSTRING;
    }
    if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
        bad_type(L, owner, info, lua_absindex(L, -1));
    const char *text = luaL_tolstring(L, -1, NULL);
    script_check_words(L, text);
    tm_status status = tm_params_set_text(params, info->name, text, err);
    lua_pop(L, 1);
    return status;
}

static int params_gc(lua_State *L)
{
    tm_params **box = luaL_testudata(L, 1, PARAMS);
    if (box) {
        tm_params_free(*box);
        *box = NULL;
    }
    return 0;
}

tm_params *script_args_params(lua_State *L, int index, const char *owner,
                              const tm_param_info *table, size_t count, const char *const *extras)
{
    tm_error err = TM_ERROR_INIT;
    if (lua_gettop(L) < index)
        lua_settop(L, index); /* values pushed later must not be taken for the missing argument */
    tm_params **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    if (luaL_newmetatable(L, PARAMS)) {
        lua_pushcfunction(L, params_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    if (tm_params_new(box, owner, table, count, &err) != TM_OK)
        script_raise(L, &err);
    if (!script_args_options(L, index, owner))
        return *box;
    keys known = {table, count, extras};
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        if (!check_key(L, lua_absindex(L, -2), owner, &known))
            continue;
        const char *name = lua_tostring(L, -2);
        const tm_param_info *info = tm_params_find(*box, name, &err);
        if (!info || set_value(L, *box, owner, info, &err) != TM_OK)
            script_raise(L, &err);
    }
    return *box;
}

void script_args_seed(lua_State *L, tm_params *params)
{
    tm_error err = TM_ERROR_INIT;
    for (size_t i = 0; i < tm_params_count(params); i++)
        if (strcmp(tm_params_info(params, i)->name, "seed") == 0 &&
            !tm_params_given(params, "seed") &&
            tm_params_set_int(params, "seed", (long)(script_of(L)->host.seed & LONG_MAX), &err) !=
                TM_OK)
            script_raise(L, &err);
}

const char *script_args_text(lua_State *L, int index, const char *owner, const char *key,
                             const char *fallback)
{
    int type = lua_getfield(L, index, key);
    if (type != LUA_TSTRING && type != LUA_TNIL)
        script_error(L, "%s: parameter '%s' is %s; expected text", owner, key,
                     script_what_is(L, -1));
    const char *text = type == LUA_TNIL ? fallback : lua_tostring(L, -1);
    lua_pop(L, 1);
    return text;
}

bool script_args_bool(lua_State *L, int index, const char *owner, const char *key, bool fallback)
{
    int type = lua_getfield(L, index, key);
    if (type != LUA_TBOOLEAN && type != LUA_TNIL)
        script_error(L, "%s: parameter '%s' is %s; expected true or false", owner, key,
                     script_what_is(L, -1));
    bool value = type == LUA_TNIL ? fallback : lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

double *script_args_rows(lua_State *L, int index, const char *owner, const char *key,
                         const tm_dataset *data)
{
    size_t count;
    if (lua_getfield(L, index, key) == LUA_TNIL) {
        lua_pop(L, 1);
        return NULL;
    }
    double *values = script_args_numbers(L, owner, key, &count);
    if (count != tm_dataset_rows(data))
        script_error(L, "%s: '%s' has %zu values, the data have %zu rows", owner, key, count,
                     tm_dataset_rows(data));
    return values;
}
