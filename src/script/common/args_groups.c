/* Groups of features as a Lua table: {{1, 2, 3}, {"TP53", "BRCA1", weight=2, name="a", parent="b"},
 * ...}, and the edges of a graph: {{1, 2}, {"TP53", "BRCA1", 0.5}, ...}. */
#include "base/text.h"
#include "script/common/args.h"
#include "tamis/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adds a name in quotes; quotes in it are doubled. */
static void add_quoted(luaL_Buffer *b, const char *text, size_t length)
{
    luaL_addchar(b, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            luaL_addchar(b, '"');
        luaL_addchar(b, text[i]);
    }
    luaL_addchar(b, '"');
}

/* Adds the field `key` of the group at `index` as " key=value". */
static void add_attribute(lua_State *L, luaL_Buffer *b, int index, const char *key)
{
    size_t length;
    int type = lua_getfield(L, index, key);
    const char *text = type == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
    double number = type == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    lua_pop(L, 1); /* the group keeps the text alive */
    if (type == LUA_TNIL)
        return;
    luaL_addchar(b, ' ');
    luaL_addstring(b, key);
    luaL_addchar(b, '=');
    char digits[TEXT_EXACT];
    text_exact(number, digits);
    if (text)
        add_quoted(b, text, length);
    else
        luaL_addstring(b, digits);
}

static bool is_number_at(lua_State *L, int group, lua_Integer i, lua_Integer *value)
{
    int whole = 0;
    bool number = lua_geti(L, group, i) == LUA_TNUMBER;
    *value = number ? lua_tointegerx(L, -1, &whole) : 0;
    lua_pop(L, 1);
    return number && whole;
}

/* Adds consecutive numbers from place i on as a range; returns the place after them. */
static lua_Integer add_numbers(lua_State *L, luaL_Buffer *b, int group, lua_Integer i)
{
    lua_Integer first, next, last;
    char digits[64];
    is_number_at(L, group, i, &first);
    for (last = first, i++; is_number_at(L, group, i, &next) && next == last + 1; i++)
        last = next;
    if (last > first)
        snprintf(digits, sizeof digits, " %lld-%lld", (long long)first, (long long)last);
    else
        snprintf(digits, sizeof digits, " %lld", (long long)first);
    luaL_addstring(b, digits);
    return i;
}

static lua_Integer add_member(lua_State *L, luaL_Buffer *b, const char *owner, int group,
                              lua_Integer i)
{
    lua_Integer value;
    size_t length;
    if (is_number_at(L, group, i, &value))
        return add_numbers(L, b, group, i);
    if (lua_geti(L, group, i) != LUA_TSTRING)
        script_error(L,
                     "%s: a group has %s at place %lld; expected the number or the name of a "
                     "feature",
                     owner, script_what_is(L, -1), (long long)i);
    const char *text = lua_tolstring(L, -1, &length);
    lua_pop(L, 1); /* the group keeps it alive */
    luaL_addchar(b, ' ');
    add_quoted(b, text, length);
    return i + 1;
}

static void check_group(lua_State *L, const char *owner, int group, lua_Integer g)
{
    static const char *const attributes[] = {"weight", "name", "parent"};
    if (!lua_istable(L, group))
        script_error(L, "%s: group %lld is %s; expected a list of features", owner, (long long)g,
                     script_what_is(L, group));
    for (lua_pushnil(L); lua_next(L, group); lua_pop(L, 1)) {
        bool known = lua_type(L, -2) == LUA_TNUMBER;
        for (size_t k = 0; !known && k < 3; k++)
            known =
                lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), attributes[k]) == 0;
        if (!known)
            script_error(L, "%s: group %lld has '%s'; expected weight, name or parent", owner,
                         (long long)g, luaL_tolstring(L, -2, NULL));
    }
}

