/* The axes and configurations of a sweep, from Lua tables. Values are converted to the text form of
 * the command line, so that the same table checks both. */
#include "base/text.h"
#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/folder.h"
#include "script/objects/sweep/args.h"
#include "tamis/method.h"

#include <stdlib.h>
#include <string.h>

/* ---- blocks and texts ---------------------------------------------------------------------- */

static void keep_top(lua_State *L)
{
    luaL_ref(L, SWEEP_KEPT);
}

void *sweep_args_block(lua_State *L, size_t count, size_t size)
{
    void *block = lua_newuserdatauv(L, (count + 1) * size, 0);
    memset(block, 0, (count + 1) * size);
    keep_top(L);
    return block;
}

static void push_number(lua_State *L, int index)
{
    char text[40];
    if (lua_isinteger(L, index)) {
        lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, index));
        return;
    }
    text_from_real(lua_tonumber(L, index), text, sizeof text);
    lua_pushstring(L, text);
}

/* Pushes a list of numbers as "1,2,3". */
static void push_joined(lua_State *L, int list, const char *name)
{
    luaL_Buffer joined;
    luaL_buffinit(L, &joined);
    lua_Integer count = luaL_len(L, list);
    for (lua_Integer i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&joined, ',');
        lua_geti(L, list, i);
        if (lua_type(L, -1) != LUA_TNUMBER)
            script_error(L, "%s: '%s' has %s at place %d; expected a number", SWEEP_OWNER, name,
                         script_what_is(L, -1), (int)i);
        push_number(L, lua_gettop(L));
        lua_remove(L, -2);
        luaL_addvalue(&joined);
    }
    luaL_pushresult(&joined);
}

const char *sweep_args_text(lua_State *L, const char *name)
{
    int value = lua_gettop(L);
    switch (lua_type(L, value)) {
    case LUA_TNUMBER:
        push_number(L, value);
        break;
    case LUA_TSTRING:
        lua_pushvalue(L, value);
        break;
    case LUA_TBOOLEAN:
        lua_pushstring(L, lua_toboolean(L, value) ? "true" : "false");
        break;
    case LUA_TTABLE:
        lua_pushvalue(L, value);
        if (!script_args_structure(L, SWEEP_OWNER, name))
            push_joined(L, value, name);
        break;
    default:
        script_error(L, "%s: '%s' is %s; expected a number, text, true or false", SWEEP_OWNER, name,
                     script_what_is(L, value));
    }
    const char *text = lua_tostring(L, -1);
    script_check_words(L, text);
    keep_top(L);
    lua_settop(L, value - 1);
    return text;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **sweep_args_keys(lua_State *L, const char *what, const char *skip, size_t *count)
{
    int table = lua_gettop(L);
    size_t capacity = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        capacity++;
    const char **keys = sweep_args_block(L, capacity, sizeof *keys);
    *count = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            script_error(L, "%s: %s takes name=value; [%s] has no name", SWEEP_OWNER, what,
                         luaL_tolstring(L, -2, NULL));
        const char *key = lua_tostring(L, -2);
        if (!skip || strcmp(key, skip) != 0)
            keys[(*count)++] = key; /* owned by the caller's table */
    }
    qsort(keys, *count, sizeof *keys, compare_texts);
    return keys;
}

/* ---- axes ---------------------------------------------------------------------------------- */

void sweep_args_choices(lua_State *L, tm_sweep_axis *axis)
{
    if (!lua_istable(L, -1)) {
        const char **one = sweep_args_block(L, 1, sizeof *one);
        one[0] = sweep_args_text(L, axis->name);
        axis->values = one;
        axis->count = 1;
        return;
    }
    axis->count = lua_rawlen(L, -1);
    const char **values = sweep_args_block(L, axis->count, sizeof *values);
    for (size_t i = 0; i < axis->count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        values[i] = sweep_args_text(L, axis->name);
    }
    axis->values = values;
    lua_pop(L, 1);
}

static double range_end(lua_State *L, const char *axis, const char *key)
{
    int number;
    lua_getfield(L, -1, key);
    double value = lua_tonumberx(L, -1, &number);
    if (!number)
        script_error(L, "%s: the range of '%s' has no number '%s'; expected {min=, max=}",
                     SWEEP_OWNER, axis, key);
    lua_pop(L, 1);
    return value;
}

