/* Values as text: aligned tables, short lists, and what the prompt prints. */
#include "script/common/table.h"
#include "plot/utf8.h"

#include "script/common/class.h"
#include "script/common/errors.h"
#include "script/common/guard.h"

#include <stdio.h>
#include <string.h>

enum {
    SHOWN_ITEMS = 24,  /* of a record */
    SHOWN_NUMBERS = 8, /* of a list */
    ITEM_BYTES = 144,
    KEY_BYTES = 72,
    LIST_BYTES = SHOWN_ITEMS * (ITEM_BYTES + KEY_BYTES) + 64,
    CELL_BYTES = 200,
    MAX_COLUMNS = 64,
};

static const char ROWS[] = "tamis.rows", LIST[] = "tamis.list", COLUMNS[] = "columns";

static bool prints_itself(lua_State *L, int index)
{
    bool itself = !lua_istable(L, index) || luaL_getmetafield(L, index, "__tostring");
    if (itself && lua_istable(L, index))
        lua_pop(L, 1);
    return itself;
}

/* ---- short lists --------------------------------------------------------------------------- */

/* A key that can be ordered: numbers before names. The table owns the names. */
typedef struct key {
    lua_Integer number;
    const char *name; /* NULL: a number */
} key;

static bool key_before(const key *a, const key *b)
{
    if (a->name && b->name)
        return strcmp(a->name, b->name) < 0;
    if (a->name || b->name)
        return !a->name;
    return a->number < b->number;
}

/* The first SHOWN_ITEMS keys of the table in order; *total counts all. */
static int first_keys(lua_State *L, int table, key keys[SHOWN_ITEMS], size_t *total)
{
    int count = 0;
    *total = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        key new = {0, NULL};
        ++*total;
        if (lua_type(L, -2) == LUA_TSTRING)
            new.name = lua_tostring(L, -2);
        else if (lua_isinteger(L, -2))
            new.number = lua_tointeger(L, -2);
        else
            continue;
        int place = count;
        while (place > 0 && key_before(&new, &keys[place - 1]))
            place--;
        if (place == SHOWN_ITEMS)
            continue;
        count += count < SHOWN_ITEMS;
        memmove(&keys[place + 1], &keys[place], (size_t)(count - 1 - place) * sizeof *keys);
        keys[place] = new;
    }
    return count;
}

static void format_item(lua_State *L, int index, char item[ITEM_BYTES])
{
    if (lua_type(L, index) == LUA_TSTRING) {
        snprintf(item, ITEM_BYTES, "\"%.100s\"", lua_tostring(L, index));
    } else if (lua_type(L, index) == LUA_TNUMBER && !lua_isinteger(L, index)) {
        snprintf(item, ITEM_BYTES, "%.6g", lua_tonumber(L, index));
    } else if (!prints_itself(L, index)) {
        snprintf(item, ITEM_BYTES, "{...}");
    } else {
        snprintf(item, ITEM_BYTES, "%.140s", luaL_tolstring(L, index, NULL));
        lua_pop(L, 1);
    }
}

/* Pushes a short text for the table at `table`, such as "{1, 2, name=3, ... 120 in all}". */
static void push_list_text(lua_State *L, int table)
{
    char text[LIST_BYTES], item[ITEM_BYTES];
    key keys[SHOWN_ITEMS];
    size_t total;
    int count = first_keys(L, table, keys, &total);
    if (count > SHOWN_NUMBERS && !keys[SHOWN_NUMBERS].name)
        count = SHOWN_NUMBERS;
    size_t used = (size_t)snprintf(text, sizeof text, "{");
    for (int i = 0; i < count; i++) {
        char name[KEY_BYTES] = "";
        if (keys[i].name) {
            snprintf(name, sizeof name, "%.64s=", keys[i].name);
            lua_pushstring(L, keys[i].name);
        } else {
            if (keys[i].number != i + 1)
                snprintf(name, sizeof name, "[%lld]=", (long long)keys[i].number);
            lua_pushinteger(L, keys[i].number);
        }
        lua_rawget(L, table);
        format_item(L, lua_gettop(L), item);
        lua_pop(L, 1);
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s%s", i ? ", " : "", name, item);
    }
    if (total > (size_t)count)
        snprintf(text + used, sizeof text - used, "%s... %zu in all}", count ? ", " : "", total);
    else
        snprintf(text + used, sizeof text - used, "}");
    lua_pushstring(L, text);
}

static int list_tostring(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    push_list_text(L, 1);
    return 1;
}

static int rows_tostring(lua_State *L);

/* Sets a metatable with __tostring; rows also get the method `save`. */
static void set_tostring(lua_State *L, const char *name, lua_CFunction function)
{
    if (luaL_newmetatable(L, name)) {
        lua_pushcfunction(L, function);
        lua_setfield(L, -2, "__tostring");
        if (function == rows_tostring) {
            lua_createtable(L, 0, 1);
            script_push_guarded_file(L, script_rows_save, 2);
            lua_setfield(L, -2, "save");
            lua_setfield(L, -2, "__index");
        }
    }
    lua_setmetatable(L, -2);
}

void script_as_list(lua_State *L)
{
    set_tostring(L, LIST, list_tostring);
}

void script_push_shown(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    if (prints_itself(L, index))
        luaL_tolstring(L, index, NULL);
    else
        push_list_text(L, index);
}

/* ---- aligned tables ------------------------------------------------------------------------ */

static size_t width_of(const char *text)
{
    return utf8_columns(text);
}