/* Replaces the table on top by a string that tm_groups_parse reads. */
void script_args_groups(lua_State *L, const char *owner)
{
    int table = lua_gettop(L);
    luaL_Buffer b;
    lua_Integer count = luaL_len(L, table);
    for (lua_Integer g = 1; g <= count; g++) {
        lua_geti(L, table, g);
        check_group(L, owner, table + 1, g);
        lua_pop(L, 1);
    }
    lua_pushnil(L); /* a slot for the current group, below what the buffer pushes */
    luaL_buffinit(L, &b);
    luaL_addchar(&b, '[');
    for (lua_Integer g = 1; g <= count; g++) {
        lua_geti(L, table, g);
        lua_replace(L, table + 1);
        lua_Integer length = (lua_Integer)lua_rawlen(L, table + 1);
        for (lua_Integer i = 1; i <= length;)
            i = add_member(L, &b, owner, table + 1, i);
        add_attribute(L, &b, table + 1, "weight");
        add_attribute(L, &b, table + 1, "name");
        add_attribute(L, &b, table + 1, "parent");
        luaL_addchar(&b, g < count ? ';' : ']');
    }
    if (count < 1)
        luaL_addchar(&b, ']');
    luaL_pushresult(&b);
    lua_replace(L, table);
    lua_settop(L, table);
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Adds item i of the edge at `edge`: a feature, or a weight as the third item. */
static void add_end(lua_State *L, luaL_Buffer *b, const char *owner, int edge, lua_Integer i)
{
    char digits[64];
    int whole = 0, type = lua_geti(L, edge, i);
    lua_Integer number = lua_tointegerx(L, -1, &whole);
    double real = lua_tonumber(L, -1);
    if (type == LUA_TNUMBER && i == 3)
        snprintf(digits, sizeof digits, " %s", text_exact(real, (char[TEXT_EXACT]){0}));
    else if (type == LUA_TNUMBER && whole)
        snprintf(digits, sizeof digits, " %lld", (long long)number);
    else if (type != LUA_TSTRING || i > 2)
        script_error(L, "%s: an edge has %s at place %lld; expected %s", owner,
                     script_what_is(L, -1), (long long)i,
                     i < 3 ? "the number or the name of a feature" : "two features and a weight");
    size_t length = 0;
    const char *text = type == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
    lua_pop(L, 1); /* the edge keeps the text alive */
    if (!text) {
        luaL_addstring(b, digits);
        return;
    }
    luaL_addchar(b, ' ');
    add_quoted(b, text, length);
}

/* Replaces the table on top by a string that tm_graph_parse reads. */
void script_args_edges(lua_State *L, const char *owner)
{
    int table = lua_gettop(L);
    luaL_Buffer b;
    lua_Integer count = luaL_len(L, table);
    lua_pushnil(L); /* a slot for the current edge, below what the buffer pushes */
    luaL_buffinit(L, &b);
    luaL_addchar(&b, '[');
    for (lua_Integer e = 1; e <= count; e++) {
        if (lua_geti(L, table, e) != LUA_TTABLE)
            script_error(L, "%s: edge %lld is %s; expected two features", owner, (long long)e,
                         script_what_is(L, -1));
        lua_replace(L, table + 1);
        lua_Integer length = (lua_Integer)lua_rawlen(L, table + 1);
        for (lua_Integer i = 1; i <= length; i++)
            add_end(L, &b, owner, table + 1, i);
        add_attribute(L, &b, table + 1, "weight");
        luaL_addstring(&b, e < count ? ";" : "");
    }
    luaL_addchar(&b, ']');
    luaL_pushresult(&b);
    lua_replace(L, table);
    lua_settop(L, table);
}

/* ---- by name --------------------------------------------------------------------------------- */

static unsigned flags_of(const char *name)
{
    const tm_method *method;
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        size_t count;
        const tm_param_info *table = tm_method_params(method, &count);
        for (size_t k = 0; k < count; k++)
            if (strcmp(table[k].name, name) == 0 &&
                table[k].flags & (TM_PARAM_GROUPS | TM_PARAM_GRAPH))
                return table[k].flags;
    }
    return 0;
}

bool script_args_structure(lua_State *L, const char *owner, const char *name)
{
    unsigned flags = flags_of(name);
    if (flags & TM_PARAM_GROUPS)
        script_args_groups(L, owner);
    else if (flags & TM_PARAM_GRAPH)
        script_args_edges(L, owner);
    return flags != 0;
}