/* `method`: NULL when it is an axis. */
static bool takes_whole(const char *method, const char *name)
{
    size_t count = 0;
    const tm_method *known = method ? tm_method_find(method, NULL) : NULL;
    const tm_param_info *table = known ? tm_method_params(known, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].type == TM_PARAM_INT || table[i].flags & TM_PARAM_WHOLE;
    return strcmp(name, "keep") == 0;
}

/* Pops and reads {min=, max=, log=, integer=} or a list of choices. */
static void read_range(lua_State *L, const char *method, tm_sweep_axis *axis)
{
    static const char *const keys[] = {"min", "max", "log", "integer", NULL};
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) > 0) {
        sweep_args_choices(L, axis);
        return;
    }
    int table = lua_gettop(L);
    script_args_keys(L, table, axis->name, NULL, 0, keys);
    axis->min = range_end(L, axis->name, "min");
    axis->max = range_end(L, axis->name, "max");
    axis->log = script_args_bool(L, table, SWEEP_OWNER, "log", false);
    axis->whole = script_args_bool(L, table, SWEEP_OWNER, "integer", false);
    if (!axis->whole && takes_whole(method, axis->name))
        script_error(L, "%s: random: '%s' takes whole numbers; add integer=true to its range",
                     SWEEP_OWNER, axis->name);
    lua_pop(L, 1);
}

/* Reads the axes of the table on top, which is kept; with `ranges`, those of a random search. */
static void read_axes(sweep_reader *r, const char *what, bool ranges)
{
    lua_State *L = r->L;
    if (!lua_istable(L, -1))
        script_error(L, "%s: '%s' is %s; expected {name={values}, ...}", SWEEP_OWNER, what,
                     script_what_is(L, -1));
    const char **names = sweep_args_keys(L, what, ranges ? "n" : NULL, &r->axis_count);
    r->axes = sweep_args_block(L, r->axis_count + 3, sizeof *r->axes);
    for (size_t a = 0; a < r->axis_count; a++) {
        r->axes[a].name = names[a];
        lua_getfield(L, -1, names[a]);
        if (ranges)
            read_range(L, r->spec.method, &r->axes[a]);
        else
            sweep_args_choices(L, &r->axes[a]);
    }
    keep_top(L);
}

static bool has_axis(const sweep_reader *r, const char *name)
{
    for (size_t a = 0; a < r->axis_count; a++)
        if (strcmp(r->axes[a].name, name) == 0)
            return true;
    return false;
}

/* Several data sets or methods form an axis even if no grid names them. */
static void add_special_axes(sweep_reader *r)
{
    lua_State *L = r->L;
    if (r->spec.inputs.data_names && !has_axis(r, "data"))
        r->axes[r->axis_count++] = (tm_sweep_axis){.name = "data",
                                                   .values = r->spec.inputs.data_names,
                                                   .count = r->spec.inputs.data_count};
    if (r->prepares.count > 0 && !has_axis(r, "prepare")) {
        r->axes[r->axis_count] = r->prepares;
        r->axes[r->axis_count++].name = "prepare";
    }
    if (lua_getfield(L, 1, "method") == LUA_TTABLE && !has_axis(r, "method")) {
        tm_sweep_axis *axis = &r->axes[r->axis_count++];
        *axis = (tm_sweep_axis){.name = "method"};
        sweep_args_choices(L, axis);
        return;
    }
    lua_pop(L, 1);
}

/* ---- configurations ------------------------------------------------------------------------ */

static void check_status(sweep_reader *r, tm_status status, const tm_error *err)
{
    if (status != TM_OK)
        script_raise(r->L, err);
}

/* Reads {{name=value, ...}, ...} on top: every name that occurs is an axis. */
static void read_list(sweep_reader *r)
{
    lua_State *L = r->L;
    size_t count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0, names = 0;
    if (count == 0)
        script_error(L, "%s: 'list' is %s; expected {{name=value, ...}, ...}", SWEEP_OWNER,
                     lua_istable(L, -1) ? "empty" : script_what_is(L, -1));
    int list = lua_gettop(L);
    lua_newtable(L); /* the set of all names */
    for (size_t i = 1; i <= count; i++) {
        if (lua_rawgeti(L, list, (lua_Integer)i) != LUA_TTABLE)
            script_error(L, "%s: list[%d] is %s; expected {name=value, ...}", SWEEP_OWNER, (int)i,
                         script_what_is(L, -1));
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
            lua_pushvalue(L, -2);
            lua_pushboolean(L, 1);
            lua_rawset(L, list + 1);
        }
        lua_pop(L, 1);
    }
    const char **axes = sweep_args_keys(L, "list", NULL, &names);
    const char **values = sweep_args_block(L, names * count, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        for (size_t a = 0; a < names; a++)
            if (lua_getfield(L, -1, axes[a]) == LUA_TNIL)
                lua_pop(L, 1);
            else
                values[i * names + a] = sweep_args_text(L, axes[a]);
        lua_pop(L, 1);
    }
    keep_top(L); /* the table owns the names */
    r->spec.axes = axes;
    r->spec.axis_count = names;
    r->spec.values = values;
    r->spec.config_count = count;
    lua_pop(L, 1);
}

