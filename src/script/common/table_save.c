/* Tables as files: rows:save("x.csv") and rows:save("x.json"). */
#include "script/common/table.h"

#include "base/replace.h"
#include "base/text.h"
#include "script/common/errors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Stack positions. */
enum { SAVED_ROWS = 1, SAVED_PATH, SAVED_COLUMNS };

/* ---- columns ------------------------------------------------------------------------------- */

/* Pops the name on top and inserts it as a column, in sorted order among those from `first` on. */
static void insert_column(lua_State *L, lua_Integer first)
{
    lua_Integer at = (lua_Integer)lua_rawlen(L, SAVED_COLUMNS) + 1;
    for (; at > first; at--) {
        lua_rawgeti(L, SAVED_COLUMNS, at - 1);
        if (strcmp(lua_tostring(L, -1), lua_tostring(L, -2)) <= 0) {
            lua_pop(L, 1);
            break;
        }
        lua_rawseti(L, SAVED_COLUMNS, at);
    }
    lua_rawseti(L, SAVED_COLUMNS, at);
}

/* Adds the plain fields of the row on top that are not columns yet; the set of columns is below
 * it. */
static void add_fields(lua_State *L, lua_Integer first)
{
    int row = lua_gettop(L), seen = row - 1;
    for (lua_pushnil(L); lua_next(L, row); lua_pop(L, 1)) {
        int type = lua_type(L, -1);
        bool plain = type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN;
        if (!plain || lua_type(L, -2) != LUA_TSTRING)
            continue;
        lua_pushvalue(L, -2);
        bool known = lua_rawget(L, seen) != LUA_TNIL;
        lua_pop(L, 1);
        if (known)
            continue;
        lua_pushvalue(L, -2);
        lua_pushboolean(L, 1);
        lua_rawset(L, seen);
        lua_pushvalue(L, -2);
        insert_column(L, first);
    }
}

/* Pushes the list of columns: the printed ones, then the other fields by name. */
static void push_columns(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_getfield(L, SAVED_ROWS, "columns");
    lua_Integer count = 0;
    while (lua_istable(L, -1) && lua_rawgeti(L, -1, count + 1) == LUA_TSTRING) {
        lua_pushvalue(L, -1);
        lua_rawseti(L, SAVED_COLUMNS, ++count);
        lua_pushboolean(L, 1);
        lua_rawset(L, SAVED_COLUMNS + 1);
    }
    lua_settop(L, SAVED_COLUMNS + 1);
    for (lua_Integer i = 1; lua_rawgeti(L, SAVED_ROWS, i) != LUA_TNIL; i++) {
        if (lua_istable(L, -1))
            add_fields(L, count + 1);
        lua_pop(L, 1);
    }
    lua_settop(L, SAVED_COLUMNS);
}

/* ---- values -------------------------------------------------------------------------------- */

static void put_csv(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, 0}, out);
    putc('"', out);
}

static void put_json(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else
            putc(*c, out);
    putc('"', out);
}

/* Writes the value on top; nothing (null) if it is not a number, string or boolean. */
static void put_value(lua_State *L, FILE *out, bool json)
{
    switch (lua_type(L, -1)) {
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1))
            fprintf(out, LUA_INTEGER_FMT, (LUAI_UACINT)lua_tointeger(L, -1));
        else if (isfinite(lua_tonumber(L, -1)) || (!json && !isnan(lua_tonumber(L, -1))))
            fputs(text_exact(lua_tonumber(L, -1), (char[TEXT_EXACT]){0}), out);
        else if (json)
            fputs("null", out);
        break;
    case LUA_TBOOLEAN:
        fputs(lua_toboolean(L, -1) ? "true" : "false", out);
        break;
    case LUA_TSTRING:
        (json ? put_json : put_csv)(out, lua_tostring(L, -1));
        break;
    default:
        fputs(json ? "null" : "", out);
    }
}

static void put_row(lua_State *L, FILE *out, lua_Integer columns, bool json)
{
    for (lua_Integer k = 1; k <= columns; k++) {
        lua_rawgeti(L, SAVED_COLUMNS, k);
        if (json) {
            fputs(k == 1 ? "{" : ", ", out);
            put_json(out, lua_tostring(L, -1));
            fputs(": ", out);
        } else if (k > 1) {
            putc(',', out);
        }
        lua_gettable(L, -2);
        put_value(L, out, json);
        lua_pop(L, 1);
    }
    fputs(json ? "}" : "\n", out);
}

/* Called in protected mode, as fields of objects may raise errors. The stream is light userdata on
 * top. */
static int put_rows(lua_State *L)
{
    FILE *out = lua_touserdata(L, 4);
    bool json = lua_toboolean(L, 5);
    lua_Integer columns = (lua_Integer)lua_rawlen(L, SAVED_COLUMNS);
    if (json)
        fputs("[", out);
    for (lua_Integer k = 1; !json && k <= columns; k++) {
        lua_rawgeti(L, SAVED_COLUMNS, k);
        if (k > 1)
            putc(',', out);
        put_csv(out, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    if (!json)
        putc('\n', out);
    for (lua_Integer i = 1; lua_rawgeti(L, SAVED_ROWS, i) != LUA_TNIL; i++) {
        if (json)
            fputs(i == 1 ? "\n" : ",\n", out);
        put_row(L, out, columns, json);
        lua_pop(L, 1);
    }
    if (json)
        fputs("\n]\n", out);
    return 0;
}

int script_rows_save(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    replacement file;
    lua_settop(L, 2);
    luaL_checktype(L, SAVED_ROWS, LUA_TTABLE);
    const char *path = luaL_checkstring(L, SAVED_PATH), *end = strrchr(path, '.');
    bool json = end && strcmp(end, ".json") == 0;
    if (!json && (!end || strcmp(end, ".csv") != 0)) {
        tm_fail(&err, TM_EUSAGE, "save: '%.300s': a table is saved as .csv or .json", path);
        return script_raise_unsaved(L, SAVED_ROWS, &err);
    }
    push_columns(L);
    if (replace_begin(&file, path, &err) != TM_OK)
        return script_raise_unsaved(L, SAVED_ROWS, &err);
    lua_pushcfunction(L, put_rows);
    for (int i = SAVED_ROWS; i <= SAVED_COLUMNS; i++)
        lua_pushvalue(L, i);
    lua_pushlightuserdata(L, file.stream);
    lua_pushboolean(L, json);
    bool put = lua_pcall(L, 5, 0, 0) == LUA_OK;
    tm_status status = replace_end(&file, put ? TM_OK : TM_EDATA, &err);
    if (!put)
        return lua_error(L);
    return status == TM_OK ? 0 : script_raise_unsaved(L, SAVED_ROWS, &err);
}