/* Pops the value on top and writes it as one line of text. True if it was a string. */
static bool pop_cell(lua_State *L, char cell[CELL_BYTES])
{
    bool text = lua_type(L, -1) == LUA_TSTRING;
    if (lua_isnil(L, -1)) {
        snprintf(cell, CELL_BYTES, "-");
    } else if (lua_type(L, -1) == LUA_TNUMBER && !lua_isinteger(L, -1)) {
        snprintf(cell, CELL_BYTES, "%.4g", lua_tonumber(L, -1));
    } else {
        snprintf(cell, CELL_BYTES, "%s", luaL_tolstring(L, -1, NULL));
        lua_pop(L, 1);
    }
    for (char *c = cell; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    lua_pop(L, 1);
    return text;
}

/* Pushes cell k of the row on top, looked up by the column's name, else by its index. */
static void push_cell(lua_State *L, const char *column, int k)
{
    if (lua_getfield(L, -1, column) == LUA_TNIL && lua_istable(L, -2)) {
        lua_pop(L, 1);
        lua_rawgeti(L, -1, k + 1);
    }
}

typedef struct layout {
    int count;
    const char *names[MAX_COLUMNS]; /* owned by the list of columns */
    size_t widths[MAX_COLUMNS];
    bool text[MAX_COLUMNS];
} layout;

static void read_layout(lua_State *L, int table, layout *plan)
{
    *plan = (layout){0};
    lua_getfield(L, table, COLUMNS);
    size_t count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    for (size_t k = 0; k < count && k < MAX_COLUMNS; k++) {
        if (lua_rawgeti(L, -1, (lua_Integer)k + 1) != LUA_TSTRING)
            luaL_error(L, "the names of a table's columns must be text");
        plan->names[plan->count] = lua_tostring(L, -1);
        plan->widths[plan->count++] = width_of(lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    char cell[CELL_BYTES];
    for (lua_Integer i = 1; lua_rawgeti(L, table, i) != LUA_TNIL; i++) {
        for (int k = 0; k < plan->count; k++) {
            push_cell(L, plan->names[k], k);
            plan->text[k] |= pop_cell(L, cell);
            if (width_of(cell) > plan->widths[k])
                plan->widths[k] = width_of(cell);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void add_cell(luaL_Buffer *out, const layout *plan, int k, const char *cell)
{
    size_t blanks = plan->widths[k] - width_of(cell);
    bool last = k + 1 == plan->count;
    for (size_t i = 0; i < blanks && !plan->text[k]; i++)
        luaL_addchar(out, ' ');
    luaL_addstring(out, cell);
    for (size_t i = 0; i < blanks && plan->text[k] && !last; i++)
        luaL_addchar(out, ' ');
    luaL_addstring(out, last ? "\n" : "  ");
}

static int rows_tostring(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    layout plan;
    read_layout(L, 1, &plan);
    lua_getfield(L, 1, COLUMNS); /* keeps the names alive */
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    for (int k = 0; k < plan.count; k++)
        add_cell(&out, &plan, k, plan.names[k]);
    char cell[CELL_BYTES];
    for (lua_Integer i = 1; lua_rawgeti(L, 1, i) != LUA_TNIL; i++) {
        lua_pop(L, 1);
        for (int k = 0; k < plan.count; k++) {
            lua_rawgeti(L, 1, i);
            push_cell(L, plan.names[k], k);
            plan.text[k] |= pop_cell(L, cell);
            lua_pop(L, 1);
            add_cell(&out, &plan, k, cell);
        }
    }
    lua_pop(L, 1);
    if (luaL_bufflen(&out) > 0)
        luaL_buffsub(&out, 1); /* drop the last newline, as print adds one */
    luaL_pushresult(&out);
    return 1;
}

void script_as_rows(lua_State *L, const char *const *columns, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t k = 0; k < count; k++) {
        lua_pushstring(L, columns[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, COLUMNS);
    set_tostring(L, ROWS, rows_tostring);
}

/* Pushes the names of a record's fields in order. */
static void push_columns_of(lua_State *L, int rows)
{
    key keys[SHOWN_ITEMS];
    size_t total;
    int count = 0;
    if (lua_rawgeti(L, rows, 1) == LUA_TTABLE)
        count = first_keys(L, lua_gettop(L), keys, &total);
    lua_newtable(L);
    for (int k = 0; k < count; k++) {
        if (keys[k].name)
            lua_pushstring(L, keys[k].name);
        else
            lua_pushfstring(L, "%I", (LUAI_UACINT)keys[k].number);
        lua_rawseti(L, -2, k + 1);
    }
    lua_remove(L, -2);
}

int script_tm_table(lua_State *L)
{
    lua_settop(L, 2);
    if (!lua_istable(L, 1))
        script_error(L, "tm.table: expected a list of rows, not %s", script_what_is(L, 1));
    if (!lua_isnil(L, 2) && !lua_istable(L, 2))
        script_error(L, "tm.table: expected a list of column names, not %s", script_what_is(L, 2));
    if (lua_isnil(L, 2) && lua_getfield(L, 1, COLUMNS) == LUA_TTABLE)
        lua_replace(L, 2);
    else if (lua_isnil(L, 2))
        push_columns_of(L, 1);
    if (!lua_istable(L, 2))
        lua_replace(L, 2);
    lua_settop(L, 2);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 1);
    lua_createtable(L, (int)count, 1);
    for (lua_Integer i = 1; i <= count; i++) {
        int type = lua_rawgeti(L, 1, i);
        if (type != LUA_TTABLE && type != LUA_TUSERDATA)
            script_error(L, "tm.table: row %lld is %s; expected a table or an object", (long long)i,
                         script_what_is(L, -1));
        lua_rawseti(L, -2, i);
    }
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, COLUMNS);
    set_tostring(L, ROWS, rows_tostring);
    return 1;
}