/* Combines the axes to configurations. */
static void combine(sweep_reader *r, bool random, size_t draws)
{
    tm_error err = TM_ERROR_INIT;
    const char **names = sweep_args_block(r->L, r->axis_count, sizeof *names);
    for (size_t a = 0; a < r->axis_count; a++)
        names[a] = r->axes[a].name;
    r->spec.axes = names;
    r->spec.axis_count = r->axis_count;
    r->spec.config_count = draws;
    check_status(
        r,
        random
            ? tm_sweep_random(&r->values, r->axes, r->axis_count, draws, r->spec.splits.seed, &err)
            : tm_sweep_grid(&r->values, &r->spec.config_count, r->axes, r->axis_count, &err),
        &err);
    r->spec.values = (const char *const *)r->values;
}

/* ---- a grid for each method ---------------------------------------------------------------- */

/* Whether the value on top is {name={values}, ...} rather than a list. */
static bool is_grid(lua_State *L)
{
    bool named = false;
    if (lua_istable(L, -1) && lua_rawlen(L, -1) == 0) {
        lua_pushnil(L);
        named = lua_next(L, -2) != 0;
        if (named)
            lua_pop(L, 2);
    }
    return named;
}

/* Whether the grid on top has a grid for a method. */
static bool has_method_grids(lua_State *L)
{
    bool any = false;
    for (lua_pushnil(L); lua_istable(L, -2) && lua_next(L, -2); lua_pop(L, 1))
        any = any || is_grid(L);
    if (!lua_istable(L, -1))
        lua_pop(L, 1);
    return any;
}

/* Sets the axes of one method: the shared ones, and those of its own grid. The grid is on top. */
static void set_method_axes(sweep_reader *r, const char **keys, size_t count, const char **method)
{
    lua_State *L = r->L;
    size_t own_count = 0;
    const char **own = NULL;
    if (lua_getfield(L, -1, *method) == LUA_TTABLE)
        own = sweep_args_keys(L, "a method's grid", NULL, &own_count);
    r->axes = sweep_args_block(L, count + own_count + 4, sizeof *r->axes);
    r->axes[0] = (tm_sweep_axis){.name = "method", .values = method, .count = 1};
    r->axis_count = 1;
    for (size_t a = 0; a < own_count; a++) {
        r->axes[r->axis_count].name = own[a];
        lua_getfield(L, -1, own[a]);
        sweep_args_choices(L, &r->axes[r->axis_count++]);
    }
    lua_pop(L, 1);
    for (size_t a = 0; a < count; a++) {
        lua_getfield(L, -1, keys[a]);
        if (is_grid(L)) {
            lua_pop(L, 1);
            continue;
        }
        r->axes[r->axis_count].name = keys[a];
        sweep_args_choices(L, &r->axes[r->axis_count++]);
    }
    add_special_axes(r);
}

/* The configurations of one method, by its own axes. */
typedef struct method_grid {
    tm_sweep_axis *axes;
    size_t axis_count, count;
    char **values;
} method_grid;

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Concatenates them; an axis that a method lacks has no value there. False when memory runs out. */
static bool join_grids(sweep_reader *r, method_grid *grids, size_t count)
{
    r->values = calloc(r->spec.config_count * r->spec.axis_count + 1, sizeof *r->values);
    size_t row = 0;
    for (size_t g = 0; r->values && g < count; g++)
        for (size_t c = 0; c < grids[g].count; c++, row++)
            for (size_t a = 0; a < grids[g].axis_count; a++) {
                size_t to = 0;
                while (strcmp(r->spec.axes[to], grids[g].axes[a].name) != 0)
                    to++;
                char **from = &grids[g].values[c * grids[g].axis_count + a];
                r->values[row * r->spec.axis_count + to] = *from;
                *from = NULL;
            }
    r->spec.values = (const char *const *)r->values;
    return r->values;
}

/* The methods of field `method`, or those that the grid on top names. */
static const char **read_methods(sweep_reader *r, const char **keys, size_t key_count,
                                 size_t *count)
{
    lua_State *L = r->L;
    tm_sweep_axis axis = {.name = "method"};
    if (lua_getfield(L, 1, "method") != LUA_TNIL) {
        sweep_args_choices(L, &axis);
        *count = axis.count;
        return (const char **)axis.values;
    }
    lua_pop(L, 1);
    const char **names = sweep_args_block(L, key_count, sizeof *names);
    *count = 0;
    for (size_t k = 0; k < key_count; k++) {
        lua_getfield(L, -1, keys[k]);
        if (is_grid(L))
            names[(*count)++] = keys[k];
        lua_pop(L, 1);
    }
    return names;
}

/* Pops and reads the grid on top. */
static void read_method_grids(sweep_reader *r)
{
    lua_State *L = r->L;
    tm_error err = TM_ERROR_INIT;
    size_t key_count, count, room = 0;
    const char **keys = sweep_args_keys(L, "grid", NULL, &key_count);
    const char **methods = read_methods(r, keys, key_count, &count);
    for (size_t k = 0; k < key_count; k++) {
        lua_getfield(L, -1, keys[k]);
        if (is_grid(L) && !is_among(methods, count, keys[k]))
            script_error(L, "%s: grid: '%.60s' is no method of the sweep", SWEEP_OWNER, keys[k]);
        lua_pop(L, 1);
    }
    method_grid *grids = sweep_args_block(L, count, sizeof *grids);
    for (size_t g = 0; g < count; g++) {
        set_method_axes(r, keys, key_count, &methods[g]);
        grids[g] = (method_grid){.axes = r->axes, .axis_count = r->axis_count};
        room += r->axis_count;
    }
    const char **axes = sweep_args_block(L, room, sizeof *axes);
    for (size_t g = 0; g < count; g++)
        for (size_t a = 0; a < grids[g].axis_count; a++)
            if (!is_among(axes, r->spec.axis_count, grids[g].axes[a].name))
                axes[r->spec.axis_count++] = grids[g].axes[a].name;
    r->spec.axes = axes;
    r->spec.method = NULL;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    keep_top(L);              /* the table owns the names */
    tm_status status = TM_OK; /* from here on nothing may raise an error until the values are
                               * freed */
    for (size_t g = 0; status == TM_OK && g < count; g++) {
        status = tm_sweep_grid(&grids[g].values, &grids[g].count, grids[g].axes,
                               grids[g].axis_count, &err);
        r->spec.config_count += grids[g].count;
    }
    if (status == TM_OK && !join_grids(r, grids, count))
        status = tm_fail(&err, TM_ENOMEM, "not enough memory for a grid");
    for (size_t g = 0; g < count; g++)
        tm_sweep_values_free(grids[g].values, grids[g].count * grids[g].axis_count);
    check_status(r, status, &err);
}

void sweep_args_random(sweep_reader *r)
{
    lua_getfield(r->L, 1, "random");
    read_axes(r, "random", true);
    add_special_axes(r);
}

void sweep_args_configs(sweep_reader *r)
{
    lua_State *L = r->L;
    bool grid = lua_getfield(L, 1, "grid") != LUA_TNIL;
    bool random = lua_getfield(L, 1, "random") != LUA_TNIL;
    bool list = lua_getfield(L, 1, "list") != LUA_TNIL;
    size_t draws = 0;
    if (grid + random + list > 1)
        script_error(L, "%s: give one of grid, random and list", SWEEP_OWNER);
    if (list) {
        read_list(r);
        lua_pop(L, 2);
        return;
    }
    lua_pop(L, 1);
    if (random) {
        int whole = 0;
        lua_Integer n =
            lua_istable(L, -1) ? (lua_getfield(L, -1, "n"), lua_tointegerx(L, -1, &whole)) : 0;
        if (!whole || n < 1)
            script_error(L, "%s: random needs n=, the number of configurations to draw",
                         SWEEP_OWNER);
        lua_pop(L, 1);
        draws = (size_t)n;
        read_axes(r, "random", true);
        lua_pop(L, 1);
    } else {
        lua_pop(L, 1);
        if (grid && has_method_grids(L)) {
            read_method_grids(r);
            return;
        }
        if (!grid) {
            lua_pop(L, 1);
            lua_newtable(L);
        }
        read_axes(r, "grid", false);
    }
    add_special_axes(r);
    combine(r, random, draws);
}
